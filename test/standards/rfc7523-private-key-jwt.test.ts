// RFC 7523 §2.2 and §3, OpenID Connect Core §9: a backend that authenticates by its own key (threats 172 and 173), with its
// keys entered or fetched from its own address.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import * as client from 'openid-client';
import { parseClientKeySet } from '../../src/applications/client-key-set.ts';
import { createClientKeyFetch } from '../../src/oidc/clients/client-key-fetch.ts';
import type { SafeAnswer } from '../../src/webhooks/safe-request.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import { exchange, type Parameters, post, signIn } from '../harness/protocol-client.ts';
import { assure, attempt, callbackUrl, discover, push, requestOf } from './assured.ts';

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const ADDRESS = 'https://keys.shop.example/jwks.json';

/** What is at the company's address, and how often it was asked. */
const site: { answer: SafeAnswer; asked: number; now: number } = {
  answer: { body: Buffer.alloc(0) },
  asked: 0,
  now: 0,
};

let protocol: Protocol;
let shop: ProtocolApplication;
let key: Awaited<ReturnType<typeof keyPair>>;
beforeAll(async () => {
  // The engine looks for a fetch of Node's, which is not in here; it is given ours.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const send = async () => {
    site.asked += 1;
    return site.answer;
  };
  protocol = await startProtocol({
    fetchClientKeys: createClientKeyFetch(
      async () => send,
      () => site.now,
    ),
  });
  key = await keyPair('ES256');
  shop = await withKeys([key.jwk]);
});
afterAll(() => protocol.stop());

async function keyPair(alg: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: `${alg} key`, use: 'sig' };
  return { alg, privateKey, jwk };
}

async function withKeys(keys: JWK[]): Promise<ProtocolApplication> {
  const application = await protocol.register();
  const keySet = parseClientKeySet(JSON.stringify({ keys }));
  await assure(protocol, application, { keySet, clientAuthentication: 'private_key_jwt' });
  return application;
}

type Changed = { claims?: Record<string, unknown>; header?: { alg?: string; kid?: string }; by?: typeof key };
let jtis = 0;

async function assertion(
  application: ProtocolApplication,
  { claims, header, by = key }: Changed = {},
): Promise<string> {
  jtis += 1;
  const now = Math.floor(Date.now() / 1000);
  const { clientId } = application;
  const usual = {
    iss: clientId,
    sub: clientId,
    aud: protocol.origin,
    jti: `jti ${jtis}`,
    iat: now,
    exp: now + 60,
  };
  // What is undefined is left out.
  const payload: JWTPayload = JSON.parse(JSON.stringify({ ...usual, ...claims }));
  return new SignJWT(payload)
    .setProtectedHeader({ alg: by.alg, kid: by.jwk.kid ?? '', ...header })
    .sign(by.privateKey);
}

/** An exchange that fails by its code alone, when the client has proven who it is. */
async function outcome(jwt: string, changed: Parameters = {}): Promise<string> {
  const { body, text } = await post(protocol, '/oauth/token', {
    grant_type: 'authorization_code',
    code: 'unknown',
    redirect_uri: 'https://app.example.test/callback',
    code_verifier: 'v'.repeat(43),
    client_assertion_type: TYPE,
    client_assertion: jwt,
    ...changed,
  });
  expect(text).not.toContain(shop.clientId);
  return String(body.error);
}
const PROVEN = 'invalid_grant';

test('a stock client signs in, refreshes and revokes with its key; pushed requests too', async () => {
  const config = await discover(
    protocol,
    shop,
    client.PrivateKeyJwt({ key: key.privateKey, kid: key.jwk.kid ?? '' }),
  );
  for (const isPushed of [false, true]) {
    const { parameters, checks } = await attempt();
    const url = isPushed
      ? await client.buildAuthorizationUrlWithPAR(config, parameters)
      : client.buildAuthorizationUrl(config, parameters);
    const tokens = await client.authorizationCodeGrant(config, await callbackUrl(protocol, url), checks);
    const again = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    await client.tokenRevocation(config, again.access_token);
  }
});

test.each(['ES256', 'EdDSA', 'PS256', 'RS256'])('%s is taken (RFC 7518 §3.1, RFC 8037)', async (alg) => {
  const by = await keyPair(alg);
  const application = await withKeys([by.jwk]);
  expect(await outcome(await assertion(application, { by }))).toBe(PROVEN);
});

