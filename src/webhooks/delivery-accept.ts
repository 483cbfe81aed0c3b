// The usual answer: an endpoint that does not fail has accepted. Everything that says about it is one statement, and so
// one round trip: until its commit, a process that dies makes the attempt again, and the receiver gets a duplicate.
import { sql } from 'drizzle-orm';
import type { Clock } from '../clock.ts';
import { createBatcher } from '../database/batch.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { concernsOneRow, repeatWhenAsked } from '../database/sql-state.ts';
import { webhookBatches } from '../limits/webhooks.ts';
import { attemptColumns, attemptRows, type FinishedAttempt } from './delivery-rows.ts';

/** Resolves when the answer is committed; false: it is not as usual, and nothing was written. */
export function createAccept({
  db,
  clock,
}: {
  db: Database;
  clock: Clock;
}): (attempt: FinishedAttempt) => Promise<boolean> {
  return createBatcher({
    async run(attempts: FinishedAttempt[]) {
      const accepted = await repeatWhenAsked(() => acceptAll(db, attempts, clock())).catch(noneIfOneOfThem);
      return attempts.map(({ deliveryId }) => ({ value: accepted.has(deliveryId) }));
    },
    ...webhookBatches,
  });
}

/** A value that PostgreSQL refuses is for those who can find out whose it is. */
function noneIfOneOfThem(error: unknown): Set<string> {
  if (concernsOneRow(error)) return new Set();
  throw error;
}

/**
 * Not as usual are: a row that somebody holds or that is gone, a delivery that was delivered before, an endpoint that
 * has begun to fail since the attempt was claimed.
 * @returns the ids of the deliveries that are delivered now.
 */
async function acceptAll(db: Database, attempts: FinishedAttempt[], now: Date): Promise<Set<string>> {
  const ids = attempts.map(({ deliveryId }) => deliveryId);
  // Two attempts at one delivery would be two values for one row.
  const single = attempts.filter(({ deliveryId }) => ids.indexOf(deliveryId) === ids.lastIndexOf(deliveryId));
  if (single.length === 0) return new Set();
  const inserted = await db.execute(sql`
    with attempt as (${attemptRows(single)}),
    usual as (
      select delivery.id
      from webhook_deliveries delivery
      join webhook_subscriptions subscription on subscription.id = delivery.subscription_id
      where delivery.id in (select "deliveryId" from attempt)
        and delivery.status <> 'delivered' and subscription.failing_since is null
      order by delivery.id
      for update of delivery skip locked
    ),
    delivered as (
      update webhook_deliveries delivery
      set status = 'delivered', attempt_count = greatest(delivery.attempt_count, attempt.number),
        next_attempt_at = null, claimed_by = null, claimed_until = null,
        finished_at = ${now.toISOString()}::timestamptz
      from attempt
      where delivery.id = attempt."deliveryId" and delivery.id in (select id from usual)
      returning delivery.id
    )
    insert into webhook_attempts (${attemptColumns})
    select attempt.* from attempt where attempt."deliveryId" in (select id from delivered)
    returning delivery_id`);
  return new Set(rowsOf(inserted).map(({ delivery_id: id }) => String(id)));
}
