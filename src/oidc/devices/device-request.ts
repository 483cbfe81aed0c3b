// What a device asks with (RFC 8628 §3.1). There is no callback, and so neither state, PKCE nor nonce: what stands in their
// place is in docs/decisions/1208.
import { type Client, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { scopesOf, supportedScopes } from '../../applications/scopes.ts';
import { newTraceId } from '../../traces/trace-id.ts';
import { ATTEMPT } from '../engine/engine-context.ts';

export function isDeviceRequest({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.route === 'device_authorization';
}

/** Scopes that do not exist are left out, as of every request; the attempt gets its name. */
export function readDeviceRequest({ oidc }: KoaContextWithOIDC, client: Client): void {
  const { params } = oidc;
  if (!params) return;
  const requested = scopesOf(params.scope);
  if (!requested.includes('openid')) throw new errors.InvalidRequest('the scope openid is required');
  params.scope = requested.filter((scope) => supportedScopes.includes(scope)).join(' ');
  params[ATTEMPT] = newTraceId(client.clientId, undefined);
}
