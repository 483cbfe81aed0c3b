// The one place where a Koa context is asked what the engine left in it. `ctx.oidc` exists only on the engine's
// own routes, and its parts only as far as the request got.
import type { Context } from 'koa';
import type { Client, KoaContextWithOIDC, OIDCContext } from 'oidc-provider';
import { traceIdOf } from '../../traces/trace-id.ts';

type PerhapsEngineContext = Context & Partial<Pick<KoaContextWithOIDC, 'oidc'>>;

export function engineContext(ctx: PerhapsEngineContext): OIDCContext | undefined {
  return ctx.oidc;
}

/** The token endpoint's plain error comes with the trace's name, for who reports it and for who looks it up. */
export const TRACE_HEADER = 'x-tollgate-trace';

/** The name of the attempt (attempt-id.ts), as a parameter of our own. */
export const ATTEMPT = 'attempt';

/** The engine's name of the endpoint that takes pushed authorization requests. */
export const PUSHED_ROUTE = 'pushed_authorization_request';
export const PUSHED_PATH = '/oauth/par';

/** A parameter of the request as one string; absent, repeated and empty ones are undefined. */
export function parameter(oidc: OIDCContext, name: string): string | undefined {
  const value = oidc.params?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The OAuth error that an answer is, if it is one. */
export function errorOf(ctx: Context): { error: string; error_description: string } | undefined {
  const { body } = ctx;
  if (typeof body !== 'object' || body === null || !('error' in body) || typeof body.error !== 'string')
    return undefined;
  const isDescribed = 'error_description' in body && typeof body.error_description === 'string';
  return {
    error: body.error,
    error_description: isDescribed ? String(body.error_description) : 'The request was refused.',
  };
}

/** The name of the attempt that an authorization request begins or goes on with (attempt-id.ts). */
export function traceOfRequest(ctx: Context, clientId: string): string {
  const oidc = engineContext(ctx);
  const begun = typeof ctx.query[ATTEMPT] === 'string' ? ctx.query[ATTEMPT] : undefined;
  return (oidc && parameter(oidc, ATTEMPT)) ?? begun ?? traceIdOf(clientId, String(ctx.state.requestId));
}

/** The client that asks. The engine has found it before it calls any of our rules. */
export function clientOf(oidc: OIDCContext): Client {
  if (!oidc.client) throw new Error('the engine called a rule before it knew the client');
  return oidc.client;
}
