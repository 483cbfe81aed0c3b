// What a browser has proven, and what that was good for (docs/identity-invariants.md). src/accounts owns the queries.
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './column-types.ts';

/** Append-only (trigger): what a browser has proven in an interaction. Nothing that was only typed is ever in here. */
export const proofs = pgTable(
  'proofs',
  {
    id: text('id').primaryKey(),
    /** SHA-256 of the interaction's uid, or of the page session's id. */
    interactionHash: text('interaction_hash').notNull(),
    /** SHA-256 of the browser's own cookie. */
    browserHash: text('browser_hash').notNull(),
    purpose: text('purpose', {
      enum: ['sign_in', 'registration', 'recovery', 'link', 'address_change', 'address_return', 'import'],
    }).notNull(),
    method: text('method', {
      enum: ['code', 'password', 'passkey', 'provider', 'mail_link', 'import'],
    }).notNull(),
    /** The account that it opens; null for a provider's word about somebody that we do not know yet. */
    accountId: text('account_id'),
    /** Nobody has the mailbox yet: the proof may make the account `accountId`, once. */
    isNewAccount: boolean('is_new_account').notNull(),
    /** Of the account, before the secret was read. */
    generation: integer('generation').notNull(),
    /** Proven by our code, or as the provider says. */
    mailbox: text('mailbox'),
    /** By our code, or the provider vouches for it. */
    isMailboxVerified: boolean('is_mailbox_verified').notNull(),
    provider: text('provider'),
    subject: text('subject'),
    /** As the provider says. */
    name: text('name'),
    /** Of the passkey. */
    passkeyId: text('passkey_id'),
    /** The database's own time, taken before the secret was read. */
    provenAt: time('proven_at').notNull(),
  },
  (t) => [
    index('proofs_by_interaction').on(t.interactionHash),
    index('proofs_by_account').on(t.accountId),
    index('proofs_by_mailbox').on(t.mailbox),
    index('proofs_by_identity').on(t.provider, t.subject),
    index('proofs_by_age').on(t.provenAt),
    check(
      'proofs_purpose',
      sql`${t.purpose} in ('sign_in', 'registration', 'recovery', 'link', 'address_change', 'address_return', 'import')`,
    ),
    check(
      'proofs_say_what_their_method_proves',
      sql`case ${t.method}
        when 'code' then ${t.mailbox} is not null and ${t.isMailboxVerified} and ${t.accountId} is not null
        when 'mail_link' then ${t.mailbox} is not null and ${t.isMailboxVerified} and ${t.accountId} is not null
        when 'password' then ${t.accountId} is not null and ${t.mailbox} is null
        when 'passkey' then ${t.accountId} is not null and ${t.passkeyId} is not null and ${t.mailbox} is null
        when 'provider' then ${t.provider} is not null and ${t.subject} is not null
        when 'import' then ${t.accountId} is not null and not ${t.isNewAccount}
        else false end`,
    ),
    check(
      'proofs_make_accounts_of_proven_mailboxes_only',
      sql`not ${t.isNewAccount} or (${t.accountId} is not null and ${t.isMailboxVerified} and ${t.mailbox} is not null)`,
    ),
  ],
);

/** What a proof was good for. The key lets each use happen once; a sign-in says which session it began or renewed. */
export const proofUses = pgTable(
  'proof_uses',
  {
    proofId: text('proof_id')
      .notNull()
      .references(() => proofs.id, { onDelete: 'cascade' }),
    use: text('use', { enum: ['create_account', 'sign_in', 'recover'] }).notNull(),
    sessionHash: text('session_hash'),
    usedAt: time('used_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.proofId, t.use] }),
    check('proof_uses_use', sql`${t.use} in ('create_account', 'sign_in', 'recover')`),
    check('proof_uses_sign_in_names_a_session', sql`(${t.use} = 'sign_in') = (${t.sessionHash} is not null)`),
  ],
);

/** One row, written at the first start of a release that knows proofs: src/accounts/import-proofs.ts. */
export const proofImports = pgTable('proof_imports', {
  name: text('name').primaryKey(),
  /** What was made before this moment may lack its proofs, and gets imported ones. */
  until: time('until').notNull(),
});
