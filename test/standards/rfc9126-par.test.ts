// RFC 9126, pushed authorization requests (promise 63, threats 170 and 171), and one set of rules for a request by whichever
// door it comes: in the address, by a form, pushed, or pushed and signed.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as client from 'openid-client';
import { answerOf, form } from '../harness/client.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import { Browser, callbackOf, exchange, type Parameters } from '../harness/protocol-client.ts';
import { assure, attempt, bring, callbackUrl, discover, push, requestOf } from './assured.ts';

let protocol: Protocol;
let shop: ProtocolApplication;
let sign: (parameters: Parameters) => Promise<string>;
beforeAll(async () => {
  protocol = await startProtocol();
  shop = await protocol.register();
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  await assure(protocol, shop, { keySet: { keys: [{ ...(await exportJWK(publicKey)) }] } });
  sign = async (parameters) => {
    const claims = Object.fromEntries(form(parameters));
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'oauth-authz-req+jwt' })
      .setIssuer(shop.clientId)
      .setAudience(protocol.origin)
      .setNotBefore('0s')
      .setExpirationTime('5m')
      .sign(privateKey);
  };
});
afterAll(() => protocol.stop());

type Outcome = Record<string, unknown>;
type Door = (parameters: Parameters) => Promise<Outcome>;

/** What the client hears: at its callback, or of what it pushed. */
async function broughtOrRefused({ status, body }: Awaited<ReturnType<typeof push>>): Promise<Outcome> {
  return status === 201 ? callbackOf(await bring(protocol, shop, body.request_uri)) : body;
}

const doors: Record<string, Door> = {
  query: async (parameters) =>
    callbackOf(await new Browser(protocol).follow(`/oauth/authorize?${form(parameters)}`)),
  form: async (parameters) =>
    callbackOf(
      await new Browser(protocol).follow('/oauth/authorize', { method: 'POST', body: form(parameters) }),
    ),
  pushed: async (parameters) => broughtOrRefused(await push(protocol, shop, parameters)),
  signed: async (parameters) =>
    broughtOrRefused(
      await push(protocol, shop, { client_id: shop.clientId, request: await sign(parameters) }),
    ),
};

const rules: [string, Parameters, string | undefined, RegExp][] = [
  ['everything in order', {}, undefined, /^$/],
  ['no state', { state: null }, 'invalid_request', /\bstate\b/],
  ['no nonce', { nonce: null }, 'invalid_request', /\bnonce\b/],
  ['no PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request', /\bcode_challenge\b/],
  ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request', /code_challenge_method/],
  ['neither state nor nonce', { state: null, nonce: null }, 'invalid_request', /state, nonce/],
  ['no openid', { scope: 'email' }, 'invalid_request', /openid/],
  ['an unknown scope', { scope: 'openid email unheard_of' }, undefined, /^$/],
  ['another response type', { response_type: 'token' }, 'unsupported_response_type', /response_type/],
  ['a fragment for the answer', { response_mode: 'fragment' }, 'unsupported_response_mode', /response_mode/],
  ['a long state', { state: 's'.repeat(2_049) }, 'invalid_request', /state is longer/],
  ['a wrong max_age', { max_age: 'soon' }, 'invalid_request', /max_age/],
  ['a wrong prompt', { prompt: 'none login' }, 'invalid_request', /prompt/],
  ['wrong claims', { claims: '[]' }, 'invalid_request', /claims/],
  ['registration', { registration: '{}' }, 'registration_not_supported', /registration/],
];
const table = Object.keys(doors).flatMap((door) => rules.map((rule) => [door, ...rule] as const));

test.each(table)('promise 63: by %s, %s', async (door, _rule, changed, error, described) => {
  const { parameters, state } = requestOf(shop, changed);
  const outcome = await doors[door]?.(parameters);
  expect(outcome?.error).toBe(error);
  if (error) expect(String(outcome?.error_description)).toMatch(described);
  else expect(outcome).toMatchObject({ code: expect.any(String), state, iss: protocol.origin });
});

test.each(['pushed', 'signed'])(
  'by %s, text that no store can hold is refused before it is kept',
  async (door) => {
    const outcome = await doors[door]?.(requestOf(shop, { login_hint: 'a\0b' }).parameters);
    const error_description = expect.stringContaining('login_hint');
    expect(outcome).toMatchObject({ error: 'invalid_request', error_description });
  },
);

