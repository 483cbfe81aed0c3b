// What the authorization endpoint is sent by attackers and clumsy clients (promises 3 and 5,
// threats 1 to 10): refused to the verified callback, or on a page of our own, and never a 5xx.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { applications } from '../../drizzle/schema/applications.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import {
  authorizationRequest,
  Browser,
  callbackOf,
  type Parameters,
  signIn,
} from '../harness/protocol-client.ts';
import { rawRequest } from '../harness/raw-request.ts';
import { measure } from '../harness/stopwatch.ts';

let protocol: Protocol;
let application: ProtocolApplication;
beforeAll(async () => {
  protocol = await startProtocol();
  application = await protocol.register();
});
afterAll(() => protocol.stop());
afterEach(() => {
  protocol.person.refuse = undefined;
});

const ask = (changed: Parameters = {}) =>
  new Browser(protocol).request(authorizationRequest(application, changed).path);

async function expectPage(response: Response, error: string): Promise<string> {
  const page = await response.text();
  expect(response.headers.get('location')).toBeNull();
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(page).toContain(`"error":"${error}"`);
  return page;
}

describe('promise 3 and threat 1: a changed callback', () => {
  const registered = 'https://app.example.test/callback';
  const changed = [
    `${registered}/`,
    'https://APP.example.test/callback',
    'HTTPS://app.example.test/callback',
    'https://app.example.test:443/callback',
    `${registered}?x=1`,
    `${registered}?`,
    `${registered}#`,
    `${registered}#x`,
    'https://app.example.test/x/../callback',
    'https://app.example.test/./callback',
    'https://app.example.test/%2e%2e%2fcallback',
    'https://app.example.test/..;/callback',
    'https://app.example.test//callback',
    'https://app.example.test\\callback',
    'https://app.example.test/callback\\',
    'https://app.example.test/call\tback',
    `${registered}\r`,
    `${registered}\n`,
    `${registered} `,
    ` ${registered}`,
    'https://evil@app.example.test/callback',
    'https://app.example.test@evil.test/callback',
    'https://a@b@app.example.test/callback',
    'https://аpp.example.test/callback',
    'https://xn--pp-qlc.example.test/callback',
    'http://app.example.test/callback',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'https://evil.app.example.test/callback',
    'https://app.example.test.evil.test/callback',
    'https://evilapp.example.test/callback',
    'https://127.0.0.1/callback',
    'https://localhost/callback',
    '//app.example.test/callback',
    '/callback',
    'callback',
    '?',
    'https://app.example.test/Callback',
    'https://app.example.test/callback%00',
    'https://app.example.test/callbac%6b',
    '<script>alert(1)</script>',
    `https://app.example.test/${'a'.repeat(3_000)}`,
  ];

  test.each(changed)('%j is refused without a redirect', async (redirectUri) => {
    const page = await expectPage(await ask({ redirect_uri: redirectUri }), 'invalid_request');
    expect(page).not.toContain('<script');
  });

  test('so is an absent one, although only one is registered', async () => {
    await expectPage(await ask({ redirect_uri: null }), 'invalid_request');
  });
});

