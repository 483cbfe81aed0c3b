// The engine's sessions as SQL knows them (docs/decisions/0701). Whatever the engine's own store holds, a session is found
// only while its row in `sessions` lives, and says of the sign-in what the proof behind that row says.
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { type SignInFacts, sessionsFinder } from '../src/accounts/session.ts';
import type { Clock } from '../src/clock.ts';
import { type AskedAhead, createAskedAhead } from '../src/database/asked-ahead.ts';
import { createReader } from '../src/database/batch.ts';
import type { Database } from '../src/database/connection.ts';
import { readBatches } from '../src/limits/stores.ts';
import { sha256 } from '../src/secrets.ts';
import { sessionLoggingOut } from './current-session.ts';
import { endSessionAtLogout } from './end-session.ts';
import { admit, type Waiting } from './interactions.ts';
import { requestOfEngine } from './records-of-request.ts';

/** In the budgets: whoever opened the page for a device's code, and has not said for which application. */
const NO_APPLICATION = 'page for devices';

export class LivingSessionAdapter implements Adapter {
  readonly #records: Adapter;
  readonly #stores: { db: Database; clock: Clock };
  readonly #waiting: Waiting;
  /** By the session's uid. */
  readonly facts: AskedAhead<SignInFacts | undefined>;

  /** @param records where the engine's own record of a session is kept. */
  constructor(
    records: Adapter,
    { lookUps, waiting, ...stores }: { lookUps: Database; db: Database; clock: Clock; waiting: Waiting },
  ) {
    this.#records = records;
    this.#stores = stores;
    this.#waiting = waiting;
    const read = createReader({ find: sessionsFinder(lookUps), ...readBatches });
    this.facts = createAskedAhead((uid) => read(sha256(uid)));
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#living((await this.#records.find(id)) ?? undefined);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#living((await this.#records.findByUid(uid)) ?? undefined);
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  /** A session that has ended may be saved again by a request that began before: nobody finds it. */
  async upsert(id: string, payload: AdapterPayload, expiresInSeconds: number): Promise<void> {
    if (!payload.accountId) {
      // Kept for the token of the form on that page alone; whoever signs in gets another id.
      const waiting = { clientId: NO_APPLICATION, isTouched: false, seconds: expiresInSeconds };
      await admit(this.#waiting, payload, { idHash: sha256(id), ...waiting });
    }
    await this.#records.upsert(id, payload, expiresInSeconds);
  }

  /** A log-out ends the row first, and with it the sessions of our own pages: whoever meets an error can try again. */
  async destroy(id: string): Promise<void> {
    const ended = sessionLoggingOut(id);
    const { db, clock } = this.#stores;
    if (ended) await endSessionAtLogout(db, { ...ended, now: clock() });
    await this.#records.destroy(id);
  }

  async consume(id: string): Promise<void> {
    await this.#records.consume(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#records.revokeByGrantId(grantId);
  }

  async #living(record: AdapterPayload | undefined): Promise<AdapterPayload | undefined> {
    // Before anybody has signed in there is nothing to end.
    if (!record?.accountId) return record;
    const facts = await this.facts.find(requestOfEngine(), record.uid ?? '');
    if (facts?.accountId !== record.accountId) return undefined;
    const { loginTs: _ts, amr: _amr, acr: _acr, ...rest } = record;
    return {
      ...rest,
      loginTs: facts.authTime,
      ...(facts.amr && { amr: facts.amr }),
      ...(facts.acr && { acr: facts.acr }),
    };
  }
}
