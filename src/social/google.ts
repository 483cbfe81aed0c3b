// Sign-in with Google: OpenID Connect by the book.
import { ClientSecretPost } from 'openid-client';
import { createOpenIdSignIn } from './openid-connect.ts';
import { requireSubject, type SocialProvider, textOf } from './provider.ts';

export type GoogleOptions = { baseUrl: string; issuer: string; clientId: string; clientSecret: string };

export function createGoogle({ baseUrl, issuer, clientId, clientSecret }: GoogleOptions): SocialProvider {
  const signIn = createOpenIdSignIn({
    id: 'google',
    issuer,
    baseUrl,
    clientId,
    clientAuth: ClientSecretPost(clientSecret),
    scope: 'openid email profile',
    // People with several Google accounts choose one instead of getting whichever was used last.
    parameters: { prompt: 'select_account' },
  });
  return {
    id: 'google',
    name: 'Google',
    // The person chooses an account on Google's page each time. It need not ask for a password: there is no `prompt=login`.
    asksThePerson: true,
    authorizationUrl: signIn.authorizationUrl,
    probe: signIn.probe,
    async identify(answer, authorization) {
      const claims = await signIn.claims(answer, authorization);
      return {
        subject: requireSubject(claims.sub),
        email: textOf(claims.email),
        emailVerified: claims.email_verified === true,
        name: textOf(claims.name),
      };
    },
  };
}
