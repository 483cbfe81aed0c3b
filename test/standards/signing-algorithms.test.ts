// Signing algorithms (OpenID Connect Core §2, §10.1; RFC 7518 §3.4; RFC 8037 §3.1; promise 62, threat 169): each
// application's tokens are signed with the one that its company chose, and every token verifies for as long as it is good.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { type SigningAlgorithm, signingAlgorithms } from '../../src/applications/signing-algorithm.ts';
import { transaction } from '../../src/database/connection.ts';
import { createLogoutTokens } from '../../src/oidc/sessions/logout-token.ts';
import { replaceSigningKeys } from '../../src/oidc/signing-keys/signing-keys.ts';
import { form } from '../harness/client.ts';
import { type Protocol, startProtocol } from '../harness/protocol.ts';
import { authorizationRequest, callbackOf, exchange, signIn } from '../harness/protocol-client.ts';
import { assure, attempt, callbackUrl, discover } from './assured.ts';

let protocol: Protocol;
beforeAll(async () => {
  protocol = await startProtocol();
});
afterAll(() => protocol.stop());

const keySet = async (): Promise<JSONWebKeySet> => (await fetch(`${protocol.origin}/oauth/jwks`)).json();

async function applicationWith(signingAlgorithm: SigningAlgorithm) {
  const application = await protocol.register();
  await assure(protocol, application, { signingAlgorithm });
  return application;
}

describe.each(signingAlgorithms)('%s', (alg) => {
  test('ID Tokens verify with a key of the published set, by a stock client that expects this algorithm', async () => {
    const application = await applicationWith(alg);
    const config = await discover(protocol, application, undefined, { id_token_signed_response_alg: alg });
    client.enableNonRepudiationChecks(config);
    const { parameters, checks } = await attempt();
    const callback = await callbackUrl(protocol, client.buildAuthorizationUrl(config, parameters));
    const tokens = await client.authorizationCodeGrant(config, callback, checks);
    expect(tokens.claims()?.aud).toBe(application.clientId);
    const { kid, ...header } = decodeProtectedHeader(tokens.id_token ?? '');
    expect(header.alg).toBe(alg);
    const key = (await keySet()).keys.find((each) => each.kid === kid);
    expect(key).toMatchObject({ alg, use: 'sig' });
    for (const secret of ['d', 'p', 'q', 'k']) expect(key).not.toHaveProperty(secret);
  });

  test('logout tokens are signed alike (Back-Channel Logout §2.6)', async () => {
    const { id: applicationId, clientId } = await applicationWith(alg);
    const make = createLogoutTokens({
      ...protocol,
      clock: () => new Date(),
      config: { baseUrl: protocol.origin },
    });
    const subject = { applicationId, clientId, algorithm: alg, namesSession: true, jti: 'lgt_1' };
    const { jwt } = await make({ ...subject, accountId: protocol.person.account.id, grantId: 'a grant' });
    const expected = { audience: clientId, issuer: protocol.origin, typ: 'logout+jwt', algorithms: [alg] };
    await jwtVerify(jwt, createLocalJWKSet(await keySet()), expected);
  });
});

test('discovery names the three, and one cached key set has a key of each (Discovery §3)', async () => {
  const document = await (await fetch(`${protocol.origin}/.well-known/openid-configuration`)).json();
  expect(document.id_token_signing_alg_values_supported).toEqual(['RS256', 'ES256', 'EdDSA']);
  const answer = await fetch(`${protocol.origin}/oauth/jwks`);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
  const { keys }: JSONWebKeySet = await answer.json();
  expect(keys.map(({ kty, crv, alg }) => [kty, crv, alg])).toEqual([
    ['RSA', undefined, 'RS256'],
    ['EC', 'P-256', 'ES256'],
    ['OKP', 'Ed25519', 'EdDSA'],
  ]);
});

test('without a choice it is RS256 (Core §15.1)', async () => {
  const application = await protocol.register();
  const { body } = await exchange(protocol, application, await signIn(protocol, application));
  expect(decodeProtectedHeader(String(body.id_token)).alg).toBe('RS256');
});

test('an ID Token from before the choice is still a hint, at the next sign-in and at logout; a forged one is not', async () => {
  const application = await protocol.register();
  const { browser, ...first } = await signIn(protocol, application);
  const hint = String((await exchange(protocol, application, first)).body.id_token);
  await assure(protocol, application, { signingAlgorithm: 'EdDSA' });
  const hinted = (id_token_hint: string) =>
    browser.request(authorizationRequest(application, { prompt: 'none', id_token_hint }).path);
  expect(callbackOf(await hinted(hint)).code).toBeDefined();
  const [header = '', payload = ''] = hint.split('.');
  for (const forged of [`${header}.${payload}.c2ln`, `eyJhbGciOiJub25lIn0.${payload}.`])
    expect(callbackOf(await hinted(forged)).error).toBe('invalid_request');
  expect((await browser.request(`/oauth/logout?${form({ id_token_hint: hint })}`)).status).toBe(200);
});

test('threat 169: the key of one algorithm that leaked is replaced alone, and forges nothing from then on', async () => {
  const application = await applicationWith('ES256');
  const before = await keySet();
  const keys = { keys: protocol.keys, clock: () => protocol.clock.now() };
  await transaction(protocol.db, (tx) => replaceSigningKeys(tx, keys, ['ES256']));
  await protocol.rebuild();
  const { body } = await exchange(protocol, application, await signIn(protocol, application));
  const { kid } = decodeProtectedHeader(String(body.id_token));
  expect(before.keys.map((key) => key.kid)).not.toContain(kid);
  const after = (await keySet()).keys.map((key) => key.kid);
  for (const alg of ['RS256', 'EdDSA'])
    expect(after).toContain(before.keys.find((key) => key.alg === alg)?.kid);
  protocol.clock.now = () => new Date(Date.now() + 4 * 60_000);
  await protocol.rebuild();
  expect((await keySet()).keys).toHaveLength(3);
  protocol.clock.now = () => new Date();
});
