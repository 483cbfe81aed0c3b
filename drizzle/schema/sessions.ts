// Browsers that are signed in: to the engine, and to pages of our own. src/accounts owns the queries.
import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { time } from './column-types.ts';
import { proofs } from './proofs.ts';

/**
 * A signed-in browser. The engine keeps its own record of the session, but this row decides: without it, or once it has
 * ended or the account's generation has moved on, neither the session nor anything that it led to is found again.
 */
export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the engine's `uid` of the session, which stays the same when its cookie changes. */
    uidHash: text('uid_hash').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    generation: integer('generation').notNull(),
    /** The latest: `auth_time`, `amr`, `acr` and freshness are read from it. */
    proofId: text('proof_id')
      .notNull()
      .references(() => proofs.id),
    createdAt: time('created_at').notNull(),
    lastSeenAt: time('last_seen_at').notNull(),
    endedAt: time('ended_at'),
    userAgent: text('user_agent').notNull(),
    ipAddress: text('address').notNull(),
  },
  (t) => [
    index('sessions_by_account').on(t.accountId),
    index('sessions_by_proof').on(t.proofId),
    index('sessions_by_age').on(t.lastSeenAt),
    index('sessions_by_end').on(t.endedAt),
  ],
);

/** A signed-in browser on pages of our own (company settings, the account page), apart from the engine's session. */
export const pageSessions = pgTable(
  'page_sessions',
  {
    id: text('id').primaryKey(),
    area: text('area', { enum: ['settings', 'account'] }).notNull(),
    /** SHA-256 of the cookie's value. */
    tokenHash: text('token_hash').notNull().unique(),
    accountId: text('account_id').notNull(),
    /** The session of the browser that it belongs to (`sessions.uid_hash`) and ends with. */
    sessionHash: text('session_hash'),
    /**
     * What it was opened on: only this one makes it fresh. A later proof of the same session is of whoever made it, who need
     * not be the holder of this cookie. Empty: opened by the release before this one, and not fresh.
     */
    proofId: text('proof_id'),
    /** No longer read: the proof says it. */
    authenticatedAt: time('authenticated_at').notNull(),
    createdAt: time('created_at').notNull(),
    lastSeenAt: time('last_seen_at').notNull(),
    userAgent: text('user_agent').notNull(),
    ipAddress: text('address').notNull(),
  },
  (t) => [
    index('page_sessions_by_account').on(t.accountId),
    index('page_sessions_by_age').on(t.lastSeenAt),
    index('page_sessions_by_creation').on(t.createdAt),
    check('page_sessions_area', sql`${t.area} in ('settings', 'account')`),
  ],
);

/** No longer used: `sessions` took its place. */
export const signedInBrowsers = pgTable(
  'signed_in_browsers',
  {
    /** SHA-256 of the engine's session uid. */
    sessionHash: text('session_hash').primaryKey(),
    /** Sealed: with it the session can be ended. */
    sealedSessionUid: text('sealed_session_uid').notNull(),
    accountId: text('account_id').notNull(),
    createdAt: time('created_at').notNull(),
    lastSeenAt: time('last_seen_at').notNull(),
    userAgent: text('user_agent').notNull(),
    ipAddress: text('address').notNull(),
  },
  (t) => [
    index('signed_in_browsers_by_account').on(t.accountId),
    index('signed_in_browsers_by_age').on(t.lastSeenAt),
  ],
);
