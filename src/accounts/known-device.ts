// Browsers in which a person signed in before (attack 91): their attempts are counted apart, so that an attacker
// who fails on purpose locks out only strangers. Pure functions over one cookie's value; the door keeps the cookie.
import { randomBytes } from 'node:crypto';
import { knownAccountsPerBrowser } from '../limits.ts';
import { hmac, isHmacOf, type KeyRing } from '../secrets.ts';

const NONCE_CHARACTERS = 16;
const ENTRY = /^[\w-]{59}$/;
const SEPARATOR = '.';
const PURPOSE = 'known device';

/** Each entry is a nonce and a MAC over it and the account: it names nobody and cannot be made without the key. */
export function knownDevices(key: KeyRing, cookieValue: string | undefined): (accountId: string) => boolean {
  const entries = readEntries(cookieValue);
  return (accountId) => entries.some((entry) => isEntryOf(key, entry, accountId));
}

/** The cookie's next value, this account first. */
export function rememberDevice(key: KeyRing, cookieValue: string | undefined, accountId: string): string {
  const others = readEntries(cookieValue).filter((entry) => !isEntryOf(key, entry, accountId));
  const nonce = randomBytes(12).toString('base64url');
  return [nonce + macOf(key, nonce, accountId), ...others].slice(0, knownAccountsPerBrowser).join(SEPARATOR);
}

function readEntries(cookieValue: string | undefined): string[] {
  const entries = (cookieValue ?? '').split(SEPARATOR, knownAccountsPerBrowser);
  return entries.filter((entry) => ENTRY.test(entry));
}

function isEntryOf(key: KeyRing, entry: string, accountId: string): boolean {
  const nonce = entry.slice(0, NONCE_CHARACTERS);
  return isHmacOf(entry.slice(NONCE_CHARACTERS), key, PURPOSE, nonce, accountId);
}

function macOf(key: KeyRing, nonce: string, accountId: string): string {
  return hmac(key, PURPOSE, nonce, accountId);
}
