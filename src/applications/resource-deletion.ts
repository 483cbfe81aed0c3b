// The end of a company's API, and its return within minutes. What it had goes from the tables at once, as it always did, so that
// the same identifier can be registered anew; until the return is too late it is kept with the work that ends it.
import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { longWork } from '../../drizzle/schema/operations.ts';
import { resources } from '../../drizzle/schema/resources.ts';
import { secondsAfter } from '../clock.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import {
  beginWork,
  isToBeginAfter,
  takeBackWork,
  type WorkDetail,
  type WorkKinds,
} from '../queue/long-work.ts';
import type { ResourceInput } from './resource.ts';
import { deleteParts, requireRoom, writeParts } from './resource-change.ts';
import { findResource } from './resource-list.ts';

type Which = { workspaceId: string; resourceId: string };
type Parts = Pick<ResourceInput, 'scopes' | 'askingIds' | 'introspectingIds'>;

/** A kind of long work. */
const DELETION = 'api deletion';

/** Nothing is left to do: with its last bite the work forgets what it was told. */
export const resourceWork: WorkKinds = { [DELETION]: { bite: async () => ({ rows: 0, cursor: null }) } };

type Deletion = Which & {
  /** For so long it can be restored. */
  restorableSeconds?: number;
  now: Date;
};

/** Nobody gets a token for it any more; JWTs that are out there live to their end. @throws TollgateError not_found */
export async function deleteResource(tx: Database, options: Deletion): Promise<void> {
  const { resourceId, restorableSeconds = 0, now } = options;
  // Whoever changes it at this moment comes before or finds it gone.
  await tx.select({ id: resources.id }).from(resources).where(eq(resources.id, resourceId)).for('update');
  const parts = await findResource(tx, options);
  await tx.update(resources).set({ deletedAt: now }).where(eq(resources.id, resourceId));
  await deleteParts(tx, resourceId);
  if (restorableSeconds === 0) return;
  await beginWork(tx, {
    kind: DELETION,
    subject: resourceId,
    detail: written(parts),
    notBefore: secondsAfter(now, restorableSeconds),
    now,
  });
}

/**
 * As it was, for the applications that are still there. One that was registered anew has another id, and is not this one.
 * @throws TollgateError not_found, also when it is too late; conflict when others have taken its room
 */
export async function restoreResource(tx: Database, options: Which & { now: Date }): Promise<void> {
  const { workspaceId, resourceId, now } = options;
  await requireRoom(tx, workspaceId);
  const before = await takeBackWork(tx, { kind: DELETION, subject: resourceId, now });
  const [restored] = await tx
    .update(resources)
    .set({ deletedAt: null })
    .where(
      and(
        eq(resources.id, resourceId),
        eq(resources.workspaceId, workspaceId),
        isNotNull(resources.deletedAt),
      ),
    )
    .returning({ id: resources.id });
  if (!before || !restored) throw new TollgateError('not_found', 'This API can no longer be restored.');
  const parts = read(before);
  const living = await livingOf(tx, workspaceId, [...parts.askingIds, ...parts.introspectingIds]);
  await writeParts(tx, options, {
    scopes: parts.scopes,
    askingIds: parts.askingIds.filter((id) => living.has(id)),
    introspectingIds: parts.introspectingIds.filter((id) => living.has(id)),
  });
}

/** Those that can still be restored, the last one first. */
export function listRestorableResources(
  db: Database,
  { workspaceId, now }: { workspaceId: string; now: Date },
) {
  return db
    .select({
      id: resources.id,
      name: resources.name,
      identifier: resources.identifier,
      until: longWork.nextBiteAt,
    })
    .from(resources)
    .innerJoin(longWork, and(eq(longWork.kind, DELETION), eq(longWork.subject, resources.id)))
    .where(and(eq(resources.workspaceId, workspaceId), isNotNull(resources.deletedAt), isToBeginAfter(now)))
    .orderBy(desc(resources.deletedAt));
}

export type RestorableResource = Awaited<ReturnType<typeof listRestorableResources>>[number];

function written({ scopes, askingIds, introspectingIds }: Parts): WorkDetail {
  return {
    scopes: scopes.map(({ scope, description }) => `${scope} ${description}`),
    askingIds,
    introspectingIds,
  };
}

function read(detail: WorkDetail): Parts {
  const listOf = (name: string) => [detail[name]].flat().filter((each) => typeof each === 'string');
  return {
    scopes: listOf('scopes').map((text) => {
      const [scope = ''] = text.split(' ');
      return { scope, description: text.slice(scope.length + 1) };
    }),
    askingIds: listOf('askingIds'),
    introspectingIds: listOf('introspectingIds'),
  };
}

async function livingOf(tx: Database, workspaceId: string, ids: string[]): Promise<Set<string>> {
  const found = await tx
    .select({ id: applications.id })
    .from(applications)
    .where(
      and(
        isOneOf(applications.id, ids),
        eq(applications.workspaceId, workspaceId),
        isNull(applications.deletedAt),
      ),
    );
  return new Set(found.map(({ id }) => id));
}
