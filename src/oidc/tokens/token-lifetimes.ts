// How long codes, tokens and sessions live, as the engine asks for each. The numbers are in src/limits/token-lifetimes.ts.
import type { Client, Configuration, KoaContextWithOIDC, RefreshToken, Session } from 'oidc-provider';
import type { Clock } from '../../clock.ts';
import { resourceTokenSecondsDefault } from '../../limits/applications.ts';
import { deviceCodeSeconds } from '../../limits/devices.ts';
import { untouchedInteractionSeconds } from '../../limits/strangers.ts';
import {
  authorizationCodeSeconds,
  confidentialAccessTokenSeconds,
  confidentialRefreshTokenSeconds,
  grantSeconds,
  idTokenSeconds,
  interactionSeconds,
  publicAccessTokenSeconds,
  publicRefreshTokenSeconds,
  sessionAbsoluteSeconds,
  sessionIdleSeconds,
} from '../../limits/token-lifetimes.ts';
import { isPublic } from '../clients/client.ts';

export function tokenLifetimes(clock: Clock): NonNullable<Configuration['ttl']> {
  return {
    AuthorizationCode: authorizationCodeSeconds,
    DeviceCode: deviceCodeSeconds,
    Interaction: interactionSeconds,
    Grant: grantSeconds,
    IdToken: idTokenSeconds,
    // Of a company's API: what the company chose.
    AccessToken: (_ctx, { resourceServer }, client) =>
      resourceServer?.accessTokenTTL ??
      (isPublic(client) ? publicAccessTokenSeconds : confidentialAccessTokenSeconds),
    // Never without an API (tokens-for-apis.ts).
    ClientCredentials: (_ctx, { resourceServer }) =>
      resourceServer?.accessTokenTTL ?? resourceTokenSecondsDefault,
    RefreshToken: refreshTokenSeconds,
    Session: (_ctx, session) => sessionSeconds(session, clock()),
  };
}

/** Rotation never prolongs: the whole family ends when its first token would have. */
function refreshTokenSeconds(
  ctx: KoaContextWithOIDC | undefined,
  _token: RefreshToken,
  client: Client,
): number {
  const rotated = ctx?.oidc.entities.RotatedRefreshToken;
  if (rotated) return Math.max(1, rotated.remainingTTL);
  return isPublic(client) ? publicRefreshTokenSeconds : confidentialRefreshTokenSeconds;
}

/** Called at each visit: idle time starts anew, but never beyond the absolute end that the sign-in fixed. */
function sessionSeconds(session: Session, now: Date): number {
  // Nobody has signed in to it (yet).
  if (session.loginTs === undefined) return untouchedInteractionSeconds;
  const left = session.loginTs + sessionAbsoluteSeconds - Math.floor(now.getTime() / 1000);
  return Math.max(1, Math.min(sessionIdleSeconds, left));
}
