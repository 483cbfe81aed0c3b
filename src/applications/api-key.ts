// API keys of a workspace (specification §2 "API key", §5.6): made, checked, rotated and revoked here. A key is
// shown once; what stays is its SHA-256, which is also how it is found, so that no comparison can leak it.
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { and, eq, gt, isNull, lt, or } from 'drizzle-orm';
import { apiKeys, applications } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { apiKeyCharacters, apiKeyNameCharacters, apiKeyUseSeconds } from '../limits.ts';
import { sha256 } from '../secrets.ts';

export const API_KEY_PREFIX = 'tollgate_v1_';
export const API_KEY_SCOPES = ['identity:read'] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** What a valid key stands for; nothing in it is secret. */
export type ApiKey = { id: string; workspaceId: string; scopes: string[]; lastUsedAt: Date | null };

type NewApiKey = {
  workspaceId: string;
  name: string;
  scopes: readonly string[];
  expiresAt?: Date | undefined;
  now: Date;
};

/** The only moment at which the key itself exists: it is not stored and cannot be shown again. */
export async function createApiKey(db: Database, input: NewApiKey): Promise<{ id: string; key: string }> {
  const name = input.name.trim();
  if (name.length === 0 || name.length > apiKeyNameCharacters) {
    throw new TollgateError(
      'invalid_request',
      `An API key needs a name of 1 to ${apiKeyNameCharacters} characters.`,
    );
  }
  const unknown = input.scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) {
    throw new TollgateError(
      'invalid_request',
      `An API key has only these scopes: ${API_KEY_SCOPES.join(', ')}.`,
    );
  }
  if (input.expiresAt && input.expiresAt <= input.now) {
    throw new TollgateError('invalid_request', 'An API key must expire in the future.');
  }
  const key = newKey();
  const id = newId('key');
  await db.insert(apiKeys).values({
    id,
    workspaceId: input.workspaceId,
    name,
    keyHash: sha256(key),
    hint: key.slice(0, API_KEY_PREFIX.length + HINT_CHARACTERS),
    scopes: [...new Set(input.scopes)],
    createdAt: input.now,
    expiresAt: input.expiresAt ?? null,
  });
  return { id, key };
}

/**
 * Whatever was presented is hashed and looked up, well-formed or not: a wrong prefix, a wrong checksum and a
 * wrong secret cost the same (attack 68). Nothing is cached, so a revoked key is refused by the next request.
 */
export async function authenticateApiKey(
  db: Database,
  presented: string,
  now: Date,
): Promise<ApiKey | undefined> {
  if (presented.length > apiKeyCharacters) return undefined;
  const [key] = await db
    .select({
      id: apiKeys.id,
      workspaceId: apiKeys.workspaceId,
      scopes: apiKeys.scopes,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .where(and(eq(apiKeys.keyHash, sha256(presented)), isLive(now)));
  return key;
}

/** Whether an application belongs to the key's workspace. Another's, a deleted and an unknown one are alike. */
export async function apiKeyCovers(
  db: Database,
  { workspaceId }: Pick<ApiKey, 'workspaceId'>,
  applicationId: string,
): Promise<boolean> {
  const found = await db
    .select({ id: applications.id })
    .from(applications)
    .where(
      and(
        eq(applications.id, applicationId),
        eq(applications.workspaceId, workspaceId),
        isNull(applications.deletedAt),
      ),
    );
  return found.length === 1;
}

/** Written at most once a minute; the second condition keeps parallel requests of all processes to one write. */
export async function recordApiKeyUse(db: Database, key: ApiKey, now: Date): Promise<void> {
  const stale = new Date(now.getTime() - apiKeyUseSeconds * 1000);
  if (key.lastUsedAt && key.lastUsedAt > stale) return;
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.id, key.id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, stale))));
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
 * A new key with the old one's name and scopes; the old one works for `overlapSeconds` more (0: not at all), but
 * never longer than before. Two rotations of one key at once: the row lock makes the second see the shortened life.
 */
export async function rotateApiKey(
  tx: Database,
  { id, workspaceId, overlapSeconds, expiresAt, now }: OneKey & { overlapSeconds: number; expiresAt?: Date },
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
  return createApiKey(tx, { workspaceId, name: old.name, scopes: old.scopes, expiresAt, now });
}

/** What a secret scanner does without asking us: prefix, alphabet, length and checksum (docs/api.md). */
export function isWellFormedApiKey(text: string): boolean {
  if (!WELL_FORMED.test(text)) return false;
  return checksum(text.slice(0, -CHECKSUM_DIGITS)) === text.slice(-CHECKSUM_DIGITS);
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
/** 62^43 > 2^256 and 62^6 > 2^32: every value fits, and all keys have the same length. */
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const HINT_CHARACTERS = 4;
const WELL_FORMED = new RegExp(`^${API_KEY_PREFIX}[0-9A-Za-z]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`);

function newKey(): string {
  const secret = BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`);
  const body = API_KEY_PREFIX + base62(secret, SECRET_DIGITS);
  return body + checksum(body);
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), CHECKSUM_DIGITS);
}

function base62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text;
  return text.padStart(digits, '0');
}

function isScope(scope: string): scope is ApiKeyScope {
  return API_KEY_SCOPES.some((known) => known === scope);
}

function isLive(now: Date) {
  return and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)));
}
