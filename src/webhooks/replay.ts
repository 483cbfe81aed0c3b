// Sends again what was sent before, on the owner's request and for as long as messages are kept: one delivery, or
// everything that failed since a time, which is long work. Same id, same bytes, a fresh run of the retry schedule.
import { and, eq, gte, sql } from 'drizzle-orm';
import { webhookDeliveries, webhookMessages, webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import { secondsAfter } from '../clock.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { webhookReplaySeconds } from '../limits/webhooks.ts';
import { notify } from '../queue/jobs.ts';
import { beginWork, findWork } from '../queue/long-work.ts';
import { DELIVERIES, dueAt } from './enqueue.ts';
import { lockSubscription } from './subscription.ts';

type Request = { workspaceId: string; now: Date };

/** A pending delivery is only hurried; a finished one starts its schedule again. */
export async function replayDelivery(tx: Database, options: Request & { deliveryId: string }): Promise<void> {
  const { workspaceId, deliveryId, now } = options;
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
    .set({ ...pendingAgain(now), attemptCount })
    .where(eq(webhookDeliveries.id, deliveryId));
  await tx.execute(sql`select ${notify(DELIVERIES)}`);
}

/** Whoever makes an attempt at this moment may finish it; a new one does not wait for that. */
export function pendingAgain(now: Date) {
  const nobody = { claimedBy: null, claimedUntil: null, finishedAt: null };
  return { status: 'pending', attemptCount: 0, nextAttemptAt: dueAt(now), ...nobody } as const;
}

/** A kind of long work (backlog.ts): how far it is says its row. */
export const REPLAY = 'webhook replay';

/** All failed deliveries of events since a time, from now on and in bites. @returns false when nothing at all has failed */
export async function replayFailedDeliveries(
  tx: Database,
  options: Request & { subscriptionId: string; since: Date },
): Promise<boolean> {
  const { subscriptionId, now } = options;
  const { status } = await lockSubscription(tx, options);
  requireActive(status);
  const which = { kind: REPLAY, subject: subscriptionId };
  const before = await findWork(tx, which);
  if (before && !before.finishedAt)
    throw new TollgateError('conflict', 'A replay is already in progress. Wait until it is done.');
  const isFailed = and(
    eq(webhookDeliveries.subscriptionId, subscriptionId),
    eq(webhookDeliveries.status, 'failed'),
  );
  const [failed] = await tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(isFailed)
    .limit(1);
  if (!failed) return false;
  const since = options.since > oldestKept(now) ? options.since : oldestKept(now);
  await beginWork(tx, { ...which, detail: { since: since.toISOString() }, now });
  return true;
}

/** The latest of a subscription, for as long as its row is kept. */
export async function findReplay(db: Database, subscriptionId: string): Promise<Replay | undefined> {
  const work = await findWork(db, { kind: REPLAY, subject: subscriptionId });
  return work && { requestedAt: work.startedAt, replayed: Number(work.done), finishedAt: work.finishedAt };
}

export type Replay = { requestedAt: Date; replayed: number; finishedAt: Date | null };

function requireActive(status: string): void {
  if (status !== 'active')
    throw new TollgateError('conflict', `The webhook subscription is ${status}: resume it first.`);
}

function oldestKept(now: Date): Date {
  return secondsAfter(now, -webhookReplaySeconds);
}
