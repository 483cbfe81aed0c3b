// Passkeys (WebAuthn Level 3): discoverable, with user verification, several per account. A challenge travels in the
// page, sealed and bound to one interaction or page session; it is spent in the database by exactly one answer.

import {
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import { and, asc, eq, lt } from 'drizzle-orm';
import { z } from 'zod';
import { accounts, passkeys } from '../../drizzle/schema/accounts.ts';
import { passkeyChallenges } from '../../drizzle/schema/sign-ins.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import type { Bitten } from '../database/bites.ts';
import type { Database } from '../database/connection.ts';
import { deleteExpired, type Round } from '../database/expired-rows.ts';
import { passkeyMilliseconds } from '../limits/credentials.ts';
import { interactionSeconds } from '../limits/token-lifetimes.ts';
import { type Keys, randomSecret, seal, sha256, unseal } from '../secrets.ts';
import type { Account } from './account.ts';
import { opensFor, type Place, type Proof, readProofTime, recordProof } from './proof.ts';

export type Passkey = typeof passkeys.$inferSelect;
export type PasskeyPurpose = 'create' | 'sign_in';

/** The service as authenticators know it. */
export type RelyingParty = { id: string; name: string; origin: string };

export function relyingPartyOf(baseUrl: string, name: string): RelyingParty {
  const { hostname, origin } = new URL(baseUrl);
  return { id: hostname, name, origin };
}

/** `boundTo`: uid of the interaction, or id of the page session. */
export type Ceremony = { rp: RelyingParty; keys: Pick<Keys, 'sealing'>; boundTo: string; now: Date };
/** What comes back with the form: our sealed challenge, and what the authenticator made of it, as JSON. */
export type Presented = { ticket: string; response: string };

export type SignInCeremony = { options: PublicKeyCredentialRequestOptionsJSON; ticket: string };

/** Names no account: whichever passkey the person chooses says who it is. */
export async function startPasskeySignIn(ceremony: Ceremony): Promise<SignInCeremony> {
  const { challenge, ticket } = newChallenge('sign_in', ceremony);
  const options = await generateAuthenticationOptions({
    rpID: ceremony.rp.id,
    challenge,
    userVerification: 'required',
    timeout: passkeyMilliseconds,
  });
  return { options, ticket };
}

type PasskeyAttempt = Omit<Ceremony, 'now'> & Presented & { browser: Place['browser']; clock: Clock };

export type PasskeySignIn =
  | { result: 'right'; account: Account; proof: Proof }
  /** `cloned`: the counter went back, so two devices hold the same key. */
  | { result: 'refused'; reason: 'unreadable' | 'expired' | 'unknown' | 'wrong' | 'cloned' };

const signInAnswer = z.looseObject({
  id: z.string().max(1_400),
  rawId: z.string(),
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}),
  response: z.looseObject({
    clientDataJSON: z.string(),
    authenticatorData: z.string(),
    signature: z.string(),
    userHandle: z.string().exactOptional(),
  }),
});

export async function verifyPasskeySignIn(
  db: Database,
  { ticket, response, browser, clock, ...rest }: PasskeyAttempt,
): Promise<PasskeySignIn> {
  const ceremony = { ...rest, now: clock() };
  const provenAt = await readProofTime(db, clock);
  const answer = signInAnswer.safeParse(parseJson(response));
  if (!answer.success) return { result: 'refused', reason: 'unreadable' };
  const challenge = await spendChallenge(db, 'sign_in', ticket, ceremony);
  if (!challenge) return { result: 'refused', reason: 'expired' };
  const [found] = await db
    .select({ passkey: passkeys, account: accounts })
    .from(passkeys)
    .innerJoin(accounts, eq(accounts.id, passkeys.accountId))
    .where(eq(passkeys.credentialId, answer.data.id));
  if (!found) return { result: 'refused', reason: 'unknown' };
  const { passkey, account } = found;
  const counter = await verifiedCounter(answer.data, { challenge, passkey, rp: ceremony.rp });
  if (counter === undefined) return { result: 'refused', reason: 'wrong' };
  if (!(await recordUse(db, passkey, { ...counter, now: ceremony.now })))
    return { result: 'refused', reason: 'cloned' };
  const place = { uid: ceremony.boundTo, browser };
  const said = { method: 'passkey', passkeyId: passkey.id } as const;
  const opens = opensFor(account);
  const proof = await recordProof(db, { place, purpose: 'sign_in', ...said, opens, provenAt });
  return { result: 'right', account, proof };
}

