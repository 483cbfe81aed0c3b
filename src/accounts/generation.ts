// Raising an account's generation (docs/decisions/0701): everything that was proven, begun or issued before is worth
// nothing from here on, wherever it waits. Only the browser that asks may be carried over.
import { and, eq, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { pageSessions, sessions } from '../../drizzle/schema/sessions.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { endFlowsOfEmail } from './sign-in-flow.ts';

export type Raise = {
  accountId: string;
  /** The proof that does it, which goes on counting: a recovery, the first proof of a vouched account. */
  proofId?: string | undefined;
  /** `sessions.uid_hash` of the browser that stays signed in. */
  keepSession?: string | undefined;
  /** The applications that the kept browser signed in to have to send it again, too. */
  endsOwnTokens?: boolean;
  /**
   * Codes that were mailed and not typed yet end as well. Not where a session alone decides: whoever is in an account
   * must not be able to spoil the code with which its owner takes it back.
   */
  endsCodes?: boolean;
  /** The interaction that goes on. */
  exceptUid?: string | undefined;
  now: Date;
};

/** Holds the account until the end of the transaction. The caller tells the owner. */
export async function raiseGeneration(tx: Database, raise: Raise): Promise<void> {
  const { accountId, proofId = null, keepSession, exceptUid, now } = raise;
  const [raised] = await tx
    .update(accounts)
    .set({ generation: sql`${accounts.generation} + 1`, generationProofId: proofId, updatedAt: now })
    .where(eq(accounts.id, accountId))
    .returning({ generation: accounts.generation, email: accounts.email });
  if (!raised) throw new TollgateError('not_found', 'This account no longer exists.');
  const { generation, email } = raised;
  const isOfAccount = eq(sessions.accountId, accountId);
  if (keepSession !== undefined)
    await tx
      .update(sessions)
      .set({ generation })
      .where(
        and(
          isOfAccount,
          eq(sessions.uidHash, keepSession),
          eq(sessions.generation, generation - 1),
          isNull(sessions.endedAt),
        ),
      );
  await tx
    .update(sessions)
    .set({ endedAt: now })
    .where(and(isOfAccount, lt(sessions.generation, generation), isNull(sessions.endedAt)));
  const isOther =
    keepSession === undefined
      ? undefined
      : or(isNull(pageSessions.sessionHash), ne(pageSessions.sessionHash, keepSession));
  await tx.delete(pageSessions).where(and(eq(pageSessions.accountId, accountId), isOther));
  if (raise.endsCodes) await endFlowsOfEmail(tx, { email, exceptUid, now });
}
