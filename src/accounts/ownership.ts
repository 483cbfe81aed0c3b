// Whose account it is that a social provider's word made (threat 40, docs/decisions/0601). Until our own code has proven
// the address once, somebody else may have been first, through a provider that was wrong: what they left is removed then.
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { accounts, emailChanges, passkeys, socialIdentities } from '../../drizzle/schema/accounts.ts';
import type { Database } from '../database/connection.ts';
import type { Account } from './account.ts';
import type { Proof } from './proof.ts';

/**
 * The first proof of the address: password, passkeys, linked identities and pending address changes from before are
 * gone. (The old address's way to take a change back stays.) The caller raises the generation and sends the notice.
 * @param proof a code's, of the account's address
 * @returns whether this was the first proof; one conditional write, so that it happens once.
 */
export async function claimAccount(
  tx: Database,
  { account, proof, now }: { account: Pick<Account, 'id' | 'email'>; proof: Proof; now: Date },
): Promise<boolean> {
  if (proof.method !== 'code' || proof.mailbox !== account.email) return false;
  const claimed = await tx
    .update(accounts)
    .set({ vouchedBy: null, mailboxProofId: proof.id, passwordHash: null, updatedAt: now })
    .where(and(eq(accounts.id, account.id), isNotNull(accounts.vouchedBy)))
    .returning({ id: accounts.id });
  if (claimed.length === 0) return false;
  await tx.delete(socialIdentities).where(eq(socialIdentities.accountId, account.id));
  await tx.delete(passkeys).where(eq(passkeys.accountId, account.id));
  await tx
    .delete(emailChanges)
    .where(and(eq(emailChanges.accountId, account.id), isNull(emailChanges.confirmedAt)));
  return true;
}
