// Logout tokens (OpenID Connect Back-Channel Logout §2.4), signed like ID Tokens by the key that signs now, and the
// name that a session has for an application. The engine would make and send them itself, once, while the person waits;
// ours wait for nobody and are tried again (docs/decisions/1201).
import { importJWK, type JWK, SignJWT } from 'jose';
import type Provider from 'oidc-provider';
import { pairwiseSub } from '../applications/customer.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connection.ts';
import { logoutKeySeconds, logoutTokenSeconds } from '../limits/webhooks.ts';
import { type Keys, sha256 } from '../secrets.ts';
import type { LogoutSubject, MakeLogoutToken } from '../webhooks/logout-delivery.ts';
import { loadSigningKeys } from './signing-keys.ts';

/** Back-Channel Logout §2.4: the member of `events` that makes a token a logout token. */
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

type Dependencies = {
  db: Database;
  keys: Pick<Keys, 'sealing' | 'pairwise'>;
  config: { baseUrl: string };
  clock: Clock;
};

export function createLogoutTokens({ db, keys, config, clock }: Dependencies): MakeLogoutToken {
  const signingKey = createSigningKey(async () => (await loadSigningKeys(db, { keys, clock })).jwks.keys[0]);
  return async (subject) => {
    const { kid, key } = await signingKey(clock());
    const { sub, sid } = namesOf(keys, subject);
    const now = Math.floor(clock().getTime() / 1000);
    const jwt = await new SignJWT({ events: { [EVENT]: {} }, ...(sid && { sid }) })
      .setProtectedHeader({ alg: 'RS256', typ: 'logout+jwt', kid })
      .setIssuer(config.baseUrl)
      .setAudience(subject.clientId)
      .setSubject(sub)
      .setJti(subject.jti)
      .setIssuedAt(now)
      .setExpirationTime(now + logoutTokenSeconds)
      .sign(key);
    return { jwt, sub, sid };
  };
}

function namesOf(
  { pairwise }: Pick<Keys, 'pairwise'>,
  { applicationId, accountId, grantId, namesSession }: LogoutSubject,
): { sub: string; sid: string | undefined } {
  const sub = pairwiseSub(pairwise, applicationId, accountId);
  return { sub, sid: namesSession ? sidOf(grantId) : undefined };
}

/**
 * A grant is what one application has of one session, so its name tells two applications nothing about each other. Made of
 * the grant's id, it is known wherever the grant is, and kept nowhere.
 */
export function sidOf(grantId: string): string {
  return sha256(`sid ${grantId}`);
}

/**
 * `sid` in the ID Tokens of applications that asked for it, without the engine's own sending. The method is in the engine's
 * types but not in its documentation; test/standards/backchannel-logout.test.ts notices if a release stops calling it.
 */
export function nameSessions(provider: Provider): void {
  provider.Client.prototype.includeSid = function includeSid(): boolean {
    return this.namesSession === true;
  };
}

type SigningKey = { kid: string; key: CryptoKey | Uint8Array };

/** Read again after a moment, so that a new key signs here as soon as it does in ID Tokens. */
function createSigningKey(load: () => Promise<JWK | undefined>): (now: Date) => Promise<SigningKey> {
  let known: (SigningKey & { readAt: number }) | undefined;
  return async (now) => {
    const age = now.getTime() - (known?.readAt ?? Number.NEGATIVE_INFINITY);
    if (known && age >= 0 && age < logoutKeySeconds * 1000) return known;
    const jwk = await load();
    if (!jwk?.kid) throw new Error('there is no key to sign logout tokens with');
    known = { kid: jwk.kid, key: await importJWK(jwk, 'RS256'), readAt: now.getTime() };
    return known;
  };
}
