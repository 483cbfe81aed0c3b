// People, and what they sign in with. src/accounts owns the queries.
import { bigint, boolean, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { bytea, time } from './column-types.ts';

export const accounts = pgTable('accounts', {
  id: text('id').primaryKey(),
  /** Normalised by src/accounts/email-address.ts; an account exists only once its address is verified. */
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull(),
  name: text('name'),
  locale: text('locale').notNull(),
  /** PHC string, argon2id. */
  passwordHash: text('password_hash'),
  /** The social provider whose word alone made the account; null once our own code has proven the address. */
  vouchedBy: text('vouched_by'),
  /** Raised by whatever makes earlier proofs worthless; everything that a sign-in led to carries the one that it was made in. */
  generation: integer('generation').notNull().default(1),
  /** The proof that raised it last: it is the only one of the generation before that still opens the account. */
  generationProofId: text('generation_proof_id'),
  /** The proof of the mailbox `email`; null for accounts that are older than proofs, until housekeeping has imported them. */
  mailboxProofId: text('mailbox_proof_id'),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
  /**
   * Its owner ended it: nothing opens it any more and nothing in the row names them. It is there until all that belongs
   * to it is gone.
   */
  deletedAt: time('deleted_at'),
});

export const passkeys = pgTable(
  'passkeys',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    /** base64url, as the browser sends it. */
    credentialId: text('credential_id').notNull().unique(),
    publicKey: bytea('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    name: text('name').notNull(),
    backedUp: boolean('backed_up').notNull(),
    /** The sign-in that allowed it. */
    ownerProofId: text('owner_proof_id'),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at'),
  },
  (t) => [index('passkeys_by_account').on(t.accountId)],
);

/** A person's account at a social identity provider. The pair is the identity; the address is only information. */
export const socialIdentities = pgTable(
  'social_identities',
  {
    provider: text('provider').notNull(),
    subject: text('subject').notNull(),
    accountId: text('account_id').notNull(),
    email: text('email'),
    /** The provider's word. */
    proofId: text('proof_id'),
    /** The account's own proof that came with it. */
    ownerProofId: text('owner_proof_id'),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at'),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.subject] }),
    unique('social_identities_once_per_account').on(t.accountId, t.provider),
  ],
);

/** A new address that waits for its proof, and for seven days after it the old address's way to take it back. */
export const emailChanges = pgTable(
  'email_changes',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    oldEmail: text('old_email').notNull(),
    newEmail: text('new_email').notNull(),
    codeHash: text('code_hash').notNull(),
    codeExpiresAt: time('code_expires_at').notNull(),
    codeAttempts: integer('code_attempts').notNull(),
    /** SHA-256 of the token in the mail to the old address. */
    cancelTokenHash: text('cancel_token_hash').notNull().unique(),
    createdAt: time('created_at').notNull(),
    confirmedAt: time('confirmed_at'),
    cancelledAt: time('cancelled_at'),
  },
  (t) => [index('email_changes_by_account').on(t.accountId), index('email_changes_by_age').on(t.createdAt)],
);
