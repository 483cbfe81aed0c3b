// The API keys of a workspace as their owner sees them (specification §2): the first characters and the history
// of each, never the key, of which only a hash is stored.
import { asc, eq } from 'drizzle-orm';
import { apiKeys } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';

export type ApiKeyRow = Omit<typeof apiKeys.$inferSelect, 'keyHash' | 'workspaceId'>;

/** Oldest first, revoked and expired ones included. */
export async function listApiKeys(db: Database, workspaceId: string): Promise<ApiKeyRow[]> {
  return db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      hint: apiKeys.hint,
      scopes: apiKeys.scopes,
      createdAt: apiKeys.createdAt,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .where(eq(apiKeys.workspaceId, workspaceId))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id));
}
