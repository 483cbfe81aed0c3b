// Every table of the service, on PGlite and PostgreSQL alike; the room named above each group owns its queries.
// The invariants of money, codes and webhooks live here as CHECK and UNIQUE; the append-only
// triggers of the ledger are in migrations/ (drizzle cannot express them).
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
} from 'drizzle-orm/pg-core';

const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });
const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });
/** Millionths of the workspace's currency, so that a price of 0.02 is exact: 20_000n. */
const microUnits = (name: string) => bigint(name, { mode: 'bigint' });

// ── src/applications: companies, their applications, and the customers these have ──────────────────────────

export const workspaces = pgTable(
  'workspaces',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    currency: text('currency').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (t) => [check('workspaces_currency_is_iso_4217', sql`${t.currency} ~ '^[A-Z]{3}$'`)],
);

export const applications = pgTable(
  'applications',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    clientId: text('client_id').notNull().unique(),
    name: text('name').notNull(),
    clientType: text('client_type', { enum: ['confidential', 'public'] }).notNull(),
    redirectUris: text('redirect_uris').array().notNull(),
    postLogoutRedirectUris: text('post_logout_redirect_uris').array().notNull(),
    allowedOrigins: text('allowed_origins').array().notNull(),
    /** Client rules: `strict` or `compatible` (docs/decisions/0807). */
    isCompatible: boolean('is_compatible').notNull().default(false),
    /** Test mode (docs/decisions/1101). One way (trigger): once live, an application stays live. */
    isTest: boolean('is_test').notNull().default(false),
    /** When it left test mode; null for one that is in it, or never was. */
    wentLiveAt: time('went_live_at'),
    /** Beside its members', where it may send mail in test mode. */
    testAddresses: text('test_addresses').array().notNull().default([]),
    /** Where we tell that somebody's session has ended (docs/decisions/1201); null: nowhere. */
    backchannelLogoutUri: text('backchannel_logout_uri'),
    /** ID Tokens name the session (`sid`), and logout tokens say which one has ended. */
    backchannelLogoutSessionRequired: boolean('backchannel_logout_session_required').notNull().default(false),
    /** Re-encoded by us, never the uploaded bytes. */
    logo: bytea('logo'),
    createdAt: time('created_at').notNull(),
    disabledAt: time('disabled_at'),
    deletedAt: time('deleted_at'),
  },
  (t) => [
    index('applications_by_workspace').on(t.workspaceId),
    check('applications_name_length', sql`char_length(${t.name}) between 1 and 100`),
    check('applications_client_type', sql`${t.clientType} in ('confidential', 'public')`),
    check('applications_have_a_callback', sql`cardinality(${t.redirectUris}) > 0`),
  ],
);

/** How an application looks beyond its name and logo; one that was never changed has no row. */
export const appearances = pgTable(
  'appearances',
  {
    applicationId: text('application_id')
      .primaryKey()
      .references(() => applications.id),
    accent: text('accent'),
    background: text('background', { enum: ['plain', 'bright', 'tint', 'gradient'] }).notNull(),
    corners: text('corners', { enum: ['square', 'soft', 'round'] }).notNull(),
    /** Re-encoded by us, like the logo of the application. */
    darkLogo: bytea('dark_logo'),
    termsUrl: text('terms_url'),
    privacyUrl: text('privacy_url'),
    /** `https:` or `mailto:`. */
    supportUrl: text('support_url'),
    senderName: text('sender_name'),
    changedAt: time('changed_at').notNull(),
  },
  (t) => [
    check('appearances_accent', sql`${t.accent} ~ '^#[0-9a-f]{6}$'`),
    check('appearances_background', sql`${t.background} in ('plain', 'bright', 'tint', 'gradient')`),
    check('appearances_corners', sql`${t.corners} in ('square', 'soft', 'round')`),
    check('appearances_dark_logo_size', sql`octet_length(${t.darkLogo}) <= 1048576`),
    check(
      'appearances_terms',
      sql`${t.termsUrl} ~ '^https://[^[:space:]]+$' and char_length(${t.termsUrl}) <= 500`,
    ),
    check(
      'appearances_privacy',
      sql`${t.privacyUrl} ~ '^https://[^[:space:]]+$' and char_length(${t.privacyUrl}) <= 500`,
    ),
    check(
      'appearances_support',
      sql`${t.supportUrl} ~ '^(https://|mailto:)[^[:space:]]+$' and char_length(${t.supportUrl}) <= 500`,
    ),
    check(
      'appearances_sender_name',
      sql`char_length(${t.senderName}) between 1 and 60 and ${t.senderName} !~ '[[:cntrl:]<>@"]'`,
    ),
  ],
);

