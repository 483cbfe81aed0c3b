// What a refused authorization request is told: everything that was missing, by name, and where the company reads more.
// The engine names what it met first; its error code stays.
import type { Context, Middleware } from 'koa';
import type Provider from 'oidc-provider';
import type { errors, KoaContextWithOIDC } from 'oidc-provider';
import { sentUri } from '../../traces/sent-uri.ts';
import type { SignInReason } from '../../traces/step.ts';
import {
  engineContext,
  errorOf,
  PUSHED_PATH,
  PUSHED_ROUTE,
  parameter,
  traceOfRequest,
} from '../engine/engine-context.ts';
import { type Refusal, reasonOfRequestRefusal } from '../errors/refusal-reason.ts';
import { missingParameters } from './request-rules.ts';
import { sentRequest } from './sent-request.ts';

export type RequestRefusal = { reason: SignInReason; detail?: string | undefined };

/** @returns undefined for an answer that the protocol foresees, such as `login_required`. */
export function requestRefusalOf(ctx: Context, refusal: Refusal): RequestRefusal | undefined {
  const reason = reasonOfRequestRefusal(refusal);
  if (!reason) return undefined;
  const missing = missingOf(ctx);
  if (!isAboutMissing(reason, missing)) return { reason, detail: detailOf(ctx, reason, refusal) };
  const [only, ...others] = missing;
  const isPkceAlone = missing.every((name) => name.startsWith('code_challenge'));
  if (others.length > 0 && !isPkceAlone) return { reason: 'parameters_missing', detail: missing.join(', ') };
  return { reason: isPkceAlone ? reason : (reasonOfMissing[only ?? ''] ?? reason) };
}

const reasonOfMissing: Partial<Record<string, SignInReason>> = {
  redirect_uri: 'callback_missing',
  scope: 'scope_missing',
  'openid in scope': 'openid_missing',
  response_type: 'response_type_missing',
  state: 'state_missing',
  nonce: 'nonce_missing',
};
const ABOUT_MISSING = [...Object.values(reasonOfMissing), 'challenge_missing'];

function isAboutMissing(reason: SignInReason, missing: string[]): boolean {
  if (reason === 'parameters_missing') return true;
  if (reason === 'challenge_method_wrong') return missing.includes('code_challenge_method');
  return missing.length > 0 && ABOUT_MISSING.includes(reason);
}

/** The address that was sent; and what nobody foresaw, in the engine's own words. */
function detailOf(ctx: Context, reason: SignInReason, refusal: Refusal): string | undefined {
  if (reason === 'callback_not_registered') return sentCallback(ctx);
  return reason === 'request_malformed' ? refusal.error_description : undefined;
}

function sentCallback(ctx: Context): string | undefined {
  const oidc = engineContext(ctx);
  const sent = oidc && parameter(oidc, 'redirect_uri');
  return sent === undefined ? undefined : sentUri(sent);
}

/** After the pages the request is not looked at again. */
function missingOf(ctx: Context): string[] {
  const oidc = engineContext(ctx);
  const isBegun = oidc !== undefined && ['authorization', PUSHED_ROUTE].includes(oidc.route);
  return isBegun ? missingParameters(sentRequest(ctx), oidc.client) : [];
}

/** For `ctx.state.explanation`, which takes the place of the engine's description wherever that would leave the house. */
export function explainRefusals(provider: Provider): Middleware {
  const explain = (ctx: KoaContextWithOIDC, thrown: errors.OIDCProviderError) => {
    ctx.state.explanation = explanationOf(ctx, thrown);
  };
  provider.on('authorization.error', explain);
  provider.on(`${PUSHED_ROUTE}.error`, (ctx: KoaContextWithOIDC, thrown: errors.OIDCProviderError) => {
    // A wrong secret and an unknown client are told alike (threat 26).
    if (thrown.error !== 'invalid_client') explain(ctx, thrown);
  });
  return async (ctx, next) => {
    await next();
    const { explanation } = ctx.state;
    if (typeof explanation !== 'string') return;
    const refused = ctx.path === PUSHED_PATH && errorOf(ctx);
    if (refused) ctx.body = { ...refused, error_description: explanation };
    if (ctx.status !== 303) return;
    ctx.set('Location', described(ctx.response.get('Location'), explanation));
  };
}

/** Some refusals of the engine have no description at all. */
function described(location: string, explanation: string): string {
  const told = `error_description=${encodeURIComponent(explanation)}`;
  const isDescribed = /[?&]error_description=/.test(location);
  if (isDescribed) return location.replace(/([?&])error_description=[^&]*/, (_all, mark) => mark + told);
  return /[?&]error=/.test(location) ? `${location}&${told}` : location;
}

function explanationOf(ctx: KoaContextWithOIDC, thrown: errors.OIDCProviderError): string | undefined {
  const refusal = requestRefusalOf(ctx, thrown);
  if (!refusal) return undefined;
  const missing = missingOf(ctx);
  const isMore = missing.length > 0 && !isAboutMissing(refusal.reason, missing);
  const said = thrown.error_description ?? thrown.error;
  const all = missing.length > 0 ? [`missing required parameters: ${missing.join(', ')}`] : [];
  const what = [...(all.length === 0 || isMore ? [said] : []), ...all].join('; ');
  const clientId = ctx.oidc.client?.clientId;
  if (!clientId) return what;
  return `${what}. What to do: company settings, Usage, ${traceOfRequest(ctx, clientId)}`;
}
