// Removes the address and name of a deleted person from webhooks that are kept for replay. What is still on its way
// is left to arrive: the company was promised it, and the copy goes with the others after 30 days.
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { testUsageEvents, usageEvents } from '../../drizzle/schema/usage.ts';
import { webhookAttempts, webhookDeliveries, webhookMessages } from '../../drizzle/schema/webhooks.ts';
import type { Database } from '../database/connection.ts';
import { type Place, paginationBy } from '../database/pagination.ts';

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
  const some = { applicationId, sub, after, rows };
  const live = await eventsOf(tx, usageEvents, some);
  const tested = await eventsOf(tx, testUsageEvents, some);
  const events = [...live, ...tested].sort(newestFirst).slice(0, rows);
  const ids = events.map(({ id }) => id);
  if (ids.length > 0) await deleteArrived(tx, ids);
  return { rows: ids.length, next: ids.length === rows ? events.at(-1) : undefined };
}

type Some = CustomerToForget & { after: Place | undefined; rows: number };

async function eventsOf(
  tx: Database,
  events: typeof usageEvents | typeof testUsageEvents,
  { applicationId, sub, after, rows }: Some,
): Promise<Place[]> {
  const order = paginationBy(events.occurredAt, events.id);
  return tx
    .select({ id: events.id, time: events.occurredAt })
    .from(events)
    .where(
      and(
        eq(events.applicationId, applicationId),
        eq(events.sub, sub),
        order.olderThan(after),
        // Older than the oldest message there is: nothing is kept of it.
        sql`${events.occurredAt} >= (
          select ${webhookMessages.createdAt} from ${webhookMessages}
          order by ${asc(webhookMessages.createdAt)} limit 1)`,
      ),
    )
    .orderBy(...order.newestFirst)
    .limit(rows);
}

function newestFirst(a: Place, b: Place): number {
  return b.time.getTime() - a.time.getTime() || (a.id < b.id ? 1 : -1);
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
