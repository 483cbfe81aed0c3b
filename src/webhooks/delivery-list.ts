// What happened to the webhooks of a company: the latest deliveries, and the attempts at one of them.
import { and, asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import {
  webhookAttempts,
  webhookDeliveries,
  webhookMessages,
  webhookSubscriptions,
} from '../../drizzle/schema/webhooks.ts';
import type { Database } from '../database/connection.ts';
import { listDefault } from '../limits/requests.ts';

export const deliveryStatuses = webhookDeliveries.status.enumValues;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Newest first. */
export function listDeliveries(
  db: Database,
  options: {
    workspaceId: string;
    subscriptionId?: string | undefined;
    status?: DeliveryStatus | undefined;
    limit?: number;
  },
) {
  const { workspaceId, subscriptionId, status, limit = listDefault } = options;
  return db
    .select({
      id: webhookDeliveries.id,
      subscriptionId: webhookDeliveries.subscriptionId,
      eventId: webhookDeliveries.eventId,
      type: webhookMessages.type,
      url: webhookSubscriptions.url,
      status: webhookDeliveries.status,
      attemptCount: webhookDeliveries.attemptCount,
      nextAttemptAt: whenActive(webhookDeliveries.nextAttemptAt),
      finishedAt: webhookDeliveries.finishedAt,
      createdAt: webhookDeliveries.createdAt,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookSubscriptions, eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId))
    .innerJoin(webhookMessages, eq(webhookMessages.eventId, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookSubscriptions.workspaceId, workspaceId),
        isNull(webhookSubscriptions.deletedAt),
        subscriptionId === undefined ? undefined : eq(webhookSubscriptions.id, subscriptionId),
        status === undefined ? undefined : eq(webhookDeliveries.status, status),
      ),
    )
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(limit);
}

/** Nothing is attempted at an endpoint that is paused or switched off, whatever its deliveries say. */
export function whenActive(time: typeof webhookDeliveries.nextAttemptAt): SQL<Date | null> {
  return sql`case when ${webhookSubscriptions.status} = 'active' then ${time} end`.mapWith(time);
}

/** Oldest first; none for another company's delivery. */
export async function listAttempts(db: Database, options: { workspaceId: string; deliveryId: string }) {
  const rows = await db
    .select({ attempt: webhookAttempts })
    .from(webhookAttempts)
    .innerJoin(webhookDeliveries, eq(webhookDeliveries.id, webhookAttempts.deliveryId))
    .innerJoin(webhookSubscriptions, eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId))
    .where(
      and(
        eq(webhookDeliveries.id, options.deliveryId),
        eq(webhookSubscriptions.workspaceId, options.workspaceId),
      ),
    )
    .orderBy(asc(webhookAttempts.startedAt), asc(webhookAttempts.id));
  return rows.map(({ attempt }) => attempt);
}
