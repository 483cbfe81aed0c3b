// The counters behind one-time codes: per address, and apart for each browser in which its owner signed in before, so
// that strangers can use up only what strangers have, and one browser only its own (threats 32, 91).
import {
  type AttemptLimit,
  countAttempt,
  forgetAttempts,
  forgiveAttempt,
} from '../database/attempt-limit.ts';
import type { Database } from '../database/connection.ts';
import {
  codeMailsPerEmail,
  consecutiveFailedCodesPerAccount,
  failedCodesPerAccount,
} from '../limits/credentials.ts';
import { codeMailsPerMailbox } from '../limits/strangers.ts';
import { mailboxOf } from './email-address.ts';

/** `device`: this browser's name among those that the owner signed in with (known-device.ts). */
export type CodeOwner = { email: string; device: string | undefined };

export async function countCodeMail(tx: Database, owner: CodeOwner, now: Date) {
  const counted = await countAttempt(tx, {
    key: `code mails:${nameOf(owner)}`,
    limit: codeMailsPerEmail,
    now,
  });
  if (!counted.allowed) return counted;
  const mailbox = nameOf({ ...owner, email: mailboxOf(owner.email) });
  return await countAttempt(tx, {
    key: `code mails of a mailbox:${mailbox}`,
    limit: codeMailsPerMailbox,
    now,
  });
}

/** Counts an attempt as a failure, before it is compared. @returns the seconds to wait when it may not be. */
export async function countFailedCode(
  db: Database,
  owner: CodeOwner,
  now: Date,
): Promise<number | undefined> {
  for (const { key, limit } of countersOf(owner)) {
    const { allowed, retryAfterSeconds } = await countAttempt(db, { key, limit, now });
    if (!allowed) return retryAfterSeconds;
  }
  return undefined;
}

/** On a strange device only this attempt is forgiven: the owner's success must not buy a guesser new ones. */
export async function forgiveRightCode(db: Database, owner: CodeOwner): Promise<void> {
  const settle = owner.device === undefined ? forgiveAttempt : forgetAttempts;
  for (const { key } of countersOf(owner)) await settle(db, key);
}

function countersOf(owner: CodeOwner): { key: string; limit: AttemptLimit }[] {
  return [
    { key: `codes in an hour:${nameOf(owner)}`, limit: failedCodesPerAccount },
    { key: `codes in a row:${nameOf(owner)}`, limit: consecutiveFailedCodesPerAccount },
  ];
}

function nameOf({ email, device }: CodeOwner): string {
  return device === undefined ? email : `known device ${device}:${email}`;
}
