// API keys of a workspace: made, rotated and revoked here, checked in api-key-check.ts. A key is shown once; what stays
// is its SHA-256.
import { and, eq, isNull } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { apiKeys } from '../../drizzle/schema/workspaces.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { apiKeyNameCharacters, apiKeysPerWorkspace } from '../limits/api-keys.ts';
import { sha256 } from '../secrets.ts';
import { type ApiKey, isLive } from './api-key-check.ts';
import { apiKeyHint, newApiKeyText } from './api-key-text.ts';
import { requireApplicationChoice } from './application-choice.ts';

export const API_KEY_SCOPES = ['identity:read'] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

type NewApiKey = {
  workspaceId: string;
  name: string;
  scopes: readonly string[];
  /** null or absent: every application of the workspace, later ones too. */
  applicationIds?: readonly string[] | null | undefined;
  expiresAt?: Date | undefined;
  now: Date;
};

/** The only moment at which the key itself exists: it is not stored and cannot be shown again. */
export async function createApiKey(db: Database, input: NewApiKey): Promise<{ id: string; key: string }> {
  const { workspaceId, now } = input;
  const name = requireApiKeyName(input.name);
  requireScopes(input.scopes);
  if (input.expiresAt && input.expiresAt <= now) {
    throw new TollgateError('invalid_request', 'An API key must expire in the future.');
  }
  const applicationIds = await requireApplicationChoice(db, {
    workspaceId,
    applicationIds: input.applicationIds ?? null,
  });
  const live = await db.$count(apiKeys, and(eq(apiKeys.workspaceId, workspaceId), isLive(now)));
  if (live >= apiKeysPerWorkspace) {
    throw new TollgateError(
      'conflict',
      `A workspace can have at most ${apiKeysPerWorkspace} valid API keys. Revoke one that is not in use.`,
    );
  }
  const key = newApiKeyText();
  const id = newId('key');
  await db.insert(apiKeys).values({
    id,
    workspaceId,
    name,
    keyHash: sha256(key),
    hint: apiKeyHint(key),
    scopes: [...new Set(input.scopes)],
    applicationIds,
    createdAt: now,
    expiresAt: input.expiresAt ?? null,
  });
  return { id, key };
}

/** One line that looks like what it is: the name stands in lists and in the audit log. */
export function requireApiKeyName(typed: string): string {
  const name = typed.trim();
  if (name.length === 0 || name.length > apiKeyNameCharacters) {
    throw new TollgateError(
      'invalid_request',
      `An API key needs a name of 1 to ${apiKeyNameCharacters} characters.`,
    );
  }
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new TollgateError(
      'invalid_request',
      'The name of an API key must not contain line breaks or invisible characters.',
    );
  }
  return name;
}

function requireScopes(scopes: readonly string[]): void {
  if (scopes.every(isScope)) return;
  throw new TollgateError(
    'invalid_request',
    `An API key has only these scopes: ${API_KEY_SCOPES.join(', ')}.`,
  );
}

type OneKey = { id: string; workspaceId: string; now: Date };

/** False when the workspace has no such key that is still valid. */
export async function revokeApiKey(db: Database, { id, workspaceId, now }: OneKey): Promise<boolean> {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, workspaceId), isLive(now)))
    .returning({ id: apiKeys.id });
  return revoked.length === 1;
}

/**
 * A new key with the old one's name, scopes and applications; the old one works for `overlapSeconds` more (0: not at all), but
 * never longer than before. Two rotations of one key at once: the row lock makes the second see the shortened life.
 */
export async function rotateApiKey(
  tx: Database,
  {
    id,
    workspaceId,
    overlapSeconds,
    expiresAt,
    now,
  }: OneKey & { overlapSeconds: number; expiresAt?: Date | undefined },
): Promise<{ id: string; key: string }> {
  const [old] = await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, workspaceId), isLive(now)))
    .for('update');
  if (!old) throw new TollgateError('not_found', 'There is no such API key.');
  const overlapEnds = new Date(now.getTime() + Math.max(0, overlapSeconds) * 1000);
  const lastMoment = old.expiresAt && old.expiresAt < overlapEnds ? old.expiresAt : overlapEnds;
  await tx.update(apiKeys).set({ expiresAt: lastMoment }).where(eq(apiKeys.id, id));
  const { name, scopes } = old;
  const applicationIds = await stillThere(tx, old);
  return createApiKey(tx, { workspaceId, name, scopes, applicationIds, expiresAt, now });
}

/** A key outlives the applications it was made for; a new one is made for those that are left. */
async function stillThere(
  tx: Database,
  { workspaceId, applicationIds }: Pick<ApiKey, 'workspaceId' | 'applicationIds'>,
): Promise<string[] | null> {
  if (applicationIds === null) return null;
  const left = await tx
    .select({ id: applications.id })
    .from(applications)
    .where(
      and(
        isOneOf(applications.id, applicationIds),
        eq(applications.workspaceId, workspaceId),
        isNull(applications.deletedAt),
      ),
    );
  if (left.length === 0) {
    throw new TollgateError(
      'conflict',
      'The applications this API key could read have been deleted. Create a new key.',
    );
  }
  return left.map(({ id }) => id);
}

function isScope(scope: string): scope is ApiKeyScope {
  return API_KEY_SCOPES.some((known) => known === scope);
}
