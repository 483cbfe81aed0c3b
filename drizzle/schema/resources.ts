// Companies' own APIs, as resources that access tokens are for (RFC 8707). src/applications owns the queries.
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { applications } from './applications.ts';
import { time } from './column-types.ts';
import { workspaces } from './workspaces.ts';

export const resources = pgTable(
  'resources',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /**
     * What clients ask for and what stands in `aud`. It stays its first company's, deleted or not: in the hands of another
     * one it would open the first one's API.
     */
    identifier: text('identifier').notNull().unique(),
    name: text('name').notNull(),
    tokenFormat: text('token_format', { enum: ['jwt', 'opaque'] }).notNull(),
    tokenSeconds: integer('token_seconds').notNull(),
    createdAt: time('created_at').notNull(),
    deletedAt: time('deleted_at'),
  },
  (t) => [
    index('resources_by_workspace').on(t.workspaceId),
    check(
      'resources_identifier',
      sql`${t.identifier} ~ '^https://[^[:space:]#?]+$' and char_length(${t.identifier}) <= 200`,
    ),
    check('resources_name_length', sql`char_length(${t.name}) between 1 and 100`),
    check('resources_token_format', sql`${t.tokenFormat} in ('jwt', 'opaque')`),
    check('resources_token_seconds', sql`${t.tokenSeconds} between 60 and 3600`),
  ],
);

/** What a token may allow at a resource, in the company's words. */
export const resourceScopes = pgTable(
  'resource_scopes',
  {
    resourceId: text('resource_id')
      .notNull()
      .references(() => resources.id),
    scope: text('scope').notNull(),
    description: text('description').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.resourceId, t.scope] }),
    check(
      'resource_scopes_form',
      sql`${t.scope} ~ '^[A-Za-z0-9._:/-]{1,64}$' and ${t.scope} not in ('openid', 'profile', 'email', 'address', 'phone', 'offline_access')`,
    ),
    check('resource_scopes_description', sql`char_length(${t.description}) between 1 and 200`),
  ],
);

/** Which applications have to do with a resource, always of its own company (trigger). */
export const resourceApplications = pgTable(
  'resource_applications',
  {
    resourceId: text('resource_id')
      .notNull()
      .references(() => resources.id),
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    /** For tokens. */
    mayAsk: boolean('may_ask').notNull(),
    /** It is the API itself, or stands in front of it: it may introspect tokens for this resource. */
    mayIntrospect: boolean('may_introspect').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.resourceId, t.applicationId] }),
    index('resource_applications_by_application').on(t.applicationId),
  ],
);
