// The usage events of one application, newest first (specification §2 "Event", §4.6). The status is not stored:
// an event is reversed when a transfer in the ledger takes its charge back.
import { and, eq, gte, lt, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { transfers, usageEvents } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';
import { keyset, type Place } from '../keyset.ts';

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
  /** src/trace-id.ts */
  traceId: string | null;
  occurredAt: Date;
};

const order = keyset(usageEvents.occurredAt, usageEvents.id);
const reversal = alias(transfers, 'reversal');

export async function listEvents(
  db: Database,
  listing: EventListing,
): Promise<{ rows: EventRow[]; hasMore: boolean }> {
  const found = await eventsQuery(db, listing);
  const rows = found
    .slice(0, listing.limit)
    .map(({ reversedBy, ...event }) => ({ ...event, status: statusOf(reversedBy) }));
  return { rows, hasMore: found.length > listing.limit };
}

/** One row more than asked for says whether there is a next page, without counting. */
export function eventsQuery(db: Database, { applicationId, filters, after, limit }: EventListing) {
  return db
    .select({
      id: usageEvents.id,
      kind: usageEvents.kind,
      sub: usageEvents.sub,
      amount: usageEvents.amount,
      currency: usageEvents.currency,
      traceId: usageEvents.traceId,
      occurredAt: usageEvents.occurredAt,
      reversedBy: reversal.id,
    })
    .from(usageEvents)
    .leftJoin(reversal, eq(reversal.reverses, usageEvents.transferId))
    .where(and(eq(usageEvents.applicationId, applicationId), ...conditions(filters), order.olderThan(after)))
    .orderBy(...order.newestFirst)
    .limit(limit + 1);
}

function statusOf(reversedBy: string | null): EventStatus {
  return reversedBy === null ? 'committed' : 'reversed';
}

function conditions({ kind, sub, occurredAfter, occurredBefore }: EventFilters): (SQL | undefined)[] {
  return [
    kind && eq(usageEvents.kind, kind),
    sub === undefined ? undefined : eq(usageEvents.sub, sub),
    occurredAfter && gte(usageEvents.occurredAt, occurredAfter),
    occurredBefore && lt(usageEvents.occurredAt, occurredBefore),
  ];
}
