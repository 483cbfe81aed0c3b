// The way back from a change of address (docs/decisions/0602): for seven days the old address can take the account back
// by a link in the mail that told of the change, without signing in, and until then nobody else gets that address.

import { and, eq, gt, gte, isNotNull, isNull, ne } from 'drizzle-orm';
import { accounts, emailChanges, passkeys, socialIdentities } from '../../drizzle/schema/accounts.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import type { Bitten } from '../database/bites.ts';
import type { Database } from '../database/connection.ts';
import { deleteExpired, type Round } from '../database/expired-rows.ts';
import { emailChangeKeptSeconds, emailReturnSeconds } from '../limits/account.ts';
import { sha256 } from '../secrets.ts';
import { lockAccount } from './account-lock.ts';
import { type Place, readProofTime, recordProof } from './proof.ts';
import { endFlowsOfEmail } from './sign-in-flow.ts';

export type EmailChange = typeof emailChanges.$inferSelect;

/** What the link leads to; undefined once it was used, is too old, or the account is gone. */
export async function findReturn(
  db: Database,
  { token, now }: { token: string; now: Date },
): Promise<EmailChange | undefined> {
  const [found] = await db
    .select({ change: emailChanges })
    .from(emailChanges)
    .innerJoin(accounts, eq(accounts.id, emailChanges.accountId))
    .where(and(eq(emailChanges.cancelTokenHash, sha256(token)), canReturn(now)));
  return found?.change;
}

/**
 * The old address is the account's again, and the only way in: whoever changed it may have set the password, added
 * passkeys and linked providers, now or earlier. Later changes end with this one, earlier ones stay for those who may
 * still undo them. The caller raises the generation and sends the notices.
 */
export async function takeEmailAddressBack(
  tx: Database,
  { token, place, clock }: { token: string; place: Place; clock: Clock },
): Promise<EmailChange | undefined> {
  const now = clock();
  const found = await findReturn(tx, { token, now });
  if (!found) return undefined;
  const account = await lockAccount(tx, found.accountId);
  const [change] = await tx
    .update(emailChanges)
    .set({ cancelledAt: now })
    .where(and(eq(emailChanges.id, found.id), canReturn(now)))
    .returning();
  if (!account || !change) return undefined;
  const { accountId, oldEmail, newEmail } = change;
  const proof = await recordProof(tx, {
    place,
    purpose: 'address_return',
    method: 'mail_link',
    mailbox: oldEmail,
    opens: { accountId, generation: account.generation, isNewAccount: false },
    provenAt: await readProofTime(tx, clock),
  });
  await endChangesSince(tx, { accountId, since: change.createdAt, now });
  await tx
    .update(accounts)
    .set({
      email: oldEmail,
      emailVerified: true,
      mailboxProofId: proof.id,
      vouchedBy: null,
      passwordHash: null,
      updatedAt: now,
    })
    .where(eq(accounts.id, accountId));
  await tx.delete(passkeys).where(eq(passkeys.accountId, accountId));
  await tx.delete(socialIdentities).where(eq(socialIdentities.accountId, accountId));
  for (const email of new Set([oldEmail, newEmail, account.email])) await endFlowsOfEmail(tx, { email, now });
  return change;
}

/** Given up less than seven days ago by another account, which may still take it back. */
export async function isReserved(
  db: Database,
  { email, exceptAccountId, now }: { email: string; exceptAccountId?: string; now: Date },
): Promise<boolean> {
  const isAnothers = exceptAccountId === undefined ? undefined : ne(emailChanges.accountId, exceptAccountId);
  const found = await db
    .select({ id: emailChanges.id })
    .from(emailChanges)
    .innerJoin(accounts, eq(accounts.id, emailChanges.accountId))
    .where(and(eq(emailChanges.oldEmail, email), canReturn(now), isAnothers))
    .limit(1);
  return found.length > 0;
}

/** The change by which this account gave the address up, if it may still be undone. */
export async function findOwnReturn(
  db: Database,
  { accountId, email, now }: { accountId: string; email: string; now: Date },
): Promise<EmailChange | undefined> {
  const [change] = await db
    .select()
    .from(emailChanges)
    .where(and(eq(emailChanges.accountId, accountId), eq(emailChanges.oldEmail, email), canReturn(now)));
  return change;
}

/** Those that wait for their code, for example when the password changes (threat 40). */
export async function endPendingChanges(
  tx: Database,
  { accountId, now }: { accountId: string; now: Date },
): Promise<void> {
  await tx
    .update(emailChanges)
    .set({ cancelledAt: now })
    .where(
      and(
        eq(emailChanges.accountId, accountId),
        isNull(emailChanges.confirmedAt),
        isNull(emailChanges.cancelledAt),
      ),
    );
}

export async function endChangesSince(
  tx: Database,
  { accountId, since, now }: { accountId: string; since: Date; now: Date },
): Promise<void> {
  await tx
    .update(emailChanges)
    .set({ cancelledAt: now })
    .where(
      and(
        eq(emailChanges.accountId, accountId),
        gte(emailChanges.createdAt, since),
        isNull(emailChanges.cancelledAt),
      ),
    );
}

/** For housekeeping. */
export function deleteStaleEmailChanges(db: Database, now: Date, round?: Round): Promise<Bitten> {
  const before = secondsAfter(now, -emailChangeKeptSeconds);
  return deleteExpired(db, { table: emailChanges, age: emailChanges.createdAt, before }, round);
}

function canReturn(now: Date) {
  return and(
    isNotNull(emailChanges.confirmedAt),
    isNull(emailChanges.cancelledAt),
    gt(emailChanges.confirmedAt, secondsAfter(now, -emailReturnSeconds)),
  );
}
