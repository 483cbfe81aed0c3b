// The APIs of a company as they are read: in its settings, on the consent page, and by the engine for one client.
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { resourceApplications, resourceScopes, resources } from '../../drizzle/schema/resources.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import type { ResourceScope, TokenFormat } from './resource.ts';

export type Resource = typeof resources.$inferSelect & {
  scopes: ResourceScope[];
  askingIds: string[];
  introspectingIds: string[];
};

type Which = { workspaceId: string; resourceId: string };

/** Oldest first. */
export async function listResources(db: Database, workspaceId: string): Promise<Resource[]> {
  const found = await db
    .select()
    .from(resources)
    .where(and(eq(resources.workspaceId, workspaceId), isNull(resources.deletedAt)))
    .orderBy(asc(resources.createdAt), asc(resources.id));
  return withParts(db, found);
}

/** Another workspace's, a deleted and a made-up one are alike. @throws TollgateError not_found */
export async function findResource(db: Database, { workspaceId, resourceId }: Which): Promise<Resource> {
  const found = await db
    .select()
    .from(resources)
    .where(
      and(eq(resources.id, resourceId), eq(resources.workspaceId, workspaceId), isNull(resources.deletedAt)),
    );
  const [resource] = await withParts(db, found);
  if (!resource) throw new TollgateError('not_found', 'There is no such API.');
  return resource;
}

async function withParts(db: Database, found: (typeof resources.$inferSelect)[]): Promise<Resource[]> {
  const ids = found.map(({ id }) => id);
  const scopes = await db
    .select()
    .from(resourceScopes)
    .where(isOneOf(resourceScopes.resourceId, ids))
    .orderBy(asc(resourceScopes.scope));
  const chosen = await db
    .select()
    .from(resourceApplications)
    .where(isOneOf(resourceApplications.resourceId, ids))
    .orderBy(asc(resourceApplications.applicationId));
  return found.map((resource) => {
    const ofThis = chosen.filter(({ resourceId }) => resourceId === resource.id);
    return {
      ...resource,
      scopes: scopes
        .filter(({ resourceId }) => resourceId === resource.id)
        .map(({ scope, description }) => ({ scope, description })),
      askingIds: ofThis.filter(({ mayAsk }) => mayAsk).map(({ applicationId }) => applicationId),
      introspectingIds: ofThis
        .filter(({ mayIntrospect }) => mayIntrospect)
        .map(({ applicationId }) => applicationId),
    };
  });
}

export type ClientResourceKey = { clientId: string; identifier: string };

/** What one client has to do with one API; an API that it has nothing to do with does not exist for it. */
export type ClientResource = ClientResourceKey & {
  name: string;
  tokenFormat: TokenFormat;
  tokenSeconds: number;
  scopes: string[];
  mayAsk: boolean;
  mayIntrospect: boolean;
  /** The last time, of one that was deleted and registered again. */
  registeredAt: Date;
};

/** Many at once, for the engine. */
export function clientResourcesFinder(
  db: Database,
): (keys: ClientResourceKey[]) => Promise<ClientResource[]> {
  const query = db
    .select({
      clientId: applications.clientId,
      identifier: resources.identifier,
      name: resources.name,
      tokenFormat: resources.tokenFormat,
      tokenSeconds: resources.tokenSeconds,
      scopes: sql<string[]>`array(select s.scope from resource_scopes s
        where s.resource_id = ${resources.id} order by s.scope)`,
      mayAsk: resourceApplications.mayAsk,
      mayIntrospect: resourceApplications.mayIntrospect,
      registeredAt: resources.createdAt,
    })
    .from(resourceApplications)
    .innerJoin(applications, eq(applications.id, resourceApplications.applicationId))
    .innerJoin(resources, eq(resources.id, resourceApplications.resourceId))
    .where(
      and(
        isNull(resources.deletedAt),
        isNull(applications.deletedAt),
        sql`(${applications.clientId}, ${resources.identifier}) in (
          select * from unnest(
            ${sql.placeholder('clientIds')}::text[],
            ${sql.placeholder('identifiers')}::text[]
          ))`,
      ),
    )
    .prepare('client_resources');
  return (keys) =>
    query.execute({
      clientIds: keys.map(({ clientId }) => clientId),
      identifiers: keys.map(({ identifier }) => identifier),
    });
}

/** What somebody is asked to agree to: those of the APIs that the application may ask for, in the company's words. */
export async function findResourcesToAgree(
  db: Database,
  { applicationId, identifiers }: { applicationId: string; identifiers: string[] },
): Promise<Resource[]> {
  if (identifiers.length === 0) return [];
  const found = await db
    .select({ resource: resources })
    .from(resources)
    .innerJoin(resourceApplications, eq(resourceApplications.resourceId, resources.id))
    .where(
      and(
        isOneOf(resources.identifier, identifiers),
        isNull(resources.deletedAt),
        eq(resourceApplications.applicationId, applicationId),
        eq(resourceApplications.mayAsk, true),
      ),
    )
    .orderBy(asc(resources.identifier));
  return withParts(
    db,
    found.map(({ resource }) => resource),
  );
}
