// Promise 46: request limits and attempt limits exist; exceeding them gives HTTP 429 with an integer
// Retry-After, for machines as JSON and for people as a page (threats 34, 88 and 89).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exchange, startAttempt } from '../harness/client.ts';
import { expectOracles, expectPageHeaders } from '../harness/oracles.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

let service: TestTollgate;
let application: RegisteredApplication;

/** A twentieth: 30 authorizations a minute, 2 or 3 failed exchanges in ten. */
const FACTOR = '0.05';
const AUTHORIZATIONS = 30;

beforeAll(async () => {
  service = await startTollgate({ RATE_LIMIT_FACTOR: FACTOR, TRUST_PROXY: '1' });
  application = await service.register();
});

afterAll(async () => {
  await expectOracles(service, { exchanges: 0 });
  await service.stop();
});

function authorize(from: string, accept = 'text/html') {
  const { url } = startAttempt(service, application);
  return fetch(url, { redirect: 'manual', headers: { 'x-forwarded-for': from, accept } });
}

function expectRefusal(response: Response) {
  expect(response.status).toBe(429);
  const wait = response.headers.get('retry-after') ?? '';
  expect(wait).toMatch(/^[1-9]\d*$/);
}

describe('promise 46: request limits exist; exceeding them gives HTTP 429 with Retry-After', () => {
  test(`threat 88: of 100 parallel requests at a limit of ${AUTHORIZATIONS} exactly ${AUTHORIZATIONS} pass`, async () => {
    const responses = await Promise.all(Array.from({ length: 100 }, () => authorize('192.0.2.1')));
    expect(responses.filter((response) => response.status === 303)).toHaveLength(AUTHORIZATIONS);
    for (const response of responses) if (response.status !== 303) expectRefusal(response);
  });

  test('a person who went over a limit sees a page, a program JSON', async () => {
    const page = await authorize('192.0.2.1');
    expectRefusal(page);
    expectPageHeaders(page.headers);
    expect(await page.text()).toContain('<main');
    const json = await authorize('192.0.2.1', 'application/json');
    expectRefusal(json);
    expect(await json.json()).toEqual({ error: 'too_many_requests', error_description: expect.any(String) });
  });

  test('threat 89: what stands left of our own proxy’s entry does not change the key', async () => {
    for (const prefix of ['10.0.0.1, ', 'garbage, ', '::ffff:10.0.0.1, ', 'a, b, c, ']) {
      expectRefusal(await authorize(`${prefix}192.0.2.1`));
    }
  });

  test('threat 89: an IPv6 customer is counted by its /64, in any spelling, and IPv4-mapped addresses as IPv4', async () => {
    const addresses = Array.from(
      { length: AUTHORIZATIONS },
      (_, index) => `2001:db8:0:1::${index.toString(16)}`,
    );
    for (const address of addresses) expect((await authorize(address)).status).toBe(303);
    expectRefusal(await authorize('2001:0DB8:0000:0001:FFFF::1'));
    expect((await authorize('2001:db8:0:2::1')).status).toBe(303);
    expectRefusal(await authorize('::ffff:192.0.2.1'));
  });

  test('threat 89: garbage shares one key and never skips the count', async () => {
    for (let count = 0; count < AUTHORIZATIONS; count += 1) await authorize(`nonsense-${count}`);
    expectRefusal(await authorize('other nonsense'));
  });

  test('wrong client secrets are limited by network address', async () => {
    const guess = (from: string) =>
      exchange(service, application, {
        code: 'guessed',
        verifier: 'v'.repeat(43),
        changed: { client_secret: 'wrong' },
        headers: { 'x-forwarded-for': from },
      });
    const answers = [];
    for (let count = 0; count < 6; count += 1) answers.push(await guess('198.51.100.7'));
    expect(answers[0]?.body.error).toBe('invalid_client');
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { error: 'too_many_requests' } });
    expect(answers.at(-1)?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect((await guess('198.51.100.8')).body.error).toBe('invalid_client');
  });
});
