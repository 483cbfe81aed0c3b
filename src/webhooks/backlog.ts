// What concerns everything that ever waited at an endpoint is long work: pending deliveries of a subscription that was
// switched off are withdrawn, failed ones are sent again, the history of a deleted subscription goes. What decides it
// is one row and has its effect at once; this follows in bites, and nobody else waits for it.
import { and, asc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import {
  webhookAttempts,
  webhookDeliveries,
  webhookMessages,
  webhookSubscriptions,
} from '../../drizzle/schema/webhooks.ts';
import { secondsAfter } from '../clock.ts';
import type { Database } from '../database/connection.ts';
import { webhookReplaySeconds } from '../limits/webhooks.ts';
import { notify } from '../queue/jobs.ts';
import {
  beginWorkUnlessUnderWay,
  type WorkBite,
  type WorkKinds,
  type WorkPlace,
} from '../queue/long-work.ts';
import { waitingAt } from './delivery-look.ts';
import { DELIVERIES } from './enqueue.ts';
import { pendingAgain, REPLAY } from './replay.ts';
import { hasPending, resumed, WITHDRAWAL, withdrawn } from './subscription.ts';
import { DELETION } from './subscription-change.ts';

export const webhookWork: WorkKinds = {
  [WITHDRAWAL]: { bite: withdrawSome },
  [REPLAY]: { bite: replaySome },
  [DELETION]: { bite: deleteSome },
};

/** There is more, and it says itself where. */
const MORE = 'more';

async function withdrawSome(tx: Database, { subject, rows, now }: WorkPlace): Promise<WorkBite> {
  // Whoever resumes waits for this bite, or this bite for them.
  const [subscription] = await tx
    .select({ status: webhookSubscriptions.status })
    .from(webhookSubscriptions)
    .where(eq(webhookSubscriptions.id, subject))
    .for('no key update');
  if (subscription?.status !== 'disabled') return { rows: 0, cursor: null };
  const some = sql`(
    select delivery.id from webhook_deliveries delivery
    where delivery.status = 'pending' and ${waitingAt(sql`${subject}::text`, sql`'infinity'::timestamptz`)}
    order by delivery.subscription_id, delivery.next_attempt_at limit ${rows}::int for update skip locked
  )`;
  const taken = await tx
    .update(webhookDeliveries)
    .set(withdrawn(now))
    .where(sql`${webhookDeliveries.id} in (with chosen as ${some} select id from chosen)`)
    .returning({ id: webhookDeliveries.id });
  if (await hasPending(tx, subject)) return { rows: taken.length, cursor: MORE };
  await tx
    .update(webhookSubscriptions)
    .set(resumed)
    .where(and(eq(webhookSubscriptions.id, subject), isNotNull(webhookSubscriptions.resumeRequestedAt)));
  return { rows: taken.length, cursor: null };
}

async function replaySome(
  tx: Database,
  { subject, detail, cursor, rows, now }: WorkPlace,
): Promise<WorkBite> {
  const oldestKept = secondsAfter(now, -webhookReplaySeconds);
  const since = new Date(Math.max(oldestKept.getTime(), Date.parse(String(detail.since))));
  const failed = await tx
    .select({
      id: webhookDeliveries.id,
      eventId: webhookDeliveries.eventId,
      happenedAt: webhookMessages.createdAt,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookMessages, eq(webhookMessages.eventId, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookDeliveries.subscriptionId, subject),
        eq(webhookDeliveries.status, 'failed'),
        gt(webhookDeliveries.eventId, cursor ?? ''),
      ),
    )
    .orderBy(asc(webhookDeliveries.eventId))
    .limit(rows)
    .for('update', { of: webhookDeliveries });
  const ids = failed.filter(({ happenedAt }) => happenedAt >= since).map(({ id }) => id);
  if (ids.length > 0) {
    await tx
      .update(webhookDeliveries)
      // Old news, and treated as such where others have newer (fair-turns.ts).
      .set({ ...pendingAgain(now), nextAttemptAt: sql`${webhookDeliveries.createdAt}` })
      .where(inArray(webhookDeliveries.id, ids));
    await tx.execute(sql`select ${notify(DELIVERIES)}`);
  }
  const last = failed.at(-1)?.eventId ?? null;
  return { rows: ids.length, cursor: failed.length < rows ? null : last };
}

async function deleteSome(tx: Database, { subject, rows }: WorkPlace): Promise<WorkBite> {
  const deleted = await deleteDeliveries(tx, subject, rows);
  if (deleted === rows) return { rows: deleted, cursor: MORE };
  // A charge that found the subscription before it was disabled may have added more.
  await tx
    .select({ id: webhookSubscriptions.id })
    .from(webhookSubscriptions)
    .where(eq(webhookSubscriptions.id, subject))
    .for('update');
  const late = await deleteDeliveries(tx, subject, rows);
  if (late === rows) return { rows: deleted + late, cursor: MORE };
  await tx.delete(webhookSubscriptions).where(eq(webhookSubscriptions.id, subject));
  return { rows: deleted + late, cursor: null };
}

async function deleteDeliveries(tx: Database, subscriptionId: string, rows: number): Promise<number> {
  const some = await tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.subscriptionId, subscriptionId))
    .limit(rows)
    .for('update');
  if (some.length === 0) return 0;
  const ids = some.map(({ id }) => id);
  await tx.delete(webhookAttempts).where(inArray(webhookAttempts.deliveryId, ids));
  await tx.delete(webhookDeliveries).where(inArray(webhookDeliveries.id, ids));
  return some.length;
}

/**
 * For subscriptions that are switched off and still have pending deliveries: of a charge that had found them before, or
 * of an earlier release. Work that is under way already goes on.
 */
export async function withdrawLeftOver(db: Database, subscriptionIds: string[], now: Date): Promise<void> {
  for (const subject of subscriptionIds)
    await beginWorkUnlessUnderWay(db, { kind: WITHDRAWAL, subject, now });
}
