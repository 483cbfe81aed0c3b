// What the OpenID conformance suite asks of a provider, one row for each module of its Basic and Form Post plans, named as
// there (docs/conformance.md). The suite sends a nonce and no PKCE, so the application has compatible client rules.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { applications } from '../../drizzle/schema/applications.ts';
import { form } from '../harness/client.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import {
  authorizationRequest,
  Browser,
  callbackOf,
  exchange,
  type Parameters,
  post,
  refresh,
  userinfo,
} from '../harness/protocol-client.ts';

let protocol: Protocol;
let application: ProtocolApplication;
beforeAll(async () => {
  protocol = await startProtocol();
  application = await protocol.register();
  await protocol.db.update(applications).set({ isCompatible: true });
});
afterAll(() => protocol.stop());

type Mode = 'default' | 'form_post';
type Attempt = {
  answer: Record<string, string>;
  state: string;
  nonce: string;
  verifier: string;
  browser: Browser;
};
type Ask = (changed?: Parameters, browser?: Browser) => Promise<Attempt>;

const noPkce = { code_challenge: null, code_challenge_method: null };

function asks(mode: Mode): Ask {
  return async (changed = {}, browser = new Browser(protocol)) => {
    const way = mode === 'form_post' ? { response_mode: mode } : {};
    const { path, ...attempt } = authorizationRequest(application, { ...noPkce, ...way, ...changed });
    return { ...attempt, browser, answer: await answerOf(mode, await browser.follow(path)) };
  };
}

/** What the callback gets, by whichever way. */
async function answerOf(mode: Mode, response: Response): Promise<Record<string, string>> {
  if (mode === 'default') return callbackOf(response);
  const text = (await response.text()).replaceAll('&amp;', '&');
  const [, json = '{}'] = /<pre>(.*)<\/pre>/s.exec(text) ?? [];
  const { action, fields } = JSON.parse(json) as { action: string; fields: [string, string][] };
  expect(action).toBe(application.redirectUris[0]);
  return Object.fromEntries(fields);
}

async function tokensOf({ answer, state, nonce }: Attempt, changed: Parameters = {}) {
  expect(answer).toMatchObject({ state, iss: protocol.origin });
  const given = { code: answer.code ?? '', verifier: '' };
  const { status, body } = await exchange(protocol, application, given, { code_verifier: null, ...changed });
  expect(status).toBe(200);
  const claims = decodeJwt<{ auth_time: number; acr: string }>(String(body.id_token));
  expect(claims.nonce).toBe(nonce);
  return { body, claims };
}

async function succeeds(ask: Ask, changed: Parameters = {}): Promise<void> {
  await tokensOf(await ask(changed));
}

/** A second request of the same browser. */
async function again(ask: Ask, changed: (first: { idToken: string }) => Parameters, first: Parameters = {}) {
  const before = await ask(first);
  const one = await tokensOf(before);
  protocol.prompts.length = 0;
  const after = await tokensOf(await ask(changed({ idToken: String(one.body.id_token) }), before.browser));
  return { before: one.claims, after: after.claims, prompts: [...protocol.prompts] };
}

async function refusedOnPage(changed: Parameters): Promise<void> {
  const { path } = authorizationRequest(application, { ...noPkce, ...changed });
  const answer = await new Browser(protocol).request(path);
  expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
}

async function claimsOfScope(ask: Ask, scope: string): Promise<Record<string, unknown>> {
  const { body } = await tokensOf(await ask({ scope }));
  return (await userinfo(protocol, body.access_token)).body;
}

async function codeTwice(ask: Ask): Promise<void> {
  const attempt = await ask();
  const { body } = await tokensOf(attempt);
  const given = { code: attempt.answer.code ?? '', verifier: '' };
  const second = await exchange(protocol, application, given, { code_verifier: null });
  expect(second.body.error).toBe('invalid_grant');
  expect((await userinfo(protocol, body.access_token)).status).toBe(401);
}

