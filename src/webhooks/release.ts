// Webhooks of a charge wait until its tokens leave the service: only then is the session complete. A charge
// that is taken back before that was never announced, so no webhook says other than the events list.
import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { webhookDeliveries, webhookMessages } from '../../drizzle/schema/webhooks.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { withoutWaitingForDisk } from '../database/durability.ts';
import { notify } from '../queue/jobs.ts';
import { DELIVERIES, dueAt } from './enqueue.ts';

/**
 * From now on they are due; whether a paused subscription is served is asked when it is its turn. One statement and no
 * wait for the disk: a charge's commit would stand in line behind it, and a release that a crash loses is a forgotten one.
 */
export async function releaseWebhooks(
  db: Database,
  { eventIds, now }: { eventIds: string[]; now: Date },
): Promise<void> {
  await db.execute(sql`
    with released as (
      update webhook_deliveries set next_attempt_at = ${dueAt(now)}
      where event_id = any(${sql.param(eventIds)}::text[]) and status = 'pending' and next_attempt_at is null
    )
    select ${notify(DELIVERIES)}, ${withoutWaitingForDisk}`);
}

/**
 * Those of a process that died between a charge and its release: nobody knows whether the tokens arrived. And those of a
 * subscription that an earlier release had paused. One bite; @returns how many.
 */
export async function releaseForgotten(
  tx: Database,
  { before, rows }: { before: Date; rows: number },
): Promise<number> {
  const forgotten = tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.status, 'pending'),
        isNull(webhookDeliveries.nextAttemptAt),
        lt(webhookDeliveries.createdAt, before),
      ),
    )
    .limit(rows)
    .for('update', { skipLocked: true });
  const released = await tx
    .update(webhookDeliveries)
    .set({ nextAttemptAt: sql`${webhookDeliveries.createdAt}` })
    .where(sql`${webhookDeliveries.id} in (with forgotten as ${forgotten} select id from forgotten)`)
    .returning({ id: webhookDeliveries.id });
  if (released.length > 0) rowsOf(await tx.execute(sql`select ${notify(DELIVERIES)}`));
  return released.length;
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
