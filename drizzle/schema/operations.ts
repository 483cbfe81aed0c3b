// What the service keeps about its own work: verifications, attempts against secrets, work that is longer than a transaction,
// the development inbox. src/database and src/queue own the queries.
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './column-types.ts';

const verification = () => ({
  id: text('id').primaryKey(),
  startedAt: time('started_at').notNull(),
  finishedAt: time('finished_at').notNull(),
  ok: boolean('ok').notNull(),
  /** Rules that do not hold, each with how many rows break it. */
  broken: jsonb('broken').$type<Record<string, number>>().notNull(),
});

/** What the scheduled proofs of the ledger found, by one process for all. */
export const ledgerVerifications = pgTable('ledger_verifications', verification(), (t) => [
  index('ledger_verifications_newest_first').on(t.finishedAt.desc()),
]);

/** The same of identity (docs/identity-invariants.md). */
export const accountVerifications = pgTable('account_verifications', verification(), (t) => [
  index('account_verifications_newest_first').on(t.finishedAt.desc()),
]);

/** Failures against a secret, counted before the comparison; they survive restarts and a lost Redis. */
export const attemptCounters = pgTable(
  'attempt_counters',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    windowEndsAt: time('window_ends_at').notNull(),
  },
  (t) => [index('attempt_counters_by_age').on(t.windowEndsAt)],
);

/** Work that is longer than a transaction (src/queue/long-work.ts): what it is about, how far it is, and why it stopped. */
export const longWork = pgTable(
  'long_work',
  {
    /** For example `account_end`; a process leaves alone what it does not know. */
    kind: text('kind').notNull(),
    subject: text('subject').notNull(),
    /** What the work was told when it began; emptied when it is done. */
    detail: jsonb('detail').$type<Record<string, string | number | boolean | null | string[]>>().notNull(),
    /** Where the next bite begins. */
    cursor: text('cursor'),
    /** Rows so far, and how many there will be about; null when nobody counted. */
    done: bigint('done', { mode: 'number' }).notNull(),
    total: bigint('total', { mode: 'number' }),
    startedAt: time('started_at').notNull(),
    nextBiteAt: time('next_bite_at').notNull(),
    finishedAt: time('finished_at'),
    /** In a row. */
    failures: integer('failures').notNull(),
    /** SQLSTATE of the last failure. */
    error: text('error'),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.subject] }),
    index('long_work_due').on(t.nextBiteAt).where(sql`finished_at is null`),
    index('long_work_finished').on(t.finishedAt).where(sql`finished_at is not null`),
  ],
);

export const developmentInbox = pgTable(
  'development_inbox',
  {
    id: text('id').primaryKey(),
    recipient: text('recipient').notNull(),
    sender: text('sender').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    sentAt: time('sent_at').notNull(),
  },
  (t) => [
    index('development_inbox_newest_first').on(t.recipient, t.sentAt.desc()),
    index('development_inbox_by_age').on(t.sentAt),
  ],
);
