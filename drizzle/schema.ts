// Every table of the service, on PGlite and PostgreSQL alike; the room named above each group owns its queries.
// The invariants of sections 3 and 6 of the specification live here as CHECK and UNIQUE; the append-only
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
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at'),
    revokedAt: time('revoked_at'),
    lastUsedAt: time('last_used_at'),
  },
  (t) => [index('api_keys_by_workspace').on(t.workspaceId)],
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
  (t) => [primaryKey({ columns: [t.applicationId, t.accountId] })],
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
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});

/** One half-finished registration, sign-in or recovery: bound to one interaction of one browser. */
export const flows = pgTable(
  'flows',
  {
    /** SHA-256 of the interaction's uid. */
    interactionHash: text('interaction_hash').primaryKey(),
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
    /** The address was proven in this interaction. */
    verifiedAt: time('verified_at'),
    finishedAt: time('finished_at'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [index('flows_by_age').on(t.createdAt)],
);

/** Failures against a secret, counted before the comparison; they survive restarts and a lost Redis. */
export const attemptCounters = pgTable('attempt_counters', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  windowEndsAt: time('window_ends_at').notNull(),
});

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
    code: text('code', { enum: ['top_up', 'charge', 'reversal', 'refund', 'correction'] }).notNull(),
    debitAccount: text('debit_account').notNull(),
    creditAccount: text('credit_account').notNull(),
    amount: microUnits('amount').notNull(),
    currency: text('currency').notNull(),
    /** The caller's name for this movement: a second transfer with the same one is impossible. */
    reference: text('reference').notNull().unique(),
    /** The transfer that this one takes back; each at most once. */
    reverses: text('reverses').unique(),
    reason: text('reason'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    index('transfers_by_application').on(t.applicationId, t.createdAt),
    check('transfers_move_a_positive_amount', sql`${t.amount} >= 0`),
    check('transfers_have_two_sides', sql`${t.debitAccount} <> ${t.creditAccount}`),
  ],
);

/** Append-only (trigger): one per exchanged authorization code. `status` is derived from the transfers. */
export const usageEvents = pgTable(
  'usage_events',
  {
    /** The id of the webhook too. */
    id: text('id').primaryKey(),
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    sub: text('sub').notNull(),
    kind: text('kind', { enum: ['registration', 'sign_in'] }).notNull(),
    amount: microUnits('amount').notNull(),
    currency: text('currency').notNull(),
    transferId: text('transfer_id')
      .notNull()
      .unique()
      .references(() => transfers.id),
    /** SHA-256 of the authorization code: a code is charged at most once. */
    codeHash: text('code_hash').notNull().unique(),
    occurredAt: time('occurred_at').notNull(),
  },
  (t) => [
    index('usage_events_newest_first').on(t.applicationId, t.occurredAt.desc(), t.id.desc()),
    // For the filters of the events list: without these, one customer's events cost a scan of all of them.
    index('usage_events_of_customer').on(t.applicationId, t.sub, t.occurredAt.desc(), t.id.desc()),
    index('usage_events_by_kind').on(t.applicationId, t.kind, t.occurredAt.desc(), t.id.desc()),
    check('usage_events_kind', sql`${t.kind} in ('registration', 'sign_in')`),
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
    createdAt: time('created_at').notNull(),
  },
  (t) => [index('webhook_subscriptions_by_workspace').on(t.workspaceId)],
);

/** The exact bytes of an event's webhook, the same on every attempt; kept for the replay window only. */
export const webhookMessages = pgTable(
  'webhook_messages',
  {
    eventId: text('event_id').primaryKey(),
    applicationId: text('application_id').notNull(),
    type: text('type').notNull(),
    body: text('body').notNull(),
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
    nextAttemptAt: time('next_attempt_at'),
    finishedAt: time('finished_at'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    unique('webhook_deliveries_once_per_subscription').on(t.subscriptionId, t.eventId),
    index('webhook_deliveries_by_event').on(t.eventId),
    index('webhook_deliveries_due').on(t.nextAttemptAt).where(sql`status = 'pending'`),
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
    responseStatus: integer('response_status'),
    responseBody: text('response_body'),
    /** Why no answer came: 'timeout', 'blocked_address', 'tls', 'connection', … */
    failure: text('failure'),
  },
  (t) => [index('webhook_attempts_by_delivery').on(t.deliveryId, t.number)],
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

// ── src/kept-keys.ts and src/ledger-schedule.ts: the operator ────────────────────────────────────────────────

/** Keys that must outlive every TOLLGATE_SECRET: sealed with the present one, never derived anew. */
export const keptKeys = pgTable('kept_keys', {
  name: text('name').primaryKey(),
  sealedKey: text('sealed_key').notNull(),
  createdAt: time('created_at').notNull(),
});

/** What the scheduled proofs of the ledger found, by one process for all. */
export const ledgerVerifications = pgTable(
  'ledger_verifications',
  {
    id: text('id').primaryKey(),
    startedAt: time('started_at').notNull(),
    finishedAt: time('finished_at').notNull(),
    ok: boolean('ok').notNull(),
    /** Rules that do not hold, each with how many rows break it. */
    broken: jsonb('broken').$type<Record<string, number>>().notNull(),
  },
  (t) => [index('ledger_verifications_newest_first').on(t.finishedAt.desc())],
);

// ── src/mail.ts: the development inbox ──────────────────────────────────────────────────────────────────────

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
  (t) => [index('development_inbox_newest_first').on(t.recipient, t.sentAt.desc())],
);
