// What the webhooks need now and then: old messages go after the replay window, endpoints that were silent for
// five days are given up even when nothing new is sent to them, and what an earlier release left behind is taken up.
import { and, asc, eq, inArray, lt, lte, sql } from 'drizzle-orm';
import {
  webhookAttempts,
  webhookDeliveries,
  webhookMessages,
  webhookSubscriptions,
} from '../../drizzle/schema/webhooks.ts';
import { secondsAfter } from '../clock.ts';
import { type Bitten, inBites } from '../database/bites.ts';
import { type Database, rowsOf, transaction } from '../database/connection.ts';
import type { Round } from '../database/expired-rows.ts';
import { housekeepingStepMilliseconds } from '../limits/bites.ts';
import { webhookBatchRows, webhookDisabledAfterSeconds, webhookReplaySeconds } from '../limits/webhooks.ts';
import type { OnDisabled } from './delivery.ts';
import { disableSubscription } from './subscription.ts';

type Housekeeping = { onDisabled: OnDisabled; now: Date };

export async function tidyWebhooks(db: Database, options: Housekeeping): Promise<void> {
  await disableSilentSubscriptions(db, options);
  await inBites(db, { bite: deleteFormerJobs, milliseconds: housekeepingStepMilliseconds });
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

/** Jobs by which an earlier release made its attempts: here nobody takes them. */
export async function deleteFormerJobs(tx: Database, rows: number): Promise<number> {
  const deleted = await tx.execute(sql`
    delete from jobs.job where name in ('webhooks', 'webhook_retries', 'housekeeping') and id in (
      select id from jobs.job where name in ('webhooks', 'webhook_retries', 'housekeeping')
      limit ${rows}::int for update skip locked
    ) returning id`);
  return rowsOf(deleted).length;
}

/** Each alone: what fails for one, or waits for its row, is nothing to the others. */
async function disableSilentSubscriptions(db: Database, { onDisabled, now }: Housekeeping): Promise<void> {
  const isSilent = and(
    eq(webhookSubscriptions.status, 'active'),
    lte(webhookSubscriptions.failingSince, secondsAfter(now, -webhookDisabledAfterSeconds)),
  );
  const silent = await db.select().from(webhookSubscriptions).where(isSilent).limit(webhookBatchRows);
  for (const { id: subscriptionId, workspaceId, url } of silent) {
    const reason = 'The endpoint did not accept a webhook for five days.';
    await transaction(db, async (tx) => {
      if (await disableSubscription(tx, { workspaceId, subscriptionId, reason, now }))
        await onDisabled(tx, { subscriptionId, workspaceId, url, reason, now });
    });
  }
}
