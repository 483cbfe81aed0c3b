// Tells the company what the client is not told: why an authorization or token request was refused, under
// the name that ties it to the pages before it and the charge after it. Nothing happens here when all goes well.
import type { Context, Middleware } from 'koa';
import type Provider from 'oidc-provider';
import type { errors, KoaContextWithOIDC, OIDCContext } from 'oidc-provider';
import type { Database } from '../database/connection.ts';
import { isStorableText } from '../http/storable-text.ts';
import { findTraceOfCode } from '../ledger/usage-recent.ts';
import type { Log } from '../log.ts';
import { sha256 } from '../secrets.ts';
import { sentUri } from '../traces/sent-uri.ts';
import type { SignInReason } from '../traces/step.ts';
import type { RecordStep } from '../traces/step-record.ts';
import { traceIdOf } from '../traces/trace-id.ts';
import { type RequestRefusal, requestRefusalOf } from './authorization-request/request-refusal.ts';
import { isPublic } from './clients/client.ts';
import { attemptOf } from './engine/attempt-id.ts';
import {
  engineContext,
  PUSHED_PATH,
  PUSHED_ROUTE,
  parameter,
  TRACE_HEADER,
  traceOfRequest,
} from './engine/engine-context.ts';
import { type Refusal, reasonOfTokenRefusal, refusalOf } from './errors/refusal-reason.ts';

type Dependencies = {
  db: Database;
  provider: Provider;
  recordStep: RecordStep;
  /** From adapters/expired-codes.ts. */
  findExpiredCode(
    code: string,
  ): Promise<{ clientId: string; nonce?: string | undefined; claims?: unknown } | undefined>;
  log: Log;
};

/** Before the rest of the protocol's rules, so that it sees how the request ended. */
export function traceRefusals(dependencies: Dependencies): Middleware {
  const refusals = watchRefusals(dependencies.provider);
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/oauth/')) return next();
    try {
      await next();
    } catch (thrown) {
      if (ctx.path === '/oauth/token') await traceToken(dependencies, ctx, refusalOf(thrown));
      throw thrown;
    }
    if (ctx.path === '/oauth/authorize') traceIgnoredScopes(dependencies, ctx);
    const refusal = refusals.get(ctx.req);
    if (!refusal) return;
    if (ctx.path === '/oauth/token') await traceToken(dependencies, ctx, refusal);
    else if (ctx.path.startsWith('/oauth/authorize') || ctx.path === PUSHED_PATH)
      traceRequest(dependencies, ctx, refusal);
  };
}

function watchRefusals(provider: Provider): WeakMap<object, Refusal> {
  const refusals = new WeakMap<object, Refusal>();
  const keep = (ctx: KoaContextWithOIDC, thrown: errors.OIDCProviderError) => {
    if (thrown.name !== 'SessionNotFound') refusals.set(ctx.req, thrown);
  };
  provider.on('authorization.error', keep);
  provider.on(`${PUSHED_ROUTE}.error`, keep);
  provider.on('grant.error', keep);
  return refusals;
}

function traceIgnoredScopes({ recordStep }: Dependencies, ctx: Context): void {
  const { ignoredScopes } = ctx.state;
  const clientId = engineContext(ctx)?.client?.clientId;
  if (!Array.isArray(ignoredScopes) || !clientId) return;
  const traceId = traceOfRequest(ctx, clientId);
  recordStep({ clientId, traceId, step: 'scopes_ignored', detail: ignoredScopes.join(' ') });
}

function traceRequest({ recordStep }: Dependencies, ctx: Context, refusal: Refusal): void {
  const oidc = engineContext(ctx);
  const isUnauthenticated = ctx.path === PUSHED_PATH && refusal.error === 'invalid_client';
  const found = isUnauthenticated ? authenticationRefusal(oidc, refusal) : requestRefusalOf(ctx, refusal);
  const clientId = oidc && clientIdOf(oidc);
  if (!found || !clientId) return;
  const isUnproven = oidc.client === undefined;
  recordStep({
    clientId,
    traceId: traceOfRequest(ctx, clientId),
    step: 'request_refused',
    ...found,
    isUnproven,
  });
}

/** Of a backend that pushes a request. */
function authenticationRefusal(oidc: OIDCContext | undefined, refusal: Refusal): RequestRefusal | undefined {
  const isPublicClient = oidc?.client !== undefined && isPublic(oidc.client);
  const reason = reasonOfTokenRefusal(refusal, { isPublic: isPublicClient, isRefresh: false });
  return reason && { reason };
}