const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`;

const modules: Record<string, (ask: Ask) => Promise<void>> = {
  'oidcc-server': (ask) => succeeds(ask),
  'oidcc-response-type-missing': async (ask) => {
    const { answer, state } = await ask({ response_type: null });
    expect(answer).toMatchObject({ error: 'invalid_request', state });
  },
  'oidcc-userinfo-get': async (ask) => {
    const { body, claims } = await tokensOf(await ask());
    expect((await userinfo(protocol, body.access_token)).body).toMatchObject({ sub: claims.sub });
  },
  'oidcc-userinfo-post-header': async (ask) => {
    const { body, claims } = await tokensOf(await ask());
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await post(protocol, '/oauth/userinfo', {}, headers)).body.sub).toBe(claims.sub);
  },
  'oidcc-userinfo-post-body': async (ask) => {
    const { body, claims } = await tokensOf(await ask());
    const form = { access_token: String(body.access_token) };
    expect((await post(protocol, '/oauth/userinfo', form)).body.sub).toBe(claims.sub);
  },
  // Promise 5 forbids to pass it: PKCE or a nonce, at least one.
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': async (ask) => {
    const { answer } = await ask({ nonce: null });
    expect(answer.error).toBe('invalid_request');
  },
  'oidcc-scope-profile': async (ask) => {
    expect(await claimsOfScope(ask, 'openid profile')).toMatchObject({ name: 'Ada Lovelace' });
  },
  'oidcc-scope-email': async (ask) => {
    const claims = { email: 'ada@example.test', email_verified: true };
    expect(await claimsOfScope(ask, 'openid email')).toMatchObject(claims);
  },
  // Promise 4: discovery names neither scope, and a request for one is no failure.
  'oidcc-scope-address': async (ask) => {
    expect(await claimsOfScope(ask, 'openid address')).not.toHaveProperty('address');
  },
  'oidcc-scope-phone': async (ask) => {
    expect(await claimsOfScope(ask, 'openid phone')).not.toHaveProperty('phone_number');
  },
  'oidcc-scope-all': async (ask) => {
    const all = await claimsOfScope(ask, 'openid profile email address phone');
    expect(Object.keys(all).toSorted()).toEqual(['email', 'email_verified', 'name', 'sub', 'updated_at']);
  },
  'oidcc-alternate-happy-flow': async (ask) => {
    const claims = await claimsOfScope(ask, 'email profile openid');
    expect(claims).toMatchObject({ email: 'ada@example.test', name: 'Ada Lovelace' });
  },
  'oidcc-display-page': (ask) => succeeds(ask, { display: 'page' }),
  'oidcc-display-popup': (ask) => succeeds(ask, { display: 'popup' }),
  'oidcc-prompt-login': async (ask) => {
    const { before, after, prompts } = await again(ask, () => ({ prompt: 'login', max_age: '10000' }), {
      max_age: '10000',
    });
    expect(prompts).toContain('login');
    expect(after.auth_time).toBeGreaterThanOrEqual(before.auth_time);
    expect(after.sub).toBe(before.sub);
  },
  'oidcc-prompt-none-not-logged-in': async (ask) => {
    expect((await ask({ prompt: 'none' })).answer).toMatchObject({ error: 'login_required' });
  },
  'oidcc-prompt-none-logged-in': async (ask) => {
    const { before, after, prompts } = await again(ask, () => ({ prompt: 'none' }));
    expect([after.sub, after.auth_time, prompts]).toEqual([before.sub, before.auth_time, []]);
  },
  'oidcc-max-age-1': async (ask) => {
    // The suite waits; a sign-in of any age is too old for 0.
    const { after, prompts } = await again(ask, () => ({ max_age: '0' }));
    expect([typeof after.auth_time, prompts]).toEqual(['number', ['login']]);
  },
  'oidcc-max-age-10000': async (ask) => {
    const later = () => ({ max_age: '10000' });
    const { before, after, prompts } = await again(ask, later, { max_age: '15000' });
    expect([after.sub, after.auth_time, prompts]).toEqual([before.sub, before.auth_time, []]);
  },
  'oidcc-ensure-request-with-unknown-parameter-succeeds': (ask) => succeeds(ask, { extra: 'foobar' }),
  'oidcc-id-token-hint': async (ask) => {
    const hint = ({ idToken }: { idToken: string }) => ({ prompt: 'none', id_token_hint: idToken });
    const { before, after, prompts } = await again(ask, hint);
    expect([after.sub, after.auth_time, prompts]).toEqual([before.sub, before.auth_time, []]);
  },
  'oidcc-login-hint': (ask) => succeeds(ask, { login_hint: 'ada@example.test' }),
  'oidcc-ui-locales': (ask) => succeeds(ask, { ui_locales: 'se' }),
  'oidcc-claims-locales': (ask) => succeeds(ask, { claims_locales: 'se' }),
  'oidcc-ensure-request-with-acr-values-succeeds': async (ask) => {
    const { claims } = await tokensOf(await ask({ acr_values: 'urn:tollgate:acr:1fa' }));
    expect(claims.acr).toBe('urn:tollgate:acr:1fa');
  },
  'oidcc-codereuse': codeTwice,
  // A code lives for a minute: half of it changes nothing.
  'oidcc-codereuse-30seconds': codeTwice,
  'oidcc-ensure-registered-redirect-uri': () => refusedOnPage({ redirect_uri: 'https://app.example.test/x' }),
  'oidcc-ensure-post-request-succeeds': async (ask) => {
    const browser = new Browser(protocol);
    const { path, ...attempt } = authorizationRequest(application, noPkce);
    const [address = '', query = ''] = path.split('?');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await browser.follow(address, { method: 'POST', headers, body: query });
    await tokensOf({ ...attempt, browser, answer: callbackOf(response) });
    await succeeds(ask);
  },
  'oidcc-server-client-secret-post': (ask) => succeeds(ask),
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': async (ask) => {
    expect((await ask({ request: unsigned })).answer.error).toBe('request_not_supported');
  },
  'oidcc-claims-essential': async (ask) => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
    const { body } = await tokensOf(await ask({ scope: 'openid', claims }));
    expect((await userinfo(protocol, body.access_token)).body.name).toBe('Ada Lovelace');
  },
  'oidcc-ensure-request-object-with-redirect-uri': () =>
    refusedOnPage({ request: unsigned, redirect_uri: 'https://app.example.test/x' }),
  'oidcc-refresh-token': async (ask) => {
    const attempt = await ask({ scope: 'openid offline_access', prompt: 'consent' });
    const { body, claims } = await tokensOf(attempt);
    const renewed = await refresh(protocol, application, body.refresh_token);
    expect(decodeJwt(String(renewed.body.id_token)).sub).toBe(claims.sub);
    const other = await protocol.register();
    const stolen = await refresh(protocol, other, body.refresh_token);
    expect(stolen.body.error).toBe('invalid_grant');
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': async (ask) => {
    const { path, ...own } = authorizationRequest(application);
    const { searchParams } = new URL(path, protocol.origin);
    const challenge = searchParams.get('code_challenge');
    const attempt = await ask({ code_challenge: challenge, code_challenge_method: 'S256' });
    await tokensOf(attempt, { code_verifier: own.verifier });
  },
};

describe.each<Mode>(['default', 'form_post'])('response_mode=%s', (mode) => {
  test.each(Object.keys(modules))('%s', async (name) => {
    await modules[name]?.(asks(mode));
  });
});

test('oidcc-idtoken-signature, by the key that discovery leads to; the secret by Basic', async () => {
  const discovery = await (await fetch(`${protocol.origin}/.well-known/openid-configuration`)).json();
  const keys = createLocalJWKSet(await (await fetch(discovery.jwks_uri)).json());
  const attempt = await asks('default')();
  const { clientId, clientSecret } = application;
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const changed = { code_verifier: null, client_id: null, client_secret: null };
  const given = { code: attempt.answer.code ?? '', verifier: '' };
  const { body } = await exchange(protocol, application, given, changed, { authorization });
  const expected = { issuer: protocol.origin, audience: clientId, algorithms: ['RS256'] };
  await jwtVerify(String(body.id_token), keys, expected);
});

test('oidcc-discovery-endpoint-verification, and what the logout plans look for in it', async () => {
  const response = await fetch(`${protocol.origin}/.well-known/openid-configuration`);
  expect(response.headers.get('content-type')).toContain('application/json');
  const document = await response.json();
  expect(document).toMatchObject({
    issuer: protocol.origin,
    response_types_supported: expect.arrayContaining(['code']),
    response_modes_supported: expect.arrayContaining(['query', 'form_post']),
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
    claims_supported: expect.arrayContaining(['sub', 'iss', 'auth_time', 'acr']),
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  });
  for (const [name, value] of Object.entries(document))
    if (name.endsWith('_endpoint') || name === 'jwks_uri') expect(String(value)).toMatch(protocol.origin);
  const { keys } = await (await fetch(document.jwks_uri)).json();
  for (const key of keys) expect(key).toEqual(expect.not.objectContaining({ d: expect.anything() }));
});

const BYE = 'https://app.example.test/bye';
/** The parameters beside the hint, and where the browser is led after the person has confirmed. */
const logouts: Record<string, { parameters: Parameters; leadsTo: string }> = {
  'oidcc-rp-initiated-logout': {
    parameters: { post_logout_redirect_uri: BYE, state: 'later' },
    leadsTo: `${BYE}?state=later`,
  },
  'oidcc-rp-initiated-logout-no-state': { parameters: { post_logout_redirect_uri: BYE }, leadsTo: BYE },
  'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': { parameters: {}, leadsTo: 'a page' },
  'oidcc-rp-initiated-logout-no-params': { parameters: { id_token_hint: null }, leadsTo: 'a page' },
  'oidcc-rp-initiated-logout-only-state': {
    parameters: { id_token_hint: null, state: 'later' },
    leadsTo: 'a page',
  },
  'oidcc-rp-initiated-logout-no-id-token-hint': {
    parameters: { id_token_hint: null, post_logout_redirect_uri: BYE },
    leadsTo: 'a page',
  },
};

test.each(Object.entries(logouts))(
  '%s: confirmed by the person, and then nobody is signed in',
  async (_name, row) => {
    const attempt = await asks('default')();
    const { body } = await tokensOf(attempt);
    const query = form({ id_token_hint: String(body.id_token), ...row.parameters });
    const page = await attempt.browser.request(`/oauth/logout?${query}`);
    expect(page.status).toBe(200);
    const [, xsrf = ''] = /name="xsrf" value="([^"]*)"/.exec(await page.text()) ?? [];
    const confirmation = { method: 'POST', body: form({ xsrf, logout: 'yes' }) };
    const left = await attempt.browser.request('/oauth/logout/confirm', confirmation);
    const leadsTo = row.leadsTo === 'a page' ? `${protocol.origin}/oauth/logout/success` : row.leadsTo;
    expect(left.headers.get('location')).toBe(leadsTo);
    const silent = await asks('default')({ prompt: 'none' }, attempt.browser);
    expect(silent.answer.error).toBe('login_required');
  },
);
