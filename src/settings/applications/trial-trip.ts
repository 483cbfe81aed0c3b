// The way out and back of a trial sign-in: state, nonce and verifier wait in a sealed cookie of this member and this
// application, good for one way back (RFC 6749 §10.12, RFC 7636).
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import { trialCallbackPath, trialClientId } from '../../first-party/trial.ts';
import { type PageCookie, readCookie, removeCookie, writeCookie } from '../../http/cookies.ts';
import { trialSeconds } from '../../limits/applications.ts';
import { constantTimeEqual, randomSecret, seal, sha256, unseal } from '../../secrets.ts';
import type { MemberVisit, SettingsRequest, SettingsTools } from '../shell/visit.ts';

type Trial = { state: string; nonce: string; verifier: string };

export function beginTrial(
  ctx: Context,
  tools: SettingsTools,
  visit: MemberVisit,
  application: Application,
): void {
  const trial: Trial = { state: randomSecret(), nonce: randomSecret(), verifier: randomSecret() };
  const sealed = seal(tools.keys, JSON.stringify(trial), contextOf(application, visit));
  writeCookie(ctx, cookieOf(application), sealed, trialSeconds);
  const request = new URLSearchParams({
    client_id: trialClientId(application.clientId),
    redirect_uri: tools.config.baseUrl + trialCallbackPath(application),
    response_type: 'code',
    scope: 'openid email profile',
    state: trial.state,
    nonce: trial.nonce,
    code_challenge: sha256(trial.verifier),
    code_challenge_method: 'S256',
    // As a customer meets it: the member's own session would skip the pages that this is about.
    prompt: 'login',
  });
  ctx.redirect(`/oauth/authorize?${request}`);
  ctx.status = 303;
}

/** `over`: no trial of this browser waits for this answer, or its code was used. */
export type Outcome = { claims: Record<string, unknown> } | 'cancelled' | 'over';

type Return = { visit: MemberVisit; application: Application; query: SettingsRequest['query'] };

export async function finishTrial(
  ctx: Context,
  tools: SettingsTools,
  { visit, application, query }: Return,
): Promise<Outcome> {
  const trial = readTrial(ctx, tools, visit, application);
  if (!trial || !constantTimeEqual(query.state ?? '', trial.state)) return 'over';
  removeCookie(ctx, cookieOf(application));
  if (query.error === 'access_denied') return 'cancelled';
  const claims = await tools.redeemTrial({
    clientId: application.clientId,
    applicationId: application.id,
    code: query.code ?? '',
    redirectUri: tools.config.baseUrl + trialCallbackPath(application),
    verifier: trial.verifier,
    nonce: trial.nonce,
  });
  return claims ? { claims } : 'over';
}

function readTrial(
  ctx: Context,
  { keys }: Pick<SettingsTools, 'keys'>,
  visit: MemberVisit,
  application: Application,
): Trial | undefined {
  const sealed = readCookie(ctx, cookieOf(application));
  if (!sealed) return undefined;
  try {
    return JSON.parse(unseal(keys, sealed, contextOf(application, visit)));
  } catch {
    // Cut, forged, somebody else's, or sealed with a secret that is gone: as good as none.
    return undefined;
  }
}

function cookieOf(application: Application): PageCookie {
  return { name: 'tollgate_trial', path: trialCallbackPath(application), sameSite: 'strict' };
}

function contextOf({ id }: Application, { member }: MemberVisit): string {
  return `trial ${id} ${member.accountId}`;
}
