// Whatever a stranger writes into any text of any door is understood, refused or ignored: never a failure of ours
// (I8), and never something that takes others' rows with it (shared-batches.test.ts).
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createApiKey } from '../../src/applications/api-key.ts';
import { type Browser, createBrowser } from '../harness/browserless-browser.ts';
import { startAttempt } from '../harness/client.ts';
import { holds } from '../harness/properties.ts';
import { rawRequest } from '../harness/raw-request.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const MEBIBYTE = 1024 * 1024;
let service: TestTollgate;
let application: RegisteredApplication;
let port: number;
let apiKey: string;

beforeAll(async () => {
  service = await startTollgate();
  application = await service.register();
  port = Number(new URL(service.url).port);
  const wanted = {
    workspaceId: service.workspace.id,
    name: 'Backend',
    scopes: ['identity:read'],
    now: new Date(),
  };
  apiKey = (await createApiKey(service.db, wanted)).key;
});
afterAll(() => service.stop());

/** As they are written into a query, a form or a path: percent-encoded, or what only looks like it. */
const hostile = fc.oneof(
  { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map(encoded), weight: 3 },
  fc.constantFrom(
    '%00',
    'a%00b',
    '%ED%A0%80',
    '%ED%B0%80%ED%A0%80',
    '%C0%80',
    '%FF%FE',
    '%E2%80%AE%E2%81%A6evil',
    '%',
    '%zz',
    '%u0000',
    '__proto__',
    'constructor',
    '%0d%0aX-Injected:1',
    '%F0%9F%92%A9',
    '',
    '-1',
    '9'.repeat(400),
    'a'.repeat(3_000),
    '%00'.repeat(500),
    '%F0%9F%92%A9'.repeat(200),
  ),
);

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const CLIENT = ['client_id', 'redirect_uri', 'state', 'nonce', 'scope', 'response_type', 'response_mode'];
const authorizeNames = [
  ...CLIENT,
  ...['login_hint', 'ui_locales', 'claims', 'claims_locales', 'acr_values', 'max_age', 'prompt', 'display'],
  ...['id_token_hint', 'code_challenge', 'code_challenge_method', 'request', 'request_uri', 'resource', 'x'],
];
const tokenNames = [
  ...['grant_type', 'client_id', 'client_secret', 'code', 'code_verifier', 'redirect_uri', 'refresh_token'],
  ...['scope', 'client_assertion', 'client_assertion_type', 'username', 'password', 'x'],
];

const parameters = (names: string[]) =>
  fc.array(fc.tuple(fc.oneof({ arbitrary: fc.constantFrom(...names), weight: 9 }, hostile), hostile), {
    maxLength: 6,
  });
const text = (pairs: [string, string][]) => pairs.map(([name, value]) => `${name}=${value}`).join('&');

async function send(method: string, path: string, options: { body?: string; headers?: string[] } = {}) {
  const form = ['content-type', 'application/x-www-form-urlencoded'];
  const headers = [...(options.body === undefined ? [] : form), ...(options.headers ?? [])];
  const answer = await rawRequest(port, { method, path, ...options, headers });
  expect([answer.status < 500, path.slice(0, 300), options.body, answer.status]).toEqual([
    true,
    path.slice(0, 300),
    options.body,
    answer.status,
  ]);
  return answer;
}

const check = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => Promise<unknown>) =>
  holds(
    fc.asyncProperty(arbitrary, async (value) => void (await property(value))),
    5_000,
  );

