// A customer: an account within an application. Decides which session is the first one, the registration, and
// which is a later sign-in, and names the customer by a `sub` that means nothing elsewhere.
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { customers } from '../../drizzle/schema/customers.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { sent } from '../database/settle-all.ts';
import { hmac } from '../secrets.ts';

/**
 * Stable per application and unlinkable between applications, with no table to look it up in
 * (OpenID Connect Core §8.1). Losing the key loses every `sub`.
 */
export function pairwiseSub(pairwiseKey: Buffer, applicationId: string, accountId: string): string {
  return hmac(pairwiseKey, applicationId, accountId);
}

type Customer = { applicationId: string; accountId: string };

/** Not ours is whose row somebody else holds at this moment, for who does not wait. */
export type HeldCustomers = {
  isRegistered(customer: Customer): boolean;
  isOurs(customer: Customer): boolean;
};

/**
 * Who is a customer already. Their rows are held until the transaction ends, so that they stay what they are; who is
 * missing has no earlier session, and of any number of first sessions at once exactly one can insert the row.
 */
export async function lockCustomers(
  tx: Database,
  visitors: Customer[],
  { waits }: { waits: boolean },
): Promise<HeldCustomers> {
  const rows = visitors.map(({ applicationId, accountId }) => ({ applicationId, accountId }));
  const found = rowsOf(
    await sent(
      tx.execute(sql`
      with visit as (
        select distinct * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as visit(
          "applicationId" text, "accountId" text
        )
      ), held as materialized (
        select application_id, account_id from customers
        join visit on application_id = "applicationId" and account_id = "accountId"
        order by application_id, account_id for no key update of customers ${waits ? sql`` : sql`skip locked`}
      )
      ${waits ? heldOnly : heldOrNot}`),
    ),
  );
  const known = new Map<string, unknown>();
  for (const { application_id: applicationId, account_id: accountId, is_ours: isOurs } of found)
    known.set(customerKey({ applicationId: String(applicationId), accountId: String(accountId) }), isOurs);
  return {
    isRegistered: (customer) => known.has(customerKey(customer)),
    isOurs: (customer) => known.get(customerKey(customer)) !== false,
  };
}

/** A row that was deleted while this waited for it is none: it is still there in what the statement sees, but not held. */
const heldOnly = sql`select application_id, account_id, true as is_ours from held`;

const heldOrNot = sql`
  select customers.application_id, customers.account_id, held.account_id is not null as is_ours
  from customers join visit on application_id = "applicationId" and account_id = "accountId"
  left join held using (application_id, account_id)`;

export type Session = Customer & { sub: string; now: Date; isFirst: boolean };

/**
 * Counts each session. A first one inserts the row, and fails when somebody did so meanwhile; for the later ones
 * `lockCustomers` came before. In one order, so that two transactions with the same customers cannot wait for each other.
 */
export function recordSessions(sessions: Session[]): SQL {
  const visits = new Map<string, Session & { count: number }>();
  for (const session of sessions) {
    const key = customerKey(session);
    visits.set(key, { ...session, count: (visits.get(key)?.count ?? 0) + 1 });
  }
  const rows = [...visits].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, visit]) => visit);
  return sql`
    with visit as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as visit(
        "applicationId" text, "accountId" text, sub text, now timestamptz, count int, "isFirst" boolean
      )
    ), registered as (
      insert into customers (application_id, account_id, sub, registered_at, last_sign_in_at, sign_in_count)
      select "applicationId", "accountId", sub, now, now, count from visit where "isFirst"
    )
    update customers set
      sign_in_count = customers.sign_in_count + visit.count,
      last_sign_in_at = greatest(customers.last_sign_in_at, visit.now)
    from visit
    where not "isFirst" and application_id = "applicationId" and account_id = "accountId"`;
}

/** Held like one of `lockCustomers`. @returns sessions that count; undefined: there is no such customer. */
export async function lockCustomerBySub(
  tx: Database,
  { applicationId, sub }: { applicationId: string; sub: string },
): Promise<number | undefined> {
  const [customer] = await tx
    .select({ count: customers.signInCount })
    .from(customers)
    .where(isThisCustomer({ applicationId, sub }))
    .for('no key update');
  return customer?.count;
}

/** One session less, of several. */
export async function uncountSession(
  tx: Database,
  customer: { applicationId: string; sub: string; lastSignInAt: Date },
): Promise<void> {
  const { lastSignInAt } = customer;
  await tx
    .update(customers)
    .set({ signInCount: sql`${customers.signInCount} - 1`, lastSignInAt })
    .where(isThisCustomer(customer));
}

/** The only session never was: the next one is the first, a registration. */
export async function unregister(
  tx: Database,
  customer: { applicationId: string; sub: string },
): Promise<void> {
  await tx.delete(customers).where(isThisCustomer(customer));
}

function isThisCustomer({ applicationId, sub }: { applicationId: string; sub: string }) {
  return and(eq(customers.applicationId, applicationId), eq(customers.sub, sub));
}

export function customerKey({ applicationId, accountId }: Customer): string {
  return `${applicationId} ${accountId}`;
}
