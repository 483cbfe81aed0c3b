// Ends one browser's session from wherever its owner asks (docs/decisions/0701): the row decides, in every store. What
// a request under way still writes for it is found by nobody; what it led to is deleted only to clean up. Applications
// that asked for it are told, in the same transaction.
import { and, eq } from 'drizzle-orm';
import { engineRecords } from '../drizzle/schema/engine.ts';
import { endSession } from '../src/accounts/session.ts';
import { type Database, transaction } from '../src/database/connection.ts';
import { asEndedGrant, type EndedGrant, endedGrant, noteLogouts } from '../src/webhooks/logout-notice.ts';

export type SessionToEnd = { uidHash: string; accountId: string; now: Date };

/** @returns the grants that the session led to, for the caller to delete; undefined when it had ended before. */
export async function endSessionInSql(db: Database, session: SessionToEnd): Promise<string[] | undefined> {
  const grants = await endAndTell(db, session, (tx) => findGrants(tx, session));
  return grants?.map(({ grantId }) => grantId);
}

/** At the engine's log-out, which has deleted the grants by now and knows them still. */
export async function endSessionAtLogout(
  db: Database,
  { grants, ...session }: SessionToEnd & { grants: EndedGrant[] },
): Promise<void> {
  await endAndTell(db, session, async () => grants);
}

function endAndTell(
  db: Database,
  session: SessionToEnd,
  find: (tx: Database) => Promise<EndedGrant[]>,
): Promise<EndedGrant[] | undefined> {
  return transaction(db, async (tx) => {
    if (!(await endSession(tx, session))) return undefined;
    const grants = await find(tx);
    await noteLogouts(tx, { ...session, grants });
    return grants;
  });
}

async function findGrants(tx: Database, { accountId, uidHash }: SessionToEnd): Promise<EndedGrant[]> {
  const grants = await tx
    .select(endedGrant)
    .from(engineRecords)
    .where(
      and(
        eq(engineRecords.accountId, accountId),
        eq(engineRecords.model, 'Grant'),
        eq(engineRecords.sessionHash, uidHash),
      ),
    );
  return grants.flatMap(asEndedGrant);
}
