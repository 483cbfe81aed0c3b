// The usage events of one application, newest first or as they were committed, those of test mode among them. The status
// is not stored: an event is reversed when a transfer in its book takes its charge back.
import { and, asc, eq, gt } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { balances } from '../../drizzle/schema/balances.ts';
import { transfers } from '../../drizzle/schema/transfers.ts';
import { eventPositions, usageEvents } from '../../drizzle/schema/usage.ts';
import type { Database } from '../database/connection.ts';
import { paginationBy } from '../database/pagination.ts';
import { settleAll } from '../database/settle-all.ts';
import {
  conditionsOn,
  type EventKind,
  type EventListing,
  type EventStatus,
  type Following,
} from './event-listing.ts';
import { followTestQuery, testEventsQuery } from './test-event-list.ts';

export type EventRow = {
  id: string;
  kind: EventKind;
  sub: string;
  /** Millionths of the currency. */
  amount: bigint;
  currency: string;
  status: EventStatus;
  /** src/traces/trace-id.ts */
  traceId: string | null;
  occurredAt: Date;
  /** False: of test mode. */
  livemode: boolean;
};

const order = paginationBy(usageEvents.occurredAt, usageEvents.id);
const reversal = alias(transfers, 'reversal');

const columns = {
  id: usageEvents.id,
  kind: usageEvents.kind,
  sub: usageEvents.sub,
  amount: usageEvents.amount,
  currency: usageEvents.currency,
  traceId: usageEvents.traceId,
  occurredAt: usageEvents.occurredAt,
  reversedBy: reversal.id,
};

export async function listEvents(
  db: Database,
  listing: EventListing,
): Promise<{ rows: EventRow[]; hasMore: boolean }> {
  // Both begin at the same place and are as long as the page may be, so what is merged is the page.
  const [live, tested] = await settleAll([eventsQuery(db, listing), testEventsQuery(db, listing)]);
  const found = together(live, tested).sort(newestFirst);
  const rows = found.slice(0, listing.limit).map(withStatus);
  return { rows, hasMore: found.length > listing.limit };
}

/** One row more than asked for says whether there is a next page, without counting. */
export function eventsQuery(db: Database, { applicationId, filters, after, limit }: EventListing) {
  return db
    .select(columns)
    .from(usageEvents)
    .leftJoin(reversal, eq(reversal.reverses, usageEvents.transferId))
    .where(
      and(
        eq(usageEvents.applicationId, applicationId),
        ...conditionsOn(usageEvents, filters),
        order.olderThan(after),
      ),
    )
    .orderBy(...order.newestFirst)
    .limit(limit + 1);
}

/**
 * In the order of their positions, which is the order in which they were committed: what is not here yet will have a
 * later one, so who goes on behind the last row loses nothing (docs/decisions/0804).
 */
export async function followEvents(
  db: Database,
  following: Following,
): Promise<{ rows: (EventRow & { position: bigint })[]; hasMore: boolean }> {
  const [live, tested] = await settleAll([followQuery(db, following), followTestQuery(db, following)]);
  const found = together(live, tested).sort((a, b) => (a.position < b.position ? -1 : 1));
  const rows = found.slice(0, following.limit).map(withStatus);
  return { rows, hasMore: found.length > following.limit };
}

export function followQuery(db: Database, { applicationId, after, limit }: Following) {
  return db
    .select({ ...columns, position: eventPositions.position })
    .from(eventPositions)
    .innerJoin(usageEvents, eq(usageEvents.id, eventPositions.eventId))
    .leftJoin(reversal, eq(reversal.reverses, usageEvents.transferId))
    .where(and(eq(eventPositions.applicationId, applicationId), gt(eventPositions.position, after)))
    .orderBy(asc(eventPositions.position))
    .limit(limit + 1);
}

/** Of the latest event that is committed: whoever begins behind it gets what comes from now on. */
export async function latestPosition(db: Database, applicationId: string): Promise<bigint> {
  const [balance] = await db
    .select({ position: balances.lastPosition })
    .from(balances)
    .where(eq(balances.applicationId, applicationId));
  return balance?.position ?? 0n;
}

function together<Live, Tested>(live: Live[], tested: Tested[]) {
  return [
    ...live.map((row) => ({ ...row, livemode: true })),
    ...tested.map((row) => ({ ...row, livemode: false })),
  ];
}

type Dated = { occurredAt: Date; id: string };

export function newestFirst(a: Dated, b: Dated): number {
  return b.occurredAt.getTime() - a.occurredAt.getTime() || (a.id < b.id ? 1 : -1);
}

function withStatus<T extends { reversedBy: string | null }>({ reversedBy, ...event }: T) {
  const status: EventStatus = reversedBy === null ? 'committed' : 'reversed';
  return { ...event, status };
}
