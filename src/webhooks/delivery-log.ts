// The delivery log of one subscription: a page of it, newest event first, and everything about one delivery. Ids of
// events grow with time, so that the order and the place of a page are those of the index on (subscription, event).
import { and, asc, desc, eq, gt, inArray, lt } from 'drizzle-orm';
import {
  webhookAttempts,
  webhookDeliveries,
  webhookMessages,
  webhookSubscriptions,
} from '../../drizzle/schema/webhooks.ts';
import { atOneMoment, type Database, isOneOf } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { webhookDeliveriesShown } from '../limits/webhooks.ts';
import { type DeliveryStatus, whenActive } from './delivery-list.ts';
import { isTestEvent } from './test-event.ts';

export type LogFilters = {
  status?: DeliveryStatus | undefined;
  /** Only deliveries of these. */
  eventIds?: string[] | undefined;
};

/** Next to an event of the page before: what happened before it, or after it. */
export type LogPlace = { olderThan: string } | { newerThan: string };

type Attempt = typeof webhookAttempts.$inferSelect;

export type LoggedDelivery = {
  id: string;
  eventId: string;
  type: string;
  /** Sent from settings: nothing happened. */
  isTest: boolean;
  /** Of an application in test mode. */
  isTestMode: boolean;
  status: DeliveryStatus;
  attemptCount: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  /** The latest one, replays included. */
  lastAttempt: Attempt | undefined;
};

type LogQuery = {
  workspaceId: string;
  subscriptionId: string;
  filters: LogFilters;
  place?: LogPlace | undefined;
};
type LogPage = { deliveries: LoggedDelivery[]; hasOlder: boolean; hasNewer: boolean };

export function readDeliveryLog(db: Database, query: LogQuery): Promise<LogPage> {
  // An answer recorded in between would stand beside a delivery that still waits for it.
  return atOneMoment(db, (tx) => readLogPage(tx, query));
}

async function readLogPage(db: Database, options: LogQuery): Promise<LogPage> {
  const { workspaceId, subscriptionId, filters, place } = options;
  const isBackwards = place !== undefined && 'newerThan' in place;
  const rows = await db
    .select(columns)
    .from(webhookDeliveries)
    .innerJoin(webhookSubscriptions, eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId))
    .innerJoin(webhookMessages, eq(webhookMessages.eventId, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookDeliveries.subscriptionId, subscriptionId),
        eq(webhookSubscriptions.workspaceId, workspaceId),
        filters.status && eq(webhookDeliveries.status, filters.status),
        filters.eventIds && isOneOf(webhookDeliveries.eventId, filters.eventIds),
        beyond(place),
      ),
    )
    .orderBy((isBackwards ? asc : desc)(webhookDeliveries.eventId))
    .limit(webhookDeliveriesShown + 1);
  const hasMore = rows.length > webhookDeliveriesShown;
  const page = rows.slice(0, webhookDeliveriesShown);
  if (isBackwards) page.reverse();
  const latest = await latestAttempts(
    db,
    page.map(({ id }) => id),
  );
  return {
    deliveries: page.map(({ body, ...row }) => ({
      ...row,
      isTest: isTestEvent(body),
      lastAttempt: latest.find(({ deliveryId }) => deliveryId === row.id),
    })),
    hasOlder: isBackwards ? page.length > 0 : hasMore,
    hasNewer: isBackwards ? hasMore : place !== undefined,
  };
}

const columns = {
  id: webhookDeliveries.id,
  eventId: webhookDeliveries.eventId,
  type: webhookMessages.type,
  body: webhookMessages.body,
  isTestMode: webhookMessages.isTest,
  status: webhookDeliveries.status,
  attemptCount: webhookDeliveries.attemptCount,
  nextAttemptAt: whenActive(webhookDeliveries.nextAttemptAt),
  createdAt: webhookDeliveries.createdAt,
};

function beyond(place: LogPlace | undefined) {
  if (!place) return undefined;
  return 'olderThan' in place
    ? lt(webhookDeliveries.eventId, place.olderThan)
    : gt(webhookDeliveries.eventId, place.newerThan);
}

function latestAttempts(db: Database, deliveryIds: string[]): Promise<Attempt[]> {
  return db
    .selectDistinctOn([webhookAttempts.deliveryId])
    .from(webhookAttempts)
    .where(inArray(webhookAttempts.deliveryId, ['', ...deliveryIds]))
    .orderBy(webhookAttempts.deliveryId, desc(webhookAttempts.startedAt), desc(webhookAttempts.id));
}

/** Another company's delivery, one of another subscription, a deleted and a made-up one are alike. */
export async function findDelivery(
  db: Database,
  which: { workspaceId: string; subscriptionId: string; deliveryId: string },
) {
  const [row] = await db
    .select({ ...columns, finishedAt: webhookDeliveries.finishedAt })
    .from(webhookDeliveries)
    .innerJoin(webhookSubscriptions, eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId))
    .innerJoin(webhookMessages, eq(webhookMessages.eventId, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookDeliveries.id, which.deliveryId),
        eq(webhookDeliveries.subscriptionId, which.subscriptionId),
        eq(webhookSubscriptions.workspaceId, which.workspaceId),
      ),
    );
  if (!row) throw new TollgateError('not_found', 'There is no such webhook delivery.');
  return { ...row, isTest: isTestEvent(row.body) };
}