describe('pushing (§2)', () => {
  test('§2.2: 201 with a request_uri for at most 60 seconds; a stock client signs in with it', async () => {
    const { status, body, headers } = await push(protocol, shop, requestOf(shop).parameters);
    expect(status).toBe(201);
    expect(body).toEqual({
      request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:\S{20,}$/),
      expires_in: 60,
    });
    expect(headers.get('cache-control')).toBe('no-store');
    const config = await discover(protocol, shop);
    const { parameters, checks } = await attempt();
    const url = await client.buildAuthorizationUrlWithPAR(config, parameters);
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const tokens = await client.authorizationCodeGrant(config, await callbackUrl(protocol, url), checks);
    expect(tokens.refresh_token).toBeDefined();
    expect(tokens.claims()?.aud).toBe(shop.clientId);
  });

  test('§2.3 and threat 170: no client, a wrong secret, a public client, a GET: nothing is kept', async () => {
    const kept = async () => (await protocol.records('PushedAuthorizationRequest')).length;
    const before = await kept();
    const { parameters } = requestOf(shop);
    const wrong = await push(protocol, { ...shop, clientSecret: 'wrong' }, parameters);
    const unknown = await push(protocol, shop, { ...parameters, client_id: 'client_unknown' });
    expect(wrong.status).toBe(401);
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
    const spa = await protocol.register({ clientType: 'public' });
    expect((await push(protocol, spa, requestOf(spa).parameters)).body).toMatchObject({
      error: 'unauthorized_client',
      error_description: expect.stringContaining('cannot push'),
    });
    const get = await answerOf(await fetch(`${protocol.origin}/oauth/par?${form(parameters)}`));
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect((await push(protocol, shop, { ...parameters, request_uri: 'urn:x' })).body.error).toBe(
      'request_uri_not_supported',
    );
    expect(await kept()).toBe(before);
  });

  test('§2.3: a callback that is not registered is refused there and then', async () => {
    const { parameters } = requestOf(shop, { redirect_uri: 'https://evil.example/' });
    const { status, body } = await push(protocol, shop, parameters);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(String(body.error_description)).toContain('redirect_uri');
  });

  test('form_post answers on our own page, as for every other request', async () => {
    const { body } = await push(protocol, shop, requestOf(shop, { response_mode: 'form_post' }).parameters);
    const page = await (await bring(protocol, shop, body.request_uri)).text();
    expect(page).toContain('&quot;code&quot;'.replaceAll('&quot;', '"'));
    expect(page).not.toContain('<script');
  });
});

describe('bringing it (§4)', () => {
  test('threat 171: it works once, for its own client, and not after a minute', async () => {
    const { parameters, verifier } = requestOf(shop);
    const { body } = await push(protocol, shop, parameters);
    const other = await protocol.register();
    expect((await bring(protocol, other, body.request_uri)).status).toBe(400);
    const { code = '' } = callbackOf(await bring(protocol, shop, body.request_uri));
    expect((await exchange(protocol, shop, { code, verifier })).status).toBe(200);
    const again = await bring(protocol, shop, body.request_uri);
    expect([again.status, await again.text()]).toEqual([400, expect.stringContaining('invalid_request_uri')]);
    const late = await push(protocol, shop, requestOf(shop).parameters);
    await protocol.pass(61_000);
    expect((await bring(protocol, shop, late.body.request_uri)).status).toBe(400);
    protocol.clock.now = () => new Date();
  });

  test('of many browsers that bring it at once, one gets a code', async () => {
    const { body } = await push(protocol, shop, requestOf(shop).parameters);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => bring(protocol, shop, body.request_uri)),
    );
    const codes = answers.filter((answer) => answer.headers.get('location')?.includes('code='));
    expect(codes).toHaveLength(1);
  });

  test('what stands beside it in the address changes nothing (§4, RFC 9101 §6.3)', async () => {
    const { parameters, state } = requestOf(shop);
    const { body } = await push(protocol, shop, parameters);
    const query = form({
      ...requestOf(shop).parameters,
      request_uri: String(body.request_uri),
      scope: 'openid',
    });
    expect(callbackOf(await new Browser(protocol).follow(`/oauth/authorize?${query}`)).state).toBe(state);
  });
});

test('§5: an application that requires it gets no request by browser, and is told so', async () => {
  const application = await protocol.register();
  await assure(protocol, application, { requiresPushedRequests: true });
  const { parameters } = requestOf(application);
  const refused = callbackOf(await new Browser(protocol).follow(`/oauth/authorize?${form(parameters)}`));
  expect(refused).toMatchObject({
    error: 'invalid_request',
    error_description: expect.stringContaining('Pushed Authorization Request must be used'),
  });
  const { body } = await push(protocol, application, parameters);
  expect(callbackOf(await bring(protocol, application, body.request_uri)).code).toBeDefined();
});

test('discovery (§5) names the endpoint, and the browser’s parameters stay what they were', async () => {
  const document = await (await fetch(`${protocol.origin}/.well-known/openid-configuration`)).json();
  expect(document).toMatchObject({
    pushed_authorization_request_endpoint: `${protocol.origin}/oauth/par`,
    require_pushed_authorization_requests: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  });
});

test('threat 170: what one backend pushes and nobody brings is bounded in bytes', async () => {
  const busy = await protocol.register();
  const padding = Object.fromEntries(['login_hint', 'ui_locales'].map((name) => [name, 'x'.repeat(250)]));
  const claims = JSON.stringify({ id_token: { email: { value: 'y'.repeat(1_900) } } });
  const state = 's'.repeat(2_000);
  for (let round = 0; round < 14; round += 1) {
    const pushes = Array.from({ length: 10 }, () =>
      push(protocol, busy, requestOf(busy, { ...padding, claims, state }).parameters),
    );
    for (const { status } of await Promise.all(pushes)) expect(status).toBe(201);
  }
  const bytes = JSON.stringify(await protocol.records('PushedAuthorizationRequest')).length;
  expect(bytes).toBeLessThan(1_100_000);
  expect((await push(protocol, shop, requestOf(shop).parameters)).status).toBe(201);
});