export const clientSecrets = pgTable(
  'client_secrets',
  {
    id: text('id').primaryKey(),
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    /** SHA-256 of the secret (256 random bits need no slow hash). */
    secretHash: text('secret_hash').notNull(),
    hint: text('hint').notNull(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at'),
    lastUsedAt: time('last_used_at'),
  },
  (t) => [index('client_secrets_by_application').on(t.applicationId)],
);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    keyHash: text('key_hash').notNull().unique(),
    hint: text('hint').notNull(),
    scopes: text('scopes').array().notNull(),
    /** null: every application of the workspace, later ones too. */
    applicationIds: text('application_ids').array(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at'),
    revokedAt: time('revoked_at'),
    lastUsedAt: time('last_used_at'),
    lastUsedAddress: text('last_used_address'),
  },
  (t) => [index('api_keys_by_workspace').on(t.workspaceId)],
);

/** Who may do what in a workspace's settings. */
export const members = pgTable(
  'members',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    accountId: text('account_id').notNull(),
    role: text('role', { enum: ['owner', 'developer', 'viewer'] }).notNull(),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.accountId] }),
    index('members_by_account').on(t.accountId),
    check('members_role', sql`${t.role} in ('owner', 'developer', 'viewer')`),
  ],
);

/** A single-use way into a workspace for whoever proves the address. */
export const invitations = pgTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    email: text('email').notNull(),
    role: text('role', { enum: ['owner', 'developer', 'viewer'] }).notNull(),
    /** SHA-256 of the token in the mail. */
    tokenHash: text('token_hash').notNull().unique(),
    invitedBy: text('invited_by').notNull(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    acceptedAt: time('accepted_at'),
    withdrawnAt: time('withdrawn_at'),
  },
  (t) => [
    index('invitations_by_workspace').on(t.workspaceId),
    index('invitations_by_email').on(t.email),
    index('invitations_by_inviter').on(t.invitedBy),
    check('invitations_role', sql`${t.role} in ('owner', 'developer', 'viewer')`),
  ],
);

/** Append-only (trigger): who changed what in a workspace, when, from where. Never a secret. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** null: the operator. */
    accountId: text('account_id'),
    /** For example `api_key.revoked`. */
    action: text('action').notNull(),
    /** Id of what was changed. */
    target: text('target'),
    /** What it was changed to, as far as it is no secret. */
    detail: jsonb('detail').$type<Record<string, string | number | boolean | null | string[]>>().notNull(),
    address: text('address'),
    occurredAt: time('occurred_at').notNull(),
  },
  (t) => [
    index('audit_entries_newest_first').on(t.workspaceId, t.occurredAt.desc(), t.id.desc()),
    // For the filters: without these, what one person did costs a walk through what everybody did.
    index('audit_entries_by_action').on(t.workspaceId, t.action, t.occurredAt.desc(), t.id.desc()),
    index('audit_entries_by_person').on(t.workspaceId, t.accountId, t.occurredAt.desc(), t.id.desc()),
  ],
);

