// Sign-in with a password. Attempts are counted before anything is compared; a known and an unknown
// address cost the same work and get the same answer (threats 30, 91).

import type { Clock } from '../clock.ts';
import { countAttempt, forgetAttempts, forgiveAttempt } from '../database/attempt-limit.ts';
import type { Database } from '../database/connection.ts';
import { failedPasswordsPerAccount, failedPasswordsPerAccountAndIpAddress } from '../limits/credentials.ts';
import { type Account, findAccountByEmail } from './account.ts';
import type { NameOfDevice } from './known-device.ts';
import type { Passwords } from './password.ts';
import { opensFor, type Place, type Proof, readProofTime, recordProof } from './proof.ts';

export type PasswordSignIn = {
  passwords: Passwords;
  place: Place;
  /** As parseEmailAddress spells it. */
  email: string;
  password: string;
  /** As ipAddressKey spells it. */
  ipAddress: string;
  /** The owner's browser keeps its own count, which strangers cannot use up. */
  nameOfDevice?: NameOfDevice | undefined;
  clock: Clock;
};

export type PasswordSignInResult =
  | { result: 'right'; account: Account; proof: Proof }
  | { result: 'wrong' }
  | { result: 'locked'; retryAfterSeconds: number };

/** Call it with the base database, not inside a transaction: a roll-back must not undo the counting. */
export async function passwordSignIn(db: Database, attempt: PasswordSignIn): Promise<PasswordSignInResult> {
  const { passwords, place, email, password, ipAddress, clock } = attempt;
  // Both before the hash, which takes its time: a password that is changed meanwhile proves nothing.
  const provenAt = await readProofTime(db, clock);
  const account = await findAccountByEmail(db, email);
  const now = clock();
  const device = attempt.nameOfDevice?.(account);
  const who = device === undefined ? email : `known device ${device}:${email}`;
  const byIpAddress = `password:${who}:${ipAddress}`;
  const byAccount = `password:${who}`;
  for (const [key, limit] of [
    [byIpAddress, failedPasswordsPerAccountAndIpAddress],
    [byAccount, failedPasswordsPerAccount],
  ] as const) {
    const { allowed, retryAfterSeconds } = await countAttempt(db, { key, limit, now });
    if (!allowed) return { result: 'locked', retryAfterSeconds };
  }
  const isRight = await passwords.verify(account?.passwordHash, password);
  if (!isRight || !account) return { result: 'wrong' };
  await forgetAttempts(db, byIpAddress);
  await forgiveAttempt(db, byAccount);
  const opens = opensFor(account);
  const proof = await recordProof(db, { place, purpose: 'sign_in', method: 'password', opens, provenAt });
  return { result: 'right', account, proof };
}
