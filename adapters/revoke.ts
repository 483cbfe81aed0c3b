// Ends what the engine remembers in SQL, exactly and at once: all of an account's sessions and tokens (password
// reset, deletion), all that an application's customers hold (disabled, deleted), or everything that came from some
// grants (logout, replayed code).
import { and, eq, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { applications } from '../drizzle/schema/applications.ts';
import { engineRecords } from '../drizzle/schema/engine.ts';
import { type Raise, raiseGeneration } from '../src/accounts/generation.ts';
import { secondsAfter } from '../src/clock.ts';
import { type Database, isOneOf } from '../src/database/connection.ts';
import { grantSeconds } from '../src/limits/token-lifetimes.ts';
import { asEndedGrant, type EndedGrant, endedGrant, noteLogouts } from '../src/webhooks/logout-notice.ts';

const CLIENT_REVOCATION = 'ClientRevocation';

/**
 * Everything that was proven or issued before, in SQL and in every other store, is worthless once this commits, what a
 * request under way still writes included: the account's generation decides. Deleting only cleans up.
 */
export async function revokeAccount(tx: Database, raise: Raise): Promise<void> {
  await raiseGeneration(tx, raise);
  const isOfAccount = eq(engineRecords.accountId, raise.accountId);
  const { accountId, keepSession, endsOwnTokens, now } = raise;
  const isOver = keepSession === undefined ? undefined : isToken(endsOwnTokens ? undefined : keepSession);
  const which = and(isOfAccount, isOver);
  await noteLogouts(tx, { accountId, grants: await grantsToTell(tx, which), now });
  await deleteRecords(tx, which);
}

/** Of applications that hear of it: whoever has none of these pays for no more than a look. */
async function grantsToTell(tx: Database, which: SQL | undefined): Promise<EndedGrant[]> {
  const grants = await tx
    .select(endedGrant)
    .from(engineRecords)
    .innerJoin(applications, eq(applications.clientId, endedGrant.clientId))
    .where(and(eq(engineRecords.model, 'Grant'), which, isNotNull(applications.backchannelLogoutUri)));
  return grants.flatMap(asEndedGrant);
}

/** Grants and what was issued under them, those of one session excepted. */
function isToken(exceptSession: string | undefined): SQL | undefined {
  const isOther =
    exceptSession === undefined
      ? undefined
      : or(isNull(engineRecords.sessionHash), ne(engineRecords.sessionHash, exceptSession));
  return and(
    inArray(engineRecords.model, ['Grant', 'RefreshToken', 'AccessToken', 'AuthorizationCode', 'DeviceCode']),
    isOther,
  );
}

/** True for a grant whose session has not ended, of an account whose generation has not moved on. */
export function isOfLivingSession(): SQL {
  return sql`exists (
    select 1 from sessions join accounts
      on accounts.id = sessions.account_id and accounts.generation = sessions.generation
    where sessions.uid_hash = ${engineRecords.sessionHash} and sessions.ended_at is null
      and accounts.id = ${engineRecords.accountId}
  )`;
}

/**
 * Every grant of a client, and with it every code and token, wherever those are kept, and what a service has without a
 * grant (adapters/service-tokens.ts): one mark instead of a million
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

/** In seconds since 1970, by Client ID; clients that were never revoked are left out. */
export function clientRevocationFinder(db: Database): (clientIds: string[]) => Promise<Map<string, number>> {
  const query = db
    .select({ clientId: engineRecords.idHash, at: sql<string>`${engineRecords.payload} ->> 'at'` })
    .from(engineRecords)
    .where(
      and(
        eq(engineRecords.model, CLIENT_REVOCATION),
        isOneOf(engineRecords.idHash, sql.placeholder('clientIds')),
      ),
    )
    .prepare('client_revocations');
  return async (clientIds) => {
    const found = await query.execute({ clientIds });
    return new Map(found.map(({ clientId, at }) => [clientId, Number(at)]));
  };
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
