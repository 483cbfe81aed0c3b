// Who gets a refresh token, which of them rotate, and what does not end them. How long they live is in token-lifetimes.ts,
// what a used one that comes back leads to in replayed-codes-and-tokens.ts.
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { isPublic } from '../clients/client.ts';
import { clientOf } from '../engine/engine-context.ts';

export const refreshTokens = {
  issueRefreshToken: (_ctx, client, code) =>
    client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
  rotateRefreshToken: rotatesRefreshToken,
  // A closed browser must not end what a backend was given for later; logout does (sessions/logout.ts).
  expiresWithSession: () => false,
} satisfies Pick<Configuration, 'issueRefreshToken' | 'rotateRefreshToken' | 'expiresWithSession'>;

/** A browser's refresh token may be stolen unseen, so each works once; a backend may repeat a lost request. */
function rotatesRefreshToken(ctx: KoaContextWithOIDC): boolean {
  return isPublic(clientOf(ctx.oidc));
}
