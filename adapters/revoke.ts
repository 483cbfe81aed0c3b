// Ends what the engine remembers, exactly and at once: all of an account's sessions and tokens (password reset,
// deletion) or everything that came from some grants (logout, replayed code).
import { eq, inArray } from 'drizzle-orm';
import { engineRecords } from '../drizzle/schema.ts';
import type { Database } from '../src/database.ts';

/** Sessions, grants, codes, access and refresh tokens. Works inside the caller's transaction. */
export async function revokeAccountSessions(db: Database, accountId: string): Promise<void> {
  await db.delete(engineRecords).where(eq(engineRecords.accountId, accountId));
}

/** The grants themselves and every code and token issued under them, in one statement. */
export async function revokeGrants(db: Database, grantIds: string[]): Promise<void> {
  if (grantIds.length === 0) return;
  await db.delete(engineRecords).where(inArray(engineRecords.grantId, grantIds));
}
