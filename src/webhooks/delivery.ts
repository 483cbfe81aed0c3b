// One attempt at one delivery (promise 35). The row was claimed (delivery-claim.ts), the webhook is sent
// outside any transaction, and the answer is recorded together with when the next attempt is due (delivery-record.ts).
// A process that dies in between leaves a claim that runs out, so the attempt is made again: a duplicate with the same
// id, never a loss. Answers of one moment share their transactions, and nothing else (delivery-batch.ts).
import { and, eq, ne } from 'drizzle-orm';
import { webhookDeliveries } from '../../drizzle/schema/webhooks.ts';
import type { Clock } from '../clock.ts';
import { type Database, transaction } from '../database/connection.ts';
import type { Keys } from '../secrets.ts';
import type { Claimed } from './delivery-claim.ts';
import { createRecord } from './delivery-record.ts';
import { type FinishedAttempt, insertAttempts } from './delivery-rows.ts';
import type { SendWebhook, WebhookAnswer } from './sender.ts';
import { webhookHeaders } from './signature.ts';
import { signingSecrets } from './signing-secret.ts';
import { disableSubscription, withdrawn } from './subscription.ts';

export type DisabledSubscription = {
  subscriptionId: string;
  workspaceId: string;
  url: string;
  /** A sentence for the owner. */
  reason: string;
  now: Date;
};
/** Tells the owner, inside the transaction that disables. */
export type OnDisabled = (tx: Database, disabled: DisabledSubscription) => Promise<void>;

export type DeliveryWorker = {
  db: Database;
  keys: Pick<Keys, 'sealing'>;
  send: SendWebhook;
  clock: Clock;
  onDisabled: OnDisabled;
  random?: () => number;
  /** Told of every attempt, for the metrics. */
  measure?: (attempt: MeasuredAttempt) => void;
};

/** `waitedMs`: from the event to this attempt. */
export type MeasuredAttempt = { number: number; waitedMs: number; answer: WebhookAnswer };

type Subscription = { id: string; workspaceId: string; url: string; failingSince: Date | null };

/** What is claimed is sent, and resolves when its answer is written down. */
export function createDeliveryWorker(worker: DeliveryWorker): (claimed: Claimed) => Promise<void> {
  const { keys, send, clock } = worker;
  const record = createRecord(worker);
  return async ({ delivery, subscription, message }) => {
    const number = delivery.attemptCount + 1;
    const startedAt = clock();
    const headers = webhookHeaders({
      eventId: message.eventId,
      body: message.body,
      secrets: signingSecrets(keys, subscription, startedAt),
      now: startedAt,
    });
    const answer = await send({ url: subscription.url, headers, body: message.body });
    worker.measure?.({ number, waitedMs: startedAt.getTime() - message.createdAt.getTime(), answer });
    const attempt = { deliveryId: delivery.id, number, subscription, startedAt, headers, answer };
    if (answer.status === 410) return disable(attempt, worker, 'The endpoint responded with 410 Gone.');
    if ((await record(attempt)) === 'gives up')
      await disable(attempt, worker, 'The endpoint did not accept a webhook for five days.');
  };
}

/** What else is pending for the endpoint is withdrawn afterwards (backlog.ts). The subscription's lock first. */
function disable(
  attempt: FinishedAttempt & { subscription: Subscription },
  worker: DeliveryWorker,
  reason: string,
): Promise<void> {
  const { deliveryId, number: attemptCount, subscription } = attempt;
  const { id: subscriptionId, workspaceId, url } = subscription;
  return transaction(worker.db, async (tx) => {
    const now = worker.clock();
    const wasEnabled = await disableSubscription(tx, { workspaceId, subscriptionId, reason, now });
    const isPending = and(eq(webhookDeliveries.id, deliveryId), ne(webhookDeliveries.status, 'delivered'));
    await tx
      .update(webhookDeliveries)
      .set({ ...withdrawn(now), attemptCount })
      .where(isPending);
    await insertAttempts(tx, [attempt]);
    if (wasEnabled) await worker.onDisabled(tx, { subscriptionId, workspaceId, url, reason, now });
  });
}
