// The end of proofs: of those that led nowhere when their time is over, and of all that could name a person whose account
// ended. Most old proofs are somebody's for good, so a bite is what it looks at, not what it deletes.
import { and, eq, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import { accounts, passkeys, socialIdentities } from '../../drizzle/schema/accounts.ts';
import { proofs } from '../../drizzle/schema/proofs.ts';
import { sessions } from '../../drizzle/schema/sessions.ts';
import { flows } from '../../drizzle/schema/sign-ins.ts';
import type { Clock } from '../clock.ts';
import { type Bitten, inBites } from '../database/bites.ts';
import { databaseTime } from '../database/clock.ts';
import { type Database, isOneOf, rowsOf } from '../database/connection.ts';
import { deleteSome, type Round } from '../database/expired-rows.ts';
import { proofKeptSeconds } from '../limits/account.ts';

/** How far housekeeping is on its way through the old proofs; it goes on there in the next round. */
export type ProofWalk = { after?: { provenAt: string; id: string } | undefined };

/** For housekeeping: those that nothing refers to, when no interaction can still be about them. */
export async function deleteStaleProofs(
  db: Database,
  clock: Clock,
  { walk = {}, ...round }: Round & { walk?: ProofWalk } = {},
): Promise<Bitten> {
  const looked = await inBites(db, {
    ...round,
    bite: (tx, rows) => deleteUnusedOf(tx, { clock, walk, rows }),
  });
  if (looked.isFinished) walk.after = undefined;
  return looked;
}

async function deleteUnusedOf(
  tx: Database,
  { clock, walk, rows }: { clock: Clock; walk: ProofWalk; rows: number },
): Promise<number> {
  const { provenAt, id } = proofs;
  const { after } = walk;
  const isStale = sql`${provenAt} < ${databaseTime(clock)} - make_interval(secs => ${proofKeptSeconds})`;
  const isNext = after && sql`and (${provenAt}, ${id}) > (${after.provenAt}::timestamptz, ${after.id}::text)`;
  const [row] = rowsOf(
    await tx.execute(sql`
      with looked as materialized (
        select ${id} as id, ${provenAt} as proven_at from ${proofs}
        where ${isStale} ${isNext} order by ${provenAt}, ${id} limit ${rows}
      ), deleted as (delete from ${proofs} where ${id} = any(array(select looked.id from looked)) and ${isUnused()})
      select (select count(*)::int from looked) as count, last.proven_at::text as proven_at, last.id
      from (select * from looked order by looked.proven_at desc, looked.id desc limit 1) as last`),
  );
  if (row) walk.after = { provenAt: String(row.proven_at), id: String(row.id) };
  return Number(row?.count ?? 0);
}

/** Of an account that ended: its address, and its identities as `provider subject`. */
export type EndedPerson = {
  id: string;
  email: string;
  identities: string[];
  /** Whoever comes with the same address afterwards is somebody new, who may be registering at this moment. */
  closedAt: Date;
};

/**
 * All that could name the person: what the account proved, and what was proven of its mailboxes and identities and led
 * nowhere. @returns how many went, at most as many as asked: when it is fewer, none are left.
 */
export async function deleteSomeProofsOf(tx: Database, person: EndedPerson, rows: number): Promise<number> {
  const own = await tx
    .select({ id: proofs.id, mailbox: proofs.mailbox })
    .from(proofs)
    .where(eq(proofs.accountId, person.id))
    .limit(rows);
  // First what its own proofs lead to: once they are gone, nothing says any more which mailboxes it had.
  const mailboxes = [...new Set([person.email, ...own.flatMap(({ mailbox }) => mailbox ?? [])])];
  const isOfIdentity = person.identities.map((identity) => {
    const [provider = '', ...subject] = identity.split(' ');
    return and(eq(proofs.provider, provider), eq(proofs.subject, subject.join(' ')));
  });
  const namesPerson = or(isOneOf(proofs.mailbox, mailboxes), ...isOfIdentity);
  const isBefore = lte(proofs.provenAt, person.closedAt);
  const others = await deleteSome(tx, { table: proofs, which: and(namesPerson, isBefore, isUnused()), rows });
  if (others === rows || own.length === 0) return others;
  const some = own.slice(0, rows - others).map(({ id }) => id);
  await tx.delete(proofs).where(inArray(proofs.id, some));
  return others + some.length;
}

/** Of a mailbox whose account ends: what was proven of it before the account was made, and may not make another one. */
export async function deleteNewcomersProofs(tx: Database, mailbox: string): Promise<void> {
  await tx.delete(proofs).where(and(eq(proofs.mailbox, mailbox), eq(proofs.isNewAccount, true), isUnused()));
}

/** Nothing stands on it. Each question has an index of its own, so that it stays cheap however many people there are. */
function isUnused(): SQL {
  return sql`not exists (select 1 from ${sessions} where ${sessions.proofId} = ${proofs.id})
    and not exists (select 1 from ${accounts} where ${accounts.id} = ${proofs.accountId}
      and ${proofs.id} in (${accounts.mailboxProofId}, ${accounts.generationProofId}))
    and not exists (select 1 from ${socialIdentities} where ${socialIdentities.accountId} = ${proofs.accountId}
      and ${proofs.id} in (${socialIdentities.proofId}, ${socialIdentities.ownerProofId}))
    and not exists (select 1 from ${socialIdentities} where ${socialIdentities.provider} = ${proofs.provider}
      and ${socialIdentities.subject} = ${proofs.subject} and ${socialIdentities.proofId} = ${proofs.id})
    and not exists (select 1 from ${passkeys} where ${passkeys.accountId} = ${proofs.accountId}
      and ${passkeys.ownerProofId} = ${proofs.id})
    and not exists (select 1 from ${flows} where ${flows.interactionHash} = ${proofs.interactionHash}
      and ${proofs.id} in (${flows.proofId}, ${flows.linkProofId}))`;
}
