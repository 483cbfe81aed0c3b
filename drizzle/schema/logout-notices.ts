// Applications that are to hear of the end of a session. src/webhooks owns the queries.
import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { applications } from './applications.ts';
import { time } from './column-types.ts';

/** An application is to hear that somebody's session with it has ended: written by the transaction that ends it. */
export const logoutNotices = pgTable(
  'logout_notices',
  {
    id: text('id').primaryKey(),
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    /** Who and which grant; forgotten when the notice is finished, so that nothing leads back to a person who is gone. */
    accountId: text('account_id'),
    grantId: text('grant_id'),
    /** As the logout token said it; null until an attempt was made. */
    sub: text('sub'),
    sid: text('sid'),
    status: text('status', { enum: ['pending', 'delivered', 'failed'] }).notNull(),
    attemptCount: integer('attempt_count').notNull(),
    /** By the database's clock; while an attempt is under way, when its claim runs out. */
    nextAttemptAt: time('next_attempt_at'),
    claimedBy: text('claimed_by'),
    claimedUntil: time('claimed_until'),
    /** Of the last attempt. */
    responseStatus: integer('response_status'),
    /** Why no answer came to the last attempt, or `withdrawn`. */
    failure: text('failure'),
    createdAt: time('created_at').notNull(),
    finishedAt: time('finished_at'),
  },
  (t) => [
    index('logout_notices_turns').on(t.applicationId, t.nextAttemptAt).where(sql`status = 'pending'`),
    index('logout_notices_retries').on(t.applicationId, t.attemptCount).where(sql`status = 'pending'`),
    index('logout_notices_claimed').on(t.claimedUntil).where(sql`claimed_by is not null`),
    index('logout_notices_newest_first').on(t.applicationId, t.createdAt.desc(), t.id.desc()),
    index('logout_notices_by_age').on(t.createdAt),
    check('logout_notices_status', sql`${t.status} in ('pending', 'delivered', 'failed')`),
    check(
      'logout_notices_know_whom_they_are_about',
      sql`${t.status} <> 'pending' or (${t.accountId} is not null and ${t.grantId} is not null
        and ${t.nextAttemptAt} is not null)`,
    ),
  ],
);