const hour = Math.floor(Date.now() / 1000) + 3_600;
test.each<[string, Changed, string]>([
  ['§3.1: without iss', { claims: { iss: undefined } }, 'invalid_client'],
  ['§3.1: iss of another client', { claims: { iss: 'client_other' } }, 'invalid_client'],
  ['§3.2: without sub', { claims: { sub: undefined } }, 'invalid_client'],
  ['§3.3: without aud', { claims: { aud: undefined } }, 'invalid_client'],
  ['§3.3: aud of another server', { claims: { aud: 'https://other.example' } }, 'invalid_client'],
  ['§3.4: without exp', { claims: { exp: undefined } }, 'invalid_client'],
  ['§3.4: over', { claims: { exp: 1_700_000_000 } }, 'invalid_client'],
  ['§3.4: good for an hour', { claims: { exp: hour } }, 'invalid_client'],
  ['§3.5: not yet', { claims: { nbf: hour } }, 'invalid_client'],
  ['§3.7: without jti', { claims: { jti: undefined } }, 'invalid_client'],
  ['longer than 8 KiB', { claims: { note: 'x'.repeat(9_000) } }, 'invalid_client'],
])('an assertion %s is refused', async (_name, changed, error) => {
  expect(await outcome(await assertion(shop, changed))).toBe(error);
});

test('threat 172: other keys, other algorithms, unsigned, the secret that is left: none of it is this client', async () => {
  const stranger = await keyPair('ES256');
  expect(await outcome(await assertion(shop, { by: stranger, header: { kid: key.jwk.kid ?? '' } }))).toBe(
    'invalid_client',
  );
  const [, payload] = (await assertion(shop)).split('.');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
  const hmac = await new SignJWT(JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()))
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(JSON.stringify(key.jwk)));
  for (const forged of [unsigned, hmac, 'not.a.jwt'])
    expect(['invalid_client', 'invalid_request']).toContain(await outcome(forged));
  expect(await outcome(await assertion(shop), { client_assertion_type: 'urn:other' })).toBe(
    'invalid_request',
  );
  expect(await outcome(await assertion(shop), { client_id: 'client_other' })).toBe('invalid_request');
  const bySecret = await push(protocol, shop, requestOf(shop).parameters);
  expect([bySecret.status, bySecret.body.error]).toEqual([401, 'invalid_client']);
  const withSecret = await protocol.register();
  expect(await outcome(await assertion(withSecret))).toBe('invalid_client');
});

test('threat 173: an assertion is taken once, of however many that come at once (§3.7)', async () => {
  const jwt = await assertion(shop);
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcome(jwt)));
  expect(outcomes.sort()).toEqual([...Array.from({ length: 7 }, () => 'invalid_client'), PROVEN]);
  expect(await outcome(jwt)).toBe('invalid_client');
});

describe('keys at the company’s own address (threat 174)', () => {
  let remote: ProtocolApplication;
  const serve = (keys: JWK[]) => {
    site.answer = { status: 200, body: Buffer.from(JSON.stringify({ keys })) };
  };
  beforeAll(async () => {
    remote = await protocol.register();
    await assure(protocol, remote, { keySetUri: ADDRESS, clientAuthentication: 'private_key_jwt' });
  });

  test('they are fetched when they are needed, kept for a while, and a new one is known after it', async () => {
    serve([key.jwk]);
    const asked = site.asked;
    for (let round = 0; round < 4; round += 1) expect(await outcome(await assertion(remote))).toBe(PROVEN);
    expect(site.asked).toBe(asked + 1);
  });

  test('an address that does not answer is refused as a client, and left alone for a while', async () => {
    const silent = await protocol.register();
    const keySetUri = 'https://silent.shop.example/jwks.json';
    await assure(protocol, silent, { keySetUri, clientAuthentication: 'private_key_jwt' });
    const asked = site.asked;
    site.answer = { body: Buffer.alloc(0), failure: 'timeout' };
    for (let round = 0; round < 4; round += 1)
      expect(await outcome(await assertion(silent))).toBe('invalid_client');
    expect(site.asked).toBe(asked + 1);
    serve([key.jwk]);
    site.now += 11_000;
    expect(await outcome(await assertion(silent))).toBe(PROVEN);
  });
});

test.each([
  ['a private key', { kty: 'EC', crv: 'P-256', x: 'a', y: 'b', d: 'c' }, /private key/],
  ['a symmetric key', { kty: 'oct', k: 'c2VjcmV0' }, /private key/],
  ['another curve', { kty: 'EC', crv: 'P-521', x: 'a', y: 'b' }, /another kind/],
  ['an encryption key', { kty: 'RSA', use: 'enc', n: 'a', e: 'AQAB' }, /not for signatures/],
  ['a short RSA key', { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(128, 255).toString('base64url') }, /bits/],
  ['nonsense', { kty: 'EC', crv: 'P-256', x: '!', y: '?' }, /not a valid/],
])('%s is not entered', (_name, jwk, problem) => {
  expect(() => parseClientKeySet(JSON.stringify({ keys: [jwk] }))).toThrow(problem);
});

test('with a secret again, the secret works from the next request on', async () => {
  const application = await withKeys([key.jwk]);
  await assure(protocol, application, { clientAuthentication: 'secret' });
  const { status } = await exchange(protocol, application, await signIn(protocol, application));
  expect(status).toBe(200);
});
