// RFC 9449, tokens bound to a key of the client (promise 64, threats 175 and 176): access tokens of every client that sends
// proofs, refresh tokens of public ones, with nonces of ours.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { answerOf } from '../harness/client.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import { type Answer, exchange, type Parameters, post, refresh, signIn } from '../harness/protocol-client.ts';
import { assure, attempt, bring, callbackUrl, discover, push, requestOf } from './assured.ts';

let protocol: Protocol;
let shop: ProtocolApplication;
let spa: ProtocolApplication;
let own: ProofKey;
beforeAll(async () => {
  protocol = await startProtocol();
  shop = await protocol.register();
  spa = await protocol.register({ clientType: 'public' });
  own = await proofKey();
});
afterAll(() => protocol.stop());

type ProofKey = { alg: string; privateKey: CryptoKey; jwk: JWK };

async function proofKey(alg = 'ES256'): Promise<ProofKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  return { alg, privateKey, jwk: await exportJWK(publicKey) };
}

type Proof = { method?: string; path?: string; key?: ProofKey; claims?: object; header?: object };
let jtis = 0;
let nonce = '';

/** With the nonce that the service said last. */
async function proof({
  method = 'POST',
  path = '/oauth/token',
  key = own,
  claims,
  header,
}: Proof = {}): Promise<string> {
  jtis += 1;
  const usual = {
    htm: method,
    htu: protocol.origin + path,
    jti: `jti ${jtis}`,
    iat: Math.floor(Date.now() / 1000),
    nonce,
  };
  return new SignJWT(JSON.parse(JSON.stringify({ ...usual, ...claims })))
    .setProtectedHeader({ alg: key.alg, typ: 'dpop+jwt', jwk: key.jwk, ...header })
    .sign(key.privateKey);
}

function heard(answer: Answer): Answer {
  nonce = answer.headers.get('dpop-nonce') ?? nonce;
  return answer;
}

async function tokensOf(application: ProtocolApplication, given: Proof = {}): Promise<Answer> {
  if (nonce === '') heard(await post(protocol, '/oauth/token', await failing(), { dpop: await proof() }));
  const signedIn = await signIn(protocol, application, { changed: { scope: 'openid email offline_access' } });
  return heard(await exchange(protocol, application, signedIn, {}, { dpop: await proof(given) }));
}

async function failing(): Promise<Parameters> {
  const { clientId, clientSecret = '' } = shop;
  const secret = { client_id: clientId, client_secret: clientSecret };
  return {
    ...secret,
    grant_type: 'authorization_code',
    code: 'c',
    redirect_uri: 'https://a.test',
    code_verifier: 'v',
  };
}

async function profile(
  token: unknown,
  { scheme = 'DPoP', ...given }: Proof & { scheme?: string } = {},
): Promise<Answer> {
  const ath = createHash('sha256').update(String(token)).digest('base64url');
  const dpop = await proof({
    method: 'GET',
    path: '/oauth/userinfo',
    ...given,
    claims: { ath, ...given.claims },
  });
  const headers = { authorization: `${scheme} ${token}`, ...(scheme === 'DPoP' && { dpop }) };
  return heard(await answerOf(await fetch(`${protocol.origin}/oauth/userinfo`, { headers })));
}

