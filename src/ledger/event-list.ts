// The usage events of one application, newest first or as they were committed. The status is not stored:
// an event is reversed when a transfer in the ledger takes its charge back.
import { and, asc, eq, gt, gte, lt, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { balances, eventPositions, transfers, usageEvents } from '../../drizzle/schema.ts';
import type { Database } from '../database/connection.ts';
import { type Place, paginationBy } from '../database/pagination.ts';

export type EventKind = 'registration' | 'sign_in';
export type EventStatus = 'committed' | 'reversed';

export type EventFilters = {
  kind?: EventKind | undefined;
  sub?: string | undefined;
  /** From this moment on, itself included. */
  occurredAfter?: Date | undefined;
  /** Up to this moment, itself excluded. */
  occurredBefore?: Date | undefined;
};

export type EventListing = {
  applicationId: string;
  filters: EventFilters;
  /** Place of the last row that the caller has. */
  after?: Place | undefined;
  limit: number;
};

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
  const found = await eventsQuery(db, listing);
  const rows = found.slice(0, listing.limit).map(withStatus);
  return { rows, hasMore: found.length > listing.limit };
}

/** One row more than asked for says whether there is a next page, without counting. */
export function eventsQuery(db: Database, { applicationId, filters, after, limit }: EventListing) {
  return db
    .select(columns)
    .from(usageEvents)
    .leftJoin(reversal, eq(reversal.reverses, usageEvents.transferId))
    .where(and(eq(usageEvents.applicationId, applicationId), ...conditions(filters), order.olderThan(after)))
    .orderBy(...order.newestFirst)
    .limit(limit + 1);
}

export type Following = {
  applicationId: string;
  /** Position of the last event that the caller has; 0 for none. */
  after: bigint;
  limit: number;
};

/**
 * In the order of their positions, which is the order in which they were committed: what is not here yet will have a
 * later one, so who goes on behind the last row loses nothing (docs/decisions/0804).
 */
export async function followEvents(
  db: Database,
  following: Following,
): Promise<{ rows: (EventRow & { position: bigint })[]; hasMore: boolean }> {
  const found = await followQuery(db, following);
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

function withStatus<T extends { reversedBy: string | null }>({ reversedBy, ...event }: T) {
  const status: EventStatus = reversedBy === null ? 'committed' : 'reversed';
  return { ...event, status };
}

function conditions({ kind, sub, occurredAfter, occurredBefore }: EventFilters): (SQL | undefined)[] {
  return [
    kind && eq(usageEvents.kind, kind),
    sub === undefined ? undefined : eq(usageEvents.sub, sub),
    occurredAfter && gte(usageEvents.occurredAt, occurredAfter),
    occurredBefore && lt(usageEvents.occurredAt, occurredBefore),
  ];
}
