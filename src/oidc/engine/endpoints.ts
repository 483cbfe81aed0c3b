// What may reach the engine at all: its endpoints by their exact addresses and methods, within sizes that it can
// take. The engine itself also answers "/OAUTH/token/", which everything that looks at the path would overlook.
import type { Context, Middleware } from 'koa';
import { TollgateError } from '../../errors.ts';
import { formBytes } from '../../limits/requests.ts';
import { PUSHED_PATH } from './engine-context.ts';

/** The address of each endpoint, by the engine's name for it. */
export const engineRoutes = {
  authorization: '/oauth/authorize',
  pushed_authorization_request: PUSHED_PATH,
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
  jwks: '/oauth/jwks',
  end_session: '/oauth/logout',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  device_authorization: '/oauth/device_authorization',
  code_verification: '/device',
} as const;

const METADATA = ['GET', 'HEAD', 'OPTIONS'];

const methodsOf: Record<string, string[]> = {
  '/.well-known/openid-configuration': METADATA,
  '/.well-known/oauth-authorization-server': METADATA,
  '/oauth/jwks': METADATA,
  '/oauth/authorize': ['GET', 'POST'],
  '/oauth/authorize/:uid': ['GET'],
  [PUSHED_PATH]: ['POST', 'OPTIONS'],
  '/oauth/token': ['POST', 'OPTIONS'],
  '/oauth/userinfo': ['GET', 'HEAD', 'POST', 'OPTIONS'],
  '/oauth/revoke': ['POST', 'OPTIONS'],
  '/oauth/introspect': ['POST', 'OPTIONS'],
  '/oauth/device_authorization': ['POST', 'OPTIONS'],
  '/device': ['GET', 'POST'],
  '/device/:uid': ['GET'],
  '/oauth/logout': ['GET'],
  '/oauth/logout/confirm': ['POST'],
  '/oauth/logout/success': ['GET'],
};

/** Where a client says who it is. */
export const CLIENT_ENDPOINTS = [
  PUSHED_PATH,
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/introspect',
  '/oauth/device_authorization',
];

/** The same, and where its access token says it. */
export const CALLED_BY_CLIENTS = [...CLIENT_ENDPOINTS, '/oauth/userinfo'];

/** These speak JSON to whoever asks; the others show pages to people. */
export const MACHINE_ENDPOINTS = [...CALLED_BY_CLIENTS, '/oauth/jwks'];

export function isMachineEndpoint(path: string): boolean {
  return MACHINE_ENDPOINTS.includes(path);
}

export const guardEndpoints: Middleware = async (ctx, next) => {
  const endpoint = endpointOf(ctx.path);
  const methods = methodsOf[endpoint];
  if (!methods) {
    refuseLookalike(ctx.path);
    return next();
  }
  // Before anything can be refused, so that a refusal is JSON as well.
  if (isMachineEndpoint(endpoint)) ctx.req.headers.accept = 'application/json';
  if (!methods.includes(ctx.method)) {
    ctx.set('Allow', methods.join(', '));
    throw new TollgateError('method_not_allowed', `This address takes ${methods.join(', ')} only.`);
  }
  refuseUnreadable(ctx);
  await next();
  // The engine forgets it at the revocation endpoint.
  if (ctx.method === 'POST') ctx.set('Cache-Control', 'no-store');
};

/** The engine puts a uid at the end of an address to go on after the pages. */
function endpointOf(path: string): string {
  return path.replace(/^(\/oauth\/authorize|\/device)\/[^/]+$/, '$1/:uid');
}

function refuseLookalike(path: string): void {
  const canonical = endpointOf(path.toLowerCase().replace(/\/$/, ''));
  if (canonical in methodsOf) throw new TollgateError('not_found', 'There is nothing at this address.');
}

function refuseUnreadable(ctx: Context): void {
  // PostgreSQL cannot store the zero character, and no parameter has a use for it.
  if (/%00/.test(ctx.querystring))
    throw new TollgateError('invalid_request', 'The query contains a zero character.');
  if ((ctx.req.headersDistinct.authorization ?? []).length > 1)
    throw new TollgateError('invalid_request', 'Send one Authorization header.');
  if ((ctx.request.length ?? 0) > formBytes)
    throw new TollgateError('payload_too_large', 'The form is larger than 16 KiB.');
}
