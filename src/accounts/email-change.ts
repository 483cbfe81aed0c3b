// Changing the address of an account: the new one is proven by a code first, counted and limited
// like every other one-time code. For an address that is taken the same is kept and the same time spent, only that no
// code can ever be right (no enumeration); who gets an address in the end is for the unique index to say.
import { randomInt } from 'node:crypto';
import { and, desc, eq, gt, isNull, lt, ne, sql } from 'drizzle-orm';
import { accounts, emailChanges } from '../../drizzle/schema/accounts.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import { countAttempt } from '../database/attempt-limit.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { emailChangesPerAccount } from '../limits/account.ts';
import {
  oneTimeCodeAttempts,
  oneTimeCodeDigits,
  oneTimeCodeResendSeconds,
  oneTimeCodeSeconds,
} from '../limits/credentials.ts';
import { hmac, isHmacOf, type KeyRing, randomSecret, sha256 } from '../secrets.ts';
import { findAccountByEmail } from './account.ts';
import { lockAccount } from './account-lock.ts';
import {
  type EmailChange,
  endChangesSince,
  endPendingChanges,
  findOwnReturn,
  isReserved,
} from './email-return.ts';
import { readDigits } from './one-time-code.ts';
import { countCodeMail, countFailedCode, forgiveRightCode } from './one-time-code-limits.ts';
import { type Place, readProofTime, recordProof } from './proof.ts';
import { endFlowsOfEmail } from './sign-in-flow.ts';

export type StartedChange =
  /** No code: the address has an account. Its owner is told so, and nobody else. */
  | { result: 'mail'; code: string | undefined; expiresAt: Date }
  /** A double click: the mail is on its way. */
  | { result: 'waiting' }
  | { result: 'later'; retryAfterSeconds: number };

type NewChange = { key: KeyRing; accountId: string; newEmail: string; now: Date };

/** Replaces a change of this account that waits for its code. Inside a transaction, together with the mail. */
export async function startEmailChange(tx: Database, change: NewChange): Promise<StartedChange> {
  const { key, accountId, newEmail, now } = change;
  const account = await lockAccount(tx, accountId);
  const before = await findPendingChange(tx, { accountId, now });
  const nextAt = before && secondsAfter(before.createdAt, oneTimeCodeResendSeconds);
  if (before?.newEmail === newEmail && nextAt && nextAt > now) {
    if (before.codeAttempts < oneTimeCodeAttempts) return { result: 'waiting' };
    return { result: 'later', retryAfterSeconds: Math.ceil((nextAt.getTime() - now.getTime()) / 1000) };
  }
  const ofAccount = await countAttempt(tx, {
    key: `address changes:${accountId}`,
    limit: emailChangesPerAccount,
    now,
  });
  if (!ofAccount.allowed) return { result: 'later', retryAfterSeconds: ofAccount.retryAfterSeconds };
  const ofNewEmail = await countCodeMail(tx, { email: newEmail, device: undefined }, now);
  if (!ofNewEmail.allowed) return { result: 'later', retryAfterSeconds: ofNewEmail.retryAfterSeconds };

  await endPendingChanges(tx, { accountId, now });
  const isTaken = await isAnothersEmail(tx, { email: newEmail, accountId, now });
  const code = String(randomInt(10 ** oneTimeCodeDigits)).padStart(oneTimeCodeDigits, '0');
  const id = newId('emc');
  const expiresAt = secondsAfter(now, oneTimeCodeSeconds);
  await tx.insert(emailChanges).values({
    id,
    accountId,
    oldEmail: account?.email ?? '',
    newEmail,
    codeHash: hmac(key, ...hashedParts({ id, newEmail }, isTaken ? randomSecret() : code)),
    codeExpiresAt: expiresAt,
    codeAttempts: 0,
    // The link is made when there is something to undo.
    cancelTokenHash: sha256(randomSecret()),
    createdAt: now,
  });
  return { result: 'mail', code: isTaken ? undefined : code, expiresAt };
}

/** Used-up codes too, so that the page can say so. */
export async function findPendingChange(
  db: Database,
  { accountId, now }: { accountId: string; now: Date },
): Promise<EmailChange | undefined> {
  const [change] = await db
    .select()
    .from(emailChanges)
    .where(and(eq(emailChanges.accountId, accountId), isPending(now)))
    .orderBy(desc(emailChanges.createdAt))
    .limit(1);
  return change;
}

export type CheckedCode =
  /** The caller goes on with applyEmailChange. `provenAt`: of the database, before the code was read. */
  | { result: 'right'; change: EmailChange; provenAt: Date }
  | { result: 'wrong'; attemptsLeft: number }
  | { result: 'expired' }
  | { result: 'used_up' }
  | { result: 'locked'; retryAfterSeconds: number };

type Attempt = { key: KeyRing; accountId: string; typed: string; clock: Clock };

