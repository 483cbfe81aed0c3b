// The engine's short-lived state in Redis: one hash per record, found by a hash of its id (design 2.5). Every command
// and script touches one key, so a Cluster may put each of them anywhere. Redis's own expiry ends the records.
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { createReader } from '../src/batch.ts';
import type { Clock } from '../src/clock.ts';
import type { Database } from '../src/database.ts';
import { grantSeconds, readBatches } from '../src/limits.ts';
import { answerOf, type RedisClient } from '../src/redis.ts';
import { sha256 } from '../src/secrets.ts';
import { grantIdOf, withoutSecrets, withSecrets } from './at-rest.ts';
import { findRevocations } from './revoke.ts';

/** Leaves `consumed` alone: saving again does not bring a consumed code back to life. */
const SAVE = `
redis.call('HSET', KEYS[1], 'payload', ARGV[1])
if ARGV[2] == '' then redis.call('PERSIST', KEYS[1]) else redis.call('EXPIRE', KEYS[1], ARGV[2]) end`;

/** Scripts run alone: of any number of callers one sets the field. */
const CONSUME = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return redis.call('HSETNX', KEYS[1], 'consumed', ARGV[1])`;

/** A sorted set of record keys by the second of their expiry; what has expired leaves at the next addition. */
const ADD_TO_INDEX = `
local now = tonumber(redis.call('TIME')[1])
local seconds = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + seconds, ARGV[1])
redis.call('EXPIRE', KEYS[1], math.max(seconds, redis.call('TTL', KEYS[1])))`;

type Dependencies = { redis: RedisClient; db: Database; clock: Clock };

export class RedisAdapter implements Adapter {
  readonly #model: string;
  readonly #redis: RedisClient;
  readonly #revocation: (accountId: string) => Promise<number | undefined>;
  readonly #clock: Clock;

  /** `clock` only stamps what is consumed; records expire by the time of Redis. */
  constructor(model: string, { redis, db, clock }: Dependencies) {
    this.#model = model;
    this.#redis = redis;
    this.#revocation = createReader({ find: (ids) => findRevocations(db, ids), ...readBatches });
    this.#clock = clock;
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds?: number): Promise<void> {
    const key = recordKey(this.#model, id);
    const content = JSON.stringify(withoutSecrets(id, payload));
    const seconds = expiresInSeconds ?? grantSeconds;
    const grantId = grantIdOf(this.#model, id, payload);
    const { uid, accountId } = payload;
    const isSession = this.#model === 'Session';
    // An index that names a record too many does no harm, so the order does not matter.
    await Promise.all([
      grantId && this.#addToIndex(grantIndexKey(this.#model, grantId), key, seconds),
      isSession && accountId && this.#addToIndex(accountIndexKey(accountId), key, seconds),
      uid && seconds > 0 && answerOf(this.#redis.set(uidKey(this.#model, uid), key, 'EX', seconds)),
      answerOf(this.#redis.eval(SAVE, 1, key, content, expiresInSeconds ?? '')),
    ]);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const record = await this.#read(recordKey(this.#model, id));
    return record && withSecrets(id, record);
  }

  /** Sessions, when a token or an interaction refers to one: the answer has no cookie value, and needs none. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const key = await answerOf(this.#redis.get(uidKey(this.#model, uid)));
    return key === null ? undefined : this.#read(key);
  }

  /** Device flow, which is not offered. */
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async destroy(id: string): Promise<void> {
    await answerOf(this.#redis.unlink(recordKey(this.#model, id)));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await deleteIndexed(this.#redis, grantIndexKey(this.#model, grantId));
  }

  async consume(id: string): Promise<void> {
    const seconds = Math.floor(this.#clock().getTime() / 1000);
    const consumed = await answerOf(this.#redis.eval(CONSUME, 1, recordKey(this.#model, id), seconds));
    if (consumed !== 1) throw new errors.InvalidGrant({ detail: `${this.#model} already consumed` });
  }

  async #addToIndex(index: string, key: string, seconds: number): Promise<void> {
    if (seconds > 0) await answerOf(this.#redis.eval(ADD_TO_INDEX, 1, index, key, seconds));
  }

  async #read(key: string): Promise<AdapterPayload | undefined> {
    const [content, consumed] = await answerOf(this.#redis.hmget(key, 'payload', 'consumed'));
    if (!content) return undefined;
    const payload: AdapterPayload = JSON.parse(content);
    if (await this.#isRevoked(payload)) return undefined;
    return consumed ? { ...payload, consumed: Number(consumed) } : payload;
  }

  /**
   * Written back by a request that was under way while its account's sessions were ended: the mark in SQL knows, and
   * unlike one in Redis it cannot be lost. Access tokens need no look: their grant is in SQL, and gone.
   */
  async #isRevoked({ accountId, authTime, loginTs }: AdapterPayload): Promise<boolean> {
    const signedInAt = authTime ?? loginTs;
    if (!accountId || signedInAt === undefined) return false;
    const revokedAt = await this.#revocation(accountId);
    return revokedAt !== undefined && revokedAt > signedInAt;
  }
}

/** Codes and access tokens of grants that are ended. */
export async function deleteTokensOfGrants(redis: RedisClient, grantIds: string[]): Promise<void> {
  const indexes = grantIds.flatMap((grantId) => [
    grantIndexKey('AuthorizationCode', grantId),
    grantIndexKey('AccessToken', grantId),
  ]);
  await Promise.all(indexes.map((index) => deleteIndexed(redis, index)));
}

export async function deleteSessionsOfAccount(redis: RedisClient, accountId: string): Promise<void> {
  await deleteIndexed(redis, accountIndexKey(accountId));
}

/** One command per record: in a Cluster they live in different places. */
async function deleteIndexed(redis: RedisClient, index: string): Promise<void> {
  const keys = await answerOf(redis.zrange(index, '0', '-1'));
  await Promise.all([...keys, index].map((key) => answerOf(redis.unlink(key))));
}

function recordKey(model: string, id: string): string {
  return `${model}:${sha256(id)}`;
}

function uidKey(model: string, uid: string): string {
  return `${model}:uid:${sha256(uid)}`;
}

function grantIndexKey(model: string, grantId: string): string {
  return `${model}:grant:${sha256(grantId)}`;
}

function accountIndexKey(accountId: string): string {
  return `Session:account:${sha256(accountId)}`;
}
