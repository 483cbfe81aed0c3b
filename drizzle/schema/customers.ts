// Who uses an application, and what they agreed to show it. src/applications owns the queries.
import { index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { applications } from './applications.ts';
import { time } from './column-types.ts';

/** An account within an application. The row is written by the first charged session and never before. */
export const customers = pgTable(
  'customers',
  {
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    accountId: text('account_id').notNull(),
    sub: text('sub').notNull(),
    registeredAt: time('registered_at').notNull(),
    lastSignInAt: time('last_sign_in_at').notNull(),
    signInCount: integer('sign_in_count').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.applicationId, t.accountId] }),
    unique('customers_sub_within_application').on(t.applicationId, t.sub),
    index('customers_by_account').on(t.accountId),
    index('customers_newest_first').on(t.applicationId, t.registeredAt.desc(), t.sub.desc()),
  ],
);

/** What a person agreed to show an application; outlives sessions, so that consent is asked once. */
export const consents = pgTable(
  'consents',
  {
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    accountId: text('account_id').notNull(),
    scopes: text('scopes').array().notNull(),
    grantedAt: time('granted_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.applicationId, t.accountId] }),
    index('consents_by_account').on(t.accountId),
  ],
);
