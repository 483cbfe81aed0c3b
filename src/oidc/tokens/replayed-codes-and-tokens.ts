// What a failed exchange at the token endpoint leads to: five wrong verifiers burn the code, and a code or rotated
// refresh token that comes a second time ends everything it led to.
import type { Middleware } from 'koa';
import type Provider from 'oidc-provider';
import type { OIDCContext } from 'oidc-provider';
import type { Clock } from '../../clock.ts';
import { countAttempt } from '../../database/attempt-limit.ts';
import { createWriter } from '../../database/batch.ts';
import type { Database } from '../../database/connection.ts';
import { revocationBatches } from '../../limits/stores.ts';
import { authorizationCodeSeconds, wrongVerifiersPerCode } from '../../limits/token-lifetimes.ts';
import { sha256 } from '../../secrets.ts';
import { engineContext, errorOf, parameter } from '../engine/engine-context.ts';

export type RevokeGrants = (db: Database, grantIds: string[]) => Promise<void>;

type Options = { db: Database; provider: Provider; revokeGrants: RevokeGrants; clock: Clock };
type Dependencies = Omit<Options, 'revokeGrants'> & { endGrant: (grantId: string) => Promise<void> };

export function punishFailedExchanges({ revokeGrants, ...options }: Options): Middleware {
  const endGrant = createWriter({
    write: (grantIds) => revokeGrants(options.db, grantIds),
    ...revocationBatches,
  });
  const dependencies = { ...options, endGrant };
  return async (ctx, next) => {
    await next();
    if (errorOf(ctx)?.error !== 'invalid_grant') return;
    const oidc = engineContext(ctx);
    if (!oidc?.client) return;
    await punishCode(dependencies, oidc);
    await punishRefreshToken(dependencies, oidc);
  };
}

async function punishCode(dependencies: Dependencies, oidc: OIDCContext): Promise<void> {
  const value = parameter(oidc, 'code');
  if (value === undefined || parameter(oidc, 'grant_type') !== 'authorization_code') return;
  const code = await dependencies.provider.AuthorizationCode.find(value, { ignoreExpiration: true });
  // Another client that got hold of the code must not be able to end this one's sign-in.
  if (!code || code.isExpired || code.clientId !== oidc.client?.clientId) return;
  if (code.isValid) {
    await countWrongVerifier(dependencies, value, () => code.destroy());
    return;
  }
  // Used before. Only who holds the verifier repeats the exchange; a code seen in a log must not sign anybody out.
  // Without a challenge (compatible client rules) the client has proven who it is by its secret.
  if (!code.codeChallenge || sha256(parameter(oidc, 'code_verifier') ?? '') === code.codeChallenge)
    await revokeGrantOf(dependencies, code);
}

/**
 * The verifier is compared before this counts, so guesses sent at the same moment may all be compared; against
 * 256 bits that gains nothing, and after five the code is gone for all that follow.
 */
async function countWrongVerifier(
  { db, clock }: Dependencies,
  code: string,
  burn: () => Promise<void>,
): Promise<void> {
  const attempt = await countAttempt(db, {
    key: `code:${sha256(code)}`,
    limit: { count: wrongVerifiersPerCode, seconds: authorizationCodeSeconds },
    now: clock(),
  });
  if (attempt.count >= wrongVerifiersPerCode) await burn();
}

async function punishRefreshToken(dependencies: Dependencies, oidc: OIDCContext): Promise<void> {
  const value = parameter(oidc, 'refresh_token');
  if (value === undefined || parameter(oidc, 'grant_type') !== 'refresh_token') return;
  const token = await dependencies.provider.RefreshToken.find(value, { ignoreExpiration: true });
  if (token?.consumed && token.clientId === oidc.client?.clientId) await revokeGrantOf(dependencies, token);
}

/** The engine does the same when it sees `consumed` in time; this also catches who lost the race to consume. */
async function revokeGrantOf(
  { endGrant }: Dependencies,
  source: { grantId?: string | undefined },
): Promise<void> {
  if (source.grantId) await endGrant(source.grantId);
}
