// What somebody has proven, as facts that never change (docs/decisions/0701): this browser, in this interaction, proved
// this mailbox, password, passkey or provider's subject, at this moment. Whatever is decided later refers to one of these.
import { and, desc, eq, gt, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { proofs, proofUses } from '../../drizzle/schema/proofs.ts';
import type { Clock } from '../clock.ts';
import { databaseTime } from '../database/clock.ts';
import type { Database } from '../database/connection.ts';
import { newId } from '../id.ts';
import { interactionSeconds } from '../limits/token-lifetimes.ts';
import { sha256 } from '../secrets.ts';

export type Proof = typeof proofs.$inferSelect;
type Account = typeof accounts.$inferSelect;
export type ProofPurpose = Proof['purpose'];

/** `uid` of the interaction, or id of the page session; value of the browser's cookie, '' when it has none. */
export type Place = { uid: string; browser: string };

/** Read before the secret: what is proven afterwards counts for this account as it was then. */
export type Opens = Pick<Proof, 'accountId' | 'generation' | 'isNewAccount'>;

type Said =
  | { method: 'code' | 'mail_link'; mailbox: string }
  | { method: 'password' }
  | { method: 'passkey'; passkeyId: string }
  | {
      method: 'provider';
      provider: string;
      subject: string;
      mailbox: string | undefined;
      isMailboxVerified: boolean;
      name: string | undefined;
    };

export type NewProof = { place: Place; purpose: ProofPurpose; opens: Opens; provenAt: Date } & Said;

/** What a proof opens whose mailbox, or password, is this account's; without one, an account that it may create. */
export function opensFor(account: Pick<Account, 'id' | 'generation'> | undefined): Opens {
  if (account) return { accountId: account.id, generation: account.generation, isNewAccount: false };
  return { accountId: newId('acc'), generation: FIRST_GENERATION, isNewAccount: true };
}

/** A provider's word about somebody whom we cannot tell by it yet. */
export const opensNothing: Opens = { accountId: null, generation: 0, isNewAccount: false };

export const FIRST_GENERATION = 1;

export async function recordProof(tx: Database, proof: NewProof): Promise<Proof> {
  const { place, opens, purpose, provenAt, ...said } = proof;
  if (place.browser === '') throw new Error('a proof of no browser');
  const isByMail = said.method === 'code' || said.method === 'mail_link';
  const row: Proof = {
    id: newId('pro'),
    interactionHash: sha256(place.uid),
    browserHash: sha256(place.browser),
    purpose,
    ...opens,
    mailbox: null,
    isMailboxVerified: isByMail,
    provider: null,
    subject: null,
    name: null,
    passkeyId: null,
    ...Object.fromEntries(Object.entries(said).map(([key, value]) => [key, value ?? null])),
    method: said.method,
    provenAt,
  };
  await tx.insert(proofs).values(row);
  return row;
}

/** The database's time, to be read before the secret is. */
export async function readProofTime(db: Database, clock: Clock): Promise<Date> {
  const [row] = await db.select({ at: databaseTime(clock) }).from(sql`(values (1)) as one`);
  if (!row) throw new Error('a select without a table returned no row');
  return row.at;
}

/** One of this browser's in this interaction, or none; `undefined` for a place that the caller has checked. */
export async function findProof(
  db: Database,
  id: string,
  place: Place | undefined,
): Promise<Proof | undefined> {
  const [proof] = await db
    .select()
    .from(proofs)
    .where(and(eq(proofs.id, id), place && isOfPlace(place)));
  return proof;
}

/** The provider's word that came last in this interaction of this browser, used or not. */
export async function findProviderProof(db: Database, place: Place): Promise<Proof | undefined> {
  const [proof] = await db
    .select()
    .from(proofs)
    .where(and(isOfPlace(place), eq(proofs.method, 'provider')))
    .orderBy(desc(proofs.provenAt), desc(proofs.id))
    .limit(1);
  return proof;
}

/** The password that was set in this interaction of this browser, by a recovery that nothing has undone since. */
export async function findNewPassword(db: Database, place: Place): Promise<Proof | undefined> {
  const recovery = alias(proofs, 'recovery');
  const [found] = await db
    .select({ proof: proofs })
    .from(proofs)
    .innerJoin(accounts, opensAccount())
    .innerJoin(recovery, eq(recovery.id, accounts.generationProofId))
    .where(
      and(
        isOfPlace(place),
        eq(proofs.method, 'password'),
        eq(recovery.purpose, 'recovery'),
        eq(recovery.interactionHash, proofs.interactionHash),
        eq(recovery.browserHash, proofs.browserHash),
      ),
    );
  return found?.proof;
}

/** The one rule: it names the account in its present generation, or is what raised it to that. */
export function opensAccount(): SQL | undefined {
  return and(
    eq(proofs.accountId, accounts.id),
    or(
      eq(proofs.generation, accounts.generation),
      and(eq(accounts.generationProofId, proofs.id), eq(accounts.generation, sql`${proofs.generation} + 1`)),
    ),
  );
}

/** The account that this proof opens now, held until the end of the transaction; undefined when it opens none. */
export async function openAccount(
  tx: Database,
  { proofId, clock }: { proofId: string; clock: Clock },
): Promise<Account | undefined> {
  const oldest = sql`${databaseTime(clock)} - make_interval(secs => ${interactionSeconds})`;
  const [found] = await tx
    .select({ account: accounts })
    .from(proofs)
    .innerJoin(accounts, opensAccount())
    .where(and(eq(proofs.id, proofId), gt(proofs.provenAt, oldest)))
    .for('update', { of: accounts });
  return found?.account;
}

/** @returns whether it is still there; it stays until the end of the transaction. */
export async function holdProof(tx: Database, id: string): Promise<boolean> {
  const found = await tx.select({ id: proofs.id }).from(proofs).where(eq(proofs.id, id)).for('key share');
  return found.length === 1;
}

type Use = { proofId: string; use: (typeof proofUses.$inferSelect)['use']; sessionHash?: string; now: Date };

/** @returns true for the one call that used it for this. */
export async function useProof(tx: Database, { proofId, use, sessionHash, now }: Use): Promise<boolean> {
  const used = await tx
    .insert(proofUses)
    .values({ proofId, use, sessionHash: sessionHash ?? null, usedAt: now })
    .onConflictDoNothing()
    .returning({ proofId: proofUses.proofId });
  return used.length === 1;
}

function isOfPlace({ uid, browser }: Place): SQL | undefined {
  return and(eq(proofs.interactionHash, sha256(uid)), eq(proofs.browserHash, sha256(browser)));
}
