// How a delivery reaches the queue. Two lanes keep a dead endpoint away from the others: first attempts at
// endpoints that answer take one, everything that has failed before takes the other.
import { and, eq, inArray, type SQL } from 'drizzle-orm';
import { webhookDeliveries, webhookSubscriptions } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';
import type { Jobs } from '../jobs.ts';
import { webhookBatchRows } from '../limits-webhooks.ts';

export type DeliveryJob = {
  deliveryId: string;
  /** The attempt that this job is for, from 1. A job for an attempt that was already made does nothing. */
  number: number;
  lane: Lane;
};
export type Lane = 'prompt' | 'patient';

const queueOf = { prompt: 'webhooks', patient: 'webhook_retries' } as const;

export type PlannedAttempt = {
  deliveryId: string;
  subscriptionId: string;
  number: number;
  startAfter?: Date;
};

export async function sendDeliveryJobs(
  tx: Database,
  options: { jobs: Pick<Jobs, 'send'>; lane: Lane; attempts: PlannedAttempt[] },
): Promise<void> {
  const { jobs, lane, attempts } = options;
  const planned = attempts.map(({ deliveryId, subscriptionId, number, startAfter }) => ({
    data: { deliveryId, number, lane } satisfies DeliveryJob,
    group: subscriptionId,
    ...(startAfter && { startAfter }),
  }));
  if (planned.length > 0) await jobs.send(tx, queueOf[lane], planned);
}

/**
 * Gives a new job to every pending delivery of an active subscription that `which` selects; a few at a time, so
 * that a million of them is no long statement. They were late already: the patient lane.
 */
export async function sendHeldDeliveries(
  tx: Database,
  options: { which: SQL | undefined; jobs: Pick<Jobs, 'send'>; now: Date },
): Promise<number> {
  const { which, jobs, now } = options;
  const held = tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .innerJoin(webhookSubscriptions, eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId))
    .where(and(eq(webhookDeliveries.status, 'pending'), eq(webhookSubscriptions.status, 'active'), which))
    .limit(webhookBatchRows);
  for (let sent = 0; ; ) {
    const rows = await tx
      .update(webhookDeliveries)
      .set({ nextAttemptAt: now })
      .where(inArray(webhookDeliveries.id, held))
      .returning();
    await sendDeliveryJobs(tx, {
      jobs,
      lane: 'patient',
      attempts: rows.map((row) => ({
        deliveryId: row.id,
        subscriptionId: row.subscriptionId,
        number: row.attemptCount + 1,
      })),
    });
    sent += rows.length;
    if (rows.length < webhookBatchRows) return sent;
  }
}
