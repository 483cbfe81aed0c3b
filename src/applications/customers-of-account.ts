// Where a person is a customer, and what they agreed to there: for the copy of their data, and for its deletion.
import { and, asc, count, eq, isNotNull, isNull, or, sql, sum } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { consents, customers } from '../../drizzle/schema/customers.ts';
import type { Database } from '../database/connection.ts';
import { deleteSome } from '../database/expired-rows.ts';

export type CustomerOfAccount = {
  applicationId: string;
  applicationName: string;
  sub: string;
  scopes: string[];
  registeredAt: Date;
  lastSignInAt: Date;
  signInCount: number;
};

/** Oldest first, deleted applications included. */
export async function listCustomersOfAccount(db: Database, accountId: string): Promise<CustomerOfAccount[]> {
  const rows = await db
    .select({
      applicationId: customers.applicationId,
      applicationName: applications.name,
      sub: customers.sub,
      scopes: consents.scopes,
      registeredAt: customers.registeredAt,
      lastSignInAt: customers.lastSignInAt,
      signInCount: customers.signInCount,
    })
    .from(customers)
    .innerJoin(applications, eq(applications.id, customers.applicationId))
    .leftJoin(
      consents,
      and(eq(consents.applicationId, customers.applicationId), eq(consents.accountId, customers.accountId)),
    )
    .where(eq(customers.accountId, accountId))
    .orderBy(asc(customers.registeredAt));
  return rows.map((row) => ({ ...row, scopes: row.scopes ?? [] }));
}

export type ConnectedApplication = {
  applicationId: string;
  clientId: string;
  name: string;
  hasLogo: boolean;
  /** null: withdrawn, or never given. */
  scopes: string[] | null;
  since: Date;
  /** null: agreed, but never arrived. */
  lastSignInAt: Date | null;
};

/** The applications that know the person or may, last used first; those that were deleted are nobody's to sign in to. */
export async function listConnectedApplications(
  db: Database,
  accountId: string,
): Promise<ConnectedApplication[]> {
  return connectedApplications(db, accountId);
}

/** Nothing for one that the person is not connected to. */
export async function findConnectedApplication(
  db: Database,
  { accountId, applicationId }: { accountId: string; applicationId: string },
): Promise<ConnectedApplication | undefined> {
  const [connection] = await connectedApplications(db, accountId, applicationId);
  return connection;
}

async function connectedApplications(
  db: Database,
  accountId: string,
  applicationId?: string,
): Promise<ConnectedApplication[]> {
  const lastUsed = sql`coalesce(${customers.lastSignInAt}, ${consents.grantedAt})`;
  return db
    .select({
      applicationId: applications.id,
      clientId: applications.clientId,
      name: applications.name,
      hasLogo: sql<boolean>`${applications.logo} is not null`,
      scopes: consents.scopes,
      since: sql`coalesce(${customers.registeredAt}, ${consents.grantedAt})`.mapWith(consents.grantedAt),
      lastSignInAt: customers.lastSignInAt,
    })
    .from(applications)
    .leftJoin(
      customers,
      and(eq(customers.applicationId, applications.id), eq(customers.accountId, accountId)),
    )
    .leftJoin(consents, and(eq(consents.applicationId, applications.id), eq(consents.accountId, accountId)))
    .where(
      and(
        applicationId === undefined ? undefined : eq(applications.id, applicationId),
        isNull(applications.deletedAt),
        or(isNotNull(customers.accountId), isNotNull(consents.accountId)),
      ),
    )
    .orderBy(sql`${lastUsed} desc`, asc(applications.id));
}

/** The next sign-in asks again. The caller ends what the application holds. */
export async function withdrawConsent(
  tx: Database,
  { accountId, applicationId }: { accountId: string; applicationId: string },
): Promise<void> {
  await tx
    .delete(consents)
    .where(and(eq(consents.accountId, accountId), eq(consents.applicationId, applicationId)));
}

/** The next sign-in to each application asks again: the account has another owner, or its owner back. */
export async function deleteConsents(tx: Database, accountId: string): Promise<void> {
  await tx.delete(consents).where(eq(consents.accountId, accountId));
}

/** Of an account that ended. @returns how many went, at most as many as asked. */
export function deleteSomeConsents(tx: Database, accountId: string, rows: number): Promise<number> {
  return deleteSome(tx, { table: consents, which: eq(consents.accountId, accountId), rows });
}

/** By their index; the sign-ins at all of them together. */
export async function countCustomersOfAccount(
  db: Database,
  accountId: string,
): Promise<{ count: number; signIns: number }> {
  const [found] = await db
    .select({ count: count(), signIns: sum(customers.signInCount).mapWith(Number) })
    .from(customers)
    .where(eq(customers.accountId, accountId));
  return { count: found?.count ?? 0, signIns: found?.signIns ?? 0 };
}

/** One that still says whose it is. */
export async function findCustomerOfAccount(
  db: Database,
  accountId: string,
): Promise<{ applicationId: string; sub: string } | undefined> {
  const [customer] = await db
    .select({ applicationId: customers.applicationId, sub: customers.sub })
    .from(customers)
    .where(eq(customers.accountId, accountId))
    .orderBy(asc(customers.applicationId))
    .limit(1);
  return customer;
}

/** Of an account that ended: the customer stays for the ledger's sake, and nothing says any more who it was. */
export async function forgetCustomerOfAccount(
  tx: Database,
  { accountId, applicationId }: { accountId: string; applicationId: string },
): Promise<void> {
  await tx
    .update(customers)
    .set({ accountId: sql`'deleted ' || ${customers.sub}` })
    .where(and(eq(customers.accountId, accountId), eq(customers.applicationId, applicationId)));
}
