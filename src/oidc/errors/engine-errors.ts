// What the engine refuses, and how that leaves the house: pages for people, `error` and `error_description` for
// programs, and nothing of the engine's insides in either.
import type { Middleware } from 'koa';
import type Provider from 'oidc-provider';
import { type ErrorOut, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { callbackCharactersShown, callbacksOnErrorPage } from '../../limits/applications.ts';
import type { Log } from '../../log.ts';
import { sentUri } from '../../traces/sent-uri.ts';
import { isInTestMode } from '../clients/client.ts';
import { isMachineEndpoint } from '../engine/endpoints.ts';
import { errorOf, PUSHED_ROUTE, parameter, traceOfRequest } from '../engine/engine-context.ts';

export type ProtocolError = {
  error: string;
  description: string;
  /** Reference that is in the log as well. */
  requestId: string;
  /** src/traces/trace-id.ts, where the client is known. */
  traceId: string | undefined;
  /** `page_expired`: the request that led here is over, finished in another tab, or this browser has no cookie of it. */
  reason: 'page_expired' | 'refused';
  /** Of an application in test mode: what was sent and what would have been right, for its developers. */
  callback?: { sent: string; registered: string[] } | undefined;
};

export type ErrorPage = (ctx: KoaContextWithOIDC, error: ProtocolError) => Promise<void>;

/** The engine's `renderError`: everything that may not be redirected to a client. */
export function showErrorPage(page: ErrorPage) {
  return async (ctx: KoaContextWithOIDC, out: ErrorOut, thrown: Error): Promise<void> => {
    if (isMachineEndpoint(ctx.path)) {
      ctx.body = out;
      return;
    }
    await page(ctx, {
      error: publicCode(out.error),
      description: ctx.state.explanation ?? out.error_description ?? 'The request was refused.',
      requestId: ctx.state.requestId ?? '',
      traceId: ctx.oidc?.client && traceOfRequest(ctx, ctx.oidc.client.clientId),
      callback: out.error === 'invalid_redirect_uri' ? callbackOf(ctx) : undefined,
      reason: thrown instanceof errors.SessionNotFound ? 'page_expired' : 'refused',
    });
  };
}

/** A live application's callbacks are nobody's business, and what a stranger wrote into a link stands on none of its pages. */
function callbackOf({ oidc }: KoaContextWithOIDC): ProtocolError['callback'] {
  const { client } = oidc;
  if (!client || !isInTestMode(client)) return undefined;
  const registered = client.redirectUris ?? [];
  return {
    sent: shortened(sentUri(parameter(oidc, 'redirect_uri') ?? '')),
    registered: registered.slice(0, callbacksOnErrorPage).map(shortened),
  };
}

function shortened(uri: string): string {
  return uri.length > callbackCharactersShown ? `${uri.slice(0, callbackCharactersShown)}…` : uri;
}

/** Our vocabulary has no code of its own for a wrong callback. */
function publicCode(code: string): string {
  return code === 'invalid_redirect_uri' ? 'invalid_request' : code;
}

/** One line per refusal with the engine's own reason, which the client is not told. */
export function logRefusals(provider: Provider, log: Log): void {
  const logRefusal = (ctx: KoaContextWithOIDC, thrown: errors.OIDCProviderError) => {
    const line = { request: ctx.state.requestId, error: thrown.error, detail: thrown.error_detail };
    log.info(line, 'protocol request refused');
    ctx.state.refusal = thrown.error;
  };
  provider.on('authorization.error', logRefusal);
  provider.on(`${PUSHED_ROUTE}.error`, logRefusal);
  provider.on('grant.error', logRefusal);
  provider.on('userinfo.error', logRefusal);
  provider.on('revocation.error', logRefusal);
  provider.on('introspection.error', logRefusal);
  provider.on('end_session.error', logRefusal);
  provider.on('device_authorization.error', logRefusal);
  provider.on('code_verification.error', logRefusal);
  provider.on('device_resume.error', logRefusal);
}

/**
 * The engine answers an unexpected failure itself, as 500 or as a redirect with server_error. A database that is
 * away must be a 503 instead, and a rate limit hit inside the engine a 429: the failure is thrown on, to the one
 * place that writes errors.
 */
export function passOnFailures(provider: Provider): Middleware {
  const failures = new WeakMap<object, Error>();
  provider.on('server_error', (ctx: KoaContextWithOIDC, thrown: Error) => void failures.set(ctx.req, thrown));
  return async (ctx, next) => {
    await next();
    const failure = failures.get(ctx.req);
    if (!failure) return;
    ctx.remove('Location');
    throw failure;
  };
}

/** For programs, RFC 6749 §5.2 and nothing more: the engine adds `scope` and `state` to some errors. */
export const plainErrorBodies: Middleware = async (ctx, next) => {
  await next();
  if (ctx.status < 400) return;
  const refused = errorOf(ctx);
  ctx.body = refused ? namedByStandard(refused) : ctx.body;
};

/** RFC 6749 §5.2 has a code of its own for a grant type that is not this client's; the engine says invalid_request. */
function namedByStandard(refused: { error: string; error_description: string }) {
  const isGrantType = refused.error_description === 'requested grant type is not allowed for this client';
  return isGrantType ? { ...refused, error: 'unauthorized_client' } : refused;
}
