// An authorization request as the engine gets it from a browser: the answer comes in the query or as a form of ours, the
// attempt has its name, and signed requests are left to those who push them.
import type { ParsedUrlQuery } from 'node:querystring';
import type { Context, Middleware } from 'koa';
import { newTraceId } from '../../traces/trace-id.ts';
import { ATTEMPT } from '../engine/engine-context.ts';
import { offeredResponseMode } from './form-post-answer.ts';

export const readRequest: Middleware = async (ctx, next) => {
  const query = { ...ctx.query };
  refuseRequestObject(ctx, query);
  nameResponse(query);
  query[ATTEMPT] = newTraceId(textOf(query.client_id) ?? '', textOf(query.nonce));
  ctx.query = query;
  await next();
};

/** request-rules.ts refuses it once the callback is verified; the engine would read it. */
function refuseRequestObject(ctx: Context, query: ParsedUrlQuery): void {
  if (query.request === undefined) return;
  ctx.state.hasRequestObject = true;
  delete query.request;
}

/**
 * Only `response_type=code` is offered, in the query or by a form. The engine would refuse the rest in the form of what
 * was asked for: an error in a fragment, or on a page with a script of its own. Any value it has never heard of is
 * refused with the same error code, in the query.
 */
function nameResponse(query: ParsedUrlQuery): void {
  const [type, mode] = [textOf(query.response_type), textOf(query.response_mode)];
  if (type !== undefined && type !== 'code') query.response_type = 'unsupported';
  if (mode !== undefined) query.response_mode = offeredResponseMode(mode) ?? 'unsupported';
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
