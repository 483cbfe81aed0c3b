// A company's API registered and changed. Everything that counts for its tokens counts from the next request on.
import { and, eq, isNull, sql } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { resourceApplications, resourceScopes, resources } from '../../drizzle/schema/resources.ts';
import { workspaces } from '../../drizzle/schema/workspaces.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { resourcesPerWorkspace } from '../limits/applications.ts';
import { type ResourceInput, requireIdentifier, requireResource } from './resource.ts';

type Of = { workspaceId: string };
type Which = Of & { resourceId: string };

/** @throws TollgateError invalid_request, conflict */
export async function createResource(
  tx: Database,
  input: ResourceInput & Of & { identifier: string; now: Date },
): Promise<{ id: string }> {
  const { workspaceId, identifier, now } = input;
  requireIdentifier(identifier);
  const { name, tokenFormat, tokenSeconds, ...parts } = requireResource(input);
  await requireRoom(tx, workspaceId);
  const id = newId('res');
  const row = {
    id,
    workspaceId,
    identifier,
    name,
    tokenFormat,
    tokenSeconds,
    createdAt: now,
    deletedAt: null,
  };
  const [made] = await tx
    .insert(resources)
    .values(row)
    .onConflictDoUpdate({
      target: resources.identifier,
      set: row,
      // Its own company's, deleted before: it begins anew.
      setWhere: sql`${resources.workspaceId} = ${workspaceId} and ${resources.deletedAt} is not null`,
    })
    .returning({ id: resources.id });
  if (!made)
    throw new TollgateError(
      'conflict',
      'An API with this identifier is registered already. Identifiers are never shared: tokens for one would open the other.',
    );
  await writeParts(tx, { workspaceId, resourceId: id }, parts);
  return made;
}

/** The identifier stays: it stands in tokens and in the configuration of clients. @throws TollgateError invalid_request, not_found */
export async function changeResource(tx: Database, which: Which, input: ResourceInput): Promise<void> {
  const { name, tokenFormat, tokenSeconds, ...parts } = requireResource(input);
  await change(tx, which, { name, tokenFormat, tokenSeconds });
  await writeParts(tx, which, parts);
}

/** Whoever registers or restores another one at this moment counts after this one. @throws TollgateError conflict */
export async function requireRoom(tx: Database, workspaceId: string): Promise<void> {
  await tx.select().from(workspaces).where(eq(workspaces.id, workspaceId)).for('update');
  const existing = await tx.$count(
    resources,
    and(eq(resources.workspaceId, workspaceId), isNull(resources.deletedAt)),
  );
  if (existing >= resourcesPerWorkspace)
    throw new TollgateError('conflict', `A workspace has at most ${resourcesPerWorkspace} APIs.`);
}

async function change(
  tx: Database,
  { workspaceId, resourceId }: Which,
  values: Partial<typeof resources.$inferInsert>,
): Promise<void> {
  const [changed] = await tx
    .update(resources)
    .set(values)
    .where(
      and(eq(resources.id, resourceId), eq(resources.workspaceId, workspaceId), isNull(resources.deletedAt)),
    )
    .returning({ id: resources.id });
  if (!changed) throw new TollgateError('not_found', 'There is no such API.');
}

export async function deleteParts(tx: Database, resourceId: string): Promise<void> {
  await tx.delete(resourceScopes).where(eq(resourceScopes.resourceId, resourceId));
  await tx.delete(resourceApplications).where(eq(resourceApplications.resourceId, resourceId));
}

export async function writeParts(
  tx: Database,
  { workspaceId, resourceId }: Which,
  { scopes, askingIds, introspectingIds }: Pick<ResourceInput, 'scopes' | 'askingIds' | 'introspectingIds'>,
): Promise<void> {
  const chosen = [...new Set([...askingIds, ...introspectingIds])];
  await requireOwn(tx, { workspaceId, chosen, introspectingIds });
  await deleteParts(tx, resourceId);
  await tx.insert(resourceScopes).values(scopes.map((scope) => ({ resourceId, ...scope })));
  if (chosen.length === 0) return;
  await tx.insert(resourceApplications).values(
    chosen.map((applicationId) => ({
      resourceId,
      applicationId,
      mayAsk: askingIds.includes(applicationId),
      mayIntrospect: introspectingIds.includes(applicationId),
    })),
  );
}

/** Another company's, a deleted and a made-up application are refused with one sentence. */
async function requireOwn(
  tx: Database,
  { workspaceId, chosen, introspectingIds }: Of & { chosen: string[]; introspectingIds: string[] },
): Promise<void> {
  const found = await tx
    .select({ id: applications.id, clientType: applications.clientType })
    .from(applications)
    .where(
      and(
        isOneOf(applications.id, chosen),
        eq(applications.workspaceId, workspaceId),
        isNull(applications.deletedAt),
      ),
    );
  if (found.length !== chosen.length)
    throw new TollgateError('invalid_request', 'Choose among the applications of this workspace.');
  const isPublic = found.some(
    ({ id, clientType }) => clientType === 'public' && introspectingIds.includes(id),
  );
  if (isPublic)
    throw new TollgateError(
      'invalid_request',
      'A single-page application cannot introspect tokens: it has no secret to prove who asks.',
    );
}
