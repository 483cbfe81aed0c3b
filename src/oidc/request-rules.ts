// Where the specification asks more of an authorization request than the standard (section 4.2): state, nonce and
// openid are required, unknown scopes are refused, and `offline_access` needs no prompt. The engine runs these after
// it has verified the callback, so a refusal goes back to the client.
import type { Middleware } from 'koa';
import { type Client, type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { refuseLongParameters } from './parameter-sizes.ts';

export const supportedScopes = ['openid', 'email', 'profile', 'offline_access'];

export const requestRules: NonNullable<Configuration['extraParams']> = {
  state(ctx, value) {
    refuseLongParameters(ctx);
    requireParameter('state')(ctx, value);
  },
  nonce: requireParameter('nonce'),
  scope: requireScope,
};

function requireParameter(name: string) {
  return (_ctx: KoaContextWithOIDC, value: string | undefined): void => {
    if (!value) throw new errors.InvalidRequest(`missing required parameter ${name}`);
  };
}

function requireScope(ctx: KoaContextWithOIDC, _value: string | undefined, client: Client): void {
  const requested = scopesOf(ctx.query.scope);
  if (requested.length === 0) throw new errors.InvalidRequest('missing required parameter scope');
  const unknown = requested.find((scope) => !supportedScopes.includes(scope));
  if (unknown !== undefined) throw new errors.InvalidScope('requested scope is not supported', unknown);
  if (!requested.includes('openid')) throw new errors.InvalidRequest('the scope openid is required');
  keepOfflineAccess(ctx, client, requested);
}

/** The engine has dropped it by now, since it wants `prompt=consent` as well; our consent page names it instead. */
function keepOfflineAccess(ctx: KoaContextWithOIDC, client: Client, requested: string[]): void {
  if (!requested.includes('offline_access') || !client.grantTypeAllowed('refresh_token') || !ctx.oidc.params)
    return;
  ctx.oidc.params.scope = requested.join(' ');
}

function scopesOf(raw: unknown): string[] {
  return typeof raw === 'string' ? [...new Set(raw.split(' ').filter((scope) => scope !== ''))] : [];
}

/**
 * Only `response_type=code` in the query is offered. The engine refuses the rest, but answers in the form of what
 * was asked for: an error in a fragment, or on a page with a script that posts itself. Any value it has never heard
 * of is refused with the same error code, in the query.
 */
export const answerInQueryOnly: Middleware = async (ctx, next) => {
  const { response_type: type, response_mode: mode } = ctx.query;
  const changed = { ...ctx.query };
  if (typeof type === 'string' && type !== '' && type !== 'code') changed.response_type = 'unsupported';
  if (typeof mode === 'string' && mode !== '' && mode !== 'query') changed.response_mode = 'unsupported';
  if (changed.response_type !== type || changed.response_mode !== mode) ctx.query = changed;
  await next();
};
