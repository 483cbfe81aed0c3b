// A sign-in on its way: what was typed, sent and asked until something is proven. src/accounts owns the queries.
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { time } from './column-types.ts';

/** One half-finished registration, sign-in or recovery: bound to one interaction of one browser. */
export const flows = pgTable(
  'flows',
  {
    /** SHA-256 of the interaction's uid. */
    interactionHash: text('interaction_hash').primaryKey(),
    /** SHA-256 of the cookie of the browser that typed all of it: another one continues nothing. */
    browserHash: text('browser_hash'),
    kind: text('kind', { enum: ['sign_in', 'register', 'recover'] }).notNull(),
    applicationId: text('application_id').notNull(),
    email: text('email').notNull(),
    /** Registration: what the person typed, used only when the address is proven. */
    name: text('name'),
    passwordHash: text('password_hash'),
    /** HMAC of the current code, null when none is pending. A resend replaces it. */
    codeHash: text('code_hash'),
    codeExpiresAt: time('code_expires_at'),
    codeSentAt: time('code_sent_at'),
    codeAttempts: integer('code_attempts').notNull(),
    /** No longer read: `proof_id` says it. */
    verifiedAt: time('verified_at'),
    /** What the right code proved. */
    proofId: text('proof_id'),
    /** The provider's word that this code is to link to the account of its address. */
    linkProofId: text('link_proof_id'),
    finishedAt: time('finished_at'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [index('flows_by_age').on(t.createdAt), index('flows_by_email').on(t.email)],
);

/** One trip to a social identity provider and back: bound to the provider and to one browser's interaction. */
export const socialTrips = pgTable(
  'social_trips',
  {
    /** SHA-256 of the state parameter. */
    stateHash: text('state_hash').primaryKey(),
    provider: text('provider').notNull(),
    purpose: text('purpose', { enum: ['sign_in', 'link'] }).notNull(),
    /** SHA-256 of the interaction's uid, or the page session's id when an identity is linked. */
    boundTo: text('bound_to').notNull(),
    sealedNonce: text('sealed_nonce').notNull(),
    sealedVerifier: text('sealed_verifier').notNull(),
    /** No longer written, down to the name: the provider's word is a proof. */
    subject: text('subject'),
    email: text('email'),
    emailVerified: boolean('email_verified'),
    name: text('name'),
    createdAt: time('created_at').notNull(),
    usedAt: time('used_at'),
  },
  (t) => [
    index('social_trips_by_binding').on(t.boundTo),
    index('social_trips_by_age').on(t.createdAt),
    check('social_trips_purpose', sql`${t.purpose} in ('sign_in', 'link')`),
  ],
);

/** A challenge that an authenticator signs: once, within minutes, for one interaction or page session. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    /** SHA-256 of the challenge. */
    challengeHash: text('challenge_hash').primaryKey(),
    purpose: text('purpose', { enum: ['create', 'sign_in'] }).notNull(),
    boundTo: text('bound_to').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [
    index('passkey_challenges_by_age').on(t.expiresAt),
    check('passkey_challenges_purpose', sql`${t.purpose} in ('create', 'sign_in')`),
  ],
);
