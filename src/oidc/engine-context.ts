// The one place where a Koa context is asked what the engine left in it. `ctx.oidc` exists only on the engine's
// own routes, and its parts only as far as the request got.
import type { Context } from 'koa';
import type { Client, KoaContextWithOIDC, OIDCContext } from 'oidc-provider';
import { traceIdOf } from '../trace-id.ts';

type PerhapsEngineContext = Context & Partial<Pick<KoaContextWithOIDC, 'oidc'>>;

export function engineContext(ctx: PerhapsEngineContext): OIDCContext | undefined {
  return ctx.oidc;
}

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

/** The name of the attempt that an authorization request begins; without a nonce, of this request alone. */
export function traceOfRequest(ctx: Context, clientId: string): string {
  const oidc = engineContext(ctx);
  return traceIdOf(clientId, (oidc && parameter(oidc, 'nonce')) ?? String(ctx.state.requestId));
}

/** The client that asks. The engine has found it before it calls any of our rules. */
export function clientOf(oidc: OIDCContext): Client {
  if (!oidc.client) throw new Error('the engine called a rule before it knew the client');
  return oidc.client;
}