/** Call it with the base database, not inside a transaction: a roll-back must not undo the counting. */
export async function checkEmailChange(db: Database, attempt: Attempt): Promise<CheckedCode> {
  const { key, accountId, clock } = attempt;
  const now = clock();
  const pending = await findPendingChange(db, { accountId, now });
  if (!pending) return { result: 'expired' };
  const digits = readDigits(attempt.typed);
  const left = oneTimeCodeAttempts - pending.codeAttempts;
  if (digits === undefined && left > 0) return { result: 'wrong', attemptsLeft: left };
  const provenAt = await readProofTime(db, clock);
  const change = await claimAttempt(db, pending.id, now);
  if (!change || digits === undefined) return { result: 'used_up' };
  const owner = { email: change.newEmail, device: undefined };
  const retryAfterSeconds = await countFailedCode(db, owner, now);
  if (retryAfterSeconds !== undefined) {
    await returnAttempt(db, change.id);
    return { result: 'locked', retryAfterSeconds };
  }
  if (!isHmacOf(change.codeHash, key, ...hashedParts(change, digits))) {
    const attemptsLeft = oneTimeCodeAttempts - change.codeAttempts;
    return attemptsLeft > 0 ? { result: 'wrong', attemptsLeft } : { result: 'used_up' };
  }
  await forgiveRightCode(db, owner);
  return { result: 'right', change, provenAt };
}

/**
 * Once for each code. @returns the token by which the old address can undo it; undefined when the account went back to
 * an address that it had given up, since then nothing is left to undo.
 * @throws TollgateError conflict when somebody else has the address by now; a unique violation says the same.
 */
export async function applyEmailChange(
  tx: Database,
  { change, place, provenAt, now }: { change: EmailChange; place: Place; provenAt: Date; now: Date },
): Promise<{ cancelToken: string | undefined }> {
  const { id, accountId, oldEmail, newEmail } = change;
  const account = await lockAccount(tx, accountId);
  const undone = await findOwnReturn(tx, { accountId, email: newEmail, now });
  const cancelToken = undone ? undefined : randomSecret();
  const confirmed = await tx
    .update(emailChanges)
    .set({ confirmedAt: now, codeHash: '', cancelTokenHash: sha256(cancelToken ?? randomSecret()) })
    .where(and(eq(emailChanges.id, id), isPending(now)))
    .returning({ id: emailChanges.id });
  if (confirmed.length === 0 || account?.email !== oldEmail)
    throw new TollgateError('conflict', 'This change was already made or is over.');
  const proof = await recordProof(tx, {
    place,
    purpose: 'address_change',
    method: 'code',
    mailbox: newEmail,
    opens: { accountId, generation: account.generation, isNewAccount: false },
    provenAt,
  });
  await tx
    .update(accounts)
    .set({
      email: newEmail,
      emailVerified: true,
      mailboxProofId: proof.id,
      vouchedBy: null,
      updatedAt: now,
    })
    .where(eq(accounts.id, accountId));
  // After the write: whoever gave the address up at the same moment has committed by now.
  if (await isReserved(tx, { email: newEmail, exceptAccountId: accountId, now }))
    throw new TollgateError('conflict', 'This address belongs to an account.');
  if (undone) await endChangesSince(tx, { accountId, since: undone.createdAt, now });
  for (const email of [oldEmail, newEmail]) await endFlowsOfEmail(tx, { email, now });
  await endOthersChangesTo(tx, { newEmail, accountId, now });
  return { cancelToken };
}

async function isAnothersEmail(
  tx: Database,
  { email, accountId, now }: { email: string; accountId: string; now: Date },
): Promise<boolean> {
  const owner = await findAccountByEmail(tx, email);
  const reserved = await isReserved(tx, { email, exceptAccountId: accountId, now });
  return owner !== undefined || reserved;
}

/** Of other accounts that wait for a code at the address. */
async function endOthersChangesTo(
  tx: Database,
  { newEmail, accountId, now }: { newEmail: string; accountId: string; now: Date },
): Promise<void> {
  await tx
    .update(emailChanges)
    .set({ cancelledAt: now })
    .where(and(eq(emailChanges.newEmail, newEmail), ne(emailChanges.accountId, accountId), isPending(now)));
}

async function claimAttempt(db: Database, id: string, now: Date): Promise<EmailChange | undefined> {
  const [change] = await db
    .update(emailChanges)
    .set({ codeAttempts: sql`${emailChanges.codeAttempts} + 1` })
    .where(and(eq(emailChanges.id, id), isPending(now), lt(emailChanges.codeAttempts, oneTimeCodeAttempts)))
    .returning();
  return change;
}

/** Nothing was compared: a lock that strangers caused must not also use up this code. */
async function returnAttempt(db: Database, id: string): Promise<void> {
  await db
    .update(emailChanges)
    .set({ codeAttempts: sql`${emailChanges.codeAttempts} - 1` })
    .where(eq(emailChanges.id, id));
}

function isPending(now: Date) {
  return and(
    isNull(emailChanges.confirmedAt),
    isNull(emailChanges.cancelledAt),
    gt(emailChanges.codeExpiresAt, now),
  );
}

function hashedParts({ id, newEmail }: Pick<EmailChange, 'id' | 'newEmail'>, code: string): string[] {
  return ['address change', id, newEmail, code];
}
