// The customers of one application, newest first (specification §2 "Customer", §4.5). A page starts after the
// last row of the page before, not at an offset: every depth costs the same, and no insert shifts a row.
import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { accounts, customers } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';

export type CustomerFilters = {
  sub?: string | undefined;
  /** Normalised as accounts store it. */
  email?: string | undefined;
  /** From this moment on, itself included. */
  createdAfter?: Date | undefined;
  /** Up to this moment, itself excluded: windows that touch share no row and lose none. */
  createdBefore?: Date | undefined;
};

export type CustomerListing = {
  applicationId: string;
  filters: CustomerFilters;
  /** Place of the last row that the caller has. */
  after?: { time: Date; id: string } | undefined;
  limit: number;
};

export type CustomerRow = {
  sub: string;
  email: string;
  emailVerified: boolean;
  name: string | null;
  registeredAt: Date;
  lastSignInAt: Date;
  signInCount: number;
};

export async function listCustomers(
  db: Database,
  listing: CustomerListing,
): Promise<{ rows: CustomerRow[]; hasMore: boolean }> {
  const rows = await customersQuery(db, listing);
  return { rows: rows.slice(0, listing.limit), hasMore: rows.length > listing.limit };
}

/** One row more than asked for says whether there is a next page, without counting. */
export function customersQuery(db: Database, { applicationId, filters, after, limit }: CustomerListing) {
  return db
    .select({
      sub: customers.sub,
      email: accounts.email,
      emailVerified: accounts.emailVerified,
      name: accounts.name,
      registeredAt: customers.registeredAt,
      lastSignInAt: customers.lastSignInAt,
      signInCount: customers.signInCount,
    })
    .from(customers)
    .innerJoin(accounts, eq(accounts.id, customers.accountId))
    .where(and(eq(customers.applicationId, applicationId), ...conditions(filters), olderThan(after)))
    .orderBy(...newestFirst())
    .limit(limit + 1);
}

function conditions({ sub, email, createdAfter, createdBefore }: CustomerFilters): (SQL | undefined)[] {
  return [
    sub === undefined ? undefined : eq(customers.sub, sub),
    email === undefined ? undefined : eq(accounts.email, email),
    createdAfter && gte(customers.registeredAt, createdAfter),
    createdBefore && lt(customers.registeredAt, createdBefore),
  ];
}

/** One row comparison, so that PostgreSQL enters the index customers_newest_first at exactly this place. */
function olderThan(after: CustomerListing['after']): SQL | undefined {
  if (!after) return undefined;
  const time = sql.param(after.time, customers.registeredAt);
  return sql`(${customers.registeredAt}, ${customers.sub}) < (${time}::timestamptz, ${after.id}::text)`;
}

/** "nulls last" because the index says so; without it PostgreSQL sorts the whole application for each page. */
function newestFirst(): SQL[] {
  return [sql`${customers.registeredAt} desc nulls last`, sql`${customers.sub} desc nulls last`];
}
