// What an API key is good for: whose it is, which applications it may read. It is found by its SHA-256, so that no
// comparison can leak it, and nothing is cached: the next request refuses a revoked one.
import { and, asc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { apiKeys } from '../../drizzle/schema/workspaces.ts';
import type { Clock } from '../clock.ts';
import { createReader } from '../database/batch.ts';
import { type Database, isOneOf, oncePerDatabase } from '../database/connection.ts';
import { apiKeyCharacters, apiKeyUseSeconds } from '../limits/api-keys.ts';
import { readBatches } from '../limits/stores.ts';
import { sha256 } from '../secrets.ts';

/** What a valid key stands for; nothing in it is secret. */
export type ApiKey = {
  id: string;
  workspaceId: string;
  scopes: string[];
  /** null: every application of the workspace. */
  applicationIds: string[] | null;
  lastUsedAt: Date | null;
};

export type ReadApiKey = (presented: string) => Promise<ApiKey | undefined>;

/**
 * Whatever was presented is hashed and looked up, well-formed or not: a wrong prefix, a wrong checksum and a wrong
 * secret cost the same (threat 68). Keys that are presented at one moment share a look-up, so that one key's flood takes
 * no connection from anybody.
 */
export function createApiKeyReader({ lookUps, clock }: { lookUps: Database; clock: Clock }): ReadApiKey {
  const read = createReader({ find: (hashes) => findLive(lookUps)(hashes, clock()), ...readBatches });
  return async (presented) => (presented.length > apiKeyCharacters ? undefined : read(sha256(presented)));
}

const findLive = oncePerDatabase((db) => {
  const now = sql`${sql.placeholder('now')}::timestamptz`;
  const query = db
    .select({
      keyHash: apiKeys.keyHash,
      id: apiKeys.id,
      workspaceId: apiKeys.workspaceId,
      scopes: apiKeys.scopes,
      applicationIds: apiKeys.applicationIds,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .where(and(isOneOf(apiKeys.keyHash, sql.placeholder('hashes')), isLive(now)))
    .prepare('api_keys');
  return async (hashes: string[], moment: Date): Promise<Map<string, ApiKey>> => {
    const found = await query.execute({ hashes, now: moment.toISOString() });
    return new Map(found.map(({ keyHash, ...key }) => [keyHash, key]));
  };
});

/** Neither revoked nor over. `now` may be a parameter of a prepared statement. */
export function isLive(now: Date | SQL): SQL | undefined {
  return and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)));
}

/**
 * Whether the key may read an application. Another workspace's, a deleted and an unknown one are alike, and so is one
 * that the key was not made for: the same question to the database, and no difference in the answer. @returns its mode.
 */
export async function apiKeyCovers(
  db: Database,
  { workspaceId, applicationIds }: Pick<ApiKey, 'workspaceId' | 'applicationIds'>,
  applicationId: string,
): Promise<{ isTest: boolean } | undefined> {
  const [found] = await db
    .select({ isTest: applications.isTest })
    .from(applications)
    .where(
      and(
        eq(applications.id, applicationId),
        eq(applications.workspaceId, workspaceId),
        isNull(applications.deletedAt),
      ),
    );
  const covers = applicationIds === null || applicationIds.includes(applicationId);
  return covers ? found : undefined;
}

/** All that the key may read, oldest first; one more than `most` says that there are more. */
export async function coveredApplications(
  db: Database,
  { workspaceId, applicationIds }: Pick<ApiKey, 'workspaceId' | 'applicationIds'>,
  most: number,
): Promise<string[]> {
  const found = await db
    .select({ id: applications.id })
    .from(applications)
    .where(
      and(
        eq(applications.workspaceId, workspaceId),
        isNull(applications.deletedAt),
        applicationIds === null ? undefined : isOneOf(applications.id, applicationIds),
      ),
    )
    .orderBy(asc(applications.id))
    .limit(most + 1);
  return found.map(({ id }) => id);
}

/** Written at most once a minute; the second condition keeps parallel requests of all processes to one write. */
export async function recordApiKeyUse(
  db: Database,
  { key, ipAddress, now }: { key: Pick<ApiKey, 'id' | 'lastUsedAt'>; ipAddress: string; now: Date },
): Promise<void> {
  const stale = new Date(now.getTime() - apiKeyUseSeconds * 1000);
  if (key.lastUsedAt && key.lastUsedAt > stale) return;
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now, lastUsedIpAddress: ipAddress })
    .where(and(eq(apiKeys.id, key.id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, stale))));
}
