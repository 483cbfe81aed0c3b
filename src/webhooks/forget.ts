// Removes the address and name of a deleted person from webhooks that are kept for replay. What is still on its way
// is left to arrive: the company was promised it, and the copy goes with the others after 30 days.
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { usageEvents, webhookAttempts, webhookDeliveries, webhookMessages } from '../../drizzle/schema.ts';
import type { Database } from '../database/connection.ts';
import { type Place, paginationBy } from '../database/pagination.ts';

const order = paginationBy(usageEvents.occurredAt, usageEvents.id);

export type CustomerToForget = { applicationId: string; sub: string };

/**
 * The next messages of one customer, found by their events, newest first: the index of the events leads to them however
 * many others there are. @returns how many events were looked at, and the place to go on from; none: these were the last.
 */
export async function forgetSomeInWebhooks(
  tx: Database,
  { applicationId, sub }: CustomerToForget,
  { after, rows }: { after: Place | undefined; rows: number },
): Promise<{ rows: number; next: Place | undefined }> {
  const events = await tx
    .select({ id: usageEvents.id, time: usageEvents.occurredAt })
    .from(usageEvents)
    .where(
      and(
        eq(usageEvents.applicationId, applicationId),
        eq(usageEvents.sub, sub),
        order.olderThan(after),
        // Older than the oldest message there is: nothing is kept of it.
        sql`${usageEvents.occurredAt} >= (
          select ${webhookMessages.createdAt} from ${webhookMessages}
          order by ${asc(webhookMessages.createdAt)} limit 1)`,
      ),
    )
    .orderBy(...order.newestFirst)
    .limit(rows);
  const ids = events.map(({ id }) => id);
  if (ids.length > 0) await deleteArrived(tx, ids);
  return { rows: ids.length, next: ids.length === rows ? events.at(-1) : undefined };
}

async function deleteArrived(tx: Database, eventIds: string[]): Promise<void> {
  const pending = tx
    .select({ eventId: webhookDeliveries.eventId })
    .from(webhookDeliveries)
    .where(and(inArray(webhookDeliveries.eventId, eventIds), eq(webhookDeliveries.status, 'pending')));
  const messages = await tx
    .select({ eventId: webhookMessages.eventId })
    .from(webhookMessages)
    .where(
      and(
        inArray(webhookMessages.eventId, eventIds),
        sql`${webhookMessages.eventId} <> all(array(${pending}))`,
      ),
    );
  if (messages.length === 0) return;
  const arrived = messages.map(({ eventId }) => eventId);
  const ofTheseEvents = inArray(webhookDeliveries.eventId, arrived);
  const deliveries = tx.select({ id: webhookDeliveries.id }).from(webhookDeliveries).where(ofTheseEvents);
  await tx.delete(webhookAttempts).where(inArray(webhookAttempts.deliveryId, deliveries));
  await tx.delete(webhookDeliveries).where(ofTheseEvents);
  await tx.delete(webhookMessages).where(inArray(webhookMessages.eventId, arrived));
}
