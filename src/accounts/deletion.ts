// The end of an account, and the copy of it that its owner may ask for. Everything that names the person goes; what
// companies paid stays in the ledger under a `sub` that leads nowhere any more.
import { eq } from 'drizzle-orm';
import { accounts, developmentInbox, flows } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';
import type { Account } from './account.ts';

export async function deleteAccount(tx: Database, account: Pick<Account, 'id' | 'email'>): Promise<void> {
  await tx.delete(flows).where(eq(flows.email, account.email));
  await tx.delete(developmentInbox).where(eq(developmentInbox.recipient, account.email));
  await tx.delete(accounts).where(eq(accounts.id, account.id));
}

/** Without the password's hash, which is of use only to who wants to guess it. */
export function accountForOwner(account: Account) {
  return {
    id: account.id,
    email: account.email,
    email_verified: account.emailVerified,
    name: account.name,
    locale: account.locale,
    has_password: account.passwordHash !== null,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  };
}
