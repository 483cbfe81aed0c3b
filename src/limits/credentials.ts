// One-time codes, passwords and passkeys: how long, how often, how strong.
import { HOUR, MINUTE, SECOND } from './units.ts';

export const oneTimeCodeDigits = 6;
export const oneTimeCodeSeconds = 10 * MINUTE;
export const oneTimeCodeAttempts = 5;
export const oneTimeCodeResendSeconds = 60 * SECOND;
/** Nobody's mailbox becomes a target. */
export const codeMailsPerEmail = { count: 5, seconds: HOUR };
export const failedCodesPerAccount = { count: 20, seconds: HOUR };
/** With 20 an hour alone, a day of guessing would reach 480 of a million; this stops it at 100. */
export const consecutiveFailedCodesPerAccount = { count: 100, seconds: 24 * HOUR, untilQuiet: true };
export const failedPasswordsPerAccountAndIpAddress = { count: 10, seconds: 15 * MINUTE };
/** From all network addresses together: a botnet gets no more than NIST SP 800-63B-4's 100. */
export const failedPasswordsPerAccount = { count: 100, seconds: HOUR };
/** NIST SP 800-63B-4: 15 characters when the password is the only factor. */
export const passwordMinimumCharacters = 15;
export const passwordMaximumCharacters = 256;
/** argon2id, OWASP's second choice: 19 MiB, 2 passes, about 20 ms on one core. */
export const passwordMemoryKibibytes = 19_456;
export const passwordPasses = 2;
/** One hash keeps a core busy; more at once only queue in the thread pool and take memory. */
export const passwordConcurrentHashes = 2;
/** About a second of waiting; whoever comes after that is told to come back instead of piling up. */
export const passwordWaitingHashes = 100;
/** zxcvbn's work grows with the square of the length; 64 characters take 60 ms at worst, 256 took 250. */
export const passwordEstimatedCharacters = 64;
/** zxcvbn's scale is 0 to 4; 3 is at least 10⁸ guesses, a hundred years of guessing at 100 an hour. */
export const passwordMinimumScore = 3;
/** A browser that a family shares; the oldest is forgotten first, so that the cookie stays below 400 bytes. */
export const knownAccountsPerBrowser = 6;
/** RFC 5321 §4.5.3.1: 64 for the local part, 254 for what fits between the angle brackets of a path. */
export const emailLocalPartCharacters = 64;
export const emailAddressCharacters = 254;
/** How long the browser's dialogue stays open: WebAuthn §15.1 recommends five minutes. */
export const passkeyMilliseconds = 5 * MINUTE * 1000;
export const passkeysPerAccount = 20;
export const passkeyNameCharacters = 60;
