// Who makes an attempt. A claim moves the delivery's time into the future: of two workers with one job, one gets the
// row; the other leaves a job for the case that the first one dies. All who claim at one moment share one look.
import { asc, eq } from 'drizzle-orm';
import { webhookDeliveries, webhookMessages, webhookSubscriptions } from '../../drizzle/schema.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import { type Database, isOneOf } from '../database.ts';
import type { Jobs } from '../jobs.ts';
import { webhookClockSkewSeconds, webhookLeaseSeconds } from '../limits-webhooks.ts';
import { together } from '../together.ts';
import { createSharing, type Locks, type Shared } from './delivery-batch.ts';
import { type DeliveryJob, type PlannedAttempt, sendDeliveryJobs } from './delivery-job.ts';

type Dependencies = { db: Database; jobs: Pick<Jobs, 'send'>; clock: Clock };

/** What an attempt needs. */
export type Claimed = {
  delivery: typeof webhookDeliveries.$inferSelect;
  subscription: typeof webhookSubscriptions.$inferSelect;
  message: typeof webhookMessages.$inferSelect;
};

/** Resolves when the claim is committed; undefined: there is nothing to do for this job. */
export function createClaim(dependencies: Dependencies): (job: DeliveryJob) => Promise<Claimed | undefined> {
  return createSharing({
    db: dependencies.db,
    run: (tx, jobs: DeliveryJob[], locks) => claimAll(tx, jobs, { ...dependencies, locks }),
  });
}

/** What becomes of a job, and of its delivery. */
type Decision = 'attempt' | 'nothing' | 'hold' | 'fail' | 'later' | 'other lane';

async function claimAll(
  tx: Database,
  jobs: DeliveryJob[],
  { jobs: queue, clock, locks }: Dependencies & { locks: Locks },
): Promise<Shared<Claimed | undefined>[]> {
  const ids = [...new Set(jobs.map(({ deliveryId }) => deliveryId))];
  const rows = new Map((await lockRows(tx, ids, locks)).map((row) => [row.delivery.id, row]));
  const now = clock();
  const claimedUntil = secondsAfter(now, webhookLeaseSeconds);
  const decided = new Map<Decision, string[]>();
  const planned: PlannedAttempt[] = [];
  const results = jobs.map((job): Shared<Claimed | undefined> => {
    const row = rows.get(job.deliveryId);
    // Without waiting, a row that somebody holds looks like one that is gone.
    if (!row) return locks === 'skip' ? 'busy' : { value: undefined };
    const decision = decide(job, row, now);
    decided.set(decision, [...(decided.get(decision) ?? []), job.deliveryId]);
    const { delivery, subscription } = row;
    if (decision === 'later' || decision === 'other lane') {
      const startAfter = decision === 'later' ? delivery.nextAttemptAt : null;
      const attempt = { deliveryId: delivery.id, subscriptionId: subscription.id, number: job.number };
      planned.push({ ...attempt, ...(startAfter && { startAfter }) });
    }
    if (decision !== 'attempt') return { value: undefined };
    // A second job for the same attempt, in the same batch, finds it claimed.
    rows.set(delivery.id, { ...row, delivery: { ...delivery, nextAttemptAt: claimedUntil } });
    return { value: row };
  });
  await together([
    setAll(tx, decided.get('attempt'), { nextAttemptAt: claimedUntil }),
    setAll(tx, decided.get('hold'), { nextAttemptAt: null }),
    setAll(tx, decided.get('fail'), { status: 'failed', nextAttemptAt: null, finishedAt: now }),
    sendDeliveryJobs(tx, { jobs: queue, lane: 'patient', attempts: planned }),
  ]);
  return results;
}

/** In the order of their ids, as everybody who locks several. */
function lockRows(tx: Database, ids: string[], locks: Locks): Promise<Claimed[]> {
  return tx
    .select({ delivery: webhookDeliveries, subscription: webhookSubscriptions, message: webhookMessages })
    .from(webhookDeliveries)
    .innerJoin(webhookSubscriptions, eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId))
    .innerJoin(webhookMessages, eq(webhookMessages.eventId, webhookDeliveries.eventId))
    .where(isOneOf(webhookDeliveries.id, ids))
    .orderBy(asc(webhookDeliveries.id))
    .for('update', { of: webhookDeliveries, ...(locks === 'skip' && { skipLocked: true }) });
}

function decide(job: DeliveryJob, { delivery, subscription }: Claimed, now: Date): Decision {
  if (delivery.status !== 'pending' || delivery.attemptCount !== job.number - 1) return 'nothing';
  if (subscription.status === 'paused') return 'hold';
  if (subscription.status === 'disabled') return 'fail';
  const latest = secondsAfter(now, webhookClockSkewSeconds);
  if (delivery.nextAttemptAt && delivery.nextAttemptAt > latest) return 'later';
  if (subscription.failingSince && job.lane === 'prompt') return 'other lane';
  return 'attempt';
}

async function setAll(
  tx: Database,
  ids: string[] | undefined,
  values: Partial<typeof webhookDeliveries.$inferInsert>,
): Promise<void> {
  if (ids) await tx.update(webhookDeliveries).set(values).where(isOneOf(webhookDeliveries.id, ids));
}