type Counter = { counter: number; backedUp: boolean };

async function verifiedCounter(
  answer: z.infer<typeof signInAnswer>,
  { challenge, passkey, rp }: { challenge: string; passkey: Passkey; rp: RelyingParty },
): Promise<Counter | undefined> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        // The library would throw for a counter that went back; recordUse decides, in the database.
        counter: 0,
      },
    });
    const { newCounter: counter, credentialBackedUp: backedUp } = authenticationInfo;
    return verified ? { counter, backedUp } : undefined;
  } catch {
    return undefined;
  }
}

/** WebAuthn §6.1.1: a counter that is used at all only grows; most passkeys say zero for ever. */
async function recordUse(
  db: Database,
  passkey: Passkey,
  { counter, backedUp, now }: Counter & { now: Date },
): Promise<boolean> {
  const isUnused = counter === 0 && passkey.counter === 0;
  const used = await db
    .update(passkeys)
    .set({ counter, backedUp, lastUsedAt: now })
    .where(and(eq(passkeys.id, passkey.id), isUnused ? undefined : lt(passkeys.counter, counter)))
    .returning({ id: passkeys.id });
  return used.length === 1;
}

/** Oldest first. */
export function listPasskeys(db: Database, accountId: string): Promise<Passkey[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.accountId, accountId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
}

export function newChallenge(
  purpose: PasskeyPurpose,
  { keys, boundTo, now }: Omit<Ceremony, 'rp'>,
): { challenge: Uint8Array<ArrayBuffer>; ticket: string } {
  const challenge = randomSecret();
  const expiresAt = secondsAfter(now, interactionSeconds).toISOString();
  const ticket = seal(keys, JSON.stringify([challenge, expiresAt]), contextOf(purpose, boundTo));
  return { challenge: new Uint8Array(Buffer.from(challenge, 'base64url')), ticket };
}

/** @returns the challenge for the one call that spends it; undefined for every other, and for another's ticket. */
export async function spendChallenge(
  db: Database,
  purpose: PasskeyPurpose,
  ticket: string,
  { keys, boundTo, now }: Omit<Ceremony, 'rp'>,
): Promise<string | undefined> {
  let opened: [challenge: string, expiresAt: string];
  try {
    opened = JSON.parse(unseal(keys, ticket, contextOf(purpose, boundTo)));
  } catch {
    return undefined;
  }
  const [challenge, expires] = opened;
  const expiresAt = new Date(expires);
  if (expiresAt <= now) return undefined;
  const spent = await db
    .insert(passkeyChallenges)
    .values({ challengeHash: sha256(challenge), purpose, boundTo: sha256(boundTo), expiresAt })
    .onConflictDoNothing()
    .returning({ challengeHash: passkeyChallenges.challengeHash });
  return spent.length === 1 ? challenge : undefined;
}

/** For housekeeping: an expired challenge is refused by its own date. */
export function deleteSpentChallenges(db: Database, now: Date, round?: Round): Promise<Bitten> {
  const expired = { table: passkeyChallenges, age: passkeyChallenges.expiresAt, before: now };
  return deleteExpired(db, expired, round);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function contextOf(purpose: PasskeyPurpose, boundTo: string): string {
  return `passkey ${purpose} ${boundTo}`;
}
