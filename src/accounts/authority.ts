// Authority is asked again where the writing happens (docs/decisions/0701): whoever was signed in when the request began
// may have been signed out while its body, a slow hash or a provider's answer was on the way.
import { and, eq, isNull } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { proofs } from '../../drizzle/schema/proofs.ts';
import { sessions } from '../../drizzle/schema/sessions.ts';
import type { Clock } from '../clock.ts';
import { type Database, transaction } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import type { Account } from './account.ts';
import { lockAccount } from './account-lock.ts';
import { isFreshProof, lockPageSession, type SignedInPerson } from './page-session.ts';
import { isOfPresentGeneration } from './session.ts';

export type Authority = {
  /** Of the page session with which the request came. */
  sessionId: string;
  accountId: string;
  /** It takes a proof of the last five minutes. */
  needsFresh: boolean;
};

/**
 * One transaction that begins with the account held, and with the same questions as the request: what ends the session
 * has happened before, and then this refuses, or waits until the change is made.
 * @throws TollgateError signed_out, sign_in_too_old
 */
export function withAuthority<T>(
  deps: { db: Database; clock: Clock },
  authority: Authority,
  work: (tx: Database, person: SignedInPerson) => Promise<T>,
): Promise<T> {
  return transaction(deps.db, async (tx) => {
    await lockAccount(tx, authority.accountId);
    const person = await lockPageSession(tx, { id: authority.sessionId, clock: deps.clock });
    if (person?.account.id !== authority.accountId) throw signedOut();
    if (authority.needsFresh && !person.isFresh)
      throw new TollgateError('sign_in_too_old', 'Sign in again first. Nothing was changed.');
    return work(tx, person);
  });
}

/** On the hosted pages there is only the browser's session with the engine. */
export type SessionAuthority = {
  /** `sessions.uid_hash` */
  sessionHash: string;
  accountId: string;
};

export type LivingSession = { account: Account; proofId: string; isFresh: boolean };

/** The same for what a signed-in person decides on the hosted pages. @throws TollgateError signed_out */
export function withSessionAuthority<T>(
  deps: { db: Database; clock: Clock },
  authority: SessionAuthority,
  work: (tx: Database, session: LivingSession) => Promise<T>,
): Promise<T> {
  return transaction(deps.db, async (tx) => {
    await lockAccount(tx, authority.accountId);
    const [session] = await livingSession(tx, deps.clock, authority).for('share', { of: sessions });
    if (!session) throw signedOut();
    return work(tx, session);
  });
}

export async function findLivingSession(
  { db, clock }: { db: Database; clock: Clock },
  authority: SessionAuthority,
): Promise<LivingSession | undefined> {
  const [session] = await livingSession(db, clock, authority);
  return session;
}

function livingSession(db: Database, clock: Clock, { sessionHash, accountId }: SessionAuthority) {
  return db
    .select({ account: accounts, proofId: sessions.proofId, isFresh: isFreshProof(clock) })
    .from(sessions)
    .innerJoin(accounts, isOfPresentGeneration())
    .innerJoin(proofs, eq(proofs.id, sessions.proofId))
    .where(
      and(eq(sessions.uidHash, sessionHash), eq(sessions.accountId, accountId), isNull(sessions.endedAt)),
    );
}

function signedOut(): TollgateError {
  return new TollgateError('signed_out', 'You have been signed out. Nothing was changed.');
}