/** What happened on the way to a sign-in, for the company's own eyes; one trace ties page, token and charge. */
export const signInSteps = pgTable(
  'sign_in_steps',
  {
    id: text('id').primaryKey(),
    applicationId: text('application_id').notNull(),
    /** src/traces/trace-id.ts: of one attempt, the same from the first page to the charge. */
    traceId: text('trace_id').notNull(),
    step: text('step').notNull(),
    /** Of a closed vocabulary; null when the step went well. */
    reason: text('reason'),
    /** Names that the reason is about: parameters, scopes, an origin. */
    detail: text('detail'),
    occurredAt: time('occurred_at').notNull(),
  },
  (t) => [
    index('sign_in_steps_newest_first').on(t.applicationId, t.occurredAt.desc(), t.id.desc()),
    // For the usage page, which would otherwise read all that went well.
    index('sign_in_steps_failures')
      .on(t.applicationId, t.occurredAt.desc(), t.id.desc())
      .where(sql`reason is not null`),
    index('sign_in_steps_by_trace').on(t.traceId),
    // For the attempts that begin alike: `like` reads no index in the database's own order of letters.
    index('sign_in_steps_by_beginning').on(t.traceId.op('text_pattern_ops')),
    index('sign_in_steps_by_age').on(t.occurredAt),
  ],
);

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

// ── src/accounts: people ────────────────────────────────────────────────────────────────────────────────────

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
    address: text('address').notNull(),
  },
  (t) => [
    index('sessions_by_account').on(t.accountId),
    index('sessions_by_proof').on(t.proofId),
    index('sessions_by_age').on(t.lastSeenAt),
    index('sessions_by_end').on(t.endedAt),
  ],
);

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
    address: text('address').notNull(),
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
    address: text('address').notNull(),
  },
  (t) => [
    index('signed_in_browsers_by_account').on(t.accountId),
    index('signed_in_browsers_by_age').on(t.lastSeenAt),
  ],
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

// ── src/ledger: money ───────────────────────────────────────────────────────────────────────────────────────

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

// ── src/webhooks: integrators ───────────────────────────────────────────────────────────────────────────────

export const webhookSubscriptions = pgTable(
  'webhook_subscriptions',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    url: text('url').notNull(),
    /** null: every application of the workspace. */
    applicationIds: text('application_ids').array(),
    types: text('types').array().notNull(),
    /** Sealed with a key derived from TOLLGATE_SECRET: it must be readable to sign. */
    sealedSecret: text('sealed_secret').notNull(),
    /** During a rotation: the key that takes over at nextSecretAt. */
    sealedNextSecret: text('sealed_next_secret'),
    nextSecretAt: time('next_secret_at'),
    status: text('status', { enum: ['active', 'paused', 'disabled'] }).notNull(),
    disabledReason: text('disabled_reason'),
    /** Start of the present row of failures; null while the endpoint answers. */
    failingSince: time('failing_since'),
    /** The owner resumed it while what had waited was still being withdrawn: active when that is done. */
    resumeRequestedAt: time('resume_requested_at'),
    /** Its history goes first, in bites, and then the row. */
    deletedAt: time('deleted_at'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    index('webhook_subscriptions_by_workspace').on(t.workspaceId),
    index('webhook_subscriptions_deleted').on(t.id).where(sql`deleted_at is not null`),
  ],
);

