// Companies: workspaces, who may do what in them, the keys of their systems, and what was changed. src/applications owns
// the queries.
import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './column-types.ts';

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
    lastUsedIpAddress: text('last_used_address'),
  },
  (t) => [index('api_keys_by_workspace').on(t.workspaceId)],
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
    ipAddress: text('address'),
    occurredAt: time('occurred_at').notNull(),
  },
  (t) => [
    index('audit_entries_newest_first').on(t.workspaceId, t.occurredAt.desc(), t.id.desc()),
    // For the filters: without these, what one person did costs a walk through what everybody did.
    index('audit_entries_by_action').on(t.workspaceId, t.action, t.occurredAt.desc(), t.id.desc()),
    index('audit_entries_by_person').on(t.workspaceId, t.accountId, t.occurredAt.desc(), t.id.desc()),
  ],
);
