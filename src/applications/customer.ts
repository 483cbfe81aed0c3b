// A customer: an account within an application. Decides which session is the first one, the registration, and
// which is a later sign-in (section 3), and names the customer by a `sub` that means nothing elsewhere.
import { sql } from 'drizzle-orm';
import { customers } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';
import { hmac } from '../secrets.ts';

/**
 * Stable per application and unlinkable between applications, with no table to look it up in
 * (OpenID Connect Core §8.1). Losing the key loses every `sub`.
 */
export function pairwiseSub(pairwiseKey: Buffer, applicationId: string, accountId: string): string {
  return hmac(pairwiseKey, applicationId, accountId);
}

export type Session = { applicationId: string; accountId: string; sub: string; now: Date };
export type SessionKind = 'registration' | 'sign_in';

/** Counts one session. */
export async function recordSession(tx: Database, session: Session): Promise<SessionKind> {
  const [kind = 'sign_in'] = await recordSessions(tx, [session]);
  return kind;
}

/**
 * Counts each session. One statement, so of any number of first sessions at once exactly one inserts the row
 * and is the registration; the others wait for its commit and find a customer. If that transaction rolls back
 * (too low a balance), the next in line becomes the registration instead.
 * @returns the kind of each session, in their order: of several of one customer only the first can be the first.
 */
export async function recordSessions(tx: Database, sessions: Session[]): Promise<SessionKind[]> {
  const visits = visitsOf(sessions);
  const rows = await tx
    .insert(customers)
    .values(
      [...visits.values()].sort(byCustomer).map(({ session, count }) => ({
        applicationId: session.applicationId,
        accountId: session.accountId,
        sub: session.sub,
        registeredAt: session.now,
        lastSignInAt: session.now,
        signInCount: count,
      })),
    )
    .onConflictDoUpdate({
      target: [customers.applicationId, customers.accountId],
      set: {
        signInCount: sql`${customers.signInCount} + excluded.sign_in_count`,
        lastSignInAt: sql`greatest(${customers.lastSignInAt}, excluded.last_sign_in_at)`,
      },
    })
    .returning({
      applicationId: customers.applicationId,
      accountId: customers.accountId,
      signInCount: customers.signInCount,
    });
  const firsts = new Set<Session>();
  for (const row of rows) {
    const visit = visits.get(customerKey(row));
    if (visit && row.signInCount === visit.count) firsts.add(visit.session);
  }
  return sessions.map((session) => (firsts.has(session) ? 'registration' : 'sign_in'));
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
function byCustomer(a: Visit, b: Visit): number {
  return customerKey(a.session) < customerKey(b.session) ? -1 : 1;
}
