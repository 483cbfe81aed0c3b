// How an API key is written (docs/api.md): a prefix that people and secret scanners know, 256
// random bits, and a checksum that tells a real key from an example without asking us.
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const API_KEY_PREFIX = 'tollgate_v1_';

export function newApiKeyText(): string {
  const secret = BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`);
  const body = API_KEY_PREFIX + base62(secret, SECRET_DIGITS);
  return body + checksum(body);
}

/** What is kept for people to recognise it by: too little to guess the rest. */
export function apiKeyHint(key: string): string {
  return key.slice(0, API_KEY_PREFIX.length + HINT_CHARACTERS);
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
/** 62^43 > 2^256 and 62^6 > 2^32: every value fits, and all keys have the same length. */
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const HINT_CHARACTERS = 4;

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), CHECKSUM_DIGITS);
}

function base62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text;
  return text.padStart(digits, '0');
}
