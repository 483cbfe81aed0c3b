// How much waits, and how late the oldest of it is: what a scrape of the metrics reads, never more than a part of a backlog.
import { type SQL, sql } from 'drizzle-orm';
import type { Clock } from '../clock.ts';
import { statementTime } from '../database/clock.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { waitingCounted } from '../limits/operations.ts';

export type Waiting = { due: number; later: number /** Seconds. */; lag: number };

export function countWaitingMails(db: Database, clock: Clock): Promise<Waiting> {
  const mails = sql`
    select start_after as at from jobs.job where state < 'active' and name = 'mail' limit ${waitingCounted}::int`;
  return countWaiting(db, mails, clock);
}

/** @param all selects when each is due, as `at`. */
export async function countWaiting(db: Database, all: SQL, clock: Clock): Promise<Waiting> {
  const now = statementTime(clock);
  const [row] = rowsOf(
    await db.execute(sql`
      select count(*) filter (where at <= ${now})::int as due, count(*) filter (where at > ${now})::int as later,
        extract(epoch from ${now} - min(at))::float as lag
      from (${all}) waiting`),
  );
  return {
    due: Number(row?.due ?? 0),
    later: Number(row?.later ?? 0),
    lag: Math.max(0, Number(row?.lag ?? 0)),
  };
}
