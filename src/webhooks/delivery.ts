// One attempt at one delivery (section 6: at least once). The row is claimed, the webhook is sent outside any
// transaction, and the answer is recorded together with the job for the next attempt. A process that dies in
// between leaves a claim that runs out, so the attempt is made again: a duplicate with the same id, never a loss.
import { and, eq, isNotNull, isNull, ne } from 'drizzle-orm';
import {
  webhookAttempts,
  webhookDeliveries,
  webhookMessages,
  webhookSubscriptions,
} from '../../drizzle/schema.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import { type Database, transaction } from '../database.ts';
import { newId } from '../id.ts';
import type { Jobs } from '../jobs.ts';
import {
  webhookClockSkewSeconds,
  webhookDisabledAfterSeconds,
  webhookLeaseSeconds,
} from '../limits-webhooks.ts';
import type { Keys } from '../secrets.ts';
import { type DeliveryJob, sendDeliveryJobs } from './delivery-job.ts';
import { nextAttemptAt } from './schedule.ts';
import type { SendWebhook, WebhookAnswer } from './sender.ts';
import { webhookHeaders } from './signature.ts';
import { signingSecrets } from './signing-secret.ts';
import { disableSubscription } from './subscription.ts';

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
  jobs: Pick<Jobs, 'send'>;
  send: SendWebhook;
  clock: Clock;
  onDisabled: OnDisabled;
  random?: () => number;
  /** Told of every attempt, for the metrics. */
  measure?: (attempt: MeasuredAttempt) => void;
};

/** `waitedMs`: from the event to this attempt. */
export type MeasuredAttempt = { number: number; waitedMs: number; answer: WebhookAnswer };

/** The handler of the queues `webhooks` and `webhook_retries`. */
export function createDeliveryWorker(worker: DeliveryWorker): (job: DeliveryJob) => Promise<void> {
  const { db, keys, send, clock } = worker;
  return async (job) => {
    const claimed = await transaction(db, (tx) => claim(tx, job, worker));
    if (!claimed) return;
    const { subscription, message } = claimed;
    const startedAt = clock();
    const headers = webhookHeaders({
      eventId: message.eventId,
      body: message.body,
      secrets: signingSecrets(keys, subscription, startedAt),
      now: startedAt,
    });
    const answer = await send({ url: subscription.url, headers, body: message.body });
    worker.measure?.({
      number: job.number,
      waitedMs: startedAt.getTime() - message.createdAt.getTime(),
      answer,
    });
    await transaction(db, (tx) => record(tx, { job, subscription, startedAt, headers, answer }, worker));
  };
}

type Subscription = typeof webhookSubscriptions.$inferSelect;

/** Of two workers with one job, one gets the row; the other leaves a job for the case that the first one dies. */
async function claim(tx: Database, job: DeliveryJob, { jobs, clock }: DeliveryWorker) {
  const now = clock();
  const isThisOne = eq(webhookDeliveries.id, job.deliveryId);
  const [row] = await tx
    .select({ delivery: webhookDeliveries, subscription: webhookSubscriptions, message: webhookMessages })
    .from(webhookDeliveries)
    .innerJoin(webhookSubscriptions, eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId))
    .innerJoin(webhookMessages, eq(webhookMessages.eventId, webhookDeliveries.eventId))
    .where(isThisOne)
    .for('update', { of: webhookDeliveries });
  if (row?.delivery.status !== 'pending' || row.delivery.attemptCount !== job.number - 1) return undefined;
  const { delivery, subscription } = row;
  if (subscription.status === 'paused') {
    await tx.update(webhookDeliveries).set({ nextAttemptAt: null }).where(isThisOne);
    return undefined;
  }
  if (subscription.status === 'disabled') {
    await tx
      .update(webhookDeliveries)
      .set({ status: 'failed', nextAttemptAt: null, finishedAt: now })
      .where(isThisOne);
    return undefined;
  }
  const attempt = { deliveryId: delivery.id, subscriptionId: subscription.id, number: job.number };
  if (delivery.nextAttemptAt && delivery.nextAttemptAt > secondsAfter(now, webhookClockSkewSeconds)) {
    const attempts = [{ ...attempt, startAfter: delivery.nextAttemptAt }];
    await sendDeliveryJobs(tx, { jobs, lane: 'patient', attempts });
    return undefined;
  }
  if (subscription.failingSince && job.lane === 'prompt') {
    await sendDeliveryJobs(tx, { jobs, lane: 'patient', attempts: [attempt] });
    return undefined;
  }
  await tx
    .update(webhookDeliveries)
    .set({ nextAttemptAt: secondsAfter(now, webhookLeaseSeconds) })
    .where(isThisOne);
  return row;
}

