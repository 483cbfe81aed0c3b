// The applications that a person may see in company settings, of all companies that they are a member of.
import { and, asc, eq, isNull } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { members, workspaces } from '../../drizzle/schema/workspaces.ts';
import type { Database } from '../database/connection.ts';

export type ReadableApplication = { id: string; name: string; clientId: string; company: string };

/** By company, oldest first. */
export function listReadableApplications(
  db: Database,
  accountId: string,
  most: number,
): Promise<ReadableApplication[]> {
  return db
    .select({
      id: applications.id,
      name: applications.name,
      clientId: applications.clientId,
      company: workspaces.name,
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .innerJoin(applications, eq(applications.workspaceId, workspaces.id))
    .where(and(eq(members.accountId, accountId), isNull(applications.deletedAt)))
    .orderBy(asc(workspaces.createdAt), asc(applications.createdAt), asc(applications.id))
    .limit(most);
}