describe('hostile text, door by door', () => {
  test('the authorization request, over an honest one', () =>
    check(parameters(authorizeNames), (pairs) => {
      const honest = new URL(startAttempt(service, application).url);
      for (const [name] of pairs) honest.searchParams.delete(name);
      return send('GET', `${honest.pathname}${honest.search}&${text(pairs)}`);
    }));

  test.each([
    '/oauth/token',
    '/oauth/revoke',
    '/oauth/userinfo',
    '/payments/stripe',
    '/oauth/logout/confirm',
  ])('a form at %s', (path) =>
    check(parameters([...tokenNames, 'token', 'token_type_hint']), (pairs) =>
      send('POST', path, { body: text(pairs) }),
    ),
  );

  test('a token request of a client that exists', () =>
    check(parameters(tokenNames.slice(3)), (pairs) => {
      const { clientId, clientSecret = '' } = application;
      const own = `client_id=${clientId}&client_secret=${clientSecret}`;
      return send('POST', '/oauth/token', { body: `${own}&grant_type=authorization_code&${text(pairs)}` });
    }));

  test('every path, with hostile parts in it', () =>
    check(
      fc.tuple(
        fc.constantFrom(
          ...[
            '/oauth/authorize/',
            '/interaction/',
            '/v1/applications/',
            '/settings/',
            '/settings/invitations/',
          ],
          ...[
            '/account/',
            '/account/address/cancel/',
            '/logos/',
            '/social/',
            '/assets/',
            '/.well-known/',
            '/',
          ],
        ),
        hostile,
        hostile,
      ),
      ([start, one, two]) => send('GET', `${start}${one.slice(0, 2_000)}/${two.slice(0, 2_000)}`),
    ));

  test('the API, with a key that is right', () =>
    check(
      fc.tuple(fc.constantFrom('customers', 'events'), hostile, parameters(['limit', 'cursor', 'sub', 'x'])),
      ([list, id, pairs]) =>
        send('GET', `/v1/applications/${id.slice(0, 2_000) || application.id}/${list}?${text(pairs)}`, {
          headers: ['authorization', `Bearer ${apiKey}`],
        }),
    ));

  test('headers and cookies that we read', () =>
    check(
      fc.tuple(
        fc.constantFrom(
          ...['cookie', 'authorization', 'accept-language', 'user-agent', 'x-forwarded-for', 'traceparent'],
          ...['accept', 'origin', 'sec-fetch-site', 'content-type', 'stripe-signature'],
        ),
        fc.constantFrom(
          'tollgate_browser=',
          '_session=',
          '_interaction=',
          'language=',
          'Bearer ',
          'Basic ',
          '',
        ),
        hostile,
        fc.constantFrom(
          '/oauth/authorize?client_id=x',
          '/settings',
          '/account',
          '/v1/applications/x/events',
          '/oauth/userinfo',
        ),
      ),
      ([name, start, value, path]) => send('GET', path, { headers: [name, start + value] }),
    ));
});

describe('hostile text in the forms of the hosted pages', () => {
  let browser: Browser;
  const steps = [
    'sign-in',
    'register',
    'password',
    'recover',
    'passkey',
    'code',
    'resend',
    'language',
    'cancel',
  ];
  const names = [
    'email',
    'name',
    'password',
    'method',
    'ticket',
    'response',
    'code',
    'language',
    'step',
    'x',
  ];

  async function openPage(path: string) {
    browser = createBrowser();
    const arrival = await browser.open(startAttempt(service, application).url);
    if (!('page' in arrival)) throw new Error('no page');
    const { pathname } = new URL(arrival.page.url);
    const next = await browser.open(`${service.url}${pathname.replace(/[^/]+$/, path)}`);
    if (!('page' in next)) throw new Error('no page');
    return next.page;
  }

  test('every field, with the token of the form', () =>
    check(
      fc.tuple(
        fc.constantFrom('sign-in', 'register', 'password', 'recover'),
        fc.constantFrom(...steps),
        parameters(names),
      ),
      async ([shown, asked, pairs]) => {
        const page = await openPage(shown);
        const form = page.forms.find(({ action }) => action.endsWith(`/${asked}`)) ?? page.forms[0];
        const token = form?.fields.find(({ name }) => name === 'csrf_token')?.value ?? '';
        const { pathname } = new URL(form?.action ?? page.url);
        await send('POST', pathname, {
          body: `csrf_token=${token}&${text(pairs)}`,
          headers: [
            'cookie',
            browser.cookiesFor(page.url),
            'sec-fetch-site',
            'same-origin',
            'origin',
            service.url,
          ],
        });
      },
    ));
});

test.each(['/oauth/token', '/oauth/revoke', '/payments/stripe', `/interaction/${randomUUID()}/sign-in`])(
  'a megabyte in one parameter at %s is too large',
  async (path) => {
    const { status } = await send('POST', path, { body: `client_id=${'a'.repeat(MEBIBYTE)}` });
    expect([400, 404, 413]).toContain(status);
  },
);

test('after all of it, no row of anybody was lost', async () => {
  await new Promise((resolve) => setTimeout(resolve, 600));
  const lost = service.logLines.filter((line) => /were not recorded|was not traced|"level":[56]0/.test(line));
  expect(lost).toEqual([]);
});
