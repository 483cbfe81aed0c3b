// Logout tokens (OpenID Connect Back-Channel Logout §2.4), signed like the application's ID Tokens by the key that signs now, and the
// name that a session has for an application. The engine would make and send them itself, once, while the person waits;
// ours wait for nobody and are tried again (docs/decisions/1201).
import { importJWK, type JWK, SignJWT } from 'jose';
import type Provider from 'oidc-provider';
import { pairwiseSub } from '../../applications/customer.ts';
import type { SigningAlgorithm } from '../../applications/signing-algorithm.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/connection.ts';
import { logoutKeySeconds, logoutTokenSeconds } from '../../limits/webhooks.ts';
import { type Keys, sha256 } from '../../secrets.ts';
import type { LogoutSubject, MakeLogoutToken } from '../../webhooks/logout-delivery.ts';
import { loadSigningKeys } from '../signing-keys/signing-keys.ts';

/** Back-Channel Logout §2.4: the member of `events` that makes a token a logout token. */
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

type Dependencies = {
  db: Database;
  keys: Pick<Keys, 'sealing' | 'pairwise'>;
  config: { baseUrl: string };
  clock: Clock;
};

export function createLogoutTokens({ db, keys, config, clock }: Dependencies): MakeLogoutToken {
  const signingKey = createSigningKeys(async () => (await loadSigningKeys(db, { keys, clock })).jwks.keys);
  return async (subject) => {
    const { kid, key, alg } = await signingKey(subject.algorithm, clock());
    const { sub, sid } = namesOf(keys, subject);
    const now = Math.floor(clock().getTime() / 1000);
    const jwt = await new SignJWT({ events: { [EVENT]: {} }, ...(sid && { sid }) })
      .setProtectedHeader({ alg, typ: 'logout+jwt', kid })
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

type SigningKey = { kid: string; alg: SigningAlgorithm; key: CryptoKey | Uint8Array };
type FindSigningKey = (algorithm: SigningAlgorithm, now: Date) => Promise<SigningKey>;

/** Read again after a moment, so that a new key signs here as soon as it does in ID Tokens. */
function createSigningKeys(load: () => Promise<JWK[]>): FindSigningKey {
  const known = new Map<SigningAlgorithm, SigningKey & { readAt: number }>();
  return async (alg, now) => {
    const before = known.get(alg);
    const age = now.getTime() - (before?.readAt ?? Number.NEGATIVE_INFINITY);
    if (before && age >= 0 && age < logoutKeySeconds * 1000) return before;
    // The first of an algorithm signs.
    const jwk = (await load()).find((each) => each.alg === alg);
    if (!jwk?.kid) throw new Error('there is no key to sign logout tokens with');
    const read = { kid: jwk.kid, alg, key: await importJWK(jwk, alg), readAt: now.getTime() };
    known.set(alg, read);
    return read;
  };
}
