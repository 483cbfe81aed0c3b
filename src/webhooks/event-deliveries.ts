// What became of one event: its delivery to each subscription, with every attempt. For the trace of a sign-in.
import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import { webhookAttempts, webhookDeliveries, webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import type { Database } from '../database/connection.ts';
import { type DeliveryStatus, whenActive } from './delivery-list.ts';

export type EventDelivery = {
  id: string;
  eventId: string;
  subscriptionId: string;
  url: string;
  status: DeliveryStatus;
  nextAttemptAt: Date | null;
  createdAt: Date;
  /** Oldest first. */
  attempts: (typeof webhookAttempts.$inferSelect)[];
};

/** Of one workspace's subscriptions. Deliveries are forgotten after the replay window; events are not. */
export async function listEventDeliveries(
  db: Database,
  { workspaceId, eventIds }: { workspaceId: string; eventIds: string[] },
): Promise<EventDelivery[]> {
  if (eventIds.length === 0) return [];
  const deliveries = await db
    .select({
      id: webhookDeliveries.id,
      eventId: webhookDeliveries.eventId,
      subscriptionId: webhookDeliveries.subscriptionId,
      url: webhookSubscriptions.url,
      status: webhookDeliveries.status,
      nextAttemptAt: whenActive(webhookDeliveries.nextAttemptAt),
      createdAt: webhookDeliveries.createdAt,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookSubscriptions, eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId))
    .where(
      and(
        inArray(webhookDeliveries.eventId, eventIds),
        eq(webhookSubscriptions.workspaceId, workspaceId),
        isNull(webhookSubscriptions.deletedAt),
      ),
    )
    .orderBy(asc(webhookDeliveries.createdAt), asc(webhookDeliveries.id));
  const ids = deliveries.map(({ id }) => id);
  const attempts =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(webhookAttempts)
          .where(inArray(webhookAttempts.deliveryId, ids))
          .orderBy(asc(webhookAttempts.startedAt), asc(webhookAttempts.id));
  return deliveries.map((delivery) => ({
    ...delivery,
    attempts: attempts.filter(({ deliveryId }) => deliveryId === delivery.id),
  }));
}
