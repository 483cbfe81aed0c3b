// The API keys of a workspace as their owner sees them: the first characters and the history
// of each, never the key, of which only a hash is stored.
import { and, asc, eq } from 'drizzle-orm';
import { apiKeys } from '../../drizzle/schema/workspaces.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';

export type ApiKeyRow = Omit<typeof apiKeys.$inferSelect, 'keyHash' | 'workspaceId'>;

const visible = {
  id: apiKeys.id,
  name: apiKeys.name,
  hint: apiKeys.hint,
  scopes: apiKeys.scopes,
  applicationIds: apiKeys.applicationIds,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  revokedAt: apiKeys.revokedAt,
  lastUsedAt: apiKeys.lastUsedAt,
  lastUsedIpAddress: apiKeys.lastUsedIpAddress,
};

/** Oldest first, revoked and expired ones included. */
export async function listApiKeys(db: Database, workspaceId: string): Promise<ApiKeyRow[]> {
  return db
    .select(visible)
    .from(apiKeys)
    .where(eq(apiKeys.workspaceId, workspaceId))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id));
}

/** One that still works. Another workspace's, an ended and a made-up one are alike. @throws TollgateError not_found */
export async function requireLiveApiKey(
  db: Database,
  { id, workspaceId, now }: { id: string; workspaceId: string; now: Date },
): Promise<ApiKeyRow> {
  const [key] = await db
    .select(visible)
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, workspaceId)));
  if (!key || apiKeyStatus(key, now) !== 'valid')
    throw new TollgateError('not_found', 'That API key does not exist or no longer works.');
  return key;
}

export function apiKeyStatus(
  key: Pick<ApiKeyRow, 'revokedAt' | 'expiresAt'>,
  now: Date,
): 'valid' | 'expired' | 'revoked' {
  if (key.revokedAt) return 'revoked';
  return key.expiresAt && key.expiresAt <= now ? 'expired' : 'valid';
}
