// Promises 1 and 6 with oauth4webapi 3: a public client without a secret, every protocol message made by hand.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs, signOutAs } from '../harness/browserless-person.ts';
import { CALLBACK, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

let service: TestTollgate;
beforeAll(async () => {
  service = await startTollgate();
});
afterAll(() => service.stop());

const email = 'ada.oauth4webapi@example.com';
/** Only because the service under test speaks plain http on loopback. */
const insecure = { [oauth.allowInsecureRequests]: true };

describe('oauth4webapi 3', () => {
  test('a public client signs in with PKCE alone and its refresh token rotates', async () => {
    const application = await service.register({ clientType: 'public' });
    const client: oauth.Client = { client_id: application.clientId };
    const issuer = new URL(service.url);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, insecure),
    );
    const codeVerifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const nonce = oauth.generateRandomNonce();
    const authorizationUrl = new URL(server.authorization_endpoint ?? '');
    authorizationUrl.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid email profile offline_access',
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }).toString();

    const browser = createBrowser();
    const callback = await signInAs({ authorizationUrl: authorizationUrl.href, email, browser });
    const parameters = oauth.validateAuthResponse(server, client, new URL(callback), state);
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        CALLBACK,
        codeVerifier,
        insecure,
      ),
      { expectedNonce: nonce, requireIdToken: true },
    );
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    expect(claims).toMatchObject({ iss: service.url, aud: application.clientId, email });

    const profile = await oauth.processUserInfoResponse(
      server,
      client,
      claims?.sub ?? '',
      await oauth.userInfoRequest(server, client, tokens.access_token, insecure),
    );
    expect(profile).toMatchObject({ email, email_verified: true });

    const refresh = async (refreshToken: string) =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, insecure),
      );
    const refreshed = await refresh(tokens.refresh_token ?? '');
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    await expect(refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });

    const endSessionUrl = new URL(server.end_session_endpoint ?? '');
    endSessionUrl.searchParams.set('id_token_hint', tokens.id_token ?? '');
    endSessionUrl.searchParams.set('post_logout_redirect_uri', 'https://app.example.test/');
    expect(await signOutAs(browser, endSessionUrl.href)).toBe('https://app.example.test/');
  });

  test('revocation ends an access token', async () => {
    const server = await oauth.processDiscoveryResponse(
      new URL(service.url),
      await oauth.discoveryRequest(new URL(service.url), insecure),
    );
    expect(server.revocation_endpoint).toBe(`${service.url}/oauth/revoke`);
    const { clientId, clientSecret } = await service.register();
    const client: oauth.Client = { client_id: clientId };
    const clientAuth = oauth.ClientSecretPost(clientSecret ?? '');
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, clientAuth, 'a-token-that-never-was', insecure),
    );
  });
});
