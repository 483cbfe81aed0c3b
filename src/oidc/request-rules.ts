// Where we ask more of an authorization request than the standard (promise 5): state, nonce, PKCE and
// openid are required, and `offline_access` needs no prompt. The engine runs these after it has verified the callback, so
// a refusal goes back to the client.
import type { ParsedUrlQuery } from 'node:querystring';
import { type Client, type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isCompatible, isPublic } from './client.ts';
import { ATTEMPT } from './engine-context.ts';
import { refuseLongParameters } from './parameter-sizes.ts';

export const supportedScopes = ['openid', 'email', 'profile', 'offline_access'];

export const requestRules: NonNullable<Configuration['extraParams']> = {
  state(ctx, value, client) {
    refuseLongParameters(ctx);
    requireParameter('state')(ctx, value, client);
  },
  nonce: requireParameter('nonce'),
  scope: requireScope,
  // Ours, in the place of whatever a client sends under this name (request-reading.ts).
  [ATTEMPT]: null,
};

function requireParameter(name: string) {
  return (ctx: KoaContextWithOIDC, value: string | undefined, client: Client): void => {
    if (!value && requiredParameters(ctx.query, client).includes(name))
      throw new errors.InvalidRequest(`missing required parameter ${name}`);
  };
}

/** For the engine's `pkce`. A challenge that was sent has to be answered in any case. */
export function requiresChallenge(ctx: KoaContextWithOIDC, client: Client): boolean {
  return requiredParameters(ctx.query, client).includes('code_challenge');
}

const PKCE = ['code_challenge', 'code_challenge_method'];
const PROTECTION = [...PKCE, 'state', 'nonce'];

/**
 * Strict client rules ask for all of it. Compatible ones are RFC 9700 §2.1: PKCE for public clients, and for the others
 * PKCE or a nonce, each of which binds the answer to the browser that asked, as state does.
 */
function requiredParameters(query: ParsedUrlQuery, client: Client | undefined): string[] {
  if (!client || !isCompatible(client)) return PROTECTION;
  const hasPkce = PKCE.some((name) => query[name]);
  return isPublic(client) || hasPkce || !query.nonce ? PKCE : [];
}

function requireScope(ctx: KoaContextWithOIDC, _value: string | undefined, client: Client): void {
  const requested = scopesOf(ctx.query.scope);
  if (!requested.includes('openid')) throw new errors.InvalidRequest('the scope openid is required');
  keepOfflineAccess(ctx, client, requested);
}

/** The engine has dropped it by now, since it wants `prompt=consent` as well; our consent page names it instead. */
function keepOfflineAccess(ctx: KoaContextWithOIDC, client: Client, requested: string[]): void {
  if (!requested.includes('offline_access') || !client.grantTypeAllowed('refresh_token') || !ctx.oidc.params)
    return;
  ctx.oidc.params.scope = requested.join(' ');
}

export function scopesOf(raw: unknown): string[] {
  return typeof raw === 'string' ? [...new Set(raw.split(' ').filter((scope) => scope !== ''))] : [];
}

/** By their names, all at once: whoever mends a request mends it once. */
export function missingParameters(query: ParsedUrlQuery, client: Client | undefined): string[] {
  const names = ['client_id', 'redirect_uri', 'response_type', 'scope', ...requiredParameters(query, client)];
  const missing = names.filter((name) => !query[name]);
  const hasScope = !missing.includes('scope');
  return hasScope && !scopesOf(query.scope).includes('openid') ? ['openid in scope', ...missing] : missing;
}
