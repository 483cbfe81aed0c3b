// The two lists: query in, rows from the room that owns them, page out (specification §4.5, §4.6; design.md §3).
import { customerRecord, listCustomers } from '../applications/customer-list.ts';
import type { Database } from '../database.ts';
import { TollgateError } from '../errors.ts';
import type { Place } from '../keyset.ts';
import { listEvents } from '../ledger/event-list.ts';
import { formatAmount } from '../money.ts';
import type { Keys } from '../secrets.ts';
import { type List, readCursor, writeCursor } from './cursor.ts';
import { customersQuerySchema, emailExplanation, eventsQuerySchema, readQuery } from './query.ts';
import { customerPageSchema, eventPageSchema } from './schemas.ts';

type ListRequest = {
  db: Database;
  keys: Pick<Keys, 'cursor'>;
  parseEmailAddress: (input: unknown) => string | undefined;
  applicationId: string;
  querystring: string;
};

export async function readCustomers({ db, keys, applicationId, ...request }: ListRequest) {
  const query = readQuery(customersQuerySchema, request.querystring);
  const filters = {
    sub: query.sub,
    email: query.email === undefined ? undefined : emailFilter(query.email, request.parseEmailAddress),
    createdAfter: query.created_after,
    createdBefore: query.created_before,
  };
  const list = { name: 'customers', applicationId, filters };
  const after = positionOf(keys, list, query.cursor);
  const { rows, hasMore } = await listCustomers(db, { applicationId, filters, after, limit: query.limit });
  const last = rows.at(-1);
  return customerPageSchema.parse({
    data: rows.map(customerRecord),
    ...ending(keys, list, hasMore, last && { time: last.registeredAt, id: last.sub }),
  });
}

export async function readEvents({ db, keys, applicationId, ...request }: ListRequest) {
  const query = readQuery(eventsQuerySchema, request.querystring);
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
    data: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      sub: row.sub,
      amount: formatAmount(row.amount),
      currency: row.currency,
      status: row.status,
      occurred_at: row.occurredAt.toISOString(),
    })),
    ...ending(keys, list, hasMore, last && { time: last.occurredAt, id: last.id }),
  });
}

function emailFilter(typed: string, parseEmailAddress: ListRequest['parseEmailAddress']): string {
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
