// What a workspace's applications are called, deleted ones included: what they did is still told about them.
import { asc, eq } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import type { Database } from '../database/connection.ts';
import { type ClientRules, clientRulesOf } from './application.ts';

export type NamedApplication = {
  id: string;
  name: string;
  clientRules: ClientRules;
  callbacks: string[];
  isDeleted: boolean;
};

/** Oldest first. */
export async function listApplicationNames(db: Database, workspaceId: string): Promise<NamedApplication[]> {
  const rows = await db
    .select({
      id: applications.id,
      name: applications.name,
      isCompatible: applications.isCompatible,
      callbacks: applications.redirectUris,
      deletedAt: applications.deletedAt,
    })
    .from(applications)
    .where(eq(applications.workspaceId, workspaceId))
    .orderBy(asc(applications.createdAt), asc(applications.id));
  return rows.map(({ id, name, deletedAt, callbacks, ...row }) => ({
    id,
    name,
    clientRules: clientRulesOf(row),
    callbacks,
    isDeleted: deletedAt !== null,
  }));
}
