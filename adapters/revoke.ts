// Ends what the engine remembers, exactly and at once: all of an account's sessions and tokens (password reset,
// deletion) or everything that came from some grants (logout, replayed code).
import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import { engineRecords } from '../drizzle/schema.ts';
import { secondsAfter } from '../src/clock.ts';
import type { Database } from '../src/database.ts';
import { grantSeconds } from '../src/limits.ts';

const REVOCATION = 'AccountRevocation';

/**
 * Sessions, grants, codes, access and refresh tokens. A request under way may have read its session before and write
 * it back, or a code made from it, afterwards; the mark that stays behind makes those worthless as well. `now` is
 * the real time by default, since the engine stamps sign-ins with it.
 */
export async function revokeAccountSessions(
  db: Database,
  accountId: string,
  now = new Date(),
): Promise<void> {
  await db.delete(engineRecords).where(eq(engineRecords.accountId, accountId));
  await db
    .insert(engineRecords)
    .values({
      model: REVOCATION,
      idHash: accountId,
      accountId,
      payload: { at: Math.floor(now.getTime() / 1000) },
      expiresAt: secondsAfter(now, grantSeconds),
    })
    .onConflictDoNothing();
}

/** True for a record that goes back to a sign-in before its account's last revocation. */
export function isRevoked(): SQL {
  const signedInAt = sql`coalesce(
    ${engineRecords.payload} ->> 'authTime', ${engineRecords.payload} ->> 'loginTs', ${engineRecords.payload} ->> 'iat'
  )::bigint`;
  return sql`exists (
    select 1 from ${engineRecords} as revocation
    where revocation.account_id = ${engineRecords.accountId}
      and revocation.model = ${REVOCATION}
      and (revocation.payload ->> 'at')::bigint > ${signedInAt}
  )`;
}

/** The grants themselves and every code and token issued under them, in one statement. */
export async function revokeGrants(db: Database, grantIds: string[]): Promise<void> {
  if (grantIds.length === 0) return;
  await db.delete(engineRecords).where(inArray(engineRecords.grantId, grantIds));
}
