// One-time codes: six digits by mail, good for one interaction of one browser, ten minutes and five
// attempts. At rest there is only an HMAC; every attempt is counted by one UPDATE before it is compared.
//
// How likely is a right guess? A code has 10⁶ values, drawn uniformly and anew for every mail, so five different
// guesses at one code hit with p = 5/10⁶. For one address and any 24 hours at most 100 guesses from strangers'
// devices are compared (the counter ends only after 24 hours without a failure, and a success forgives only its own
// attempt), that is at most 20 codes: 1 − (1 − 5/10⁶)²⁰ = 0.99995 · 10⁻⁴ < 10⁻⁴ per account and day. Reaching it
// takes 20 mails that warn the owner. Across many accounts the expected number of hits is 5/10⁶ per mail sent.
import { randomInt } from 'node:crypto';
import { and, eq, getTableColumns, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { flows } from '../../drizzle/schema/sign-ins.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import { databaseTime } from '../database/clock.ts';
import { type Database, transaction } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import {
  oneTimeCodeAttempts,
  oneTimeCodeDigits,
  oneTimeCodeResendSeconds,
  oneTimeCodeSeconds,
} from '../limits/credentials.ts';
import { hmac, isHmacOf, type KeyRing, sha256 } from '../secrets.ts';
import { findAccountByEmail } from './account.ts';
import type { NameOfDevice } from './known-device.ts';
import { countCodeMail, countFailedCode, forgiveRightCode } from './one-time-code-limits.ts';
import { opensFor, type Place, type Proof, recordProof } from './proof.ts';
import { type Flow, findFlowOf } from './sign-in-flow.ts';

export type IssuedCode =
  | { sent: true; code: string; expiresAt: Date }
  | { sent: false; retryAfterSeconds: number };

export type CodeRequest = {
  /** keys.oneTimeCode */
  key: KeyRing;
  uid: string;
  email: string;
  /** Of this browser: see known-device.ts. */
  nameOfDevice?: NameOfDevice;
  now: Date;
};

/**
 * Replaces the flow's code. Inside a transaction, together with the mail that carries it; the answer is the same
 * whether the address has an account or not.
 * @throws TollgateError conflict when the flow is over or about another address.
 */
export async function issueCode(tx: Database, request: CodeRequest): Promise<IssuedCode> {
  const { key, uid, email, nameOfDevice, now } = request;
  const isThisFlow = and(
    eq(flows.interactionHash, sha256(uid)),
    eq(flows.email, email),
    isNull(flows.finishedAt),
  );
  // Locks the row: of two clicks at once the second one sees the first one's mail.
  const [flow] = await tx.select().from(flows).where(isThisFlow).for('update');
  if (!flow) throw new TollgateError('conflict', 'This sign-in is over. Please start again.');
  // A code that was used, or ended by something else, is no reason to wait for another one.
  const nextAt = flow.codeHash && flow.codeSentAt && secondsAfter(flow.codeSentAt, oneTimeCodeResendSeconds);
  if (nextAt && nextAt > now) return { sent: false, retryAfterSeconds: secondsBetween(now, nextAt) };

  const account = await findAccountByEmail(tx, email);
  const owner = { email, device: nameOfDevice?.(account) };
  const { allowed, retryAfterSeconds } = await countCodeMail(tx, owner, now);
  if (!allowed) return { sent: false, retryAfterSeconds };

  const code = String(randomInt(10 ** oneTimeCodeDigits)).padStart(oneTimeCodeDigits, '0');
  const expiresAt = secondsAfter(now, oneTimeCodeSeconds);
  await tx
    .update(flows)
    .set({
      codeHash: hmac(key, ...hashedParts(flow, code)),
      codeExpiresAt: expiresAt,
      codeSentAt: now,
      codeAttempts: 0,
    })
    .where(isThisFlow);
  return { sent: true, code, expiresAt };
}

export type CodeAttempt = {
  key: KeyRing;
  place: Place;
  typed: string;
  nameOfDevice?: NameOfDevice;
  clock: Clock;
};

export type CodeResult =
  /** Exactly one of any number of parallel calls gets it; the code is gone. */
  | { result: 'right'; proof: Proof }
  | { result: 'wrong'; attemptsLeft: number }
  | { result: 'expired' }
  /** By wrong attempts, or because it was right already: then the flow has its proof (a double click). */
  | { result: 'used_up' }
  | { result: 'locked'; retryAfterSeconds: number };

/** Call it with the base database, not inside a transaction: a roll-back must not undo the counting. */
export async function checkCode(db: Database, attempt: CodeAttempt): Promise<CodeResult> {
  const { key, place, clock } = attempt;
  const now = clock();
  const digits = readDigits(attempt.typed);
  if (digits === undefined) return refuse(await findFlowOf(db, place), now);
  const flow = await claimAttempt(db, place, clock);
  if (!flow?.codeHash) return refuse(await findFlowOf(db, place), now);

  const account = await findAccountByEmail(db, flow.email);
  const owner = { email: flow.email, device: attempt.nameOfDevice?.(account) };
  const retryAfterSeconds = await countFailedCode(db, owner, now);
  if (retryAfterSeconds !== undefined) {
    await returnAttempt(db, flow);
    return { result: 'locked', retryAfterSeconds };
  }
  if (!isHmacOf(flow.codeHash, key, ...hashedParts(flow, digits))) {
    const attemptsLeft = oneTimeCodeAttempts - flow.codeAttempts;
    return attemptsLeft > 0 ? { result: 'wrong', attemptsLeft } : { result: 'used_up' };
  }
  const proof = await transaction(db, (tx) => consumeCode(tx, flow, place));
  if (!proof) return { result: 'used_up' };
  await forgiveRightCode(db, owner);
  return { result: 'right', proof };
}

/** "123 456" as pasted from a mail. Digits of other scripts are not digits here. */
export function readDigits(typed: string): string | undefined {
  const digits = typed.replaceAll(/[\s\u00a0]/g, '');
  return new RegExp(`^[0-9]{${oneTimeCodeDigits}}$`).test(digits) ? digits : undefined;
}

type ClaimedFlow = Flow & { provenAt: Date };

/** Counts the attempt; only a flow with a live code and an attempt left is returned. */
async function claimAttempt(
  db: Database,
  { uid, browser }: Place,
  clock: Clock,
): Promise<ClaimedFlow | undefined> {
  const [flow] = await db
    .update(flows)
    .set({ codeAttempts: sql`${flows.codeAttempts} + 1` })
    .where(
      and(
        eq(flows.interactionHash, sha256(uid)),
        eq(flows.browserHash, sha256(browser)),
        isNotNull(flows.codeHash),
        isNull(flows.finishedAt),
        gt(flows.codeExpiresAt, clock()),
        lt(flows.codeAttempts, oneTimeCodeAttempts),
      ),
    )
    .returning({ ...getTableColumns(flows), provenAt: databaseTime(clock) });
  return flow;
}

/** Nothing was compared: a lock that strangers caused must not also use up the owner's code. */
async function returnAttempt(db: Database, flow: Flow): Promise<void> {
  await db
    .update(flows)
    .set({ codeAttempts: sql`${flows.codeAttempts} - 1` })
    .where(isCodeOf(flow));
}

/** One row changes for one caller; a resend in between has already replaced the code. */
async function consumeCode(tx: Database, flow: ClaimedFlow, place: Place): Promise<Proof | undefined> {
  const consumed = await tx
    .update(flows)
    .set({ codeHash: null })
    .where(isCodeOf(flow))
    .returning({ kind: flows.kind });
  const [own] = consumed;
  if (!own) return undefined;
  const purpose = purposeOf[own.kind];
  const { email: mailbox, provenAt } = flow;
  // Only now: what ends a code has taken it away by this time, and what does not end it must not spoil it either.
  const opens = opensFor(await findAccountByEmail(tx, mailbox));
  const proof = await recordProof(tx, { place, purpose, method: 'code', mailbox, opens, provenAt });
  await tx.update(flows).set({ proofId: proof.id }).where(eq(flows.interactionHash, flow.interactionHash));
  return proof;
}

const purposeOf = { sign_in: 'sign_in', register: 'registration', recover: 'recovery' } as const;

function isCodeOf(flow: Flow) {
  return and(
    eq(flows.interactionHash, flow.interactionHash),
    eq(flows.codeHash, flow.codeHash ?? ''),
    isNull(flows.finishedAt),
  );
}

/** Why nothing was compared. Malformed input costs no attempt: it could not have been right. */
function refuse(flow: Flow | undefined, now: Date): CodeResult {
  if (!flow) return { result: 'expired' };
  if (!flow.codeHash) return { result: flow.proofId ? 'used_up' : 'expired' };
  if (!flow.codeExpiresAt || flow.codeExpiresAt <= now) return { result: 'expired' };
  const attemptsLeft = oneTimeCodeAttempts - flow.codeAttempts;
  return attemptsLeft > 0 ? { result: 'wrong', attemptsLeft } : { result: 'used_up' };
}

function hashedParts(flow: Flow, code: string): string[] {
  return ['one-time code', flow.interactionHash, flow.email, code];
}

function secondsBetween(earlier: Date, later: Date): number {
  return Math.max(1, Math.ceil((later.getTime() - earlier.getTime()) / 1000));
}
