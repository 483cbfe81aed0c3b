// Passwords: hashed off the event loop, never more than a few at once, with the same work for accounts
// that do not exist; new ones are judged by guessability, without composition rules.
import type { ZxcvbnFactory, ZxcvbnResult } from '@zxcvbn-ts/core';
import { serviceUnavailable } from '../errors.ts';
import {
  passwordMaximumCharacters,
  passwordMinimumCharacters,
  passwordMinimumScore,
  passwordWaitingHashes,
} from '../limits/credentials.ts';
import {
  hashPassword,
  isPasswordOf,
  preparePassword,
  readPasswordHash,
  unmatchableHash,
} from './password-hash.ts';

export type Passwords = {
  hash(password: string): Promise<string>;
  /** Always one hash of work: without a stored hash the answer is false, at the same time. */
  verify(passwordHash: string | null | undefined, password: string): Promise<boolean>;
};

export function createPasswords(options: { concurrency: number }): Passwords {
  const inTurn = createQueue(options.concurrency);
  const decoy = unmatchableHash();
  return {
    hash: (password) => inTurn(() => hashPassword(password)),
    async verify(passwordHash, password) {
      const stored = passwordHash ? readPasswordHash(passwordHash) : undefined;
      const isRight = await inTurn(() => isPasswordOf(stored ?? decoy, password));
      return isRight && stored !== undefined;
    },
  };
}

/** First come, first served; a flood is refused at the door instead of growing a line of minutes. */
function createQueue(concurrency: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= concurrency) {
      if (waiting.length >= passwordWaitingHashes)
        throw serviceUnavailable(new Error('too many password hashes wait'));
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The place passes directly to the next one, so that a newcomer cannot slip in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** What people put between words. */
const SEPARATORS = /[^\p{L}\p{N}]+/gu;

export type PasswordProblem = 'too_short' | 'too_long' | 'too_common' | 'too_guessable';

/** `context`: words that an attacker tries first, such as the e-mail address, the names of person and service. */
export async function passwordProblem(
  password: string,
  context: string[],
): Promise<PasswordProblem | undefined> {
  const prepared = preparePassword(password);
  // Code points: what people count as characters, and NIST too.
  const length = [...prepared].length;
  if (length < passwordMinimumCharacters) return 'too_short';
  if (length > passwordMaximumCharacters) return 'too_long';
  const result = (await estimator()).check(prepared, wordsOf(context));
  if (result.score >= passwordMinimumScore) return undefined;
  return isKnownPassword(result) ? 'too_common' : 'too_guessable';
}

/** Loaded when the first person sets a password: 90 ms and 30 MB that a start has no use for. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const { createEstimator } = await import('./password-estimator.ts');
  return createEstimator();
}

/** Anna.Smith@example.com: as a whole, without the domain, run together, and piece by piece. */
function wordsOf(context: string[]): string[] {
  const words = context
    .flatMap((text) => [text, ...text.split('@')])
    .flatMap((text) => [text, text.replaceAll(SEPARATORS, ''), ...text.split(SEPARATORS)]);
  return [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => word.length >= 3);
}

const estimator = once(loadEstimator);

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** The whole of it is a known password, or one repeated. */
function isKnownPassword(result: ZxcvbnResult): boolean {
  return result.sequence.every(
    (match) => 'dictionaryName' in match && match.dictionaryName === 'passwords-common',
  );
}
