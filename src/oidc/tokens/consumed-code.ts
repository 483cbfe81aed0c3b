// An authorization code that comes back to a page of our own is taken here, in the process: it never meets the token
// endpoint, where it would be refused, and so is never charged.
import type Provider from 'oidc-provider';
import { constantTimeEqual, sha256 } from '../../secrets.ts';

export type PresentedCode = {
  clientId: string;
  code: string;
  redirectUri: string;
  verifier: string;
  nonce: string;
};

/** `sessionHash`: of the session that the code came from (`sessions.uid_hash`). */
export type ConsumedCode = { accountId: string; sessionHash: string; scopes: string[] };

/**
 * What the token endpoint would check (RFC 6749 §4.1.3, RFC 7636 §4.6), and the nonce, which no ID Token carries here.
 * Of two requests with one code, one gets through.
 */
export async function consumeCode(
  provider: Provider,
  presented: PresentedCode,
): Promise<ConsumedCode | undefined> {
  const code = await provider.AuthorizationCode.find(presented.code);
  if (!code?.isValid || code.clientId !== presented.clientId) return undefined;
  const isOurs =
    code.redirectUri === presented.redirectUri &&
    code.codeChallengeMethod === 'S256' &&
    constantTimeEqual(code.codeChallenge ?? '', sha256(presented.verifier)) &&
    constantTimeEqual(code.nonce ?? '', presented.nonce);
  const { accountId, sessionUid } = code;
  if (!isOurs || !accountId || !sessionUid) return undefined;
  try {
    await code.consume();
  } catch {
    return undefined;
  }
  return { accountId, sessionHash: sha256(sessionUid), scopes: [...code.scopes] };
}
