// Sends again what was sent before, on the owner's request and for as long as messages are kept: one delivery, or
// everything that failed since a time. Same id, same bytes, a fresh run of the retry schedule.
import { and, eq, gte, inArray } from 'drizzle-orm';
import { webhookDeliveries, webhookMessages, webhookSubscriptions } from '../../drizzle/schema.ts';
import { secondsAfter } from '../clock.ts';
import type { Database } from '../database.ts';
import { TollgateError } from '../errors.ts';
import type { Jobs } from '../jobs.ts';
import { webhookBatchRows, webhookReplaySeconds } from '../limits-webhooks.ts';
import { sendDeliveryJobs } from './delivery-job.ts';

type Replay = { jobs: Pick<Jobs, 'send'>; workspaceId: string; now: Date };

/** A pending delivery is only hurried; a finished one starts its schedule again. */
export async function replayDelivery(tx: Database, options: Replay & { deliveryId: string }): Promise<void> {
  const { jobs, workspaceId, deliveryId, now } = options;
  const [row] = await tx
    .select({ delivery: webhookDeliveries, status: webhookSubscriptions.status })
    .from(webhookDeliveries)
    .innerJoin(webhookSubscriptions, eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId))
    .innerJoin(webhookMessages, eq(webhookMessages.eventId, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookDeliveries.id, deliveryId),
        eq(webhookSubscriptions.workspaceId, workspaceId),
        gte(webhookMessages.createdAt, oldestKept(now)),
      ),
    )
    .for('update', { of: webhookDeliveries });
  if (!row)
    throw new TollgateError('not_found', 'There is no such webhook delivery, or it is older than 30 days.');
  requireActive(row.status);
  const attemptCount = row.delivery.status === 'pending' ? row.delivery.attemptCount : 0;
  await tx
    .update(webhookDeliveries)
    .set({ status: 'pending', attemptCount, nextAttemptAt: now, finishedAt: null })
    .where(eq(webhookDeliveries.id, deliveryId));
  const { subscriptionId } = row.delivery;
  await sendDeliveryJobs(tx, {
    jobs,
    lane: 'patient',
    attempts: [{ deliveryId, subscriptionId, number: attemptCount + 1 }],
  });
}

/** All failed deliveries of events since a time, in the number returned. */
export async function replayFailedDeliveries(
  tx: Database,
  options: Replay & { subscriptionId: string; since: Date },
): Promise<number> {
  const { jobs, workspaceId, subscriptionId, now } = options;
  const [subscription] = await tx
    .select({ status: webhookSubscriptions.status })
    .from(webhookSubscriptions)
    .where(
      and(eq(webhookSubscriptions.id, subscriptionId), eq(webhookSubscriptions.workspaceId, workspaceId)),
    );
  if (!subscription) throw new TollgateError('not_found', 'There is no such webhook subscription.');
  requireActive(subscription.status);
  const since = options.since > oldestKept(now) ? options.since : oldestKept(now);
  const failed = tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .innerJoin(webhookMessages, eq(webhookMessages.eventId, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookDeliveries.subscriptionId, subscriptionId),
        eq(webhookDeliveries.status, 'failed'),
        gte(webhookMessages.createdAt, since),
      ),
    )
    .limit(webhookBatchRows);
  for (let replayed = 0; ; ) {
    const rows = await tx
      .update(webhookDeliveries)
      .set({ status: 'pending', attemptCount: 0, nextAttemptAt: now, finishedAt: null })
      .where(inArray(webhookDeliveries.id, failed))
      .returning({ id: webhookDeliveries.id });
    const attempts = rows.map(({ id }) => ({ deliveryId: id, subscriptionId, number: 1 }));
    await sendDeliveryJobs(tx, { jobs, lane: 'patient', attempts });
    replayed += rows.length;
    if (rows.length < webhookBatchRows) return replayed;
  }
}

function requireActive(status: string): void {
  if (status !== 'active')
    throw new TollgateError('conflict', `The webhook subscription is ${status}: resume it first.`);
}

function oldestKept(now: Date): Date {
  return secondsAfter(now, -webhookReplaySeconds);
}
