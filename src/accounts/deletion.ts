// The end of an account, and the copy of it that its owner may ask for. Everything that names the person goes; what
// companies paid stays in the ledger under a `sub` that leads nowhere any more. Closing is brief and final; what belonged
// to the account goes afterwards, in bites, and the row last of all.
import { and, eq, lte, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { accounts, emailChanges, passkeys, socialIdentities } from '../../drizzle/schema/accounts.ts';
import { engineRecords } from '../../drizzle/schema/engine.ts';
import { developmentInbox } from '../../drizzle/schema/operations.ts';
import { pageSessions, sessions, signedInBrowsers } from '../../drizzle/schema/sessions.ts';
import { flows } from '../../drizzle/schema/sign-ins.ts';
import type { Database } from '../database/connection.ts';
import { deleteSome } from '../database/expired-rows.ts';
import type { Account } from './account.ts';
import type { PageSession } from './page-session.ts';
import { deleteNewcomersProofs, deleteSomeProofsOf, type EndedPerson } from './proof-end.ts';
import { endFlowsOfEmail } from './sign-in-flow.ts';

/**
 * From the commit on nothing opens it: no proof, session or token of an earlier generation counts, in whatever store, no
 * way in is left, and the row names nobody, so the address is free again. A few rows, however much belonged to it.
 * @param account held
 */
export async function closeAccount(
  tx: Database,
  { id, email, now }: Pick<Account, 'id' | 'email'> & { now: Date },
): Promise<EndedPerson> {
  const identities = await tx
    .delete(socialIdentities)
    .where(eq(socialIdentities.accountId, id))
    .returning({ provider: socialIdentities.provider, subject: socialIdentities.subject });
  for (const table of [passkeys, emailChanges]) await tx.delete(table).where(eq(table.accountId, id));
  await endFlowsOfEmail(tx, { email, now });
  await tx
    .update(accounts)
    .set({
      // No mailbox has this address.
      email: `deleted ${id}`,
      name: null,
      passwordHash: null,
      vouchedBy: null,
      mailboxProofId: null,
      generation: sql`${accounts.generation} + 1`,
      generationProofId: null,
      updatedAt: now,
      deletedAt: now,
    })
    .where(eq(accounts.id, id));
  await deleteNewcomersProofs(tx, email);
  // A provider's word that waits for its owner knows an address, or only the provider's own number.
  const names = identities.map(({ provider, subject }) => `${provider} ${subject}`);
  return { id, email, identities: names, closedAt: now };
}

/**
 * What belonged to a closed account, in an order in which nothing ever refers to what is gone already.
 * @returns how many rows went, at most as many as asked: when there were none, the account is gone as well.
 */
export async function deleteSomeOfAccount(tx: Database, person: EndedPerson, rows: number): Promise<number> {
  const { id, email, closedAt } = person;
  let deleted = 0;
  const parts: [PgTable, SQL | undefined][] = [
    [engineRecords, eq(engineRecords.accountId, id)],
    [flows, and(eq(flows.email, email), lte(flows.createdAt, closedAt))],
    [developmentInbox, and(eq(developmentInbox.recipient, email), lte(developmentInbox.sentAt, closedAt))],
    [pageSessions, eq(pageSessions.accountId, id)],
    [sessions, eq(sessions.accountId, id)],
    [signedInBrowsers, eq(signedInBrowsers.accountId, id)],
  ];
  for (const [table, which] of parts) {
    deleted += await deleteSome(tx, { table, which, rows: rows - deleted });
    if (deleted === rows) return deleted;
  }
  deleted += await deleteSomeProofsOf(tx, person, rows - deleted);
  if (deleted > 0) return deleted;
  await tx.delete(accounts).where(eq(accounts.id, id));
  return deleted;
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
  const copy = (row: Pick<PageSession, 'createdAt' | 'lastSeenAt' | 'userAgent' | 'ipAddress'>) => ({
    signed_in_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    user_agent: row.userAgent,
    address: row.ipAddress,
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
