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

/**
 * Counts one session. One statement, so of any number of first sessions at once exactly one inserts the row
 * and is the registration; the others wait for its commit and find a customer. If that transaction rolls back
 * (too low a balance), the next in line becomes the registration instead.
 */
export async function recordSession(tx: Database, session: Session): Promise<'registration' | 'sign_in'> {
  const [row] = await tx
    .insert(customers)
    .values({
      applicationId: session.applicationId,
      accountId: session.accountId,
      sub: session.sub,
      registeredAt: session.now,
      lastSignInAt: session.now,
      signInCount: 1,
    })
    .onConflictDoUpdate({
      target: [customers.applicationId, customers.accountId],
      set: {
        signInCount: sql`${customers.signInCount} + 1`,
        lastSignInAt: sql`greatest(${customers.lastSignInAt}, excluded.last_sign_in_at)`,
      },
    })
    .returning({ signInCount: customers.signInCount });
  return row?.signInCount === 1 ? 'registration' : 'sign_in';
}