type Attempt = {
  job: DeliveryJob;
  subscription: Subscription;
  startedAt: Date;
  /** As sent, the signature included: it is good for this body and 300 seconds. */
  headers: Record<string, string>;
  answer: WebhookAnswer;
};

async function record(tx: Database, attempt: Attempt, worker: DeliveryWorker): Promise<void> {
  const { job, startedAt, headers, answer } = attempt;
  await tx.insert(webhookAttempts).values({
    id: newId('att'),
    deliveryId: job.deliveryId,
    number: job.number,
    startedAt,
    durationMs: answer.durationMs,
    requestHeaders: headers,
    responseStatus: answer.status ?? null,
    responseBody: answer.excerpt ?? null,
    failure: answer.failure ?? null,
  });
  const status = answer.status ?? 0;
  if (!answer.failure && status >= 200 && status < 300) return recordSuccess(tx, attempt, worker);
  if (status === 410) return disable(tx, attempt, { ...worker, reason: 'The endpoint answered 410 Gone.' });
  return recordFailure(tx, attempt, worker);
}

/** The subscription first, here and below: one order of locks for everybody who takes both. */
async function recordSuccess(
  tx: Database,
  { job, subscription }: Attempt,
  { clock }: DeliveryWorker,
): Promise<void> {
  await tx
    .update(webhookSubscriptions)
    .set({ failingSince: null })
    .where(and(eq(webhookSubscriptions.id, subscription.id), isNotNull(webhookSubscriptions.failingSince)));
  await tx
    .update(webhookDeliveries)
    .set({ status: 'delivered', attemptCount: job.number, nextAttemptAt: null, finishedAt: clock() })
    .where(and(eq(webhookDeliveries.id, job.deliveryId), ne(webhookDeliveries.status, 'delivered')));
}

async function recordFailure(tx: Database, attempt: Attempt, worker: DeliveryWorker): Promise<void> {
  const { job, subscription, answer } = attempt;
  const now = worker.clock();
  await tx
    .update(webhookSubscriptions)
    .set({ failingSince: attempt.startedAt })
    .where(and(eq(webhookSubscriptions.id, subscription.id), isNull(webhookSubscriptions.failingSince)));
  const givesUpAt = secondsAfter(subscription.failingSince ?? now, webhookDisabledAfterSeconds);
  if (givesUpAt <= now) {
    return disable(tx, attempt, {
      ...worker,
      reason: 'The endpoint did not accept a webhook for five days.',
    });
  }
  const random = worker.random ?? Math.random;
  const next = nextAttemptAt({ attemptCount: job.number, retryAfter: answer.retryAfter, now, random });
  const outcome = next
    ? { nextAttemptAt: next }
    : { status: 'failed' as const, nextAttemptAt: null, finishedAt: now };
  const [updated] = await tx
    .update(webhookDeliveries)
    .set({ attemptCount: job.number, ...outcome })
    .where(
      and(
        eq(webhookDeliveries.id, job.deliveryId),
        eq(webhookDeliveries.status, 'pending'),
        eq(webhookDeliveries.attemptCount, job.number - 1),
      ),
    )
    .returning({ id: webhookDeliveries.id });
  if (!updated || !next) return;
  const planned = {
    deliveryId: job.deliveryId,
    subscriptionId: subscription.id,
    number: job.number + 1,
    startAfter: next,
  };
  await sendDeliveryJobs(tx, { jobs: worker.jobs, lane: 'patient', attempts: [planned] });
}

async function disable(
  tx: Database,
  { job, subscription }: Attempt,
  options: DeliveryWorker & { reason: string },
): Promise<void> {
  const { reason, onDisabled } = options;
  const now = options.clock();
  const { id: subscriptionId, workspaceId, url } = subscription;
  const wasEnabled = await disableSubscription(tx, { workspaceId, subscriptionId, reason, now });
  await tx
    .update(webhookDeliveries)
    .set({ attemptCount: job.number })
    .where(and(eq(webhookDeliveries.id, job.deliveryId), eq(webhookDeliveries.status, 'failed')));
  if (wasEnabled) await onDisabled(tx, { subscriptionId, workspaceId, url, reason, now });
}
