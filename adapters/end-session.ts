// Ends one browser's session from wherever its owner asks (docs/decisions/0701): the row decides, in every store. What
// a request under way still writes for it is found by nobody; what it led to is deleted only to clean up.
import { and, eq } from 'drizzle-orm';
import { engineRecords } from '../drizzle/schema.ts';
import { endSession } from '../src/accounts/session.ts';
import type { Database } from '../src/database/connection.ts';

export type SessionToEnd = { uidHash: string; accountId: string; now: Date };

/** @returns the grants that the session led to, for the caller to delete; undefined when it had ended before. */
export async function endSessionInSql(db: Database, session: SessionToEnd): Promise<string[] | undefined> {
  if (!(await endSession(db, session))) return undefined;
  const grants = await db
    .select({ grantId: engineRecords.grantId })
    .from(engineRecords)
    .where(
      and(
        eq(engineRecords.accountId, session.accountId),
        eq(engineRecords.model, 'Grant'),
        eq(engineRecords.sessionHash, session.uidHash),
      ),
    );
  return grants.flatMap(({ grantId }) => grantId ?? []);
}
