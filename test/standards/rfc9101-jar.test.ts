// RFC 9101, signed authorization requests, in pushed requests only (promise 63, threat 172). That a signed request is held
// to the same rules as every other is in rfc9126-par.test.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as client from 'openid-client';
import { form } from '../harness/client.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import { Browser, callbackOf } from '../harness/protocol-client.ts';
import { assure, attempt, bring, callbackUrl, discover, push, requestOf } from './assured.ts';

let protocol: Protocol;
let shop: ProtocolApplication;
let key: Awaited<ReturnType<typeof keyPair>>;
beforeAll(async () => {
  protocol = await startProtocol();
  key = await keyPair();
  shop = await protocol.register();
  await assure(protocol, shop, { keySet: { keys: [key.jwk] } });
});
afterAll(() => protocol.stop());

async function keyPair() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return { privateKey, jwk: { ...(await exportJWK(publicKey)) } };
}

type Changed = { claims?: object; header?: object; by?: typeof key };

async function signed({ claims, header, by = key }: Changed = {}, application = shop): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const usual = { iss: application.clientId, aud: protocol.origin, nbf: now, exp: now + 300 };
  const { parameters } = requestOf(application);
  return new SignJWT(JSON.parse(JSON.stringify({ ...parameters, ...usual, ...claims })))
    .setProtectedHeader({ alg: 'ES256', typ: 'oauth-authz-req+jwt', ...header })
    .sign(by.privateKey);
}

const pushSigned = async (request: string, changed: Record<string, string> = {}) =>
  push(protocol, shop, { client_id: shop.clientId, request, ...changed });

test('§5: a stock client signs its request, pushes it and signs in; what stands beside it counts for nothing (§6.3)', async () => {
  const config = await discover(protocol, shop);
  const { parameters, checks } = await attempt();
  const url = await client.buildAuthorizationUrlWithJAR(config, parameters, key.privateKey);
  const request = url.searchParams.get('request') ?? '';
  const beside = { scope: 'openid profile', redirect_uri: 'https://evil.example/', nonce: 'another' };
  const { status, body } = await pushSigned(request, beside);
  expect([status, body.error_description]).toEqual([201, undefined]);
  const query = form({ client_id: shop.clientId, request_uri: String(body.request_uri) });
  const callback = await callbackUrl(protocol, new URL(`${protocol.origin}/oauth/authorize?${query}`));
  const tokens = await client.authorizationCodeGrant(config, callback, checks);
  expect(tokens.scope).toBe(parameters.scope);
});

const soon = Math.floor(Date.now() / 1000);
test.each<[string, Changed]>([
  ['§5.2.1: of another issuer', { claims: { iss: 'client_other' } }],
  ['§5.2.1: for another audience', { claims: { aud: 'https://other.example' } }],
  ['§5: without client_id', { claims: { client_id: undefined } }],
  ['§5: with the client_id of another', { claims: { client_id: 'client_other' } }],
  ['§4: with a request in it', { claims: { request: 'e30.e30.' } }],
  ['§10.8: that could be a client assertion', { claims: { sub: 'CLIENT' } }],
  ['§10.8: of another type', { header: { typ: 'logout+jwt' } }],
  ['that is over', { claims: { nbf: soon - 400, exp: soon - 100 } }],
  ['that is not good yet', { claims: { nbf: soon + 300 } }],
  ['without exp', { claims: { exp: undefined } }],
  ['without nbf', { claims: { nbf: undefined } }],
  ['that is good for a day', { claims: { exp: soon + 86_400 } }],
  ['longer than 8 KiB', { claims: { note: 'x'.repeat(9_000) } }],
])('a request %s is refused', async (_name, changed) => {
  const claims = JSON.parse(JSON.stringify({ ...changed.claims }).replace('CLIENT', shop.clientId));
  const undefinedOnes = Object.fromEntries(
    Object.keys(changed.claims ?? {}).map((name) => [name, undefined]),
  );
  const { status, body } = await pushSigned(
    await signed({ ...changed, claims: { ...undefinedOnes, ...claims } }),
  );
  expect([status, body.error]).toEqual([400, 'invalid_request_object']);
  expect(String(body.error_description)).toMatch(/request/i);
});

test('threat 172: another key, another algorithm, no signature, no key at all', async () => {
  const stranger = await keyPair();
  const jwt = await signed();
  const [, payload = ''] = jwt.split('.');
  const unsigned = `${Buffer.from('{"alg":"none","typ":"oauth-authz-req+jwt"}').toString('base64url')}.${payload}.`;
  const hmac = await new SignJWT(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    .setProtectedHeader({ alg: 'HS256', typ: 'oauth-authz-req+jwt' })
    .sign(Buffer.from(shop.clientSecret ?? ''));
  for (const request of [await signed({ by: stranger }), unsigned, hmac, `${jwt}x`, 'nonsense'])
    expect((await pushSigned(request)).body.error).toBe('invalid_request_object');
  const keyless = await protocol.register();
  const request = await signed({}, keyless);
  const refused = await push(protocol, keyless, { client_id: keyless.clientId, request });
  expect(refused.body.error).toBe('invalid_request_object');
});

test('by browser it is refused, signed or not (request_parameter_supported is false)', async () => {
  for (const request of [await signed(), 'nonsense']) {
    const query = form({ ...requestOf(shop).parameters, request });
    const answer = callbackOf(await new Browser(protocol).follow(`/oauth/authorize?${query}`));
    expect(answer).toMatchObject({
      error: 'request_not_supported',
      error_description: expect.stringContaining('request'),
    });
  }
});

describe('§10.5: an application that requires signatures', () => {
  test('gets no unsigned request, and signed ones as before', async () => {
    const application = await protocol.register();
    const wanted = {
      requiresPushedRequests: true,
      requiresSignedRequests: true,
      keySet: { keys: [key.jwk] },
    };
    await assure(protocol, application, wanted);
    const { parameters } = requestOf(application);
    expect((await push(protocol, application, parameters)).body).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('Request Object must be used'),
    });
    const request = await signed({}, application);
    const { body } = await push(protocol, application, { client_id: application.clientId, request });
    expect(callbackOf(await bring(protocol, application, body.request_uri)).code).toBeDefined();
  });
});
