// Ends one browser's session from elsewhere, for its owner who looks at the account page. The record is marked as
// consumed and not deleted: a request of that browser under way would write a deleted one back. What such a request got
// meanwhile ends when it saves the session, before its answer leaves (the adapters' `upsert`).
import { and, eq, isNull } from 'drizzle-orm';
import type { AdapterPayload } from 'oidc-provider';
import { engineRecords } from '../drizzle/schema.ts';
import type { Database } from '../src/database.ts';
import type { RedisClient } from '../src/redis.ts';
import { grantIdsOf } from './at-rest.ts';
import { endSessionInRedis } from './redis.ts';

export type SessionToEnd = { db: Database; redis: RedisClient | undefined; uid: string; now: Date };

/** @returns the grants that the session led to, for the caller to end. */
export async function endSession({ db, redis, uid, now }: SessionToEnd): Promise<string[]> {
  const ended = redis ? await endSessionInRedis(redis, uid, now) : await endInSql(db, uid, now);
  return ended ? grantIdsOf(ended) : [];
}

async function endInSql(db: Database, uid: string, now: Date): Promise<AdapterPayload | undefined> {
  const [ended] = await db
    .update(engineRecords)
    .set({ consumedAt: now })
    .where(
      and(eq(engineRecords.model, 'Session'), eq(engineRecords.uid, uid), isNull(engineRecords.consumedAt)),
    )
    .returning({ payload: engineRecords.payload });
  return ended?.payload;
}
