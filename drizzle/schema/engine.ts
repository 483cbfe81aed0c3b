// The engine's state, and its keys. adapters/, src/oidc and src/service/pairwise-key.ts own the queries.
import { index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './column-types.ts';

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

/** Keys that must outlive every TOLLGATE_SECRET: sealed with the present one, never derived anew. */
export const keptKeys = pgTable('kept_keys', {
  name: text('name').primaryKey(),
  sealedKey: text('sealed_key').notNull(),
  createdAt: time('created_at').notNull(),
});
