// The public keys of a company's backend, as it enters them: a JSON Web Key Set (RFC 7517) with which its assertions and
// signed requests are verified. A private key is refused before it is stored anywhere.
import { createPublicKey } from 'node:crypto';
import { TollgateError } from '../errors.ts';
import { clientKeySetBytes, clientKeysPerSet, clientRsaModulusBits } from '../limits/assurance.ts';

export type ClientKeySet = { keys: Record<string, unknown>[] };

/** RFC 7518 §6 and RFC 8037 §2: members that only a private or a symmetric key has. */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];
const PUBLIC_MEMBERS = ['kty', 'use', 'key_ops', 'alg', 'kid', 'crv', 'x', 'y', 'n', 'e'];

/** Algorithms that such a key can verify; the strong ones of each kind. */
export const clientSignatureAlgorithms = ['ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS256'] as const;

/** @throws TollgateError invalid_request with the sentence for the person who pasted it. */
export function parseClientKeySet(text: string): ClientKeySet {
  if (Buffer.byteLength(text) > clientKeySetBytes)
    throw refusal(`The key set is larger than ${clientKeySetBytes / 1024} KiB.`);
  const keys = keysOf(text);
  if (!keys) throw refusal('Enter a JSON Web Key Set: {"keys": [ … ]}.');
  if (keys.length === 0 || keys.length > clientKeysPerSet)
    throw refusal(`A key set has 1 to ${clientKeysPerSet} keys.`);
  return { keys: keys.map((key, index) => publicKeyOf(key, index + 1)) };
}

function keysOf(text: string): unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const isSet = typeof parsed === 'object' && parsed !== null && 'keys' in parsed;
    return isSet && Array.isArray(parsed.keys) ? parsed.keys : undefined;
  } catch {
    return undefined;
  }
}

function publicKeyOf(value: unknown, place: number): Record<string, unknown> {
  const members = Object.entries(typeof value === 'object' && value !== null ? value : {});
  if (members.some(([name]) => SECRET_MEMBERS.includes(name)))
    throw refusal(`Key ${place} is a private key. Enter public keys only, and replace this one.`);
  const key = Object.fromEntries(members.filter(([name]) => PUBLIC_MEMBERS.includes(name)));
  const problem = keyProblem(key);
  if (problem) throw refusal(`Key ${place} ${problem}.`);
  return key;
}

function keyProblem(key: Record<string, unknown>): string | undefined {
  const { kty, crv, use, alg } = key;
  const isKnown = kty === 'RSA' || (kty === 'EC' && crv === 'P-256') || (kty === 'OKP' && crv === 'Ed25519');
  if (!isKnown) return 'is of another kind than RSA, EC with P-256 or OKP with Ed25519';
  if (use !== undefined && use !== 'sig') return 'is not for signatures ("use")';
  if (alg !== undefined && !clientSignatureAlgorithms.some((known) => known === alg))
    return `names another algorithm than ${clientSignatureAlgorithms.join(', ')}`;
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' });
    const bits = asymmetricKeyDetails?.modulusLength;
    return bits !== undefined && bits < clientRsaModulusBits
      ? `has ${bits} bits; RSA keys need ${clientRsaModulusBits}`
      : undefined;
  } catch {
    return 'is not a valid JSON Web Key';
  }
}

function refusal(description: string): TollgateError {
  return new TollgateError('invalid_request', description);
}
