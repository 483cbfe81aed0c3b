// Ends what the engine remembers in SQL, exactly and at once: all of an account's sessions and tokens (password
// reset, deletion), all that an application's customers hold (disabled, deleted), or everything that came from some
// grants (logout, replayed code).
import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { engineRecords } from '../drizzle/schema.ts';
import { endPageSessionsOfAccount } from '../src/accounts/page-session.ts';
import { forgetBrowsersOfAccount } from '../src/accounts/signed-in-browser.ts';
import { secondsAfter } from '../src/clock.ts';
import { type Database, isOneOf } from '../src/database.ts';
import { grantSeconds } from '../src/limits.ts';

const REVOCATION = 'AccountRevocation';
const CLIENT_REVOCATION = 'ClientRevocation';
const markedAt = sql`(${engineRecords.payload} ->> 'at')::bigint`;

/**
 * Sessions (those on our own pages too), grants, codes, access and refresh tokens. A request under way may have read its
 * session before and write it back, or a code made from it, afterwards; the mark that stays behind makes those worthless
 * as well, in Redis too. `now` is the real time by default, since the engine stamps sign-ins with it.
 */
export async function revokeAccountInSql(db: Database, accountId: string, now = new Date()): Promise<void> {
  const isOfAccount = eq(engineRecords.accountId, accountId);
  await endPageSessionsOfAccount(db, accountId);
  await forgetBrowsersOfAccount(db, accountId);
  await deleteRecords(db, and(isOfAccount, ne(engineRecords.model, REVOCATION)));
  const mark = {
    payload: { at: Math.floor(now.getTime() / 1000) },
    expiresAt: secondsAfter(now, grantSeconds),
  };
  await db
    .insert(engineRecords)
    .values({ model: REVOCATION, idHash: accountId, accountId, ...mark })
    .onConflictDoUpdate({
      target: [engineRecords.model, engineRecords.idHash],
      set: mark,
      // Two at once: the later one counts, whichever comes last.
      setWhere: sql`${markedAt} < ${mark.payload.at}`,
    });
}

/** True for a record that goes back to a sign-in before its account's last revocation. */
export function isRevoked(): SQL {
  const signedInAt = sql`coalesce(
    ${engineRecords.payload} ->> 'authTime', ${engineRecords.payload} ->> 'loginTs', ${engineRecords.payload} ->> 'iat'
  )::bigint`;
  return sql`exists (
    select 1 from ${engineRecords} as revocation
    where revocation.model = ${REVOCATION}
      and revocation.id_hash = ${engineRecords.accountId}
      and (revocation.payload ->> 'at')::bigint > ${signedInAt}
  )`;
}

/**
 * The same for records that are kept elsewhere: the seconds of each account's last revocation, as the engine counts
 * them. Worthless is what goes back to an earlier sign-in.
 */
export function revocationsFinder(db: Database): (accountIds: string[]) => Promise<Map<string, number>> {
  const query = db
    .select({ accountId: engineRecords.idHash, at: markedAt.mapWith(Number) })
    .from(engineRecords)
    .where(
      and(eq(engineRecords.model, REVOCATION), isOneOf(engineRecords.idHash, sql.placeholder('accountIds'))),
    )
    .prepare('revocations');
  return async (accountIds) => {
    const marks = await query.execute({ accountIds });
    return new Map(marks.map(({ accountId, at }) => [accountId, at]));
  };
}

/**
 * Every grant of a client, and with it every code and token, wherever those are kept: one mark instead of a million
 * rows, so that it takes no longer for a large company and cannot come too late for a grant that is being written.
 */
export async function revokeClientInSql(db: Database, clientId: string, now: Date): Promise<void> {
  const mark = {
    payload: { at: Math.floor(now.getTime() / 1000) },
    expiresAt: secondsAfter(now, grantSeconds),
  };
  await db
    .insert(engineRecords)
    .values({ model: CLIENT_REVOCATION, idHash: clientId, ...mark })
    .onConflictDoUpdate({ target: [engineRecords.model, engineRecords.idHash], set: mark });
}

/** True for a grant that is not younger than its client's last revocation; the second itself counts as before. */
export function isOfRevokedClient(): SQL {
  return sql`exists (
    select 1 from ${engineRecords} as client_revocation
    where client_revocation.model = ${CLIENT_REVOCATION}
      and client_revocation.id_hash = ${engineRecords.payload} ->> 'clientId'
      and (client_revocation.payload ->> 'at')::bigint >= (${engineRecords.payload} ->> 'iat')::bigint
  )`;
}

/** The grants themselves and every code and token issued under them, in one statement. */
export async function revokeGrantsInSql(db: Database, grantIds: string[]): Promise<void> {
  if (grantIds.length === 0) return;
  await deleteRecords(db, inArray(engineRecords.grantId, grantIds));
}

/** Locked in one order first: of two deletions that meet, one waits, and neither for what the other waits for. */
export async function deleteRecords(db: Database, which: SQL | undefined): Promise<void> {
  const { model, idHash } = engineRecords;
  const chosen = db
    .select({ model, idHash })
    .from(engineRecords)
    .where(which)
    .orderBy(model, idHash)
    .for('update');
  await db.delete(engineRecords).where(sql`(${model}, ${idHash}) in ${chosen}`);
}
