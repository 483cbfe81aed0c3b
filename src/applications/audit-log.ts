// The audit log of a workspace: who changed what, when, from where. An entry is written in the
// transaction of the change itself, and the database refuses to change or delete it. Secrets never stand in it.
import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { auditEntries } from '../../drizzle/schema/workspaces.ts';
import type { Database } from '../database/connection.ts';
import { type Place, paginationBy } from '../database/pagination.ts';
import { newId } from '../id.ts';
import { auditChoicesEntries } from '../limits/reads.ts';

export type AuditEntry = typeof auditEntries.$inferSelect;

export type NewAuditEntry = {
  workspaceId: string;
  /** null: the operator. */
  accountId: string | null;
  /** `noun.verb` in the past tense: `api_key.revoked`. */
  action: string;
  /** Id of what was changed. */
  target?: string | null | undefined;
  /** What it was changed to, as far as it is no secret. */
  detail?: AuditEntry['detail'];
  ipAddress: string | null;
  now: Date;
};

export async function recordAudit(tx: Database, entry: NewAuditEntry): Promise<void> {
  const { workspaceId, accountId, action, target = null, detail = {}, ipAddress, now } = entry;
  await tx.insert(auditEntries).values({
    id: newId('aud'),
    workspaceId,
    accountId,
    action,
    target,
    detail,
    ipAddress,
    occurredAt: now,
  });
}

export type AuditFilter = {
  /** null: what the operator did. */
  accountId?: string | null | undefined;
  action?: string | undefined;
  /** From this moment on, itself included. */
  from?: Date | undefined;
  /** Up to this moment, itself excluded. */
  until?: Date | undefined;
};

export type AuditListing = {
  workspaceId: string;
  filter: AuditFilter;
  /** Place of the last entry that the caller has. */
  after?: Place | undefined;
  limit: number;
};

const order = paginationBy(auditEntries.occurredAt, auditEntries.id);

/** Newest first. */
export async function listAudit(
  db: Database,
  { workspaceId, filter, after, limit }: AuditListing,
): Promise<{ rows: AuditEntry[]; hasMore: boolean }> {
  const rows = await db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.workspaceId, workspaceId), ...conditions(filter), order.olderThan(after)))
    .orderBy(...order.newestFirst)
    .limit(limit + 1);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** What a filter can choose from: what happened here lately, and who did it. */
export async function auditChoices(
  db: Database,
  workspaceId: string,
): Promise<{ actions: string[]; accountIds: (string | null)[] }> {
  const latest = db
    .select({ action: auditEntries.action, accountId: auditEntries.accountId })
    .from(auditEntries)
    .where(eq(auditEntries.workspaceId, workspaceId))
    .orderBy(...order.newestFirst)
    .limit(auditChoicesEntries)
    .as('latest');
  const pairs = await db.selectDistinct({ action: latest.action, accountId: latest.accountId }).from(latest);
  return {
    actions: [...new Set(pairs.map(({ action }) => action))].sort(),
    accountIds: [...new Set(pairs.map(({ accountId }) => accountId))],
  };
}

function conditions({ accountId, action, from, until }: AuditFilter): (SQL | undefined)[] {
  return [
    isBy(accountId),
    action === undefined ? undefined : eq(auditEntries.action, action),
    from && gte(auditEntries.occurredAt, from),
    until && lt(auditEntries.occurredAt, until),
  ];
}

function isBy(accountId: string | null | undefined): SQL | undefined {
  if (accountId === undefined) return undefined;
  return accountId === null ? sql`${auditEntries.accountId} is null` : eq(auditEntries.accountId, accountId);
}
