// Promise 1 with openid-client 6: a complete sign-in with the configuration that docs/clients.md gives, and no more.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { createBrowser } from '../harness/browserless-browser.ts';
import { mailsTo, signInAs, signOutAs } from '../harness/browserless-person.ts';
import { CALLBACK, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

let service: TestTollgate;
beforeAll(async () => {
  service = await startTollgate();
});
afterAll(() => service.stop());

const email = 'ada.openid-client@example.com';

async function connect() {
  const application = await service.register();
  // The fourth and fifth argument are only there because the service under test speaks plain http on loopback.
  const config = await client.discovery(
    new URL(service.url),
    application.clientId,
    application.clientSecret,
    undefined,
    { execute: [client.allowInsecureRequests] },
  );
  return { application, config };
}

async function startAttempt(config: client.Configuration, extra: Record<string, string> = {}) {
  const codeVerifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid email profile offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...extra,
  });
  const checks = { pkceCodeVerifier: codeVerifier, expectedState: state, expectedNonce: nonce };
  return { authorizationUrl: url.href, checks };
}

describe('openid-client 6', () => {
  test('registers a person, gets tokens and claims, refreshes, logs out', async () => {
    const { config } = await connect();
    const browser = createBrowser();
    const { authorizationUrl, checks } = await startAttempt(config);
    const callback = await signInAs({ authorizationUrl, email, name: 'Ada Lovelace', browser });
    const tokens = await client.authorizationCodeGrant(config, new URL(callback), checks);

    const claims = tokens.claims();
    expect(claims).toMatchObject({ iss: service.url, email, email_verified: true, name: 'Ada Lovelace' });
    const profile = await client.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '');
    expect(profile).toMatchObject({ sub: claims?.sub, email, name: 'Ada Lovelace' });

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    await client.fetchUserInfo(config, refreshed.access_token, claims?.sub ?? '');

    const endSessionUrl = client.buildEndSessionUrl(config, {
      post_logout_redirect_uri: 'https://app.example.test/',
      id_token_hint: tokens.id_token ?? '',
    });
    expect(await signOutAs(browser, endSessionUrl.href)).toBe('https://app.example.test/');
    const silent = await startAttempt(config, { prompt: 'none' });
    const answer = await browser.open(silent.authorizationUrl);
    expect('leftTo' in answer && new URL(answer.leftTo).searchParams.get('error')).toBe('login_required');
  });

  test('promise 12: the return visit in the same browser asks nothing and names the same customer', async () => {
    const { config } = await connect();
    const browser = createBrowser();
    const subs = new Set<string | undefined>();
    const pages: number[] = [];
    for (const _visit of ['first', 'second']) {
      let shown = 0;
      const { authorizationUrl, checks } = await startAttempt(config);
      const callback = await signInAs({
        authorizationUrl,
        email: 'return.openid-client@example.com',
        browser,
        onPage: () => {
          shown += 1;
        },
      });
      const tokens = await client.authorizationCodeGrant(config, new URL(callback), checks);
      subs.add(tokens.claims()?.sub);
      pages.push(shown);
    }
    expect(subs.size).toBe(1);
    expect(pages[0]).toBeGreaterThan(1);
    expect(pages[1]).toBe(0);
  });

  test('promise 45: refusal of consent comes back as access_denied, an empty balance as temporarily_unavailable', async () => {
    const { application, config } = await connect();
    const refused = await startAttempt(config);
    const refusal = await signInAs({ ...refused, email: 'no.openid-client@example.com', consent: 'deny' });
    await expect(
      client.authorizationCodeGrant(config, new URL(refusal), refused.checks),
    ).rejects.toMatchObject({ error: 'access_denied' });

    const poor = await service.register({ balance: 0n, redirectUris: application.redirectUris });
    const poorConfig = await client.discovery(
      new URL(service.url),
      poor.clientId,
      poor.clientSecret,
      undefined,
      { execute: [client.allowInsecureRequests] },
    );
    const attempt = await startAttempt(poorConfig);
    const callback = await signInAs({ ...attempt, email: 'poor.openid-client@example.com' });
    await expect(
      client.authorizationCodeGrant(poorConfig, new URL(callback), attempt.checks),
    ).rejects.toMatchObject({ error: 'temporarily_unavailable', status: 400 });
  });

  test('promise 7: HTTP Basic works as well as the form', async () => {
    const application = await service.register();
    const config = await client.discovery(
      new URL(service.url),
      application.clientId,
      undefined,
      client.ClientSecretBasic(application.clientSecret),
      { execute: [client.allowInsecureRequests] },
    );
    const { authorizationUrl, checks } = await startAttempt(config);
    const callback = await signInAs({ authorizationUrl, email: 'basic.openid-client@example.com' });
    const tokens = await client.authorizationCodeGrant(config, new URL(callback), checks);
    expect(tokens.access_token).toBeTruthy();
  });

  test('`prompt=create` opens the registration, and the password set there works later', async () => {
    const { config } = await connect();
    const person = { email: 'password.openid-client@example.com', password: 'horse staple nine lanterns' };
    const subs: (string | undefined)[] = [];
    for (const extra of [{ prompt: 'create' }, {}]) {
      const { authorizationUrl, checks } = await startAttempt(config, extra);
      const callback = await signInAs({ authorizationUrl, ...person });
      const tokens = await client.authorizationCodeGrant(config, new URL(callback), checks);
      subs.push(tokens.claims()?.sub);
    }
    expect(subs[1]).toBe(subs[0]);
    const mails = await mailsTo(`${service.url}/dev/inbox.json`, person.email);
    expect(mails).toHaveLength(1);
  });
});
