// The engine's short-lived state in Redis: one hash per record, found by a hash of its id. Every command
// and script touches one key, so a Cluster may put each of them anywhere. Redis's own expiry ends the records.
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Clock } from '../src/clock.ts';
import { claimedProofSeconds } from '../src/limits/assurance.ts';
import { grantSeconds } from '../src/limits/token-lifetimes.ts';
import { expiredCodeRememberedSeconds } from '../src/limits/usage.ts';
import { answerOf, createScript, type RedisClient, runScript } from '../src/redis/client.ts';
import { sha256 } from '../src/secrets.ts';
import { hasAnswers } from './interactions.ts';
import { grantIdOf, idByHash, idHashOf, secondNameOf, withoutSecrets, withSecrets } from './stored-record.ts';

/** With it a script writes into a full Redis: what a sign-in under way needs, not what begins another one. */
const EVEN_IF_FULL = '#!lua flags=allow-oom\n';

/** Leaves `consumed` alone: saving again does not bring a consumed code back to life. */
const SAVE_TEXT = `
redis.call('HSET', KEYS[1], 'payload', ARGV[1])
if ARGV[2] == '' then redis.call('PERSIST', KEYS[1]) else redis.call('EXPIRE', KEYS[1], ARGV[2]) end`;
const SAVE = createScript(SAVE_TEXT);
const SAVE_EVEN_IF_FULL = createScript(EVEN_IF_FULL + SAVE_TEXT);

const SAVE_UID = createScript(`${EVEN_IF_FULL}redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])`);

/**
 * Scripts run alone: of any number of callers one sets the field, and none after the record's end. What was consumed
 * need not be remembered beyond that.
 */
const CONSUME =
  createScript(`${EVEN_IF_FULL}if redis.call('HEXISTS', KEYS[1], 'payload') == 0 then return 0 end
if redis.call('HSETNX', KEYS[1], 'consumed', ARGV[1]) == 0 then return 0 end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then return 1 end
if left <= tonumber(ARGV[2]) then
  redis.call('HDEL', KEYS[1], 'consumed')
  return 0
end
redis.call('PEXPIRE', KEYS[1], left - tonumber(ARGV[2]))
return 1`);

/** Taken by one; the record's own text and end come with SAVE. Like a beginning, it is refused by a full Redis. */
const CLAIM = createScript(`if redis.call('HSETNX', KEYS[1], 'payload', '{}') == 0 then return 0 end
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1`);

/** A sorted set of record keys by the second of their expiry; what has expired leaves at the next addition. */
const ADD_TO_INDEX = createScript(`${EVEN_IF_FULL}local now = tonumber(redis.call('TIME')[1])
local seconds = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + seconds, ARGV[1])
redis.call('EXPIRE', KEYS[1], math.max(seconds, redis.call('TTL', KEYS[1])))`);

type Dependencies = { redis: RedisClient; clock: Clock };

export class RedisAdapter implements Adapter {
  readonly #model: string;
  readonly #redis: RedisClient;
  readonly #clock: Clock;
  /** Milliseconds that a record stays beyond its end, found by nobody but expired-codes.ts. */
  readonly #rememberedMilliseconds: number;

