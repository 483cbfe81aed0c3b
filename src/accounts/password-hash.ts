// Passwords at rest: argon2id from node:crypto in the PHC notation, and the one spelling of what a person types.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { passwordMemoryKibibytes, passwordPasses } from '../limits/credentials.ts';

/** A hash with its cost and nonce, as read from a PHC string. */
export type PasswordHash = { memory: number; passes: number; nonce: Uint8Array; tag: Uint8Array };

const deriveTag = promisify(argon2);
const NONCE_BYTES = 16;
const TAG_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/;

export async function hashPassword(password: string): Promise<string> {
  const fresh = unmatchableHash();
  const { memory, passes, nonce } = fresh;
  const tag = await derive(password, fresh);
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${encode(nonce)}$${encode(tag)}`;
}

export async function isPasswordOf(hash: PasswordHash, password: string): Promise<boolean> {
  return timingSafeEqual(await derive(password, hash), hash.tag);
}

/** The stored hash carries its own cost, so that stronger settings later leave old passwords valid. */
export function readPasswordHash(phc: string): PasswordHash | undefined {
  const [, memory, passes, nonce, tag] = PHC.exec(phc) ?? [];
  if (!memory || !passes || !nonce || !tag) return undefined;
  return {
    memory: Number(memory),
    passes: Number(passes),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

/** Costs what a real one costs, and nobody knows a password to its random tag. */
export function unmatchableHash(): PasswordHash {
  return {
    memory: passwordMemoryKibibytes,
    passes: passwordPasses,
    nonce: randomBytes(NONCE_BYTES),
    tag: randomBytes(TAG_BYTES),
  };
}

/**
 * RFC 8265 §4.2 (OpaqueString): one form for what the same keys produce on different systems. Compatibility
 * forms stay distinct, so that no two visibly different passwords become one.
 */
export function preparePassword(password: string): string {
  return password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');
}

function derive(password: string, { memory, passes, nonce, tag }: PasswordHash): Promise<Buffer> {
  return deriveTag('argon2id', {
    message: preparePassword(password),
    nonce,
    memory,
    passes,
    parallelism: 1,
    tagLength: tag.length,
  });
}

function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
