// The name of an attempt (src/traces/trace-id.ts) on its way through the engine: a parameter of our own in the request, which
// the engine hands on from page to page, and beside the requested claims in the code and the tokens that follow.
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { traceIdOf } from '../../traces/trace-id.ts';
import { ATTEMPT, parameter } from './engine-context.ts';

export function nameAttempts(provider: Provider): void {
  provider.on('authorization.accepted', ({ oidc }: KoaContextWithOIDC) => {
    Object.assign(oidc.claims, { [ATTEMPT]: parameter(oidc, ATTEMPT) });
  });
}

type Issued = { clientId?: string | undefined; nonce?: string | undefined; claims?: unknown };

/** Of a code or refresh token; those of the release before name only their nonce. */
export function attemptOf({ clientId, nonce, claims }: Issued): string | undefined {
  const isNamed = typeof claims === 'object' && claims !== null && ATTEMPT in claims;
  if (isNamed && typeof claims[ATTEMPT] === 'string') return claims[ATTEMPT];
  return clientId && nonce ? traceIdOf(clientId, nonce) : undefined;
}
