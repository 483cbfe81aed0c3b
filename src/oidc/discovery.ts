// The discovery document, written out in full: what is not in it is not offered, and what is in it works (promise 4).
// The engine would add what it could do, and take addresses from the request.
import type { Middleware } from 'koa';
import { clientSignatureAlgorithms } from '../applications/client-key-set.ts';
import { supportedScopes } from '../applications/scopes.ts';
import { signingAlgorithms } from '../applications/signing-algorithm.ts';
import { keySetCacheSeconds } from '../limits/token-lifetimes.ts';
import { DEVICE_GRANT } from './devices/device-flow.ts';
import { engineRoutes } from './engine/endpoints.ts';
import { acrValues } from './sessions/authentication-context.ts';

const DISCOVERY_PATHS = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];
export const PUBLIC_DOCUMENTS = [...DISCOVERY_PATHS, '/oauth/jwks'];
const OF_BACKENDS = ['client_secret_post', 'client_secret_basic', 'private_key_jwt'];
const AUTHENTICATION_METHODS = [...OF_BACKENDS, 'none'];

function discoveryDocument(baseUrl: string) {
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + engineRoutes.authorization,
    pushed_authorization_request_endpoint: baseUrl + engineRoutes.pushed_authorization_request,
    token_endpoint: baseUrl + engineRoutes.token,
    userinfo_endpoint: baseUrl + engineRoutes.userinfo,
    jwks_uri: baseUrl + engineRoutes.jwks,
    end_session_endpoint: baseUrl + engineRoutes.end_session,
    revocation_endpoint: baseUrl + engineRoutes.revocation,
    introspection_endpoint: baseUrl + engineRoutes.introspection,
    device_authorization_endpoint: baseUrl + engineRoutes.device_authorization,
    scopes_supported: supportedScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_GRANT],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: signingAlgorithms,
    token_endpoint_auth_methods_supported: AUTHENTICATION_METHODS,
    token_endpoint_auth_signing_alg_values_supported: clientSignatureAlgorithms,
    revocation_endpoint_auth_methods_supported: AUTHENTICATION_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: clientSignatureAlgorithms,
    introspection_endpoint_auth_methods_supported: OF_BACKENDS,
    introspection_endpoint_auth_signing_alg_values_supported: clientSignatureAlgorithms,
    dpop_signing_alg_values_supported: clientSignatureAlgorithms,
    // In pushed requests; at the authorization endpoint there is neither of both parameters.
    request_object_signing_alg_values_supported: clientSignatureAlgorithms,
    require_pushed_authorization_requests: false,
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'amr',
      'acr',
      'nonce',
      'sid',
      'email',
      'email_verified',
      'name',
      'updated_at',
    ],
    ui_locales_supported: ['en', 'de', 'fr', 'es'],
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    acr_values_supported: acrValues,
    // The standard's defaults for absent fields would promise request_uri.
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}

/** After the engine, which sets the CORS headers: these two documents are public. */
export function describeService(baseUrl: string): Middleware {
  const document = discoveryDocument(baseUrl);
  return async (ctx, next) => {
    await next();
    if (ctx.status !== 200) return;
    if (DISCOVERY_PATHS.includes(ctx.path)) ctx.body = document;
    ctx.set('Cache-Control', `public, max-age=${keySetCacheSeconds}`);
  };
}
