// The protocol's good paths, black box: discovery, a stock client library, and what the tokens say.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { CALLBACK, type Protocol, startProtocol } from '../harness/protocol.ts';
import {
  authorizationRequest,
  Browser,
  callbackOf,
  exchange,
  refresh,
  signIn,
  userinfo,
} from '../harness/protocol-client.ts';

let protocol: Protocol;
beforeAll(async () => {
  protocol = await startProtocol();
});
afterAll(() => protocol.stop());

describe('promise 4: discovery', () => {
  test('the document has the promised fields, and only what is true', async () => {
    const response = await fetch(`${protocol.origin}/.well-known/openid-configuration`);
    const document = await response.json();
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(document).toMatchObject({
      issuer: protocol.origin,
      authorization_endpoint: `${protocol.origin}/oauth/authorize`,
      token_endpoint: `${protocol.origin}/oauth/token`,
      userinfo_endpoint: `${protocol.origin}/oauth/userinfo`,
      introspection_endpoint: `${protocol.origin}/oauth/introspect`,
      introspection_endpoint_auth_methods_supported: [
        'client_secret_post',
        'client_secret_basic',
        'private_key_jwt',
      ],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      scopes_supported: ['openid', 'email', 'profile', 'offline_access'],
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'form_post'],
      request_uri_parameter_supported: false,
    });
    expect(document).not.toHaveProperty('registration_endpoint');
  });

  test('the key set has public parts only', async () => {
    const { keys } = await (await fetch(`${protocol.origin}/oauth/jwks`)).json();
    expect(keys.map((key: object) => Object.keys(key).sort().join(' '))).toEqual([
      'alg e kid kty n use',
      'alg crv kid kty use x y',
      'alg crv kid kty use x',
    ]);
    expect(keys[0]).toMatchObject({ alg: 'RS256', use: 'sig', kty: 'RSA' });
  });
});

describe('promise 1: a stock client library (openid-client)', () => {
  test.each(['post', 'basic'] as const)(
    'signs in, reads UserInfo, refreshes; secret by %s',
    async (method) => {
      const application = await protocol.register();
      const authentication = method === 'post' ? client.ClientSecretPost : client.ClientSecretBasic;
      const config = await client.discovery(
        new URL(protocol.origin),
        application.clientId,
        undefined,
        authentication(application.clientSecret),
        { execute: [client.allowInsecureRequests] },
      );
      const verifier = client.randomPKCECodeVerifier();
      const checks = { expectedState: client.randomState(), expectedNonce: client.randomNonce() };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: CALLBACK,
        scope: 'openid email profile offline_access',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: checks.expectedState,
        nonce: checks.expectedNonce,
      });
      const landed = await new Browser(protocol).follow(url.pathname + url.search);
      const callback = new URL(landed.headers.get('location') ?? '');
      const tokens = await client.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: verifier,
        ...checks,
      });
      const claims = tokens.claims();
      expect(claims).toMatchObject({
        email: 'ada@example.test',
        email_verified: true,
        name: 'Ada Lovelace',
        aud: application.clientId,
      });
      const profile = await client.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '');
      expect(profile).toEqual({
        sub: claims?.sub,
        email: 'ada@example.test',
        email_verified: true,
        name: 'Ada Lovelace',
        updated_at: expect.any(Number),
      });
      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
      expect(refreshed.claims()?.sub).toBe(claims?.sub);
      expect(refreshed.refresh_token).toBe(tokens.refresh_token);
      expect(protocol.prompts.slice(-2)).toEqual(['login', 'consent']);
    },
  );

  test('a registered callback with a query of its own keeps it', async () => {
    const application = await protocol.register({
      redirectUris: ['https://app.example.test/cb?tenant=a%2Fb'],
    });
    const { code, verifier } = await signIn(protocol, application);
    expect((await exchange(protocol, application, { code, verifier })).status).toBe(200);
  });
});