async function traceToken(
  dependencies: Dependencies,
  ctx: Context,
  refusal: Refusal | undefined,
): Promise<void> {
  const oidc = engineContext(ctx);
  const clientId = oidc && clientIdOf(oidc);
  if (!refusal || !clientId) return;
  const { client } = oidc;
  const kind = {
    isPublic: client !== undefined && isPublic(client),
    isRefresh: oidc.params?.grant_type === 'refresh_token',
  };
  const reason = reasonOfTokenRefusal(refusal, kind);
  if (!reason) return;
  const detail = detailOf(ctx, oidc, { reason, refusal });
  const isUnproven = client === undefined;
  const finish = async () => {
    const found = await diagnose(dependencies, oidc, { clientId, reason });
    const traceId = found.traceId ?? traceIdOf(clientId, String(ctx.state.requestId));
    const step = {
      clientId,
      traceId,
      step: 'token_refused',
      reason: found.reason,
      detail,
      isUnproven,
    } as const;
    dependencies.recordStep(step);
    return traceId;
  };
  const failed = (error: unknown) =>
    void dependencies.log.warn({ err: error }, 'a refused token request was not traced');
  // A wrong secret and an unknown client must answer alike, in headers and in time (threat 26).
  if (refusal.error === 'invalid_client') {
    finish().catch(failed);
    return;
  }
  const traceId = await finish().catch(failed);
  if (traceId) ctx.set(TRACE_HEADER, traceId);
}

const toldByEngine: SignInReason[] = ['parameter_missing', 'parameter_repeated', 'token_request_malformed'];

/** Which origin it was, which address, which parameter; and the protocol's own words for what has none here. */
function detailOf(
  ctx: Context,
  oidc: OIDCContext,
  { reason, refusal }: { reason: SignInReason; refusal: Refusal },
): string | undefined {
  if (reason === 'callback_differs') return sentUri(parameter(oidc, 'redirect_uri') ?? '');
  if (reason === 'origin_not_registered' || reason === 'origin_of_backend') return ctx.get('origin');
  return toldByEngine.includes(reason) ? refusal.error_description : undefined;
}

type Finding = { reason: SignInReason; traceId: string | undefined };

async function diagnose(
  dependencies: Dependencies,
  oidc: OIDCContext,
  { clientId, reason }: { clientId: string; reason: SignInReason },
): Promise<Finding> {
  const refreshToken = parameter(oidc, 'refresh_token');
  if (refreshToken !== undefined) {
    const token =
      oidc.entities.RefreshToken ??
      (await dependencies.provider.RefreshToken.find(refreshToken, { ignoreExpiration: true }));
    return { reason, traceId: ownTrace(token, clientId) };
  }
  // The origin is refused before the engine has looked at the rest of the form.
  const value = parameter(oidc, 'code') ?? codeOf(oidc.body);
  if (value === undefined) return { reason, traceId: undefined };
  const code =
    oidc.entities.AuthorizationCode ??
    (await dependencies.provider.AuthorizationCode.find(value, { ignoreExpiration: true }));
  if (code) return { reason, traceId: ownTrace(code, clientId) };
  return diagnoseLostCode(dependencies, { clientId, reason, value });
}

/** Expired, used and charged before its record was deleted, or never ours. */
async function diagnoseLostCode(
  { db, findExpiredCode }: Dependencies,
  { clientId, reason, value }: { clientId: string; reason: SignInReason; value: string },
): Promise<Finding> {
  const isLost = reason === 'code_unknown';
  const expired = ownTrace(await findExpiredCode(value), clientId);
  if (expired) return { reason: isLost ? 'code_expired' : reason, traceId: expired };
  const charged = await findTraceOfCode(db, { clientId, codeHash: sha256(value) });
  if (charged) return { reason: isLost ? 'code_used' : reason, traceId: charged.traceId };
  // Whoever sends the same code again finds both under one name.
  return { reason, traceId: traceIdOf(clientId, sha256(value)) };
}

function codeOf(body: OIDCContext['body']): string | undefined {
  return typeof body?.code === 'string' && body.code !== '' ? body.code : undefined;
}

/** Another application's attempt is none of this one's business. */
function ownTrace(found: Parameters<typeof attemptOf>[0] | undefined, clientId: string): string | undefined {
  return found?.clientId === clientId ? attemptOf(found) : undefined;
}

/** A disabled application is unknown to the engine; its company is told all the same. */
function clientIdOf(oidc: OIDCContext): string | undefined {
  const written = parameter(oidc, 'client_id');
  return oidc.client?.clientId ?? (written && isStorableText(written) ? written : undefined);
}
