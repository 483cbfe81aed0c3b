// An authorization request of our own (OpenID Connect Core §3.1.2.1) and what has to be remembered of it until the answer
// comes: state, nonce and PKCE verifier (RFC 6749 §10.12, RFC 7636).
import type { Context } from 'koa';
import { seeOther } from '../http/redirect.ts';
import { randomSecret, sha256 } from '../secrets.ts';

export type PendingRequest = { state: string; nonce: string; verifier: string };

export function newPendingRequest(): PendingRequest {
  return { state: randomSecret(), nonce: randomSecret(), verifier: randomSecret() };
}

export type AuthorizationRequest = {
  clientId: string;
  redirectUri: string;
  scope: string;
  prompt?: 'login' | undefined;
  loginHint?: string | undefined;
};

export function redirectToAuthorization(
  ctx: Context,
  { state, nonce, verifier }: PendingRequest,
  { clientId, redirectUri, scope, prompt, loginHint }: AuthorizationRequest,
): void {
  const request = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state,
    nonce,
    code_challenge: sha256(verifier),
    code_challenge_method: 'S256',
    ...(prompt && { prompt }),
    ...(loginHint && { login_hint: loginHint }),
  });
  seeOther(ctx, `/oauth/authorize?${request}`);
}
