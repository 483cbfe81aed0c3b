// An authorization request as the engine gets it: scopes that do not exist are left out, the answer comes in the query or
// as a form of ours, and the attempt has its name.
import type { ParsedUrlQuery } from 'node:querystring';
import type { Middleware } from 'koa';
import { newTraceId } from '../traces/trace-id.ts';
import { ATTEMPT } from './engine-context.ts';
import { POSTED_ANSWER } from './posted-answer.ts';
import { scopesOf, supportedScopes } from './request-rules.ts';

export const readRequest: Middleware = async (ctx, next) => {
  const query = { ...ctx.query };
  const ignored = leaveOutUnknownScopes(query);
  if (ignored.length > 0) ctx.state.ignoredScopes = ignored;
  nameResponse(query);
  query[ATTEMPT] = newTraceId(textOf(query.client_id) ?? '', textOf(query.nonce));
  ctx.query = query;
  await next();
};

/** RFC 6749 §3.3: what a scope may be written with. */
const WELL_FORMED = /^[\x21\x23-\x5b\x5d-\x7e ]*$/;

/** OpenID Connect Core §3.1.2.1: "Scope values used that are not understood by an implementation SHOULD be ignored." */
function leaveOutUnknownScopes(query: ParsedUrlQuery): string[] {
  const scope = textOf(query.scope);
  if (scope === undefined || !WELL_FORMED.test(scope)) return [];
  const requested = scopesOf(scope);
  const known = requested.filter((name) => supportedScopes.includes(name));
  if (known.length === requested.length) return [];
  query.scope = known.join(' ');
  return requested.filter((name) => !supportedScopes.includes(name));
}

/**
 * Only `response_type=code` is offered, in the query or by a form. The engine would refuse the rest in the form of what
 * was asked for: an error in a fragment, or on a page with a script of its own. Any value it has never heard of is
 * refused with the same error code, in the query.
 */
function nameResponse(query: ParsedUrlQuery): void {
  const [type, mode] = [textOf(query.response_type), textOf(query.response_mode)];
  if (type !== undefined && type !== 'code') query.response_type = 'unsupported';
  if (mode === undefined || mode === 'query') return;
  // A request that begins anew on our pages comes with the name that it had here.
  query.response_mode = mode === 'form_post' || mode === POSTED_ANSWER ? POSTED_ANSWER : 'unsupported';
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
