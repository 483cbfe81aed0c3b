// An authorization request as its client sent it, by whichever door it came: in the address, by a form, pushed by a
// backend, or inside a signed object. The engine has changed some of it by the time that our rules look.
import type { Context } from 'koa';
import { engineContext, PUSHED_ROUTE } from '../engine/engine-context.ts';

export type SentRequest = Readonly<Record<string, unknown>>;

export function sentRequest(ctx: Context): SentRequest {
  const { requestObject } = ctx.state;
  if (isRequest(requestObject)) return requestObject;
  const oidc = engineContext(ctx);
  const isPushing = oidc?.route === PUSHED_ROUTE;
  return isPushing && isRequest(oidc.body) ? oidc.body : ctx.query;
}

/** What it says is somewhere else, and was not found or not understood. */
export function isReference({ request, request_uri: uri }: SentRequest): boolean {
  return request !== undefined || uri !== undefined;
}

/** From request-object.ts: what was pushed, or what the client has signed. */
export function keepRequestObject(ctx: Context, claims: SentRequest): void {
  ctx.state.requestObject = claims;
}

function isRequest(value: unknown): value is SentRequest {
  return typeof value === 'object' && value !== null;
}
