// Webhooks of a charge wait until its tokens leave the service: only then is the session complete (section 6). A charge
// that is taken back before that was never announced, so no webhook says other than the events list.
import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { webhookDeliveries, webhookMessages } from '../../drizzle/schema.ts';
import { type Database, rowsOf } from '../database.ts';
import type { Jobs } from '../jobs.ts';
import { type Lane, sendDeliveryJobs, sendHeldDeliveries } from './delivery-job.ts';

type Release = { jobs: Pick<Jobs, 'send'>; now: Date };

/** A paused subscription's delivery waits on, for the resumption. */
export async function releaseWebhooks(
  tx: Database,
  { eventIds, jobs, now }: Release & { eventIds: string[] },
): Promise<void> {
  const released = rowsOf(
    await tx.execute(sql`
      update webhook_deliveries delivery set next_attempt_at = ${now.toISOString()}::timestamptz
      from webhook_subscriptions subscription
      where subscription.id = delivery.subscription_id and subscription.status = 'active'
        and delivery.event_id = any(${sql.param(eventIds)}::text[]) and delivery.status = 'pending'
        and delivery.attempt_count = 0 and delivery.next_attempt_at is null
      returning delivery.id, subscription.id as subscription_id,
        subscription.failing_since is not null as is_failing`),
  );
  const attemptsOf = (wanted: Lane) =>
    released
      .filter(({ is_failing: isFailing }) => (isFailing === true) === (wanted === 'patient'))
      .map((row) => ({ deliveryId: String(row.id), subscriptionId: String(row.subscription_id), number: 1 }));
  for (const lane of ['prompt', 'patient'] as const)
    await sendDeliveryJobs(tx, { jobs, lane, attempts: attemptsOf(lane) });
}

/** Those of a process that died between a charge and its release: nobody knows whether the tokens arrived. */
export async function releaseForgotten(
  tx: Database,
  { before, jobs, now }: Release & { before: Date },
): Promise<number> {
  const isForgotten = and(isNull(webhookDeliveries.nextAttemptAt), lt(webhookDeliveries.createdAt, before));
  return sendHeldDeliveries(tx, { which: isForgotten, jobs, now });
}

/** Nobody hears of this event, unless somebody heard already. */
export async function withdrawWebhooks(tx: Database, eventId: string): Promise<void> {
  const deliveries = await tx
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.eventId, eventId))
    .for('update');
  const unheard = deliveries.filter(
    ({ attemptCount, nextAttemptAt, status }) => status === 'pending' && attemptCount === 0 && !nextAttemptAt,
  );
  await tx.delete(webhookDeliveries).where(
    inArray(
      webhookDeliveries.id,
      unheard.map(({ id }) => id),
    ),
  );
  if (unheard.length === deliveries.length)
    await tx.delete(webhookMessages).where(eq(webhookMessages.eventId, eventId));
}
