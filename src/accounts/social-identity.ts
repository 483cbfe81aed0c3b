// A person's identities at social providers. Provider and subject are the identity, never an address: an
// address can change hands, and a provider can be wrong about it (threats 50, 51). A link is made from two proofs.
import { and, asc, eq, or } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { accounts, socialIdentities } from '../../drizzle/schema/accounts.ts';
import { proofs } from '../../drizzle/schema/proofs.ts';
import type { Database } from '../database/connection.ts';
import type { Account } from './account.ts';
import { opensAccount } from './proof.ts';

export type SocialIdentity = typeof socialIdentities.$inferSelect;
type Which = { provider: string; subject: string };

export async function findAccountBySocialIdentity(db: Database, which: Which): Promise<Account | undefined> {
  const [found] = await db
    .select({ account: accounts })
    .from(socialIdentities)
    .innerJoin(accounts, eq(accounts.id, socialIdentities.accountId))
    .where(isThisOne(which));
  return found?.account;
}

export async function recordSocialUse(db: Database, which: Which & { now: Date }): Promise<void> {
  await db.update(socialIdentities).set({ lastUsedAt: which.now }).where(isThisOne(which));
}

export type NewLink = {
  /** The provider's word. */
  proofId: string;
  /** The account's own proof: of the same interaction, or of the session that sent the browser to the provider. */
  ownerProofId: string;
  now: Date;
};

/**
 * @returns whether it is linked now and was not before. False too when it belongs to another account, this account has
 * another identity at the same provider, or one of the proofs opens nothing any more. Nothing is ever replaced.
 */
export async function linkSocialIdentity(
  tx: Database,
  { proofId, ownerProofId, now }: NewLink,
): Promise<boolean> {
  const word = alias(proofs, 'word');
  // On the hosted pages both were made by one browser in one interaction.
  const isOfOnePlace = and(
    eq(word.interactionHash, proofs.interactionHash),
    eq(word.browserHash, proofs.browserHash),
  );
  // From the account page the request was begun for this very account, whose session the caller has asked again.
  const isForThisAccount = and(
    eq(word.purpose, 'link'),
    eq(word.accountId, accounts.id),
    eq(word.generation, accounts.generation),
  );
  const [seen] = await tx
    .select({ provider: word.provider, subject: word.subject, email: word.mailbox, accountId: accounts.id })
    .from(proofs)
    .innerJoin(accounts, eq(accounts.id, proofs.accountId))
    .innerJoin(word, or(and(isOfOnePlace, opensAccount()), isForThisAccount))
    .where(and(eq(proofs.id, ownerProofId), eq(word.id, proofId), eq(word.method, 'provider')))
    .for('update', { of: accounts });
  if (!seen?.provider || !seen.subject) return false;
  const { provider, subject, email, accountId } = seen;
  const linked = await tx
    .insert(socialIdentities)
    .values({ provider, subject, accountId, email, proofId, ownerProofId, createdAt: now, lastUsedAt: now })
    .onConflictDoNothing()
    .returning({ subject: socialIdentities.subject });
  return linked.length === 1;
}

/** In the order in which they were linked. */
export function listSocialIdentities(db: Database, accountId: string): Promise<SocialIdentity[]> {
  return db
    .select()
    .from(socialIdentities)
    .where(eq(socialIdentities.accountId, accountId))
    .orderBy(asc(socialIdentities.createdAt), asc(socialIdentities.provider));
}

/** @returns whether there was such an identity. A code by mail remains a way in whatever else is removed. */
export async function unlinkSocialIdentity(
  tx: Database,
  which: { accountId: string; provider: string },
): Promise<boolean> {
  const removed = await tx
    .delete(socialIdentities)
    .where(
      and(eq(socialIdentities.accountId, which.accountId), eq(socialIdentities.provider, which.provider)),
    )
    .returning({ subject: socialIdentities.subject });
  return removed.length === 1;
}

function isThisOne({ provider, subject }: Which) {
  return and(eq(socialIdentities.provider, provider), eq(socialIdentities.subject, subject));
}
