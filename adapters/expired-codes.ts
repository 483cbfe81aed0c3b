// What an authorization code was, for some minutes after its end: whose attempt it belonged to, so that the company can
// be told that its code came too late (the client is told `invalid_grant`, as for every other code that is not valid).
import { and, eq, isNull } from 'drizzle-orm';
import { engineRecords } from '../drizzle/schema/engine.ts';
import type { Database } from '../src/database/connection.ts';
import { answerOf, type RedisClient } from '../src/redis/client.ts';
import { sha256 } from '../src/secrets.ts';
import { recordKey } from './redis.ts';

/** As the engine stored it; src/oidc/engine/attempt-id.ts reads the attempt's name from it. */
export type ExpiredCode = { clientId: string; nonce?: string | undefined; claims?: unknown };
export type FindExpiredCode = (code: string) => Promise<ExpiredCode | undefined>;

const MODEL = 'AuthorizationCode';

/** For codes that the engine does not find: whatever is still stored under them has come to its end. */
export function createExpiredCodes(stores: {
  db: Database;
  redis?: RedisClient | undefined;
}): FindExpiredCode {
  const { db, redis } = stores;
  return async (code) => readCode(redis ? await findInRedis(redis, code) : await findInSql(db, code));
}

/** One that was consumed did not end by its age. */
async function findInRedis(redis: RedisClient, code: string): Promise<unknown> {
  const [content, consumed] = await answerOf(redis.hmget(recordKey(MODEL, code), 'payload', 'consumed'));
  return content && !consumed ? JSON.parse(content) : undefined;
}

async function findInSql(db: Database, code: string): Promise<unknown> {
  const [record] = await db
    .select({ payload: engineRecords.payload })
    .from(engineRecords)
    .where(
      and(
        eq(engineRecords.model, MODEL),
        eq(engineRecords.idHash, sha256(code)),
        isNull(engineRecords.consumedAt),
      ),
    );
  return record?.payload;
}

function readCode(payload: unknown): ExpiredCode | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const { clientId, nonce, claims }: Record<string, unknown> = { ...payload };
  if (typeof clientId !== 'string') return undefined;
  return { clientId, nonce: typeof nonce === 'string' ? nonce : undefined, claims };
}
