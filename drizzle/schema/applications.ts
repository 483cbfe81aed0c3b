// What a company offers its customers: applications, how they look, and their secrets. src/applications owns the queries.
import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { bytea, time } from './column-types.ts';
import { workspaces } from './workspaces.ts';

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
    /** A service (docs/decisions/1204): no person, no pages; tokens of its own for APIs of its company. */
    isService: boolean('is_service').notNull().default(false),
    /** Its customers may sign in on devices by a code (docs/decisions/1208). */
    allowsDevices: boolean('allows_devices').notNull().default(false),
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
