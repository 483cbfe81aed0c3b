// Accounts, linked identities and passkeys that are older than proofs get proofs that say so (docs/decisions/0701): some at
// a time, each bite a transaction, so that whoever is killed has done what was committed and the next one goes on there.
import { and, asc, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { accounts, passkeys, socialIdentities } from '../../drizzle/schema/accounts.ts';
import { proofImports, proofs } from '../../drizzle/schema/proofs.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import { type Database, isOneOf, transaction } from '../database/connection.ts';
import { newId } from '../id.ts';
import { importBatch, importSeconds } from '../limits/account.ts';
import { sha256 } from '../secrets.ts';
import { type Proof, readProofTime } from './proof.ts';

export const IDENTITY_IMPORT = 'identity';
/** No cookie and no interaction has this value. */
const NOWHERE = sha256('import, seen in no browser');

/** @returns how many rows have their proofs now: less than a whole bite, whatever the reason, is the last one. */
type Bite = (tx: Database, until: Date, provenAt: Date) => Promise<number>;

/** @returns how many were taken over; `isStopped` is asked between two bites. */
export async function importProofs(
  db: Database,
  { clock, isStopped = () => false }: { clock: Clock; isStopped?: () => boolean },
): Promise<number> {
  const until = await importedUntil(db, clock());
  let imported = 0;
  for (const bite of [importAccounts, importIdentities, importPasskeys]) {
    for (let taken = importBatch; taken === importBatch && !isStopped(); imported += taken)
      taken = await transaction(db, async (tx) => bite(tx, until, await readProofTime(tx, clock)));
  }
  return imported;
}

/**
 * Where nobody has an account yet, no earlier release was at work, and whatever lacks its proofs lacks them by a fault. The
 * first answer stays.
 */
async function importedUntil(db: Database, now: Date): Promise<Date> {
  const [somebody] = await db.select({ id: accounts.id }).from(accounts).limit(1);
  const until = somebody ? secondsAfter(now, importSeconds) : now;
  await db.insert(proofImports).values({ name: IDENTITY_IMPORT, until }).onConflictDoNothing();
  const [kept] = await db.select().from(proofImports).where(eq(proofImports.name, IDENTITY_IMPORT));
  if (!kept) throw new Error('the row was written just now');
  return kept.until;
}

const importAccounts: Bite = async (tx, until, provenAt) => {
  const found = await tx
    .select()
    .from(accounts)
    .where(and(isNull(accounts.mailboxProofId), isNull(accounts.deletedAt), lte(accounts.createdAt, until)))
    .orderBy(asc(accounts.id))
    .limit(importBatch)
    .for('update', { skipLocked: true });
  const imported = found.map((account) => ({
    ...importedProof(account, provenAt),
    mailbox: account.email,
    isMailboxVerified: account.emailVerified,
    provider: account.vouchedBy,
  }));
  await recordProofs(tx, imported);
  const proofOf = idsBy(
    imported.map(({ accountId, id }) => ({ key: accountId, proofId: id })),
    accounts.id,
  );
  const updated = await tx
    .update(accounts)
    .set({ mailboxProofId: proofOf })
    .where(
      isOneOf(
        accounts.id,
        found.map(({ id }) => id),
      ),
    )
    .returning({ id: accounts.id });
  return updated.length;
};

const importIdentities: Bite = async (tx, until, provenAt) => {
  const { provider, subject, accountId, createdAt, proofId, ownerProofId } = socialIdentities;
  const found = await tx
    .select({ identity: socialIdentities, generation: accounts.generation })
    .from(socialIdentities)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(and(or(isNull(proofId), isNull(ownerProofId)), lte(createdAt, until)))
    .orderBy(asc(provider), asc(subject))
    .limit(importBatch)
    .for('update', { of: socialIdentities, skipLocked: true });
  const imported = found.map(({ identity, generation }) => ({
    ...importedProof({ id: identity.accountId, generation }, provenAt),
    mailbox: identity.email,
    provider: identity.provider,
    subject: identity.subject,
  }));
  await recordProofs(tx, imported);
  // One proof is both: nobody knows any more who was asked what.
  const key = sql`${provider} || ' ' || ${subject}`;
  const keys = imported.map((row) => ({ key: `${row.provider} ${row.subject}`, proofId: row.id }));
  const proofOf = idsBy(keys, key);
  const updated = await tx
    .update(socialIdentities)
    .set({ proofId: proofOf, ownerProofId: proofOf })
    .where(sql`${key} = any(${sql.param(keys.map((one) => one.key))}::text[])`)
    .returning({ id: accountId });
  return updated.length;
};

const importPasskeys: Bite = async (tx, until, provenAt) => {
  const found = await tx
    .select({ id: passkeys.id, accountId: passkeys.accountId, generation: accounts.generation })
    .from(passkeys)
    .innerJoin(accounts, eq(accounts.id, passkeys.accountId))
    .where(and(isNull(passkeys.ownerProofId), lte(passkeys.createdAt, until)))
    .orderBy(asc(passkeys.id))
    .limit(importBatch)
    .for('update', { of: passkeys, skipLocked: true });
  const imported = found.map(({ id, accountId, generation }) => ({
    ...importedProof({ id: accountId, generation }, provenAt),
    passkeyId: id,
  }));
  await recordProofs(tx, imported);
  const keys = imported.map((row) => ({ key: row.passkeyId, proofId: row.id }));
  const updated = await tx
    .update(passkeys)
    .set({ ownerProofId: idsBy(keys, passkeys.id) })
    .where(
      isOneOf(
        passkeys.id,
        found.map(({ id }) => id),
      ),
    )
    .returning({ id: passkeys.id });
  return updated.length;
};

/** It opens nothing, whatever is known of it: no sign-in has this purpose. */
function importedProof({ id: accountId, generation }: { id: string; generation: number }, provenAt: Date) {
  return {
    id: newId('pro'),
    interactionHash: NOWHERE,
    browserHash: NOWHERE,
    purpose: 'import',
    method: 'import',
    accountId,
    isNewAccount: false,
    generation,
    mailbox: null,
    isMailboxVerified: false,
    provider: null,
    subject: null,
    name: null,
    passkeyId: null,
    provenAt,
  } satisfies Proof;
}

async function recordProofs(tx: Database, imported: Proof[]): Promise<void> {
  if (imported.length > 0) await tx.insert(proofs).values(imported);
}

/** The proof of the row whose key this is. */
function idsBy(
  pairs: { key: string; proofId: string }[],
  key: SQL | typeof accounts.id | typeof passkeys.id,
): SQL {
  const proofOf = Object.fromEntries(pairs.map((pair) => [pair.key, pair.proofId]));
  return sql`${JSON.stringify(proofOf)}::jsonb ->> (${key})`;
}
