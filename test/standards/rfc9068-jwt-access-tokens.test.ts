// RFC 9068, JWT access tokens, with openid-client for the application and jose for the API: what the person reads when they
// agree, what stands in the token, and that it costs what any first token of a session costs. Threat 165, promise 60.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { ORDERS, registerResource } from '../harness/resource.ts';
import {
  CALLBACK,
  type RegisteredApplication,
  startTollgate,
  type TestTollgate,
} from '../harness/tollgate.ts';

let service: TestTollgate;
let application: RegisteredApplication;
let tokens: Awaited<ReturnType<typeof client.authorizationCodeGrant>>;
let config: client.Configuration;
beforeAll(async () => {
  service = await startTollgate();
  application = await service.register();
  const { workspaceId, clientId, clientSecret } = application;
  await registerResource(service.db, { workspaceId, askingIds: [application.id] });
  const insecure = { execute: [client.allowInsecureRequests] };
  config = await client.discovery(new URL(service.url), clientId, clientSecret, undefined, insecure);
  tokens = await signInForOrders('ada.api@example.com');
});
afterAll(() => service.stop());

async function signInForOrders(email: string) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid email offline_access orders:read',
    resource: ORDERS,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  });
  const browser = createBrowser();
  const callback = await signInAs({ authorizationUrl: url.href, email, name: 'Ada', browser });
  return client.authorizationCodeGrant(config, new URL(callback), {
    pkceCodeVerifier,
    expectedState,
    expectedNonce,
  });
}

/** §4: what an API does. */
function verify(token: string) {
  const keys = createRemoteJWKSet(new URL('/oauth/jwks', service.url));
  return jwtVerify(token, keys, {
    typ: 'at+jwt',
    issuer: service.url,
    audience: ORDERS,
    algorithms: ['RS256'],
  });
}

test('§2.1, §2.2: type, algorithm and every required claim, and nothing about the person', async () => {
  const { payload } = await verify(tokens.access_token);
  const header = decodeProtectedHeader(tokens.access_token);
  expect(header).toEqual({ typ: 'at+jwt', alg: 'RS256', kid: expect.any(String) });
  expect(payload).toEqual({
    iss: service.url,
    aud: ORDERS,
    sub: tokens.claims()?.sub,
    client_id: application.clientId,
    scope: 'orders:read',
    jti: expect.any(String),
    iat: expect.any(Number),
    exp: expect.any(Number),
  });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
});

test('§4: an API takes no ID Token for one, and an application no access token for an ID Token', async () => {
  await expect(verify(tokens.id_token ?? '')).rejects.toMatchObject({
    code: 'ERR_JWT_CLAIM_VALIDATION_FAILED',
  });
  const other = verify(tokens.access_token.replace(/\.[^.]+$/, `.${'A'.repeat(342)}`));
  await expect(other).rejects.toMatchObject({ code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' });
});

test('promise 60: the first token of a session is charged once, whichever API it is for, and later ones are not', async () => {
  await client.refreshTokenGrant(config, tokens.refresh_token ?? '', { resource: ORDERS });
  const events = await service.db.select().from(usageEvents);
  expect(events.map(({ kind }) => kind)).toEqual(['registration']);
});

test('an application that cannot pay gets no token for an API either', async () => {
  const { workspaceId, clientId, clientSecret, id } = await service.register({ balance: 0n });
  const identifier = 'https://api.acme.test/poor';
  await registerResource(service.db, { workspaceId, identifier, askingIds: [id] });
  const insecure = { execute: [client.allowInsecureRequests] };
  const poor = await client.discovery(new URL(service.url), clientId, clientSecret, undefined, insecure);
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(poor, {
    redirect_uri: CALLBACK,
    scope: 'openid orders:read',
    resource: identifier,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  });
  const callback = await signInAs({ authorizationUrl: url.href, email: 'poor@example.com', name: 'Ada' });
  const exchange = client.authorizationCodeGrant(poor, new URL(callback), {
    pkceCodeVerifier,
    expectedState,
    expectedNonce,
  });
  await expect(exchange).rejects.toMatchObject({ error: 'temporarily_unavailable' });
});

test('RFC 7009 §2.2.1: revocation says that a JWT cannot be revoked; its refresh token can', async () => {
  const revoked = client.tokenRevocation(config, tokens.access_token);
  await expect(revoked).rejects.toMatchObject({ error: 'unsupported_token_type' });
  await client.tokenRevocation(config, tokens.refresh_token ?? '');
  const refreshed = client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  await expect(refreshed).rejects.toMatchObject({ error: 'invalid_grant' });
});
