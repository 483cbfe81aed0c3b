// What a list of events may ask for, whichever of the two books (books.ts) they are in.
import { eq, gte, lt, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Place } from '../database/pagination.ts';

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

export type Following = {
  applicationId: string;
  /** Position of the last event that the caller has; 0 for none. */
  after: bigint;
  limit: number;
};

type Filtered = { kind: AnyPgColumn; sub: AnyPgColumn; occurredAt: AnyPgColumn };

export function conditionsOn(events: Filtered, filters: EventFilters): (SQL | undefined)[] {
  const { kind, sub, occurredAfter, occurredBefore } = filters;
  return [
    kind && eq(events.kind, kind),
    sub === undefined ? undefined : eq(events.sub, sub),
    occurredAfter && gte(events.occurredAt, occurredAfter),
    occurredBefore && lt(events.occurredAt, occurredBefore),
  ];
}
