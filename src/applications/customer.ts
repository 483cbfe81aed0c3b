// A customer: an account within an application. Decides which session is the first one, the registration, and
// which is a later sign-in (section 3), and names the customer by a `sub` that means nothing elsewhere.
import { type SQL, sql } from 'drizzle-orm';
import { type Database, rowsOf } from '../database.ts';
import { hmac } from '../secrets.ts';

/**
 * Stable per application and unlinkable between applications, with no table to look it up in
 * (OpenID Connect Core §8.1). Losing the key loses every `sub`.
 */
export function pairwiseSub(pairwiseKey: Buffer, applicationId: string, accountId: string): string {
  return hmac(pairwiseKey, applicationId, accountId);
}

export type Session = { applicationId: string; accountId: string; sub: string };
export type SessionKind = 'registration' | 'sign_in';

export type Recorded = {
  /** Of each session, in their order. */
  kinds: SessionKind[];
  /** Read once the rows of all these customers were held: whoever waited for one of them is later. */
  at: Date;
};

/**
 * Counts each session. One statement, so of any number of first sessions at once exactly one inserts the row
 * and is the registration; the others wait for its commit and find a customer. If that transaction rolls back
 * (too low a balance), the next in line becomes the registration instead.
 * Of several sessions of one customer only the first can be the first.
 * @param time evaluated for each row: src/database-clock.ts, so that processes with different clocks agree on an order.
 */
export async function recordSessions(tx: Database, sessions: Session[], time: SQL): Promise<Recorded> {
  const visits = visitsOf(sessions);
  const rows = [...visits].sort(byKey).map(([, { session, count }]) => ({ ...session, count }));
  const counted = rowsOf(
    await tx.execute(sql`
      insert into customers (application_id, account_id, sub, registered_at, last_sign_in_at, sign_in_count)
      select "applicationId", "accountId", sub, now, now, count
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as visit(
        "applicationId" text, "accountId" text, sub text, count int
      ), (select ${time} as now) as clock
      on conflict (application_id, account_id) do update set
        sign_in_count = customers.sign_in_count + excluded.sign_in_count,
        last_sign_in_at = greatest(customers.last_sign_in_at, excluded.last_sign_in_at)
      returning application_id, account_id, sign_in_count, floor(extract(epoch from ${time}) * 1000)::int8::text as at`),
  );
  const firsts = new Set<Session>();
  for (const { application_id: applicationId, account_id: accountId, sign_in_count: count } of counted) {
    const visit = visits.get(
      customerKey({ applicationId: String(applicationId), accountId: String(accountId) }),
    );
    if (visit && count === visit.count) firsts.add(visit.session);
  }
  return {
    kinds: sessions.map((session) => (firsts.has(session) ? 'registration' : 'sign_in')),
    at: new Date(Math.max(...counted.map(({ at }) => Number(at)))),
  };
}

type Visit = { session: Session; count: number };

/** Each customer's first session of these, and how many there are. */
function visitsOf(sessions: Session[]): Map<string, Visit> {
  const visits = new Map<string, Visit>();
  for (const session of sessions) {
    const visit = visits.get(customerKey(session));
    if (visit) visit.count += 1;
    else visits.set(customerKey(session), { session, count: 1 });
  }
  return visits;
}

type Customer = Pick<Session, 'applicationId' | 'accountId'>;

function customerKey({ applicationId, accountId }: Customer): string {
  return `${applicationId} ${accountId}`;
}

/** Rows are locked in this order, so that two transactions with the same customers cannot wait for each other. */
function byKey([a]: [string, Visit], [b]: [string, Visit]): number {
  return a < b ? -1 : 1;
}
