// Where we ask more of an authorization request than the standard (promise 5): state, nonce, PKCE and openid are
// required, and `offline_access` needs no prompt. The engine runs these after it has read the request, by whichever door it
// came (in the address, by a form, pushed, signed), and verified the callback: so a refusal goes back to the client.
import {
  type Client,
  type Configuration,
  errors,
  type KoaContextWithOIDC,
  type OIDCContext,
} from 'oidc-provider';
import { scopesOf, supportedScopes } from '../../applications/scopes.ts';
import { isCompatible, isPublic } from '../clients/client.ts';
import { isDeviceRequest, readDeviceRequest } from '../devices/device-request.ts';
import { ATTEMPT, PUSHED_ROUTE } from '../engine/engine-context.ts';
import { offeredResponseMode } from './form-post-answer.ts';
import { refuseLongParameters } from './parameter-sizes.ts';
import { isReference, type SentRequest, sentRequest } from './sent-request.ts';

export const requestRules: NonNullable<Configuration['extraParams']> = {
  state(ctx, value, client) {
    refuseWrongDoor(ctx, client);
    refuseLongParameters(ctx);
    if (isDeviceRequest(ctx)) return readDeviceRequest(ctx, client);
    nameResponse(ctx);
    nameAttempt(ctx);
    requireParameter('state')(ctx, value, client);
  },
  nonce: requireParameter('nonce'),
  scope: requireScope,
  // Ours, in the place of whatever a client sends under this name (request-reading.ts).
  [ATTEMPT]: null,
};

function refuseWrongDoor({ oidc, state }: KoaContextWithOIDC, client: Client): void {
  if (state.hasRequestObject === true)
    throw new errors.RequestNotSupported('request is taken in pushed authorization requests only');
  refuseUnauthenticatedPush(oidc, client);
}

/** RFC 9126 §2: who pushes proves who it is, so by this door a stranger makes us keep nothing. */
export function refuseUnauthenticatedPush({ route }: OIDCContext, client: Client): void {
  if (route === PUSHED_ROUTE && isPublic(client))
    throw new errors.UnauthorizedClient('a client without authentication cannot push requests');
}

/** However the request arrived: what is pushed or signed has not met request-reading.ts. */
function nameResponse({ oidc: { params } }: KoaContextWithOIDC): void {
  if (params?.response_mode === undefined) return;
  const mode = offeredResponseMode(String(params.response_mode));
  if (mode === undefined) throw new errors.UnsupportedResponseMode();
  params.response_mode = mode;
}

/** What is pushed begins to be somebody's attempt where their browser brings it. */
function nameAttempt({ oidc: { params, route }, query }: KoaContextWithOIDC): void {
  if (params) params[ATTEMPT] = route === PUSHED_ROUTE ? undefined : query[ATTEMPT];
}

function requireParameter(name: string) {
  return (ctx: KoaContextWithOIDC, value: string | undefined, client: Client): void => {
    if (isDeviceRequest(ctx)) return;
    if (!value && requiredParameters(sentRequest(ctx), client).includes(name))
      throw new errors.InvalidRequest(`missing required parameter ${name}`);
  };
}

/** For the engine's `pkce`. A challenge that was sent has to be answered in any case. */
export function requiresChallenge(ctx: KoaContextWithOIDC, client: Client): boolean {
  return requiredParameters(sentRequest(ctx), client).includes('code_challenge');
}

const PKCE = ['code_challenge', 'code_challenge_method'];
const PROTECTION = [...PKCE, 'state', 'nonce'];

/**
 * Strict client rules ask for all of it. Compatible ones are RFC 9700 §2.1: PKCE for public clients, and for the others
 * PKCE or a nonce, each of which binds the answer to the browser that asked, as state does.
 */
function requiredParameters(sent: SentRequest, client: Client | undefined): string[] {
  if (!client || !isCompatible(client)) return PROTECTION;
  const hasPkce = PKCE.some((name) => sent[name]);
  return isPublic(client) || hasPkce || !sent.nonce ? PKCE : [];
}

/**
 * The engine has dropped `offline_access` by now, since it wants `prompt=consent` as well; our consent page names it
 * instead. OpenID Connect Core §3.1.2.1: "Scope values used that are not understood by an implementation SHOULD be ignored."
 */
function requireScope(ctx: KoaContextWithOIDC, _value: string | undefined, client: Client): void {
  if (isDeviceRequest(ctx)) return;
  const { params } = ctx.oidc;
  const requested = scopesOf(sentRequest(ctx).scope);
  if (!requested.includes('openid')) throw new errors.InvalidRequest('the scope openid is required');
  const apis = Object.entries(ctx.oidc.resourceServers ?? {});
  for (const [identifier, { scopes }] of apis) requireScopeOf(identifier, scopes, requested);
  const understood = new Set([...supportedScopes, ...apis.flatMap(([, { scopes }]) => [...scopes])]);
  const known = requested.filter((scope) => understood.has(scope));
  if (known.length < requested.length)
    ctx.state.ignoredScopes = requested.filter((scope) => !understood.has(scope));
  const isOffline = client.grantTypeAllowed('refresh_token');
  if (params) params.scope = known.filter((scope) => isOffline || scope !== 'offline_access').join(' ');
}

/** A token for an API that nobody was asked about would open it all the same, and the engine asks about scopes only. */
export function requireScopeOf(identifier: string, scopes: Set<string>, requested: string[]): void {
  if (requested.some((scope) => scopes.has(scope))) return;
  const description = `scope names none of the scopes of the resource ${identifier}`;
  throw new errors.InvalidScope(description, requested.join(' '));
}

/** By their names, all at once: whoever mends a request mends it once. */
export function missingParameters(sent: SentRequest, client: Client | undefined): string[] {
  if (isReference(sent)) return [];
  const names = ['client_id', 'redirect_uri', 'response_type', 'scope', ...requiredParameters(sent, client)];
  const missing = names.filter((name) => !sent[name]);
  const hasScope = !missing.includes('scope');
  return hasScope && !scopesOf(sent.scope).includes('openid') ? ['openid in scope', ...missing] : missing;
}
