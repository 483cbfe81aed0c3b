// The customers of one application, newest first.
import { and, eq, gte, isNull, lt, type SQL } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { customers } from '../../drizzle/schema/customers.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { type Place, paginationBy } from '../database/pagination.ts';

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
  after?: Place | undefined;
  /** Of the first one instead: the rows before it, in the same order. */
  before?: Place | undefined;
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

/** Of `customers` joined with `accounts`. */
export const customerColumns = {
  sub: customers.sub,
  email: accounts.email,
  emailVerified: accounts.emailVerified,
  name: accounts.name,
  registeredAt: customers.registeredAt,
  lastSignInAt: customers.lastSignInAt,
  signInCount: customers.signInCount,
};

/** A deleted account's customer has nothing left that could be shown. */
export function isPresentAccount(): SQL | undefined {
  return and(eq(accounts.id, customers.accountId), isNull(accounts.deletedAt));
}

const order = paginationBy(customers.registeredAt, customers.sub);

/** As integrators get it, from the API and in files alike. */
export function customerRecord(row: CustomerRow, { isTest }: { isTest: boolean }) {
  return {
    sub: row.sub,
    email: row.email,
    email_verified: row.emailVerified,
    name: row.name,
    registered_at: row.registeredAt.toISOString(),
    last_sign_in_at: row.lastSignInAt.toISOString(),
    sign_in_count: row.signInCount,
    livemode: !isTest,
  };
}

export async function listCustomers(
  db: Database,
  listing: CustomerListing,
): Promise<{ rows: CustomerRow[]; hasMore: boolean }> {
  const found = await customersQuery(db, listing);
  const rows = found.slice(0, listing.limit);
  return { rows: listing.before ? rows.reverse() : rows, hasMore: found.length > listing.limit };
}

/** One row more than asked for says whether there is a next page, without counting. */
export function customersQuery(db: Database, listing: CustomerListing) {
  const { applicationId, filters, after, before, limit } = listing;
  return db
    .select(customerColumns)
    .from(customers)
    .innerJoin(accounts, isPresentAccount())
    .where(
      and(
        eq(customers.applicationId, applicationId),
        ...conditions(filters),
        order.olderThan(after),
        order.newerThan(before),
      ),
    )
    .orderBy(...(before ? order.oldestFirst : order.newestFirst))
    .limit(limit + 1);
}

/** Of several applications, by `sub`: who is deleted is not among them. */
export async function findCustomers(
  db: Database,
  whom: { applicationId: string; sub: string }[],
): Promise<(Pick<CustomerRow, 'sub' | 'email' | 'emailVerified' | 'name'> & { applicationId: string })[]> {
  const { sub, email, emailVerified, name } = customerColumns;
  const applicationIds = [...new Set(whom.map(({ applicationId }) => applicationId))];
  const subs = [...new Set(whom.map((each) => each.sub))];
  return db
    .select({ applicationId: customers.applicationId, sub, email, emailVerified, name })
    .from(customers)
    .innerJoin(accounts, isPresentAccount())
    .where(and(isOneOf(customers.applicationId, applicationIds), isOneOf(customers.sub, subs)));
}

function conditions({ sub, email, createdAfter, createdBefore }: CustomerFilters): (SQL | undefined)[] {
  return [
    sub === undefined ? undefined : eq(customers.sub, sub),
    email === undefined ? undefined : eq(accounts.email, email),
    createdAfter && gte(customers.registeredAt, createdAfter),
    createdBefore && lt(customers.registeredAt, createdBefore),
  ];
}