  /** `clock` only stamps what is consumed; records expire by the time of Redis. */
  constructor(model: string, { redis, clock }: Dependencies) {
    this.#model = model;
    this.#redis = redis;
    this.#clock = clock;
    this.#rememberedMilliseconds = model === 'AuthorizationCode' ? expiredCodeRememberedSeconds * 1000 : 0;
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds?: number): Promise<void> {
    const key = recordKey(this.#model, id);
    const content = JSON.stringify(withoutSecrets(id, payload));
    const seconds = expiresInSeconds ?? grantSeconds;
    const grantId = grantIdOf(this.#model, id, payload);
    const name = secondNameOf(payload);
    const isNew = this.#beginsSomething(payload);
    // An index that names a record too many does no harm, so the order does not matter.
    await Promise.all([
      runScript(
        this.#redis,
        isNew ? SAVE : SAVE_EVEN_IF_FULL,
        key,
        content,
        this.#storedSeconds(expiresInSeconds),
      ),
      grantId && this.#addToIndex(grantIndexKey(this.#model, grantId), key, seconds),
      name && seconds > 0 && runScript(this.#redis, SAVE_UID, uidKey(this.#model, name), key, seconds),
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

  /** adapters/device-codes.ts; the answer knows the device code's hash, and not the code. */
  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    const key = await answerOf(this.#redis.get(uidKey(this.#model, userCode)));
    const record = key === null ? undefined : await this.#read(key);
    return record && withSecrets(idByHash(String(key).slice(this.#model.length + 1)), record);
  }

  async destroy(id: string): Promise<void> {
    await answerOf(this.#redis.unlink(recordKey(this.#model, id)));
  }

  async forget(idHash: string): Promise<void> {
    await answerOf(this.#redis.unlink(hashedKey(this.#model, idHash)));
  }

  async prolong(idHash: string, seconds: number): Promise<void> {
    await answerOf(this.#redis.expire(hashedKey(this.#model, idHash), seconds));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await deleteIndexed(this.#redis, grantIndexKey(this.#model, grantId));
  }

  async consume(id: string): Promise<void> {
    const seconds = Math.floor(this.#clock().getTime() / 1000);
    const key = recordKey(this.#model, id);
    const consumed = await runScript(this.#redis, CONSUME, key, seconds, this.#rememberedMilliseconds);
    if (consumed !== 1) throw new errors.InvalidGrant({ detail: `${this.#model} already consumed` });
  }

  /** For used-proofs.ts. */
  async claim(id: string): Promise<boolean> {
    return (await runScript(this.#redis, CLAIM, recordKey(this.#model, id), claimedProofSeconds)) === 1;
  }

  /** What a stranger makes us keep: nobody has signed in for it, or typed anything yet. */
  #beginsSomething(payload: AdapterPayload): boolean {
    if (this.#model === 'Session') return payload.accountId === undefined;
    if (this.#model === 'DeviceCode') return payload.inFlight !== true;
    return this.#model === 'Interaction' && !hasAnswers(payload);
  }

  #storedSeconds(seconds: number | undefined): number | '' {
    if (seconds === undefined) return '';
    return seconds > 0 ? seconds + this.#rememberedMilliseconds / 1000 : seconds;
  }

  async #addToIndex(index: string, key: string, seconds: number): Promise<void> {
    if (seconds > 0) await runScript(this.#redis, ADD_TO_INDEX, index, key, seconds);
  }

  async #read(key: string): Promise<AdapterPayload | undefined> {
    const [[content, consumed], millisecondsLeft] = await Promise.all([
      answerOf(this.#redis.hmget(key, 'payload', 'consumed')),
      this.#rememberedMilliseconds > 0 ? answerOf(this.#redis.pttl(key)) : undefined,
    ]);
    if (!content || (!consumed && isOver(millisecondsLeft, this.#rememberedMilliseconds))) return undefined;
    const payload: AdapterPayload = JSON.parse(content);
    return consumed ? { ...payload, consumed: Number(consumed) } : payload;
  }
}

/** Codes and access tokens of grants that are ended. */
export async function deleteTokensOfGrants(redis: RedisClient, grantIds: string[]): Promise<void> {
  const indexes = grantIds.flatMap((grantId) => [
    grantIndexKey('AuthorizationCode', grantId),
    grantIndexKey('AccessToken', grantId),
    grantIndexKey('DeviceCode', grantId),
  ]);
  await Promise.all(indexes.map((index) => deleteIndexed(redis, index)));
}

/** One command per record: in a Cluster they live in different places. */
async function deleteIndexed(redis: RedisClient, index: string): Promise<void> {
  const keys = await answerOf(redis.zrange(index, '0', '-1'));
  await Promise.all([...keys, index].map((key) => answerOf(redis.unlink(key))));
}

/** -1: the record has no end. */
function isOver(millisecondsLeft: number | undefined, remembered: number): boolean {
  return millisecondsLeft !== undefined && millisecondsLeft >= 0 && millisecondsLeft <= remembered;
}

export function recordKey(model: string, id: string): string {
  return hashedKey(model, idHashOf(model, id));
}

function hashedKey(model: string, idHash: string): string {
  return `${model}:${idHash}`;
}

function uidKey(model: string, uid: string): string {
  return `${model}:uid:${sha256(uid)}`;
}

function grantIndexKey(model: string, grantId: string): string {
  return `${model}:grant:${sha256(grantId)}`;
}
