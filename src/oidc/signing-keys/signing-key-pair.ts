// A new key pair for each algorithm that signs tokens, as JSON Web Keys.
import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { SigningAlgorithm } from '../../applications/signing-algorithm.ts';

const RSA_MODULUS_BITS = 2048;

type KeyPair = { publicKey: KeyObject; privateKey: KeyObject };

const generate: Record<SigningAlgorithm, () => Promise<KeyPair>> = {
  RS256: () => promisify(generateKeyPair)('rsa', { modulusLength: RSA_MODULUS_BITS }),
  ES256: () => promisify(generateKeyPair)('ec', { namedCurve: 'P-256' }),
  // RFC 8037 §3.1: this name stands for two curves; Ed25519 is the one that libraries have.
  EdDSA: () => promisify(generateKeyPair)('ed25519', {}),
};

export type SigningKeyPair = { kid: string; publicJwk: JWK; privateJwk: JWK };

export async function generateSigningKey(alg: SigningAlgorithm): Promise<SigningKeyPair> {
  const pair = await generate[alg]();
  const kid = await calculateJwkThumbprint(pair.publicKey.export({ format: 'jwk' }));
  const usage = { kid, alg, use: 'sig' };
  return {
    kid,
    publicJwk: { ...pair.publicKey.export({ format: 'jwk' }), ...usage },
    privateJwk: { ...pair.privateKey.export({ format: 'jwk' }), ...usage },
  };
}
