// Every movement of money, in the books of companies and in those of test mode: append-only by triggers, which are in
// migrations/ (drizzle cannot express them). src/ledger owns the queries.
import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { applications } from './applications.ts';
import { microUnits, time } from './column-types.ts';

/** Append-only (trigger): amount moves from one account to another, so the books sum to zero by construction. */
export const transfers = pgTable(
  'transfers',
  {
    id: text('id').primaryKey(),
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    code: text('code', {
      enum: ['top_up', 'welcome_credit', 'charge', 'reversal', 'refund', 'correction'],
    }).notNull(),
    debitAccount: text('debit_account').notNull(),
    creditAccount: text('credit_account').notNull(),
    amount: microUnits('amount').notNull(),
    currency: text('currency').notNull(),
    /** The caller's name for this movement: a second transfer with the same one is impossible. */
    reference: text('reference').notNull().unique(),
    /** The transfer that this one takes back; each at most once. */
    reverses: text('reverses').unique(),
    /** Of a reversal: the session counts no more, for its customer had no tokens. Older ones took back the money alone. */
    undoesSession: boolean('undoes_session').notNull().default(false),
    reason: text('reason'),
    /** Who moved it, where a person did: an account's id, or `operator`. */
    actor: text('actor'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    index('transfers_by_application').on(t.applicationId, t.createdAt),
    // What statements list one by one; charges are read from the sums of their days.
    index('transfers_beside_charges').on(t.applicationId, t.createdAt, t.id).where(sql`code <> 'charge'`),
    // Zero is a session of a workspace whose price is zero.
    check('transfers_never_move_a_negative_amount', sql`${t.amount} >= 0`),
    check('transfers_have_two_sides', sql`${t.debitAccount} <> ${t.creditAccount}`),
  ],
);

/**
 * Money of test mode (docs/decisions/1101), in books of its own: no row here and none of `transfers` can name an account of
 * the other's. Append-only (trigger). There is no balance, for the source never runs dry.
 */
export const testTransfers = pgTable(
  'test_transfers',
  {
    id: text('id').primaryKey(),
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    code: text('code', { enum: ['charge', 'reversal'] }).notNull(),
    debitAccount: text('debit_account').notNull(),
    creditAccount: text('credit_account').notNull(),
    amount: microUnits('amount').notNull(),
    currency: text('currency').notNull(),
    reference: text('reference').notNull().unique(),
    /** The charge that this one takes back; each at most once. */
    reverses: text('reverses').unique(),
    undoesSession: boolean('undoes_session').notNull().default(false),
    reason: text('reason'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    index('test_transfers_by_application').on(t.applicationId, t.createdAt),
    check('test_transfers_never_move_a_negative_amount', sql`${t.amount} >= 0`),
    check(
      'test_transfers_move_between_test_accounts',
      sql`case ${t.code}
        when 'charge' then ${t.debitAccount} = 'test_credit:' || ${t.applicationId}
          and ${t.creditAccount} = 'test_usage:' || ${t.applicationId} and ${t.reverses} is null
        when 'reversal' then ${t.debitAccount} = 'test_usage:' || ${t.applicationId}
          and ${t.creditAccount} = 'test_credit:' || ${t.applicationId} and ${t.reverses} is not null
        else false end`,
    ),
  ],
);
