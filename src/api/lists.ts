// The two lists: query in, rows from the room that owns them, page out.

import type { z } from 'zod';
import { parseEmailAddress } from '../accounts/email-address.ts';
import { customerRecord, listCustomers } from '../applications/customer-list.ts';
import type { Database } from '../database/connection.ts';
import type { Place } from '../database/pagination.ts';
import { TollgateError } from '../errors.ts';
import { type EventRow, followEvents, latestPosition, listEvents } from '../ledger/event-list.ts';
import { formatAmount } from '../money.ts';
import type { Keys } from '../secrets.ts';
import { type List, readCursor, writeCursor } from './cursor.ts';
import { customersQuerySchema, emailExplanation, eventsQuerySchema, readQuery } from './query.ts';
import { customerPageSchema, eventPageSchema } from './schemas.ts';

export type ListRequest = {
  db: Database;
  keys: Pick<Keys, 'cursor'>;
  applicationId: string;
  /** The application is in test mode, and so are its customers. */
  isTest: boolean;
  querystring: string;
};

export async function readCustomers({ db, keys, applicationId, isTest, ...request }: ListRequest) {
  const query = readQuery(customersQuerySchema, request.querystring);
  const filters = {
    sub: query.sub,
    email: query.email === undefined ? undefined : emailFilter(query.email),
    createdAfter: query.created_after,
    createdBefore: query.created_before,
  };
  const list = { name: 'customers', applicationId, filters };
  const after = positionOf(keys, list, query.cursor);
  const { rows, hasMore } = await listCustomers(db, { applicationId, filters, after, limit: query.limit });
  const last = rows.at(-1);
  return customerPageSchema.parse({
    data: rows.map((row) => customerRecord(row, { isTest })),
    ...ending(keys, list, hasMore, last && { time: last.registeredAt, id: last.sub }),
  });
}

export async function readEvents({ db, keys, applicationId, ...request }: ListRequest) {
  const query = readQuery(eventsQuerySchema, request.querystring);
  if (query.order !== undefined) return readEventsInOrder({ db, keys, applicationId, query });
  const filters = {
    kind: query.kind,
    sub: query.sub,
    occurredAfter: query.occurred_after,
    occurredBefore: query.occurred_before,
  };
  const list = { name: 'events', applicationId, filters };
  const after = positionOf(keys, list, query.cursor);
  const { rows, hasMore } = await listEvents(db, { applicationId, filters, after, limit: query.limit });
  const last = rows.at(-1);
  return eventPageSchema.parse({
    data: rows.map(eventRecord),
    ...ending(keys, list, hasMore, last && { time: last.occurredAt, id: last.id }),
  });
}

/** Begins behind the newest event instead of before the oldest one. */
const LATEST = 'latest';

async function readEventsInOrder({
  db,
  keys,
  applicationId,
  query: { limit, cursor, order, ...filters },
}: Pick<ListRequest, 'db' | 'keys' | 'applicationId'> & { query: z.output<typeof eventsQuerySchema> }) {
  if (Object.values(filters).some((value) => value !== undefined))
    throw new TollgateError('invalid_request', '"order" can only be combined with "limit" and "cursor".');
  const list = { name: 'events', applicationId, filters: { order } };
  const cursorAt = (position: bigint) => writeCursor(keys, list, { time: new Date(0), id: String(position) });
  if (cursor === LATEST) {
    const latest = await latestPosition(db, applicationId);
    return eventPageSchema.parse({ data: [], has_more: false, next_cursor: cursorAt(latest) });
  }
  const after = BigInt(positionOf(keys, list, cursor)?.id ?? 0);
  const { rows, hasMore } = await followEvents(db, { applicationId, after, limit });
  return eventPageSchema.parse({
    data: rows.map(eventRecord),
    has_more: hasMore,
    next_cursor: cursorAt(rows.at(-1)?.position ?? after),
  });
}

function eventRecord(row: EventRow) {
  return {
    id: row.id,
    kind: row.kind,
    sub: row.sub,
    amount: formatAmount(row.amount),
    currency: row.currency,
    status: row.status,
    occurred_at: row.occurredAt.toISOString(),
    livemode: row.livemode,
  };
}

function emailFilter(typed: string): string {
  const email = parseEmailAddress(typed);
  if (email === undefined) throw new TollgateError('invalid_request', emailExplanation);
  return email;
}

function positionOf(keys: Pick<Keys, 'cursor'>, list: List, cursor: string | undefined): Place | undefined {
  return cursor === undefined ? undefined : readCursor(keys, list, cursor);
}

function ending(keys: Pick<Keys, 'cursor'>, list: List, hasMore: boolean, last: Place | undefined) {
  const next = hasMore && last ? writeCursor(keys, list, last) : null;
  return { has_more: hasMore, next_cursor: next };
}
