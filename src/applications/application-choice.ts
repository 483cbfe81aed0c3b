// What an API key or a webhook subscription is for: all applications of the workspace, later ones too, or some that
// were chosen.
import { and, eq, isNull } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';

/** null: all of them. Another workspace's application, a deleted and a made-up one are refused with one sentence. */
export async function requireApplicationChoice(
  tx: Database,
  options: { workspaceId: string; applicationIds: readonly string[] | null },
): Promise<string[] | null> {
  if (options.applicationIds === null) return null;
  const chosen = [...new Set(options.applicationIds)];
  if (chosen.length === 0) {
    throw new TollgateError('invalid_request', 'Choose at least one application, or all of them.');
  }
  const found = await tx
    .select({ id: applications.id })
    .from(applications)
    .where(
      and(
        isOneOf(applications.id, chosen),
        eq(applications.workspaceId, options.workspaceId),
        isNull(applications.deletedAt),
      ),
    );
  if (found.length !== chosen.length) {
    throw new TollgateError('invalid_request', 'Choose among the applications of this workspace.');
  }
  return chosen;
}
