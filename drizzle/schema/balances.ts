// What a company pays and has paid in, and the statements about it. src/ledger owns the queries.
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { applications } from './applications.ts';
import { microUnits, time } from './column-types.ts';
import { workspaces } from './workspaces.ts';

export const prices = pgTable(
  'prices',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    kind: text('kind', { enum: ['registration', 'sign_in'] }).notNull(),
    amount: microUnits('amount').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.kind] }),
    check('prices_are_not_negative', sql`${t.amount} >= 0`),
  ],
);

/** The OAuth balance of an application: the sum of its transfers, kept so that one UPDATE can guard it. */
export const balances = pgTable(
  'balances',
  {
    applicationId: text('application_id')
      .primaryKey()
      .references(() => applications.id),
    currency: text('currency').notNull(),
    amount: microUnits('amount').notNull(),
    /** Places that event_positions has given out. */
    lastPosition: bigint('last_position', { mode: 'bigint' }).notNull().default(sql`0`),
    /** Every event of before has its position; those of an earlier release are given theirs by housekeeping. */
    positionedUntil: time('positioned_until'),
    /** Nothing is written with an earlier time any more: statements until then are sealed. */
    sealedUntil: time('sealed_until'),
  },
  (t) => [check('balances_are_never_negative', sql`${t.amount} >= 0`)],
);

/** A payment that a company began, for example a Stripe Checkout; credited once, by a top-up with its reference. */
export const payments = pgTable(
  'payments',
  {
    id: text('id').primaryKey(),
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    provider: text('provider').notNull(),
    /** The provider's own id of the payment; null until it answered. */
    providerReference: text('provider_reference').unique(),
    amount: microUnits('amount').notNull(),
    currency: text('currency').notNull(),
    status: text('status', { enum: ['pending', 'paid', 'expired', 'failed'] }).notNull(),
    startedBy: text('started_by').notNull(),
    createdAt: time('created_at').notNull(),
    settledAt: time('settled_at'),
  },
  (t) => [
    index('payments_by_application').on(t.applicationId, t.createdAt),
    check('payments_are_positive', sql`${t.amount} > 0`),
    check('payments_status', sql`${t.status} in ('pending', 'paid', 'expired', 'failed')`),
  ],
);

/** Below this balance the company wants to be told; once each time that it is crossed. */
export const balanceThresholds = pgTable(
  'balance_thresholds',
  {
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    amount: microUnits('amount').notNull(),
    /** Set when the mail was sent; cleared by the balance rising above it again. */
    reachedAt: time('reached_at'),
  },
  (t) => [
    primaryKey({ columns: [t.applicationId, t.amount] }),
    check('balance_thresholds_are_not_negative', sql`${t.amount} >= 0`),
  ],
);

/** The statement of a closed month, as it stays (append-only by trigger). */
export const statementSeals = pgTable(
  'statement_seals',
  {
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    /** Of UTC: 2026-11. */
    month: text('month').notNull(),
    opening: microUnits('opening').notNull(),
    closing: microUnits('closing').notNull(),
    /** Lines of the download between the two. */
    entryCount: integer('entry_count').notNull(),
    /** SHA-256 over every entry: src/ledger/statement-hash.ts. */
    hash: text('hash').notNull(),
    sealedAt: time('sealed_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.applicationId, t.month] })],
);