describe('tokens', () => {
  test('the answer carries an access token, an ID Token, and a refresh token only for offline_access', async () => {
    const application = await protocol.register();
    const { status, body, headers } = await exchange(
      protocol,
      application,
      await signIn(protocol, application),
    );
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.has('access-control-allow-origin')).toBe(false);
    expect(body).toEqual({
      access_token: expect.any(String),
      id_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid email profile',
    });
  });

  test('promise 17: the ID Token verifies through the key set and has no claim that discovery does not name', async () => {
    const application = await protocol.register();
    const { code, verifier, nonce } = await signIn(protocol, application);
    const { body } = await exchange(protocol, application, { code, verifier });
    const { claims_supported } = await (
      await fetch(`${protocol.origin}/.well-known/openid-configuration`)
    ).json();
    const keySet = createRemoteJWKSet(new URL(`${protocol.origin}/oauth/jwks`));
    const { payload, protectedHeader } = await jwtVerify(String(body.id_token), keySet, {
      issuer: protocol.origin,
      audience: application.clientId,
    });
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: expect.any(String) });
    expect(payload.nonce).toBe(nonce);
    expect(Object.keys(payload).filter((claim) => !claims_supported.includes(claim))).toEqual([]);
  });

  test('claims follow the scopes: openid alone is sub alone', async () => {
    const application = await protocol.register();
    const { body } = await exchange(
      protocol,
      application,
      await signIn(protocol, application, { changed: { scope: 'openid' } }),
    );
    expect((await userinfo(protocol, body.access_token)).body).toEqual({ sub: expect.any(String) });
  });

  test('promise 11: sub is stable within an application and different in another one', async () => {
    const [shop, bank] = [await protocol.register(), await protocol.register()];
    const subOf = async (application: typeof shop) => {
      const { body } = await exchange(protocol, application, await signIn(protocol, application));
      return (await userinfo(protocol, body.access_token)).body.sub;
    };
    const [first, again, elsewhere] = [await subOf(shop), await subOf(shop), await subOf(bank)];
    expect(again).toBe(first);
    expect(elsewhere).not.toBe(first);
    expect(first).not.toContain(protocol.person.account.id);
  });

  test('max_age adds auth_time; prompt=login asks again; prompt=none answers without a page', async () => {
    const application = await protocol.register();
    const { browser } = await signIn(protocol, application);
    const before = protocol.prompts.length;
    const aged = await exchange(
      protocol,
      application,
      await signIn(protocol, application, { browser, changed: { max_age: '3600', prompt: 'none' } }),
    );
    expect(decodePayload(aged.body.id_token)).toHaveProperty('auth_time');
    expect(protocol.prompts).toHaveLength(before);
    await signIn(protocol, application, {
      browser,
      changed: { prompt: 'login', login_hint: 'ada@example.test', ui_locales: 'de' },
    });
    expect(protocol.prompts.slice(before)).toEqual(['login']);
  });

  test('prompt=create leads to registration, and is answered by the account that comes back', async () => {
    const application = await protocol.register();
    await signIn(protocol, application, { changed: { prompt: 'create' } });
    expect(protocol.prompts.slice(-2)).toEqual(['create', 'consent']);
  });

  test('consent is asked once per application, and again when it wants more', async () => {
    const application = await protocol.register();
    const { browser } = await signIn(protocol, application, { changed: { scope: 'openid email' } });
    const before = protocol.prompts.length;
    await signIn(protocol, application, { browser, changed: { scope: 'openid email' } });
    expect(protocol.prompts).toHaveLength(before);
    await signIn(protocol, application, { browser });
    expect(protocol.prompts.slice(before)).toEqual(['consent']);
    await signIn(protocol, application);
    expect(protocol.prompts.slice(before)).toEqual(['consent', 'login']);
  });

  test('refusing consent goes back to the application as access_denied with its state', async () => {
    const application = await protocol.register();
    protocol.person.refuse = 'access_denied';
    try {
      const request = authorizationRequest(application);
      const answer = callbackOf(await new Browser(protocol).follow(request.path));
      expect(answer).toMatchObject({ error: 'access_denied', state: request.state, iss: protocol.origin });
    } finally {
      protocol.person.refuse = undefined;
    }
  });
});

describe('promise 6: a single-page application', () => {
  test('connects with PKCE and no secret, gets a 10-minute token and may be read from its origin', async () => {
    const origin = 'https://spa.example.test';
    const application = await protocol.register({ clientType: 'public', allowedOrigins: [origin] });
    const signedIn = await signIn(protocol, application, {
      changed: { scope: 'openid email offline_access' },
    });
    const { status, body, headers } = await exchange(protocol, application, signedIn, {}, { origin });
    expect(status).toBe(200);
    expect(body.expires_in).toBe(600);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    const profile = await userinfo(protocol, body.access_token, { origin });
    expect(profile.headers.get('access-control-allow-origin')).toBe(origin);
    const rotated = await refresh(protocol, application, body.refresh_token);
    expect(rotated.status).toBe(200);
    expect(rotated.body.refresh_token).not.toBe(body.refresh_token);
  });
});

function decodePayload(token: unknown): Record<string, unknown> {
  return JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());
}
