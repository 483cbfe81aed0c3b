// Keys derived from TOLLGATE_SECRET, and the few cryptographic operations that the rooms need. Secrets at rest
// are hashes; what must be readable again (webhook secrets, signing keys, mail jobs) is sealed.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** One key for each TOLLGATE_SECRET in use, newest first: the first one writes, every one reads. */
export type KeyRing = readonly Buffer[];

/** One ring per purpose, so that no value made for one door can be replayed at another. */
export type Keys = {
  cookies: string[];
  csrf: KeyRing;
  /** The one key that may never change, or every `sub` would (src/service/pairwise-key.ts). */
  pairwise: Buffer;
  oneTimeCode: KeyRing;
  cursor: KeyRing;
  device: KeyRing;
  doctor: KeyRing;
  sealing: KeyRing;
};

/** `secret` is one secret, or several separated by commas, newest first (docs/decisions/0401). */
export function createKeys(secret: string): Keys {
  const secrets = splitSecrets(secret);
  const [newest = ''] = secrets;
  const derive = (from: string, purpose: string) =>
    Buffer.from(hkdfSync('sha256', from, '', `tollgate ${purpose} v1`, 32));
  const ring = (purpose: string) => secrets.map((each) => derive(each, purpose));
  return {
    cookies: ring('cookies').map((key) => key.toString('base64url')),
    csrf: ring('csrf'),
    pairwise: derive(newest, 'pairwise sub'),
    oneTimeCode: ring('one-time code'),
    cursor: ring('list cursor'),
    device: ring('known device'),
    doctor: ring('doctor'),
    sealing: ring('sealing'),
  };
}

/** Our own secrets are base64, which has no comma. */
export function splitSecrets(secret: string): string[] {
  return secret.split(',').map((each) => each.trim());
}

/** 256 random bits, base64url: long enough that SHA-256 is a sufficient hash of it at rest. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function sha256(value: string): string {
  return hash('sha256', value, 'base64url');
}

/** Each part is preceded by its length, so that ('ab', 'c') and ('a', 'bc') differ. A ring signs with its newest key. */
export function hmac(key: Buffer | KeyRing, ...parts: string[]): string {
  const mac = createHmac('sha256', keyObjectOf(Buffer.isBuffer(key) ? key : newestOf(key)));
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:`).update(part);
  return mac.digest('base64url');
}

/** Making one takes six times as long as the HMAC itself. */
const keyObjects = new WeakMap<Buffer, KeyObject>();

function keyObjectOf(key: Buffer): KeyObject {
  const made = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, made);
  return made;
}

/** Whether any key of the ring made `presented` from these parts. */
export function isHmacOf(presented: string, ring: KeyRing, ...parts: string[]): boolean {
  return ring.some((key) => constantTimeEqual(presented, hmac(key, ...parts)));
}

function newestOf(ring: KeyRing): Buffer {
  const [newest] = ring;
  if (!newest) throw new Error('a key ring is empty');
  return newest;
}

export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM. `context` is authenticated: a value sealed for one row cannot be moved to another. */
export function seal(keys: Pick<Keys, 'sealing'>, plaintext: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', newestOf(keys.sealing), nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Throws when no key of the ring, or not this context, or not every byte, is the sealed one. */
export function unseal(keys: Pick<Keys, 'sealing'>, sealed: string, context: string): string {
  let failure: unknown;
  for (const key of keys.sealing) {
    try {
      return unsealWith(key, sealed, context);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** The same value under the newest key; undefined when it already is. */
export function resealed(keys: Pick<Keys, 'sealing'>, sealed: string, context: string): string | undefined {
  try {
    unsealWith(newestOf(keys.sealing), sealed, context);
    return undefined;
  } catch {
    return seal(keys, unseal(keys, sealed, context), context);
  }
}

function unsealWith(key: Buffer, sealed: string, context: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)).toString('utf8') + decipher.final('utf8');
}

/** What was sealed, and what for. */
export type Sealed = { value: string; context: string };

/** undefined: no secret given opens it. */
export function isSealedWithNewest(
  keys: Pick<Keys, 'sealing'>,
  sealed: string,
  context: string,
): boolean | undefined {
  try {
    return resealed(keys, sealed, context) === undefined;
  } catch {
    return undefined;
  }
}
