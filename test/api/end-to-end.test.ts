// The lists after real sign-ins through the whole service: what the tokens said, what the ledger took and what the API
// shows are one story.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { customerPageSchema, eventPageSchema } from '../../src/api/schemas.ts';
import { createApiKey } from '../../src/applications/api-key.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, startAttempt, userinfo } from '../harness/client.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const email = 'ada.api@example.com';
let service: TestTollgate;
let key: string;
beforeAll(async () => {
  service = await startTollgate();
  const input = {
    workspaceId: service.workspace.id,
    name: 'Backend',
    scopes: ['identity:read'],
    now: new Date(),
  };
  key = (await createApiKey(service.db, input)).key;
});
afterAll(() => service.stop());

async function signIn(application: RegisteredApplication, browser: ReturnType<typeof createBrowser>) {
  const attempt = startAttempt(service, application);
  const callback = await signInAs({ authorizationUrl: attempt.url, browser, email, name: 'Ada Lovelace' });
  const { code } = readCallback(callback);
  return exchange(service, application, { code: code ?? '', verifier: attempt.verifier });
}

function ask(path: string, token = key) {
  return fetch(`${service.url}/v1/applications/${path}`, { headers: { Authorization: `Bearer ${token}` } });
}

test('promises 29 and 30: a registration and a sign-in appear as one customer and two events', async () => {
  const application = await service.register();
  const browser = createBrowser();
  const first = await signIn(application, browser);
  const second = await signIn(application, browser);
  expect([first.status, second.status]).toEqual([200, 200]);
  const { sub } = decodeJwt(String(second.body.id_token));

  const customers = customerPageSchema.parse(await (await ask(`${application.id}/customers`)).json());
  expect(customers).toMatchObject({ has_more: false, next_cursor: null });
  expect(customers.data).toHaveLength(1);
  expect(customers.data[0]).toMatchObject({
    sub,
    email,
    email_verified: true,
    name: 'Ada Lovelace',
    sign_in_count: 2,
  });
  const found = await ask(`${application.id}/customers?email=${encodeURIComponent('Ada.API@Example.com')}`);
  expect(await found.json()).toEqual(customers);

  const events = eventPageSchema.parse(await (await ask(`${application.id}/events`)).json());
  expect(
    events.data.map(({ kind, amount, currency, status, sub: whose }) => [
      kind,
      amount,
      currency,
      status,
      whose,
    ]),
  ).toEqual([
    ['sign_in', '0.020000', 'EUR', 'committed', sub],
    ['registration', '0.050000', 'EUR', 'committed', sub],
  ]);
  const [registered, signedIn] = [
    customers.data[0]?.registered_at ?? '',
    customers.data[0]?.last_sign_in_at ?? '',
  ];
  expect([registered, signedIn].toSorted()).toEqual([registered, signedIn]);

  // Each door takes its own credential only.
  expect((await ask(`${application.id}/customers`, String(second.body.access_token))).status).toBe(401);
  expect((await userinfo(service, key)).status).toBe(401);
});

test('promise 11: the same person is another sub in another application, and is not listed there before a session', async () => {
  const [first, second] = [await service.register(), await service.register()];
  const browser = createBrowser();
  const { body } = await signIn(first, browser);
  expect(await (await ask(`${second.id}/customers`)).json()).toEqual({
    data: [],
    has_more: false,
    next_cursor: null,
  });
  const other = await signIn(second, browser);
  expect(decodeJwt(String(other.body.id_token)).sub).not.toBe(decodeJwt(String(body.id_token)).sub);
  const listed = customerPageSchema.parse(await (await ask(`${second.id}/customers`)).json());
  expect(listed.data.map(({ sub }) => sub)).toEqual([decodeJwt(String(other.body.id_token)).sub]);
});

test('the reference is a page with our own stylesheet under the policy of all pages; errors stay JSON', async () => {
  const page = await fetch(`${service.url}/v1/docs`, { headers: { Accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const stylesheet = /<link rel="stylesheet" href="([^"]+)"/.exec(await page.text())?.[1];
  expect((await fetch(new URL(stylesheet ?? '/none', service.url))).status).toBe(200);
  const missing = await fetch(`${service.url}/v1/nothing`, { headers: { Accept: 'text/html' } });
  expect([missing.status, await missing.json()]).toEqual([
    404,
    expect.objectContaining({ error: 'not_found' }),
  ]);
});
