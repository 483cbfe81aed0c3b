// One customer of an application, and all of them: a count, and every row from the first to the last in batches, so
// that an export takes no more memory for a million of them than for ten.
import { and, eq, sql } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { customers } from '../../drizzle/schema/customers.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import type { Place } from '../database/pagination.ts';
import type { Read } from '../database/reading-lanes.ts';
import { TollgateError } from '../errors.ts';
import { customerExportRows, customersCounted } from '../limits/usage.ts';
import { type CustomerRow, customerColumns, isPresentAccount, listCustomers } from './customer-list.ts';

/** @throws TollgateError not_found, for a deleted account as well: nothing is left that could be shown. */
export async function requireCustomer(
  db: Database,
  { applicationId, sub }: { applicationId: string; sub: string },
): Promise<CustomerRow & { accountId: string }> {
  const [customer] = await db
    .select({ accountId: customers.accountId, ...customerColumns })
    .from(customers)
    .innerJoin(accounts, isPresentAccount())
    .where(and(eq(customers.applicationId, applicationId), eq(customers.sub, sub)));
  if (!customer) throw new TollgateError('not_found', 'There is no such customer.');
  return customer;
}

/** Up to a limit, since counting takes as long as there is to count; in order, so that it walks its own part of an index. */
export async function countCustomers(
  db: Database,
  applicationId: string,
): Promise<{ count: number; isMore: boolean }> {
  const [row] = rowsOf(
    await db.execute(sql`
      select count(*)::int as count from (
        select 1 from customers where application_id = ${applicationId}
        order by registered_at desc nulls last, sub desc nulls last limit ${customersCounted + 1}
      ) as customer`),
  );
  const count = Number(row?.count ?? 0);
  return { count: Math.min(count, customersCounted), isMore: count > customersCounted };
}

/** Newest first. Each batch starts behind the last row of the one before; nothing stays open between them. */
export async function* eachCustomer(read: Read, applicationId: string): AsyncGenerator<CustomerRow[]> {
  let after: Place | undefined;
  for (;;) {
    const place = after;
    const page = await read((db) =>
      listCustomers(db, { applicationId, filters: {}, after: place, limit: customerExportRows }),
    );
    if (page.rows.length > 0) yield page.rows;
    const last = page.rows.at(-1);
    if (!page.hasMore || !last) return;
    after = { time: last.registeredAt, id: last.sub };
  }
}