describe('stock clients', () => {
  test('openid-client: sign-in, UserInfo and refresh, with and without pushed requests', async () => {
    const config = await discover(protocol, shop);
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
    for (const isPushed of [false, true]) {
      const { parameters, checks } = await attempt();
      const url = isPushed
        ? await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP })
        : client.buildAuthorizationUrl(config, parameters);
      const callback = await callbackUrl(protocol, url);
      const tokens = await client.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
      expect(tokens.token_type).toBe('dpop');
      const { sub = '' } = tokens.claims() ?? {};
      expect(await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP })).toHaveProperty('email');
      const again = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
      expect(again.token_type).toBe('dpop');
    }
  });

  test('oauth4webapi: a public client, whose refresh token rotates and is bound', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(protocol.origin);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, insecure),
    );
    const me: oauth.Client = { client_id: spa.clientId };
    const DPoP = oauth.DPoP(me, await oauth.generateKeyPair('ES256'));
    const { parameters, checks } = await attempt();
    const url = new URL(server.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      client_id: spa.clientId,
      response_type: 'code',
      ...parameters,
    }).toString();
    const answered = oauth.validateAuthResponse(
      server,
      me,
      await callbackUrl(protocol, url),
      checks.expectedState,
    );
    const ask = () =>
      oauth.authorizationCodeGrantRequest(
        server,
        me,
        oauth.None(),
        answered,
        parameters.redirect_uri,
        checks.pkceCodeVerifier,
        { DPoP, ...insecure },
      );
    const first = await oauth
      .processAuthorizationCodeResponse(server, me, await ask(), { expectedNonce: checks.expectedNonce })
      .catch(async (error: unknown) => {
        if (!oauth.isDPoPNonceError(error)) throw error;
        return oauth.processAuthorizationCodeResponse(server, me, await ask(), {
          expectedNonce: checks.expectedNonce,
        });
      });
    const options = { DPoP, ...insecure };
    const answer = await oauth.refreshTokenGrantRequest(
      server,
      me,
      oauth.None(),
      first.refresh_token ?? '',
      options,
    );
    const second = await oauth.processRefreshTokenResponse(server, me, answer);
    expect(second.refresh_token).not.toBe(first.refresh_token);
  });
});

describe('proofs (§4.3)', () => {
  test('§8: a proof without a nonce of ours is answered with one, and no code is spent by it', async () => {
    const signedIn = await signIn(protocol, shop);
    const without = await exchange(
      protocol,
      shop,
      signedIn,
      {},
      { dpop: await proof({ claims: { nonce: undefined } }) },
    );
    expect([without.status, without.body.error]).toEqual([400, 'use_dpop_nonce']);
    expect(without.headers.get('dpop-nonce')).toMatch(/^\S{20,}$/);
    heard(without);
    const answer = await exchange(protocol, shop, signedIn, {}, { dpop: await proof() });
    expect(answer.body.token_type).toBe('DPoP');
  });

  test.each<[string, Proof, string]>([
    ['of another method', { claims: { htm: 'GET' } }, 'invalid_dpop_proof'],
    ['of another address', { claims: { htu: 'https://other.example/oauth/token' } }, 'invalid_dpop_proof'],
    ['without jti', { claims: { jti: undefined } }, 'invalid_dpop_proof'],
    ['without iat', { claims: { iat: undefined } }, 'invalid_dpop_proof'],
    ['with a nonce of somebody else', { claims: { nonce: 'n'.repeat(43) } }, 'use_dpop_nonce'],
    ['of another type', { header: { typ: 'JWT' } }, 'invalid_dpop_proof'],
    ['without its key', { header: { jwk: undefined } }, 'invalid_dpop_proof'],
  ])('a proof %s is refused', async (_name, given, error) => {
    const { status, body } = await tokensOf(shop, given);
    expect([status, body.error]).toEqual([400, error]);
    expect(String(body.error_description)).not.toBe('');
  });

  test('threat 176: a proof is taken once, of however many that come at once (§11.1)', async () => {
    const { body } = await tokensOf(shop);
    const ath = createHash('sha256').update(String(body.access_token)).digest('base64url');
    const dpop = await proof({ method: 'GET', path: '/oauth/userinfo', claims: { ath } });
    const headers = { authorization: `DPoP ${body.access_token}`, dpop };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => fetch(`${protocol.origin}/oauth/userinfo`, { headers })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
  });
});

