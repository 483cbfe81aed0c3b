// Keys derived from TOLLGATE_SECRET, and the few cryptographic operations that the rooms need. Secrets at rest
// are hashes; what must be readable again (webhook secrets, signing keys, mail jobs) is sealed.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** One key per purpose, so that no value made for one door can be replayed at another. */
export type Keys = {
  cookies: string;
  csrf: Buffer;
  pairwise: Buffer;
  oneTimeCode: Buffer;
  cursor: Buffer;
  device: Buffer;
  sealing: Buffer;
};

export function createKeys(secret: string): Keys {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `tollgate ${purpose} v1`, 32));
  return {
    cookies: derive('cookies').toString('base64url'),
    csrf: derive('csrf'),
    pairwise: derive('pairwise sub'),
    oneTimeCode: derive('one-time code'),
    cursor: derive('list cursor'),
    device: derive('known device'),
    sealing: derive('sealing'),
  };
}

/** 256 random bits, base64url: long enough that SHA-256 is a sufficient hash of it at rest. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function sha256(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

/** Each part is preceded by its length, so that ('ab', 'c') and ('a', 'bc') differ. */
export function hmac(key: Buffer, ...parts: string[]): string {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:`).update(part);
  return mac.digest('base64url');
}

export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM. `context` is authenticated: a value sealed for one row cannot be moved to another. */
export function seal(keys: Pick<Keys, 'sealing'>, plaintext: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keys.sealing, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Throws when the key, the context or a byte is not the sealed one. */
export function unseal(keys: Pick<Keys, 'sealing'>, sealed: string, context: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keys.sealing, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)).toString('utf8') + decipher.final('utf8');
}
