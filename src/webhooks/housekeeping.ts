// What the webhooks need now and then: old messages go after the replay window, endpoints that were silent for
// five days are given up even when nothing new is sent to them, and a delivery that lost its job gets another.
import { and, asc, eq, inArray, isNull, lt, lte, or } from 'drizzle-orm';
import {
  webhookAttempts,
  webhookDeliveries,
  webhookMessages,
  webhookSubscriptions,
} from '../../drizzle/schema.ts';
import { type Bitten, inBites } from '../bites.ts';
import { secondsAfter } from '../clock.ts';
import { type Database, transaction } from '../database.ts';
import type { Round } from '../expired-rows.ts';
import type { Jobs } from '../jobs.ts';
import {
  webhookDisabledAfterSeconds,
  webhookReplaySeconds,
  webhookStalledSeconds,
} from '../limits-webhooks.ts';
import type { OnDisabled } from './delivery.ts';
import { sendHeldDeliveries } from './delivery-job.ts';
import { disableSubscription } from './subscription.ts';

type Housekeeping = { jobs: Pick<Jobs, 'send'>; onDisabled: OnDisabled; now: Date };

export async function tidyWebhooks(db: Database, options: Housekeeping): Promise<void> {
  await transaction(db, (tx) => resendStalledDeliveries(tx, options));
  await transaction(db, (tx) => disableSilentSubscriptions(tx, options));
}

/** With their deliveries and attempts; the usage event itself stays for ever. */
export function deleteOldMessages(db: Database, now: Date, round: Round = {}): Promise<Bitten> {
  const oldestKept = secondsAfter(now, -webhookReplaySeconds);
  return inBites(db, { ...round, bite: (tx, rows) => deleteSomeMessages(tx, oldestKept, rows) });
}

async function deleteSomeMessages(tx: Database, oldestKept: Date, rows: number): Promise<number> {
  const messages = await tx
    .select({ eventId: webhookMessages.eventId })
    .from(webhookMessages)
    .where(lt(webhookMessages.createdAt, oldestKept))
    .orderBy(asc(webhookMessages.createdAt))
    .limit(rows);
  if (messages.length === 0) return 0;
  const eventIds = messages.map(({ eventId }) => eventId);
  const isOld = inArray(webhookDeliveries.eventId, eventIds);
  const deliveryIds = tx.select({ id: webhookDeliveries.id }).from(webhookDeliveries).where(isOld);
  await tx.delete(webhookAttempts).where(inArray(webhookAttempts.deliveryId, deliveryIds));
  await tx.delete(webhookDeliveries).where(isOld);
  await tx.delete(webhookMessages).where(inArray(webhookMessages.eventId, eventIds));
  return messages.length;
}

/** The second net under the queue, and under a subscription that was resumed while an event was being committed. */
export async function resendStalledDeliveries(
  tx: Database,
  { jobs, now }: Pick<Housekeeping, 'jobs' | 'now'>,
): Promise<number> {
  const isStalled = or(
    // A young one waits for its tokens to leave (release.ts).
    and(
      isNull(webhookDeliveries.nextAttemptAt),
      lt(webhookDeliveries.createdAt, secondsAfter(now, -webhookStalledSeconds)),
    ),
    lt(webhookDeliveries.nextAttemptAt, secondsAfter(now, -webhookStalledSeconds)),
  );
  return sendHeldDeliveries(tx, { which: isStalled, jobs, now });
}

async function disableSilentSubscriptions(tx: Database, { onDisabled, now }: Housekeeping): Promise<void> {
  const silent = await tx
    .select()
    .from(webhookSubscriptions)
    .where(
      and(
        eq(webhookSubscriptions.status, 'active'),
        lte(webhookSubscriptions.failingSince, secondsAfter(now, -webhookDisabledAfterSeconds)),
      ),
    );
  for (const { id: subscriptionId, workspaceId, url } of silent) {
    const reason = 'The endpoint did not accept a webhook for five days.';
    await disableSubscription(tx, { workspaceId, subscriptionId, reason, now });
    await onDisabled(tx, { subscriptionId, workspaceId, url, reason, now });
  }
}
