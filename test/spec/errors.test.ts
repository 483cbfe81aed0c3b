// Promise 45: each error code where it belongs, in one shape everywhere, with the HTTP status that we chose for it, and
// what whoever gets it should do next.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { type Answer, exchange, readCallback, startAttempt } from '../harness/client.ts';
import { expectOracles, expectPageHeaders } from '../harness/oracles.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

let service: TestTollgate;
let application: RegisteredApplication;
let exchanges = 0;
const browser = createBrowser();
const person = { email: 'grace@example.test', name: 'Grace', browser };

beforeAll(async () => {
  service = await startTollgate();
  application = await service.register();
});

afterAll(async () => {
  await expectOracles(service, { exchanges });
  await service.stop();
});

async function newCode(of = application) {
  const attempt = startAttempt(service, of);
  const callback = await signInAs({ authorizationUrl: attempt.url, ...person });
  return { code: readCallback(callback).code ?? '', verifier: attempt.verifier };
}

function expectError(answer: Answer, status: number, error: string) {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.headers.get('cache-control')).toContain('no-store');
  expect(answer.body).toEqual({ error, error_description: expect.stringMatching(/^[^{}<>]{5,300}$/) });
}

describe('promise 45: invalid_request: a required parameter is missing or invalid', () => {
  test.each(['redirect_uri', 'code', 'grant_type'])('the exchange without %s', async (name) => {
    const made = { code: 'any', verifier: 'v'.repeat(43) };
    expectError(
      await exchange(service, application, { ...made, changed: { [name]: null } }),
      400,
      'invalid_request',
    );
  });

  test.each(['state', 'nonce', 'code_challenge', 'code_challenge_method'])(
    'the authorization request without %s goes back to the callback',
    async (name) => {
      const { url, state } = startAttempt(service, application, { [name]: null });
      const response = await fetch(url, { redirect: 'manual' });
      const callback = new URL(response.headers.get('location') ?? '');
      expect(`${callback.origin}${callback.pathname}`).toBe(application.redirectUris[0]);
      const expected = name === 'state' ? undefined : state;
      expect(readCallback(callback.href)).toMatchObject({ error: 'invalid_request' });
      expect(readCallback(callback.href).state).toBe(expected);
    },
  );

  test('with an unverified callback it is a page of our own that explains, and no redirect', async () => {
    const { url } = startAttempt(service, application, { redirect_uri: 'https://evil.example/callback' });
    const response = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    expectPageHeaders(response.headers);
    const page = await response.text();
    expect(page).toContain('invalid_request');
    expect(page).not.toContain('evil.example');
  });
});

describe('promise 45: invalid_grant: the code was already used or does not match the verifier', () => {
  test('never retry the same code exchange: a used code stays used', async () => {
    const made = await newCode();
    expect((await exchange(service, application, made)).status).toBe(200);
    exchanges += 1;
    expectError(await exchange(service, application, made), 400, 'invalid_grant');
  });

  test('a wrong verifier', async () => {
    const made = await newCode();
    expectError(
      await exchange(service, application, { ...made, verifier: 'w'.repeat(43) }),
      400,
      'invalid_grant',
    );
  });

  test('start a new sign-in: the recovery works', async () => {
    expect((await exchange(service, application, await newCode())).status).toBe(200);
    exchanges += 1;
  });
});

describe('promises 23 and 45: temporarily_unavailable: the application balance is too low', () => {
  test('top up the OAuth balance, start a new sign-in', async () => {
    const poor = await service.register({ balance: 0n });
    const refusal = await exchange(service, poor, await newCode(poor));
    expectError(refusal, 400, 'temporarily_unavailable');
    const page = `${service.url}/settings/${service.workspace.id}/applications/${poor.id}/balance`;
    expect(refusal.body.error_description).toBe(
      `The balance of this application is too low. Top it up at ${page} and start a new sign-in.`,
    );
    const { operator } = service.tollgate;
    await operator('credit', { application: poor.id, amount: '1.00', reference: 'top-up' });
    expect((await exchange(service, poor, await newCode(poor))).status).toBe(200);
    exchanges += 1;
  });

  test('a page that exchanges its code itself shows the answer to people, and reads nothing of the balance', async () => {
    const poor = await service.register({ balance: 0n, clientType: 'public' });
    const refusal = await exchange(service, poor, await newCode(poor));
    expectError(refusal, 400, 'temporarily_unavailable');
    expect(refusal.body.error_description).toBe('The application cannot complete sign-ins at the moment.');
  });
});

test('an address that does not exist is 404, as JSON for programs and as a page for people', async () => {
  const json = await fetch(`${service.url}/nothing`);
  expect(json.status).toBe(404);
  expect(await json.json()).toEqual({ error: 'not_found', error_description: expect.any(String) });
  const page = await fetch(`${service.url}/nothing`, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(404);
  expectPageHeaders(page.headers);
});
