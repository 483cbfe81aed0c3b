// How much more than a plain sign-in an application asks for. src/applications/assurance.ts owns the queries.
import { sql } from 'drizzle-orm';
import { boolean, check, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { applications } from './applications.ts';
import { time } from './column-types.ts';

/** One that was never changed has no row. */
export const assurances = pgTable(
  'assurances',
  {
    applicationId: text('application_id')
      .primaryKey()
      .references(() => applications.id),
    /** Of ID Tokens, logout tokens and access tokens that are JWTs (docs/decisions/1205). */
    signingAlgorithm: text('signing_algorithm', { enum: ['RS256', 'ES256', 'EdDSA'] }).notNull(),
    /** RFC 9126 §5: requests come by the backend alone. */
    requiresPushedRequests: boolean('requires_pushed_requests').notNull(),
    clientAuthentication: text('client_authentication', { enum: ['secret', 'private_key_jwt'] }).notNull(),
    /** Public keys of the company's backend: these, or those at its address. */
    keySet: jsonb('key_set').$type<{ keys: Record<string, unknown>[] }>(),
    keySetUri: text('key_set_uri'),
    /** RFC 9449 §5.2: no tokens without a proof of possession. */
    requiresDpop: boolean('requires_dpop').notNull(),
    /** RFC 9101 §10.5: every request is signed. */
    requiresSignedRequests: boolean('requires_signed_requests').notNull(),
    /** FAPI 2.0 Security Profile: everything that it demands, and none of it can be switched off alone. */
    isFapi2: boolean('is_fapi2').notNull(),
    changedAt: time('changed_at').notNull(),
  },
  (t) => [
    check('assurances_signing_algorithm', sql`${t.signingAlgorithm} in ('RS256', 'ES256', 'EdDSA')`),
    check(
      'assurances_client_authentication',
      sql`${t.clientAuthentication} in ('secret', 'private_key_jwt')`,
    ),
    check('assurances_one_source_of_keys', sql`${t.keySet} is null or ${t.keySetUri} is null`),
    check('assurances_key_set_size', sql`octet_length(${t.keySet}::text) <= 16384`),
    check(
      'assurances_key_set_uri',
      sql`${t.keySetUri} ~ '^https://[^[:space:]]+$' and char_length(${t.keySetUri}) <= 2048`,
    ),
    check(
      'assurances_signatures_need_keys',
      sql`coalesce(${t.keySet}::text, ${t.keySetUri}) is not null
        or (${t.clientAuthentication} = 'secret' and not ${t.requiresSignedRequests})`,
    ),
    check(
      'assurances_fapi2_is_whole',
      sql`not ${t.isFapi2} or (${t.requiresPushedRequests} and ${t.requiresDpop}
        and ${t.clientAuthentication} = 'private_key_jwt' and ${t.signingAlgorithm} <> 'RS256')`,
    ),
  ],
);
