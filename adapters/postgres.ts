// The engine's state in SQL, on PostgreSQL and PGlite alike: every model in one table, found by a hash of its id,
// because for codes, tokens and sessions that id is the secret itself.
import { and, eq, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { engineRecords } from '../drizzle/schema/engine.ts';
import { type Clock, secondsAfter } from '../src/clock.ts';
import { createReader, createWriter } from '../src/database/batch.ts';
import { type Database, isOneOf } from '../src/database/connection.ts';
import { claimedProofSeconds } from '../src/limits/assurance.ts';
import { readBatches, revocationBatches } from '../src/limits/stores.ts';
import { sha256 } from '../src/secrets.ts';
import { currentSessionHash } from './current-session.ts';
import { deleteRecords, isOfLivingSession, isOfRevokedClient } from './revoke.ts';
import { grantIdOf, idByHash, idHashOf, secondNameOf, withoutSecrets, withSecrets } from './stored-record.ts';

export class SqlAdapter implements Adapter {
  readonly #model: string;
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #read: (idHash: string) => Promise<AdapterPayload | undefined>;
  readonly #findLiveOfUid: FindLive;
  readonly #destroy: (idHash: string) => Promise<void>;
  readonly #revoke: (grantId: string) => Promise<void>;

  constructor(model: string, { db, lookUps, clock }: { db: Database; lookUps: Database; clock: Clock }) {
    this.#model = model;
    this.#db = db;
    this.#clock = clock;
    const live = this.#prepareLive(lookUps, isOneOf(engineRecords.idHash, sql.placeholder('hashes')));
    this.#read = createReader({ find: (hashes) => live({ hashes }), ...readBatches });
    this.#findLiveOfUid = this.#prepareLive(lookUps, eq(engineRecords.uid, sql.placeholder('uid')));
    this.#destroy = createWriter({
      write: (hashes) => this.#delete(isOneOf(engineRecords.idHash, hashes)),
      ...revocationBatches,
    });
    this.#revoke = createWriter({
      write: (grantIds) => this.#delete(isOneOf(engineRecords.grantId, grantIds)),
      ...revocationBatches,
    });
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds?: number): Promise<void> {
    const content = {
      payload: withoutSecrets(id, payload),
      grantId: grantIdOf(this.#model, id, payload) ?? null,
      accountId: payload.accountId ?? null,
      uid: secondNameOf(payload) ?? null,
      sessionHash: this.#sessionHashOf(payload) ?? null,
      expiresAt: expiresInSeconds === undefined ? null : secondsAfter(this.#clock(), expiresInSeconds),
    };
    // A grant stays its first session's, whoever saves it.
    const sessionHash = sql`coalesce(${engineRecords.sessionHash}, excluded.session_hash)`;
    await this.#db
      .insert(engineRecords)
      .values({ model: this.#model, idHash: this.#idHashOf(id), ...content })
      .onConflictDoUpdate({
        target: [engineRecords.model, engineRecords.idHash],
        set: { ...content, sessionHash },
      });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const record = await this.#read(this.#idHashOf(id));
    // Several callers of one moment may get the same answer, and the engine changes what it gets. It came as JSON, and
    // a copy as JSON takes a third of the time.
    return record && withSecrets(id, JSON.parse(JSON.stringify(record)));
  }

  /** Sessions, when a token or an interaction refers to one: the answer has no cookie value, and needs none. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const [record] = (await this.#findLiveOfUid({ uid })).values();
    return record;
  }

  /** adapters/device-codes.ts; the answer knows the device code's hash, and not the code. */
  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    const [found] = await this.#findLiveOfUid({ uid: userCode });
    return found && withSecrets(idByHash(found[0]), found[1]);
  }

  async destroy(id: string): Promise<void> {
    await this.#destroy(this.#idHashOf(id));
  }

  async forget(idHash: string): Promise<void> {
    await this.#destroy(idHash);
  }

  async prolong(idHash: string, seconds: number): Promise<void> {
    await this.#db
      .update(engineRecords)
      .set({ expiresAt: secondsAfter(this.#clock(), seconds) })
      .where(and(eq(engineRecords.model, this.#model), eq(engineRecords.idHash, idHash)));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#revoke(grantId);
  }

  /**
   * The engine looks at `consumed` and then calls this, so any number of requests can get here at once. One
   * conditional write decides: PostgreSQL gives the row to one of them, the others change nothing and fail.
   */
  async consume(id: string): Promise<void> {
    const consumed = await this.#db
      .update(engineRecords)
      .set({ consumedAt: this.#clock() })
      .where(and(this.#isRecord(id), isNull(engineRecords.consumedAt)))
      .returning({ idHash: engineRecords.idHash });
    if (consumed.length === 0) throw new errors.InvalidGrant({ detail: `${this.#model} already consumed` });
  }

  /** For used-proofs.ts: the primary key gives it to one; what has ended may be taken again. */
  async claim(id: string): Promise<boolean> {
    const now = this.#clock();
    const values = { payload: {}, expiresAt: secondsAfter(now, claimedProofSeconds) };
    const claimed = await this.#db
      .insert(engineRecords)
      .values({ model: this.#model, idHash: sha256(id), ...values })
      .onConflictDoUpdate({
        target: [engineRecords.model, engineRecords.idHash],
        set: values,
        setWhere: lte(engineRecords.expiresAt, now),
      })
      .returning({ idHash: engineRecords.idHash });
    return claimed.length > 0;
  }

  #sessionHashOf({ sessionUid }: AdapterPayload): string | undefined {
    return this.#model === 'Grant' ? currentSessionHash() : sessionUid && sha256(sessionUid);
  }

  #idHashOf(id: string): string {
    return idHashOf(this.#model, id);
  }

  #delete(which: SQL): Promise<void> {
    return deleteRecords(this.#db, and(eq(engineRecords.model, this.#model), which));
  }

  #isRecord(id: string): SQL | undefined {
    return and(eq(engineRecords.model, this.#model), eq(engineRecords.idHash, this.#idHashOf(id)));
  }

  /** Codes and tokens need no look of their own: without their grant they are worth nothing. */
  #isNotEnded(): SQL | undefined {
    return this.#model === 'Grant' ? and(isOfLivingSession(), not(isOfRevokedClient())) : undefined;
  }

  #prepareLive(lookUps: Database, condition: SQL): FindLive {
    const now = sql`${sql.placeholder('now')}::timestamptz`;
    const isLive = or(isNull(engineRecords.expiresAt), sql`${engineRecords.expiresAt} > ${now}`);
    const query = lookUps
      .select({
        idHash: engineRecords.idHash,
        payload: engineRecords.payload,
        consumedAt: engineRecords.consumedAt,
      })
      .from(engineRecords)
      .where(and(eq(engineRecords.model, this.#model), condition, isLive, this.#isNotEnded()))
      .prepare('engine_records');
    return async (values) => {
      const records = await query.execute({ ...values, now: this.#clock().toISOString() });
      return new Map(records.map(({ idHash, ...record }) => [idHash, payloadOf(record)]));
    };
  }
}

/** Live records by the hash of their id; the values are those of the condition's placeholders. */
type FindLive = (values: Record<string, unknown>) => Promise<Map<string, AdapterPayload>>;

function payloadOf({
  payload,
  consumedAt,
}: {
  payload: AdapterPayload;
  consumedAt: Date | null;
}): AdapterPayload {
  return consumedAt ? { ...payload, consumed: Math.floor(consumedAt.getTime() / 1000) } : payload;
}
