// Sign-in with a password (section 1.3). Attempts are counted before anything is compared; a known and an unknown
// address cost the same work and get the same answer (attacks 30, 91).
import { countAttempt, forgetAttempts, forgiveAttempt } from '../attempt-limit.ts';
import type { Database } from '../database.ts';
import { failedPasswordsPerAccount, failedPasswordsPerAccountAndAddress } from '../limits.ts';
import { type Account, findAccountByEmail } from './account.ts';
import type { Passwords } from './password.ts';

export type PasswordSignIn = {
  passwords: Passwords;
  /** As parseEmailAddress spells it. */
  email: string;
  password: string;
  /** As networkAddressKey spells it. */
  networkAddress: string;
  /** knownDevices(key, cookie): the owner's browser keeps its own count, which strangers cannot use up. */
  isKnownDevice?: ((accountId: string) => boolean) | undefined;
  now: Date;
};

export type PasswordSignInResult =
  | { result: 'right'; account: Account }
  | { result: 'wrong' }
  | { result: 'locked'; retryAfterSeconds: number };

/** Call it with the base database, not inside a transaction: a roll-back must not undo the counting. */
export async function passwordSignIn(db: Database, attempt: PasswordSignIn): Promise<PasswordSignInResult> {
  const { passwords, email, password, networkAddress, now } = attempt;
  const account = await findAccountByEmail(db, email);
  const isKnown = account !== undefined && attempt.isKnownDevice?.(account.id) === true;
  const who = isKnown ? `known device:${email}` : email;
  const byAddress = `password:${who}:${networkAddress}`;
  const byAccount = `password:${who}`;
  for (const [key, limit] of [
    [byAddress, failedPasswordsPerAccountAndAddress],
    [byAccount, failedPasswordsPerAccount],
  ] as const) {
    const { allowed, retryAfterSeconds } = await countAttempt(db, { key, limit, now });
    if (!allowed) return { result: 'locked', retryAfterSeconds };
  }
  const isRight = await passwords.verify(account?.passwordHash, password);
  if (!isRight || !account) return { result: 'wrong' };
  await forgetAttempts(db, byAddress);
  await forgiveAttempt(db, byAccount);
  return { result: 'right', account };
}
