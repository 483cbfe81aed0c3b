// DPoP (RFC 9449): tokens bound to a key of the client. Any client may ask for it by sending proofs, and one that has to
// (docs/decisions/1207) gets no tokens without.
import { hkdfSync } from 'node:crypto';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { Keys } from '../../secrets.ts';
import { refuseUnauthenticatedPush } from '../authorization-request/request-rules.ts';

type Feature = NonNullable<NonNullable<Configuration['features']>['dPoP']>;

const SECRET_BYTES = 32;

/**
 * Proofs contain a nonce of ours (RFC 9449 §8), which is how old they may be: no clock of a browser decides, and none can be made
 * ahead. Nonces follow from the time and the one key that never changes, so all processes know them and keep none.
 */
export function proofOfPossession({ pairwise }: Pick<Keys, 'pairwise'>): Feature {
  const secret = hkdfSync('sha256', pairwise, '', 'tollgate DPoP nonces v1', SECRET_BYTES);
  return { enabled: true, nonceSecret: Buffer.from(secret), requireNonce };
}

/** Asked before a proof is remembered: a proof that a stranger pushed is not. */
function requireNonce({ oidc }: KoaContextWithOIDC): boolean {
  if (oidc.client) refuseUnauthenticatedPush(oidc, oidc.client);
  return true;
}
