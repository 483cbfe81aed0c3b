// A trial sign-in, out and back: state, nonce and verifier wait in a sealed cookie of this member and this application, good
// for one answer.
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import {
  newPendingRequest,
  type PendingRequest,
  redirectToAuthorization,
} from '../../first-party/authorization-request.ts';
import { trialCallbackPath, trialClientId } from '../../first-party/trial.ts';
import { removeCookie } from '../../http/cookies.ts';
import { readSealedCookie, type SealedCookie, writeSealedCookie } from '../../http/sealed-cookie.ts';
import { trialSeconds } from '../../limits/applications.ts';
import { constantTimeEqual } from '../../secrets.ts';
import type { MemberVisit, SettingsRequest, SettingsDependencies } from '../shell/visit.ts';

export function beginTrial(
  ctx: Context,
  deps: SettingsDependencies,
  visit: MemberVisit,
  application: Application,
): void {
  const pending = newPendingRequest();
  const cookie = cookieOf(application, visit);
  writeSealedCookie(ctx, deps.keys, cookie, { value: pending, seconds: trialSeconds });
  redirectToAuthorization(ctx, pending, {
    clientId: trialClientId(application.clientId),
    redirectUri: deps.config.baseUrl + trialCallbackPath(application),
    scope: 'openid email profile',
    // As a customer meets it: the member's own session would skip the pages that this is about.
    prompt: 'login',
  });
}

/** `over`: no trial of this browser waits for this answer, or its code was used. */
export type Outcome = { claims: Record<string, unknown> } | 'cancelled' | 'over';

type Return = { visit: MemberVisit; application: Application; query: SettingsRequest['query'] };

export async function finishTrial(
  ctx: Context,
  deps: SettingsDependencies,
  { visit, application, query }: Return,
): Promise<Outcome> {
  const cookie = cookieOf(application, visit);
  const pending = readSealedCookie<PendingRequest>(ctx, deps.keys, cookie);
  if (!pending || !constantTimeEqual(query.state ?? '', pending.state)) return 'over';
  removeCookie(ctx, cookie);
  if (query.error === 'access_denied') return 'cancelled';
  const claims = await deps.redeemTrial({
    clientId: application.clientId,
    applicationId: application.id,
    code: query.code ?? '',
    redirectUri: deps.config.baseUrl + trialCallbackPath(application),
    verifier: pending.verifier,
    nonce: pending.nonce,
  });
  return claims ? { claims } : 'over';
}

function cookieOf(application: Application, { member }: MemberVisit): SealedCookie {
  return {
    name: 'tollgate_trial',
    path: trialCallbackPath(application),
    sameSite: 'strict',
    context: `trial ${application.id} ${member.accountId}`,
  };
}
