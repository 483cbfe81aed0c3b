// Applications that asked for it hear that somebody's session with them has ended (OpenID Connect Back-Channel Logout 1.0):
// a row for each, in the transaction that ends it, so that nothing is told that did not happen. logout-loop.ts sends them.
import { and, asc, eq, sql } from 'drizzle-orm';
import { engineRecords } from '../../drizzle/schema/engine.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { newId } from '../id.ts';
import { notify } from '../queue/jobs.ts';
import { dueAt } from './enqueue.ts';

/** There is something to tell; whoever hears of it looks for it. */
export const LOGOUTS = 'logouts';

/** What an application held of a session that is over. */
export type EndedGrant = { clientId: string; grantId: string };

export type Ended = { accountId: string; grants: EndedGrant[]; now: Date };

/** Only for applications that work and named an address; our own pages and trials are none. */
export async function noteLogouts(tx: Database, { accountId, grants, now }: Ended): Promise<void> {
  if (grants.length === 0) return;
  const rows = grants.map((grant) => ({ id: newId('lgt'), ...grant }));
  await tx.execute(sql`
    with noted as (
      insert into logout_notices (
        id, application_id, account_id, grant_id, status, attempt_count, next_attempt_at, created_at
      )
      select ended.id, application.id, ${accountId}::text, ended."grantId", 'pending', 0, ${dueAt(now)},
        ${now.toISOString()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ended(id text, "clientId" text, "grantId" text)
      join applications application on application.client_id = ended."clientId"
      where application.backchannel_logout_uri is not null
        and application.disabled_at is null and application.deleted_at is null
      returning 1
    )
    select ${notify(LOGOUTS)} from noted limit 1`);
}

/** Some grants of an account that is closed, in the bites of its end. @returns how many, at most as many as asked */
export async function endSomeGrants(
  tx: Database,
  { accountId, rows, now }: { accountId: string; rows: number; now: Date },
): Promise<number> {
  const isGrant = and(eq(engineRecords.accountId, accountId), eq(engineRecords.model, 'Grant'));
  const some = await tx
    .select({ idHash: engineRecords.idHash, ...endedGrant })
    .from(engineRecords)
    .where(isGrant)
    .orderBy(asc(engineRecords.idHash))
    .limit(rows)
    .for('update');
  if (some.length === 0) return 0;
  await noteLogouts(tx, { accountId, grants: some.flatMap(asEndedGrant), now });
  const chosen = some.map(({ idHash }) => idHash);
  await tx.delete(engineRecords).where(and(isGrant, isOneOf(engineRecords.idHash, chosen)));
  return some.length;
}

/** Of the engine's record of a grant. */
export const endedGrant = {
  clientId: sql<string | null>`${engineRecords.payload} ->> 'clientId'`,
  grantId: engineRecords.grantId,
};

export function asEndedGrant({
  clientId,
  grantId,
}: {
  clientId: string | null;
  grantId: string | null;
}): EndedGrant[] {
  return clientId && grantId ? [{ clientId, grantId }] : [];
}