describe('promise 64 and threat 175: a token that was stolen', () => {
  test('is of no use without the key: as a bearer, with another key, with a proof for another token (§7)', async () => {
    const { body } = await tokensOf(shop);
    expect(body.token_type).toBe('DPoP');
    const { access_token: token } = body;
    expect((await profile(token)).status).toBe(200);
    expect((await profile(token, { scheme: 'Bearer' })).status).toBe(401);
    const thief = await proofKey();
    expect((await profile(token, { key: thief })).status).toBe(401);
    expect((await profile(token, { claims: { ath: 'a'.repeat(43) } })).status).toBe(401);
    const post = await fetch(`${protocol.origin}/oauth/userinfo`, {
      method: 'POST',
      body: new URLSearchParams({ access_token: String(token) }),
    });
    expect(post.status).toBe(401);
  });

  test('a refresh token of a public client likewise (§5), and trying it ends nothing', async () => {
    const { body } = await tokensOf(spa);
    const token = body.refresh_token;
    const thief = await proofKey();
    expect((await refresh(protocol, spa, token)).body.error).toBe('invalid_grant');
    const ask = async (key: ProofKey) => {
      const parameters = {
        grant_type: 'refresh_token',
        client_id: spa.clientId,
        refresh_token: String(token),
      };
      return heard(await post(protocol, '/oauth/token', parameters, { dpop: await proof({ key }) }));
    };
    expect((await ask(thief)).body.error).toBe('invalid_grant');
    const { status, body: rotated } = await ask(own);
    expect(status).toBe(200);
    expect((await profile(rotated.access_token)).status).toBe(200);
  });

  test('a code that was stolen is of no use where the request named the key (§10, dpop_jkt)', async () => {
    const { parameters, verifier } = requestOf(shop, { dpop_jkt: await calculateJwkThumbprint(own.jwk) });
    const { body } = await push(protocol, shop, parameters);
    const { searchParams } = new URL(
      (await bring(protocol, shop, body.request_uri)).headers.get('location') ?? '',
    );
    const thief = await proofKey();
    const stolen = { code: searchParams.get('code') ?? '', verifier };
    const answer = await exchange(protocol, shop, stolen, {}, { dpop: await proof({ key: thief }) });
    expect(answer.body.error).toBe('invalid_grant');
  });
});

describe('required by the application (§5.2)', () => {
  test.each(['confidential', 'public'] as const)(
    'a %s one gets no tokens without a proof',
    async (clientType) => {
      const application = await protocol.register({ clientType });
      await assure(protocol, application, { requiresDpop: true });
      const bare = await exchange(protocol, application, await signIn(protocol, application));
      expect([bare.status, bare.body.error]).toEqual([400, 'invalid_grant']);
      expect(bare.body.error_description).toBeDefined();
      expect((await tokensOf(application)).body.token_type).toBe('DPoP');
    },
  );
});

test('a stranger’s proofs are not remembered: pushed by a public client, or with a made-up code', async () => {
  const remembered = async () => (await protocol.records('ReplayDetection')).length;
  const before = await remembered();
  const { parameters } = requestOf(spa);
  const pushed = await post(protocol, '/oauth/par', parameters, {
    dpop: await proof({ path: '/oauth/par' }),
  });
  expect(pushed.body.error).toBe('unauthorized_client');
  const made = { ...(await failing()), client_id: spa.clientId, client_secret: null };
  expect((await post(protocol, '/oauth/token', made, { dpop: await proof() })).body.error).toBe(
    'invalid_grant',
  );
  expect(await remembered()).toBe(before);
});

test('without a proof nothing is new: a bearer token, and no nonce', async () => {
  const { body, headers } = await exchange(protocol, shop, await signIn(protocol, shop));
  expect(body.token_type).toBe('Bearer');
  expect(headers.get('dpop-nonce')).toBeNull();
  expect((await profile(body.access_token)).status).toBe(401);
});

test('a page of a registered origin may send proofs and read the nonce (§8, CORS)', async () => {
  const origin = 'https://app.example.test';
  const preflight = await fetch(`${protocol.origin}/oauth/token`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'dpop' },
  });
  expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('dpop');
  const parameters = {
    grant_type: 'authorization_code',
    client_id: spa.clientId,
    code: 'c',
    code_verifier: 'v'.repeat(43),
  };
  const answer = await post(
    protocol,
    '/oauth/token',
    { ...parameters, redirect_uri: 'https://app.example.test/callback' },
    { origin, dpop: await proof({ claims: { nonce: undefined } }) },
  );
  expect(answer.headers.get('access-control-expose-headers')).toContain('DPoP-Nonce');
});

test('discovery names the algorithms (§5.1)', async () => {
  const document = await (await fetch(`${protocol.origin}/.well-known/openid-configuration`)).json();
  expect(document.dpop_signing_alg_values_supported).toEqual(['ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS256']);
});
