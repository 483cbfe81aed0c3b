// The end of an account, and the copy of it that its owner may ask for. Everything that names the person goes; what
// companies paid stays in the ledger under a `sub` that leads nowhere any more.
import { eq } from 'drizzle-orm';
import {
  accounts,
  developmentInbox,
  emailChanges,
  flows,
  pageSessions,
  passkeys,
  sessions,
  signedInBrowsers,
  socialIdentities,
} from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';
import type { Account } from './account.ts';
import type { PageSession } from './page-session.ts';
import { deleteProofsOfPerson } from './proof.ts';

/** @param tx in which `holdAccount` came first */
export async function deleteAccount(tx: Database, account: Pick<Account, 'id' | 'email'>): Promise<void> {
  const { id, email } = account;
  // A provider's word that waits for its owner knows an address, or only the provider's own number.
  const identities = await tx.select().from(socialIdentities).where(eq(socialIdentities.accountId, id));
  await tx.delete(flows).where(eq(flows.email, email));
  await tx.delete(developmentInbox).where(eq(developmentInbox.recipient, email));
  for (const table of [socialIdentities, passkeys, pageSessions, sessions, signedInBrowsers, emailChanges])
    await tx.delete(table).where(eq(table.accountId, id));
  await tx.delete(accounts).where(eq(accounts.id, id));
  await deleteProofsOfPerson(tx, { id, email, identities });
}

/** Without what is of use only to who wants to be this person: hashes, keys and tokens. */
export async function copyOfAccount(db: Database, account: Account) {
  const { id } = account;
  return {
    account: {
      id,
      email: account.email,
      email_verified: account.emailVerified,
      name: account.name,
      locale: account.locale,
      has_password: account.passwordHash !== null,
      vouched_for_by: account.vouchedBy,
      created_at: account.createdAt.toISOString(),
      updated_at: account.updatedAt.toISOString(),
    },
    passkeys: await copyOfPasskeys(db, id),
    social_identities: await copyOfIdentities(db, id),
    ...(await copyOfSessions(db, id)),
    email_changes: await copyOfEmailChanges(db, id),
  };
}

async function copyOfPasskeys(db: Database, accountId: string) {
  const rows = await db.select().from(passkeys).where(eq(passkeys.accountId, accountId));
  return rows.map(({ name, backedUp, transports, createdAt, lastUsedAt }) => ({
    name,
    backed_up: backedUp,
    transports,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }));
}

async function copyOfIdentities(db: Database, accountId: string) {
  const rows = await db.select().from(socialIdentities).where(eq(socialIdentities.accountId, accountId));
  return rows.map(({ provider, subject, email, createdAt, lastUsedAt }) => ({
    provider,
    subject,
    email,
    linked_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }));
}

async function copyOfSessions(db: Database, accountId: string) {
  const onPages = await db.select().from(pageSessions).where(eq(pageSessions.accountId, accountId));
  const browsers = await db.select().from(sessions).where(eq(sessions.accountId, accountId));
  const copy = (row: Pick<PageSession, 'createdAt' | 'lastSeenAt' | 'userAgent' | 'address'>) => ({
    signed_in_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    user_agent: row.userAgent,
    address: row.address,
  });
  return {
    page_sessions: onPages.map((row) => ({ area: row.area, ...copy(row) })),
    signed_in_browsers: browsers.map(copy),
  };
}

async function copyOfEmailChanges(db: Database, accountId: string) {
  const rows = await db.select().from(emailChanges).where(eq(emailChanges.accountId, accountId));
  return rows.map(({ oldEmail, newEmail, createdAt, confirmedAt, cancelledAt }) => ({
    old_email: oldEmail,
    new_email: newEmail,
    asked_at: createdAt.toISOString(),
    confirmed_at: confirmedAt?.toISOString() ?? null,
    cancelled_at: cancelledAt?.toISOString() ?? null,
  }));
}
