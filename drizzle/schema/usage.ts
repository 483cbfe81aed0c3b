// What was charged for, event by event and day by day. src/ledger owns the queries.
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { applications } from './applications.ts';
import { microUnits, time } from './column-types.ts';
import { testTransfers, transfers } from './transfers.ts';

/** Of an event in either book; which transfer it belongs to says the table. */
const usageEventColumns = () => ({
  /** The id of the webhook too. */
  id: text('id').primaryKey(),
  applicationId: text('application_id')
    .notNull()
    .references(() => applications.id),
  sub: text('sub').notNull(),
  kind: text('kind', { enum: ['registration', 'sign_in'] }).notNull(),
  amount: microUnits('amount').notNull(),
  currency: text('currency').notNull(),
  /** SHA-256 of the authorization code: a code is charged at most once. */
  codeHash: text('code_hash').notNull().unique(),
  /** src/traces/trace-id.ts; ties the event to the pages and errors before it. */
  traceId: text('trace_id'),
  occurredAt: time('occurred_at').notNull(),
});

/** Append-only (trigger): one per exchanged authorization code. `status` is derived from the transfers. */
export const usageEvents = pgTable(
  'usage_events',
  {
    ...usageEventColumns(),
    transferId: text('transfer_id')
      .notNull()
      .unique()
      .references(() => transfers.id),
  },
  (t) => [
    index('usage_events_newest_first').on(t.applicationId, t.occurredAt.desc(), t.id.desc()),
    // For the filters of the events list: without these, one customer's events cost a scan of all of them.
    index('usage_events_of_customer').on(t.applicationId, t.sub, t.occurredAt.desc(), t.id.desc()),
    index('usage_events_by_kind').on(t.applicationId, t.kind, t.occurredAt.desc(), t.id.desc()),
    check('usage_events_kind', sql`${t.kind} in ('registration', 'sign_in')`),
  ],
);

/** As usage_events, of test mode. A trigger refuses any for an application that is live, and whoever goes live waits for it. */
export const testUsageEvents = pgTable(
  'test_usage_events',
  {
    ...usageEventColumns(),
    transferId: text('transfer_id')
      .notNull()
      .unique()
      .references(() => testTransfers.id),
  },
  (t) => [
    index('test_usage_events_newest_first').on(t.applicationId, t.occurredAt.desc(), t.id.desc()),
    index('test_usage_events_of_customer').on(t.applicationId, t.sub, t.occurredAt.desc(), t.id.desc()),
    index('test_usage_events_by_kind').on(t.applicationId, t.kind, t.occurredAt.desc(), t.id.desc()),
    check('test_usage_events_kind', sql`${t.kind} in ('registration', 'sign_in')`),
  ],
);

/**
 * The order in which an application's events can be followed (append-only by trigger): 1, 2, 3 … without a gap. A place is
 * given by who holds the balance's row until the commit, so whoever sees one sees all before it.
 */
export const eventPositions = pgTable(
  'event_positions',
  {
    /** No references: each would be looked up while the balance is held, and `ledger verify` asks for them. */
    applicationId: text('application_id').notNull(),
    position: bigint('position', { mode: 'bigint' }).notNull(),
    eventId: text('event_id').notNull().unique(),
  },
  (t) => [primaryKey({ columns: [t.applicationId, t.position] })],
);

/**
 * What each closed day of usage_events adds up to, so that the usage page reads some rows and not every event. Written
 * by housekeeping, a row of each kind for every day since an application's first event.
 */
export const usageDays = pgTable(
  'usage_days',
  {
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    /** Of UTC: 2026-11-21. */
    day: text('day').notNull(),
    kind: text('kind', { enum: ['registration', 'sign_in'] }).notNull(),
    count: integer('count').notNull(),
    amount: microUnits('amount').notNull(),
  },
  (t) => [primaryKey({ columns: [t.applicationId, t.day, t.kind] })],
);
