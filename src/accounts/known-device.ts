// Browsers in which a person signed in before (threat 91): their attempts are counted apart, so that an attacker
// who fails on purpose locks out only strangers. Pure functions over one cookie's value; the door keeps the cookie.
import { randomBytes } from 'node:crypto';
import { knownAccountsPerBrowser } from '../limits/credentials.ts';
import { hmac, isHmacOf, type KeyRing } from '../secrets.ts';

const NONCE_CHARACTERS = 16;
const ENTRY = /^[\w-]{59}$/;
const SEPARATOR = '.';
const PURPOSE = 'known device';

/** A browser is known to an account's present generation only: whoever was put out is a stranger again. */
type Owner = { id: string; generation: number };

/** The browser's own name to this account, under which its attempts are counted; undefined for a stranger's. */
export type NameOfDevice = (account: Owner | undefined) => string | undefined;

/** Each entry is a nonce and a MAC over it and the account: it names nobody and cannot be made without the key. */
export function knownDevices(key: KeyRing, cookieValue: string | undefined): NameOfDevice {
  const entries = readEntries(cookieValue);
  return (account) => {
    const entry = account && entries.find((each) => isEntryOf(key, each, account));
    return entry?.slice(0, NONCE_CHARACTERS);
  };
}

/** The cookie's next value, this account first. The name stays: a new one would be a new count. */
export function rememberDevice(key: KeyRing, cookieValue: string | undefined, account: Owner): string {
  const entries = readEntries(cookieValue);
  const own = entries.find((entry) => isEntryOf(key, entry, account));
  const nonce = own?.slice(0, NONCE_CHARACTERS) ?? randomBytes(12).toString('base64url');
  const others = entries.filter((entry) => entry !== own);
  return [nonce + macOf(key, nonce, account), ...others].slice(0, knownAccountsPerBrowser).join(SEPARATOR);
}

function readEntries(cookieValue: string | undefined): string[] {
  const entries = (cookieValue ?? '').split(SEPARATOR, knownAccountsPerBrowser);
  return entries.filter((entry) => ENTRY.test(entry));
}

function isEntryOf(key: KeyRing, entry: string, { id, generation }: Owner): boolean {
  const nonce = entry.slice(0, NONCE_CHARACTERS);
  return isHmacOf(entry.slice(NONCE_CHARACTERS), key, PURPOSE, nonce, id, String(generation));
}

function macOf(key: KeyRing, nonce: string, { id, generation }: Owner): string {
  return hmac(key, PURPOSE, nonce, id, String(generation));
}
