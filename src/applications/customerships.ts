// Where a person is a customer, and what they agreed to there: for the copy of their data, and for its deletion.
import { and, asc, eq } from 'drizzle-orm';
import { applications, consents, customers } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';

export type Customership = {
  applicationId: string;
  applicationName: string;
  sub: string;
  scopes: string[];
  registeredAt: Date;
  lastSignInAt: Date;
  signInCount: number;
};

/** Oldest first, deleted applications included. */
export async function listCustomerships(db: Database, accountId: string): Promise<Customership[]> {
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

export async function deleteConsents(tx: Database, accountId: string): Promise<void> {
  await tx.delete(consents).where(eq(consents.accountId, accountId));
}
