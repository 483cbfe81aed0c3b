// Durable counters for attempts against a secret: they live in the database, so that neither a
// restart nor a lost Redis gives an attacker a fresh start. Callers count first and compare afterwards.

import { eq, lte, sql } from 'drizzle-orm';
import { attemptCounters } from '../../drizzle/schema/operations.ts';
import { secondsAfter } from '../clock.ts';
import { sha256 } from '../secrets.ts';
import type { Bitten } from './bites.ts';
import type { Database } from './connection.ts';
import { deleteExpired, type Round } from './expired-rows.ts';

export type AttemptLimit = {
  count: number;
  /** Length of the window, which begins with its first attempt. */
  seconds: number;
  /** The window begins again with each attempt, so that it ends only after `seconds` without one. */
  untilQuiet?: boolean;
};

export type AttemptState = { allowed: boolean; count: number; retryAfterSeconds: number };

/** One statement counts and decides, so that parallel attempts cannot share a place below the limit. */
export async function countAttempt(
  db: Database,
  attempt: { key: string; limit: AttemptLimit; now: Date },
): Promise<AttemptState> {
  const { limit, now } = attempt;
  const newEnd = secondsAfter(now, limit.seconds);
  const end = attemptCounters.windowEndsAt;
  const isOver = lte(end, now);
  // A refused attempt never moves the end: knocking at a closed door must not keep it closed.
  const moves = sql`${limit.untilQuiet === true}::boolean and ${attemptCounters.count} < ${limit.count}`;
  const [row] = await db
    .insert(attemptCounters)
    .values({ key: storedKey(attempt.key), count: 1, windowEndsAt: newEnd })
    .onConflictDoUpdate({
      target: attemptCounters.key,
      set: {
        // Held at one above the limit: the number says "over", and can never overflow.
        count: sql`case when ${isOver} then 1 else least(${attemptCounters.count}, ${limit.count}) + 1 end`,
        windowEndsAt: sql`case when ${isOver} or (${moves}) then ${sql.param(newEnd, end)}::timestamptz else ${end} end`,
      },
    })
    .returning();
  if (!row) throw new Error('an upsert returned no row');
  return {
    allowed: row.count <= limit.count,
    count: row.count,
    retryAfterSeconds: Math.max(1, Math.ceil((row.windowEndsAt.getTime() - now.getTime()) / 1000)),
  };
}

/** Takes one counted attempt back: it turned out to be the owner's right one. */
export async function forgiveAttempt(db: Database, key: string): Promise<void> {
  await db
    .update(attemptCounters)
    .set({ count: sql`greatest(${attemptCounters.count} - 1, 0)` })
    .where(eq(attemptCounters.key, storedKey(key)));
}

export async function forgetAttempts(db: Database, key: string): Promise<void> {
  await db.delete(attemptCounters).where(eq(attemptCounters.key, storedKey(key)));
}

/** For housekeeping. A counter whose window is over counts for nothing. */
export function deleteStaleCounters(db: Database, now: Date, round?: Round): Promise<Bitten> {
  // The moment itself is over as well.
  const before = new Date(now.getTime() + 1);
  return deleteExpired(db, { table: attemptCounters, age: attemptCounters.windowEndsAt, before }, round);
}

/** Keys name addresses of people who may not be ours: only a hash of fixed length is kept. */
function storedKey(key: string): string {
  return sha256(key);
}