/** The exact bytes of an event's webhook, the same on every attempt; kept for the replay window only. */
export const webhookMessages = pgTable(
  'webhook_messages',
  {
    eventId: text('event_id').primaryKey(),
    applicationId: text('application_id').notNull(),
    type: text('type').notNull(),
    body: text('body').notNull(),
    /** Of an application in test mode. */
    isTest: boolean('is_test').notNull().default(false),
    createdAt: time('created_at').notNull(),
  },
  (t) => [index('webhook_messages_by_age').on(t.createdAt)],
);

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: text('id').primaryKey(),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => webhookSubscriptions.id),
    eventId: text('event_id')
      .notNull()
      .references(() => webhookMessages.eventId),
    status: text('status', { enum: ['pending', 'delivered', 'failed'] }).notNull(),
    attemptCount: integer('attempt_count').notNull(),
    /** By the database's clock; while an attempt is under way, when its claim runs out. */
    nextAttemptAt: time('next_attempt_at'),
    /** The process that makes an attempt now, and until when nobody else does. */
    claimedBy: text('claimed_by'),
    claimedUntil: time('claimed_until'),
    finishedAt: time('finished_at'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    unique('webhook_deliveries_once_per_subscription').on(t.subscriptionId, t.eventId),
    index('webhook_deliveries_by_event').on(t.eventId),
    index('webhook_deliveries_due').on(t.nextAttemptAt).where(sql`status = 'pending'`),
    // Which endpoints have work, and what is next at one of them: however much waits elsewhere.
    index('webhook_deliveries_turns').on(t.subscriptionId, t.nextAttemptAt).where(sql`status = 'pending'`),
    index('webhook_deliveries_new').on(t.attemptCount, t.subscriptionId).where(sql`status = 'pending'`),
    index('webhook_deliveries_claimed').on(t.claimedUntil).where(sql`claimed_by is not null`),
    index('webhook_deliveries_failed').on(t.subscriptionId, t.eventId).where(sql`status = 'failed'`),
  ],
);

export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: text('id').primaryKey(),
    deliveryId: text('delivery_id')
      .notNull()
      .references(() => webhookDeliveries.id),
    number: integer('number').notNull(),
    startedAt: time('started_at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    /** As sent. */
    requestHeaders: jsonb('request_headers').$type<Record<string, string>>(),
    responseStatus: integer('response_status'),
    responseBody: text('response_body'),
    /** Why no answer came: 'timeout', 'blocked_address', 'tls', 'connection', … */
    failure: text('failure'),
  },
  (t) => [index('webhook_attempts_by_delivery').on(t.deliveryId, t.number)],
);

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

// ── adapters and src/oidc: the engine's state ───────────────────────────────────────────────────────────────

export const engineRecords = pgTable(
  'engine_records',
  {
    model: text('model').notNull(),
    /** SHA-256 of the engine's id, which for codes and tokens is the secret itself. */
    idHash: text('id_hash').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    grantId: text('grant_id'),
    accountId: text('account_id'),
    uid: text('uid'),
    /** Of a grant: the session that it belongs to (`sessions.uid_hash`). */
    sessionHash: text('session_hash'),
    expiresAt: time('expires_at'),
    consumedAt: time('consumed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.model, t.idHash] }),
    index('engine_records_by_grant').on(t.grantId),
    index('engine_records_by_account').on(t.accountId),
    index('engine_records_by_uid').on(t.uid),
    index('engine_records_by_expiry').on(t.expiresAt),
  ],
);

export const signingKeys = pgTable('signing_keys', {
  kid: text('kid').primaryKey(),
  publicJwk: jsonb('public_jwk').$type<Record<string, unknown>>().notNull(),
  sealedPrivateJwk: text('sealed_private_jwk').notNull(),
  createdAt: time('created_at').notNull(),
  /** Signs from here on; the newest activated key signs, the others only verify. */
  activatedAt: time('activated_at').notNull(),
  /** Leaves the key set after this moment; null for the present key. */
  retiresAt: time('retires_at'),
});

// ── src/service/pairwise-key.ts and src/database/verification.ts: the operator ────────────────────────────────────────────────

/** Keys that must outlive every TOLLGATE_SECRET: sealed with the present one, never derived anew. */
export const keptKeys = pgTable('kept_keys', {
  name: text('name').primaryKey(),
  sealedKey: text('sealed_key').notNull(),
  createdAt: time('created_at').notNull(),
});

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

/** One row, written at the first start of a release that knows proofs: src/accounts/import-proofs.ts. */
export const proofImports = pgTable('proof_imports', {
  name: text('name').primaryKey(),
  /** What was made before this moment may lack its proofs, and gets imported ones. */
  until: time('until').notNull(),
});

// ── src/queue/mail.ts: the development inbox ──────────────────────────────────────────────────────────────────────

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
