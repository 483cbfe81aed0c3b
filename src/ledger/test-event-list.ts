// The events of test mode, in the orders of event-list.ts, which lists them together with the live ones.
import { and, asc, eq, gt, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { testTransfers } from '../../drizzle/schema/transfers.ts';
import { eventPositions, testUsageEvents } from '../../drizzle/schema/usage.ts';
import type { Database } from '../database/connection.ts';
import { paginationBy } from '../database/pagination.ts';
import { conditionsOn, type EventListing, type Following } from './event-listing.ts';

const order = paginationBy(testUsageEvents.occurredAt, testUsageEvents.id);
const reversal = alias(testTransfers, 'test_reversal');

const columns = {
  id: testUsageEvents.id,
  kind: testUsageEvents.kind,
  sub: testUsageEvents.sub,
  amount: testUsageEvents.amount,
  currency: testUsageEvents.currency,
  traceId: testUsageEvents.traceId,
  occurredAt: testUsageEvents.occurredAt,
  reversedBy: reversal.id,
};

export function testEventsQuery(db: Database, { applicationId, filters, after, limit }: EventListing) {
  const isWanted: (SQL | undefined)[] = [
    eq(testUsageEvents.applicationId, applicationId),
    ...conditionsOn(testUsageEvents, filters),
    order.olderThan(after),
  ];
  return db
    .select(columns)
    .from(testUsageEvents)
    .leftJoin(reversal, eq(reversal.reverses, testUsageEvents.transferId))
    .where(and(...isWanted))
    .orderBy(...order.newestFirst)
    .limit(limit + 1);
}

export function followTestQuery(db: Database, { applicationId, after, limit }: Following) {
  return db
    .select({ ...columns, position: eventPositions.position })
    .from(eventPositions)
    .innerJoin(testUsageEvents, eq(testUsageEvents.id, eventPositions.eventId))
    .leftJoin(reversal, eq(reversal.reverses, testUsageEvents.transferId))
    .where(and(eq(eventPositions.applicationId, applicationId), gt(eventPositions.position, after)))
    .orderBy(asc(eventPositions.position))
    .limit(limit + 1);
}
