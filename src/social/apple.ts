// Sign in with Apple: OpenID Connect with three ways of its own. The answer comes as a form post from another site,
// the client's secret is a short-lived JWT signed with our key, and the name is told once, beside the ID Token.
import { importPKCS8, SignJWT } from 'jose';
import type { ClientAuth } from 'openid-client';
import { appleSecretSeconds } from '../limits/social.ts';
import { createOpenIdSignIn } from './openid-connect.ts';
import { requireSubject, type SocialProvider, textOf } from './provider.ts';

export type AppleOptions = {
  baseUrl: string;
  issuer: string;
  /** The Services ID. */
  clientId: string;
  teamId: string;
  keyId: string;
  /** PKCS #8 PEM of the key file that Apple let download once. */
  privateKey: string;
};

export function createApple(options: AppleOptions): SocialProvider {
  const signIn = createOpenIdSignIn({
    id: 'apple',
    issuer: options.issuer,
    baseUrl: options.baseUrl,
    clientId: options.clientId,
    clientAuth: signedSecret(options),
    scope: 'openid name email',
    // Apple insists on it as soon as a name or an address is asked for.
    parameters: { response_mode: 'form_post' },
  });
  return {
    id: 'apple',
    name: 'Apple',
    // Each sign-in is confirmed on Apple's page, with the device or the password.
    asksThePerson: true,
    authorizationUrl: signIn.authorizationUrl,
    probe: signIn.probe,
    async identify(answer, authorization) {
      const claims = await signIn.claims(answer, authorization);
      return {
        subject: requireSubject(claims.sub),
        email: textOf(claims.email),
        // Apple documents both spellings. Addresses of its private relay are verified like any other.
        emailVerified: claims.email_verified === true || claims.email_verified === 'true',
        name: nameOf(answer.get('user')),
      };
    },
  };
}

/** Made for each request, so that there is no long-lived secret to leak or to renew twice a year. */
function signedSecret({ issuer, clientId, teamId, keyId, privateKey }: AppleOptions): ClientAuth {
  return async (_server, _client, body) => {
    const key = await importPKCS8(privateKey, 'ES256');
    const secret = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientId)
      .setAudience(issuer)
      .setIssuedAt()
      .setExpirationTime(`${appleSecretSeconds} seconds`)
      .sign(key);
    body.set('client_id', clientId);
    body.set('client_secret', secret);
  };
}

/** Comes with the first consent only, unsigned: good for a greeting, no proof of anything. */
function nameOf(user: string | null): string | undefined {
  if (user === null) return undefined;
  try {
    const { name } = JSON.parse(user);
    const parts = [name?.firstName, name?.lastName].filter((part) => typeof part === 'string' && part !== '');
    return parts.join(' ') || undefined;
  } catch {
    return undefined;
  }
}