describe('threat 2: parameters that come twice', () => {
  const twice = (name: string, value: string) => {
    const { path } = authorizationRequest(application, { prompt: 'login', response_mode: 'query' });
    return new Browser(protocol).request(`${path}&${name}=${encodeURIComponent(value)}`);
  };

  test.each(['redirect_uri', 'client_id'] as const)('%s: no redirect', async (name) => {
    const own = name === 'client_id' ? application.clientId : application.redirectUris[0];
    await expectPage(await twice(name, own ?? ''), 'invalid_request');
  });

  test.each(['state', 'nonce', 'scope', 'response_type', 'code_challenge', 'prompt', 'response_mode'])(
    '%s: invalid_request to the callback, without an ambiguous state',
    async (name) => {
      const answer = callbackOf(await twice(name, 'x'));
      expect(answer.error).toBe('invalid_request');
      if (name === 'state') expect(answer).not.toHaveProperty('state');
    },
  );

  test('client_id[] is no client_id', async () => {
    const { path } = authorizationRequest(application, { client_id: null });
    await expectPage(
      await new Browser(protocol).request(`${path}&client_id[]=${application.clientId}`),
      'invalid_request',
    );
  });

  test('POST: parameters have one place, which is the form', async () => {
    const { path } = authorizationRequest(application);
    const browser = new Browser(protocol);
    const posted = await browser.follow(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    await expectPage(posted, 'invalid_request');
  });
});

describe('threat 3: proof keys', () => {
  const challenge = 'a'.repeat(43);
  const cases: [string, Parameters][] = [
    ['none at all', { code_challenge: null, code_challenge_method: null }],
    ['no method', { code_challenge_method: null }],
    ['method without a challenge', { code_challenge: null }],
    ['plain', { code_challenge_method: 'plain', code_challenge: challenge }],
    ['s256 in lower case', { code_challenge_method: 's256' }],
    ['42 characters', { code_challenge: challenge.slice(1) }],
    ['129 characters', { code_challenge: 'a'.repeat(129) }],
    ['not base64url', { code_challenge: `${challenge.slice(1)}+` }],
  ];

  test.each(cases)('%s: invalid_request to the callback, and no page is started', async (_name, changed) => {
    const request = authorizationRequest(application, changed);
    const browser = new Browser(protocol);
    const answer = callbackOf(await browser.request(request.path));
    expect(answer).toMatchObject({ error: 'invalid_request', state: request.state, iss: protocol.origin });
    expect([...browser.cookies.keys()].filter((name) => /interaction|resume/.test(name))).toEqual([]);
  });
});

describe('threat 4: other response types and modes', () => {
  test.each(['token', 'id_token', 'code token', 'code id_token', 'id_token token', 'none', 'x'])(
    'response_type=%s is unsupported, and told in the query',
    async (responseType) => {
      const answer = callbackOf(await ask({ response_type: responseType }));
      expect(answer.error).toBe('unsupported_response_type');
      expect(answer).not.toHaveProperty('access_token');
    },
  );

  test('a missing response_type is an invalid_request', async () => {
    expect(callbackOf(await ask({ response_type: null })).error).toBe('invalid_request');
  });

  test.each(['fragment', 'web_message', 'jwt', 'query.jwt', 'form_post.jwt', 'x'])(
    'response_mode=%s is unsupported, and told in the query',
    async (responseMode) => {
      const response = await ask({ response_mode: responseMode });
      expect(callbackOf(response).error).toBe('unsupported_response_mode');
      expect(response.headers.get('location')).not.toContain('#');
    },
  );

  test('response_mode=query is what happens anyway', async () => {
    const { code } = await signIn(protocol, application, { changed: { response_mode: 'query' } });
    expect(code).not.toBe('');
  });
});

describe('threat 5: requests by other ways', () => {
  test.each([
    ['request', 'eyJhbGciOiJub25lIn0.e30.', 'request_not_supported'],
    ['request_uri', 'http://169.254.169.254/latest/meta-data/', 'request_uri_not_supported'],
    ['request_uri', 'urn:ietf:params:oauth:request_uri:x', 'invalid_request_uri'],
    ['registration', '{"client_name":"x"}', 'registration_not_supported'],
  ])('%s=%s is refused without being fetched', async (name, value, error) => {
    const { value: answer, milliseconds } = await measure(() => ask({ [name]: value }));
    expect(callbackOf(answer).error).toBe(error);
    expect(milliseconds).toBeLessThan(1_000);
  });
});

describe('promise 5 and threat 6: required parameters', () => {
  test.each([
    ['state', null],
    ['state', ''],
    ['nonce', null],
    ['nonce', ''],
    ['scope', null],
    ['scope', ''],
  ])('%s=%j is an invalid_request', async (name, value) => {
    expect(callbackOf(await ask({ [name]: value })).error).toBe('invalid_request');
  });

  test('a scope without openid is refused', async () => {
    expect(callbackOf(await ask({ scope: 'email profile' })).error).toBe('invalid_request');
  });

  test('a scope with characters that no scope has is an invalid_scope', async () => {
    expect(callbackOf(await ask({ scope: 'openid "' })).error).toBe('invalid_scope');
  });

  test.each(['none select_account', 'none login', 'x'])('prompt=%s is an invalid_request', async (prompt) => {
    expect(callbackOf(await ask({ prompt })).error).toBe('invalid_request');
  });

  test.each(['-1', 'x', '1.5'])('max_age=%s is an invalid_request', async (maxAge) => {
    expect(callbackOf(await ask({ max_age: maxAge })).error).toBe('invalid_request');
  });
});

describe('threat 7: hostile text in every parameter', () => {
  const texts = [
    '"><script>alert(1)</script>',
    '{{7*7}}',
    '\u202egnp.exe',
    `${'é'.repeat(600)}`,
    '\u0000',
    '%00',
  ];
  const names = [
    'client_id',
    'state',
    'login_hint',
    'ui_locales',
    'prompt',
    'scope',
    'nonce',
    'display',
    'acr_values',
  ];
  const cases = names.flatMap((name) => texts.map((text) => [name, text] as const));

  test.each(cases)('%s=%j never fails, and is never written raw', async (name, text) => {
    const response = await ask({ [name]: text });
    expect(response.status).toBeLessThan(500);
    expect(await response.text()).not.toContain('<script>');
  });
});

describe('threat 8: clients that may not', () => {
  test('unknown, disabled and deleted applications get the same page without a redirect', async () => {
    const [disabled, deleted] = [await protocol.register(), await protocol.register()];
    await protocol.db
      .update(applications)
      .set({ disabledAt: new Date() })
      .where(eq(applications.id, disabled.id));
    await protocol.db
      .update(applications)
      .set({ deletedAt: new Date() })
      .where(eq(applications.id, deleted.id));
    const pages = new Set<string>();
    for (const clientId of ['client_unknown', disabled.clientId, deleted.clientId]) {
      const page = await expectPage(await ask({ client_id: clientId }), 'invalid_client');
      pages.add(page.replace(/req_[0-9a-f]+/, ''));
    }
    expect(pages.size).toBe(1);
  });
});

describe('threat 9: forged hosts', () => {
  const headers = [
    ['Host', 'evil.test'],
    ['X-Forwarded-Host', 'evil.test'],
    ['X-Forwarded-Proto', 'gopher'],
    ['Forwarded', 'host=evil.test;proto=https'],
    ['X-Original-URL', '/evil.test'],
  ];
  const paths = () => [
    '/.well-known/openid-configuration',
    authorizationRequest(application).path,
    '/oauth/logout',
  ];

  test.each(headers)('%s: %s changes no address', async (name, value) => {
    for (const path of paths()) {
      const answer = await rawRequest(protocol.port, { path, headers: [name ?? '', value ?? ''] });
      expect(JSON.stringify(answer.headers) + answer.text).not.toMatch(/evil|gopher/);
    }
  });

  test('a request line with a whole address is misdirected', async () => {
    const path = 'http://evil.test/.well-known/openid-configuration';
    const answer = await rawRequest(protocol.port, { path });
    expect(answer.status).toBe(421);
    expect(answer.text).not.toContain('evil');
  });
});

describe('threat 10: sessions', () => {
  test('the session gets a new id at sign-in', async () => {
    const browser = new Browser(protocol);
    const { path } = authorizationRequest(application);
    browser.cookies.set('tollgate_session', { value: 'fixed-by-somebody-else', path: '/' });
    await browser.follow(path);
    const first = browser.cookies.get('tollgate_session')?.value;
    expect(first).not.toBe('fixed-by-somebody-else');
    await signIn(protocol, application, { browser, changed: { prompt: 'login' } });
    expect(browser.cookies.get('tollgate_session')?.value).not.toBe(first);
  });

  test('another browser cannot go on with an interaction, and nobody twice', async () => {
    const browser = new Browser(protocol);
    const started = await browser.request(authorizationRequest(application).path);
    const uid = started.headers.get('location')?.split('/').at(-1);
    await expectPage(await new Browser(protocol).request(`/oauth/authorize/${uid}`), 'invalid_request');
    const arrived = await browser.follow(`/interaction/${uid}`);
    expect(callbackOf(arrived)).toHaveProperty('code');
    const again = await browser.request(`/oauth/authorize/${uid}`);
    expect(await expectPage(again, 'invalid_request')).toContain('"reason":"page_expired"');
  });

  test('prompt=none without a session is login_required, and without consent consent_required, at the callback', async () => {
    expect(callbackOf(await ask({ prompt: 'none' })).error).toBe('login_required');
    const { browser } = await signIn(protocol, application);
    const other = await protocol.register();
    const request = authorizationRequest(other, { prompt: 'none' });
    expect(callbackOf(await browser.request(request.path)).error).toBe('consent_required');
  });

  test('a session of an account that no longer exists asks for a sign-in', async () => {
    const ada = protocol.person.account;
    const { browser } = await signIn(protocol, application);
    await protocol.db.delete(accounts).where(eq(accounts.id, ada.id));
    protocol.person.account = await protocol.addAccount('grace@example.test');
    const { code } = await signIn(protocol, application, { browser });
    expect(code).not.toBe('');
    expect(protocol.prompts.slice(-2)).toEqual(['login', 'consent']);
  });
});

describe('look-alike addresses', () => {
  test.each([
    '/OAuth/authorize',
    '/oauth/authorize/',
    '/oauth/token/',
    '/OAUTH/TOKEN',
    '/oauth/userinfo/',
    '/oauth/Authorize/x',
    '/.well-known/openid-configuration/',
  ])('%s is nobody: what looks at paths must not be walked around', async (path) => {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(protocol.origin + path, { method, redirect: 'manual' });
      expect(response.status).toBe(404);
    }
  });
});
