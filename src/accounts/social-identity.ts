// A person's identities at social providers (section 1.2). Provider and subject are the identity, never an address: an
// address can change hands, and a provider can be wrong about it (attacks 50, 51).
import { and, asc, eq } from 'drizzle-orm';
import { accounts, socialIdentities } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';
import type { Account } from './account.ts';

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

export type NewSocialIdentity = Which & { accountId: string; email: string | undefined; now: Date };

/**
 * @returns whether it is linked now and was not before. False too when it belongs to another account, or this account
 * has another identity at the same provider: neither is ever replaced without the person unlinking it first.
 */
export async function linkSocialIdentity(tx: Database, identity: NewSocialIdentity): Promise<boolean> {
  const { provider, subject, accountId, email = null, now } = identity;
  const linked = await tx
    .insert(socialIdentities)
    .values({ provider, subject, accountId, email, createdAt: now, lastUsedAt: now })
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
