// What the operator sees of webhooks: how many subscriptions there are, and how many deliveries wait.
import { sql } from 'drizzle-orm';
import type { Clock } from '../clock.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { waitingCounted } from '../limits/operations.ts';
import { countWaiting, type Waiting } from '../queue/backlog-figures.ts';

export async function countSubscriptions(db: Database): Promise<{ status: string; count: number }[]> {
  const rows = rowsOf(
    await db.execute(sql`select status, count(*)::int as count from webhook_subscriptions group by status`),
  );
  return rows.map(({ status, count }) => ({ status: String(status), count: Number(count) }));
}

/** Over an index of what waits; those of an endpoint that is paused are among them. */
export async function countWaitingDeliveries(
  db: Database,
  clock: Clock,
): Promise<{ first: Waiting; retries: Waiting }> {
  const deliveries = sql`(
    select next_attempt_at as at, attempt_count from webhook_deliveries
    where status = 'pending' order by next_attempt_at limit ${waitingCounted}::int
  ) pending`;
  const [first, retries] = await Promise.all([
    countWaiting(db, sql`select at from ${deliveries} where attempt_count = 0`, clock),
    countWaiting(db, sql`select at from ${deliveries} where attempt_count > 0`, clock),
  ]);
  return { first, retries };
}
