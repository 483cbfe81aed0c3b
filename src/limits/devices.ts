// Signing in on a device by a code that is typed elsewhere (RFC 8628): how long its codes live, and what is counted.
import { MINUTE, SECOND } from './units.ts';

/** Time to find a phone, open the page, sign in there and look twice; a code that is read to somebody else is soon over. */
export const deviceCodeSeconds = 15 * MINUTE;
/** RFC 8628 §3.2: what a client takes when it is told nothing. */
export const devicePollSeconds = 5 * SECOND;
/** Beyond its end, so that a device is told `expired_token` and a person that the code is too old. */
export const deviceCodeRememberedSeconds = 10 * MINUTE;
/** RFC 8628 §6.1: no vowels, so that no code is a word. Eight of 20 letters are 34 bits, and guesses are counted. */
export const userCodeCharset = 'base-20';
export const userCodeMask = '****-****';
/** Typed in whatever way: spaces between, dashes. */
export const userCodeCharacters = 40;

export const deviceRateLimits = {
  /** Codes that devices begin with, per network address: a shop full of new televisions. */
  device_requests: { count: 300, seconds: MINUTE },
  /**
   * Codes typed by a person. Against a thousand that are open, a network that guesses all day hits one in three thousand
   * days (RFC 8628 §5.1).
   */
  user_codes_of_browser: { count: 10, seconds: 10 * MINUTE },
  user_codes_of_address: { count: 60, seconds: 10 * MINUTE },
  /** Of one device: its interval, less what a network may shift (RFC 8628 §3.5, `slow_down`). */
  device_polls: { count: 1, seconds: 4 * SECOND },
} as const;
