// Threat 126: what a stranger can make us keep in Redis, measured in a Redis of the test's own, and what happens when it
// is full all the same: who is under way finishes, who begins is asked to come back.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { halfOpenBytesOfIpAddress, untouchedInteractionSeconds } from '../../src/limits/strangers.ts';
import { interactionSeconds } from '../../src/limits/token-lifetimes.ts';
import { type Arrival, createBrowser, type Page } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, startAttempt } from '../harness/client.ts';
import { hasOwnRedis, type OwnRedisServer, startOwnRedis } from '../harness/redis.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const describeRedis = (await hasOwnRedis()) ? describe : describe.skip;
/** As long as each may be, and within the sum of all. */
const longest = {
  state: 's'.repeat(2_048),
  nonce: 'n'.repeat(512),
  login_hint: 'l'.repeat(320),
  acr_values: 'a'.repeat(512),
};

describeRedis('what a stranger makes us keep', () => {
  let redis: OwnRedisServer;
  let service: TestTollgate;
  let application: RegisteredApplication;
  let people = 0;

  beforeAll(async () => {
    redis = await startOwnRedis();
    const environment = {
      REDIS_URL: redis.url,
      TRUST_PROXY: '1',
      RATE_LIMIT_FACTOR: '10',
      HALF_OPEN_MEGABYTES: '4',
    };
    service = await startTollgate(environment);
    application = await service.register();
  });
  afterEach(() => redis.command((commands) => commands.flushall()));
  afterAll(async () => {
    await service.stop();
    await redis.stop();
  });

  const from = (address: string) => ({ 'x-forwarded-for': address });
  const begin = (address: string, parameters: Record<string, string> = {}) =>
    fetch(startAttempt(service, application, parameters).url, { redirect: 'manual', headers: from(address) });
  const usedBytes = () =>
    redis.command(async (commands) => Number(/used_memory:(\d+)/.exec(await commands.info('memory'))?.[1]));
  /** Only what they hold: the server's own buffers come and go. */
  const keptBytes = () =>
    redis.command(async (commands) => {
      const keys = await commands.keys('*');
      const sizes = await Promise.all(keys.map((key) => commands.memory('USAGE', key, 'SAMPLES', 0)));
      return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
    });
  const interactions = () => redis.command((commands) => commands.keys('*Interaction:*'));

  test('one costs about two kilobytes; with every parameter at its longest not four times as much', async () => {
    const costs = [];
    for (const parameters of [{}, longest]) {
      for (let n = 0; n < 100; n += 1) expect((await begin('192.0.2.1', parameters)).status).toBe(303);
      costs.push((await keptBytes()) / 100);
      await redis.command((commands) => commands.flushall());
    }
    console.info(`bytes in Redis: ${costs.map(Math.round).join(' usual, ')} at the longest`);
    expect(costs[0]).toBeLessThan(2_200);
    expect(costs[1]).toBeLessThan(7_500);
  });

  test.each(['state', 'nonce', 'login_hint', 'ui_locales', 'acr_values'])(
    '14 kilobytes of %s are refused at the callback, and nothing is kept',
    async (name) => {
      const answer = await begin('192.0.2.1', { [name]: 'x'.repeat(14_000) });
      const location = new URL(answer.headers.get('location') ?? '', service.url);
      expect([location.origin, location.searchParams.get('error')]).toEqual([
        'https://app.example.test',
        'invalid_request',
      ]);
      expect(await interactions()).toEqual([]);
    },
  );

  test('one address: a flood stays below its budget, and pushes out only its own', async () => {
    const strict = await startTollgate({ REDIS_URL: redis.url, TRUST_PROXY: '1', RATE_LIMIT_FACTOR: '1' });
    try {
      const shop = await strict.register();
      const open = (address: string, parameters = {}) =>
        fetch(startAttempt(strict, shop, parameters).url, { redirect: 'manual', headers: from(address) });
      await open('198.51.100.7');
      const [bystander] = await interactions();
      const empty = await keptBytes();
      for (let n = 0; n < 500; n += 1) expect((await open('192.0.2.1', longest)).status).toBe(303);
      const kept = (await keptBytes()) - empty;
      console.info(`one address, 500 requests: ${kept} bytes in ${(await interactions()).length} records`);
      expect(kept).toBeLessThan(1.15 * halfOpenBytesOfIpAddress);
      expect(await interactions()).toContain(bystander);
    } finally {
      await strict.stop();
    }
  });

  test('nor do requests by POST, which are kept until the redirect is followed, cost more', async () => {
    const strict = await startTollgate({ REDIS_URL: redis.url, TRUST_PROXY: '1', RATE_LIMIT_FACTOR: '1' });
    try {
      const shop = await strict.register();
      const { searchParams } = new URL(startAttempt(strict, shop, longest).url);
      const send = (body: URLSearchParams) =>
        fetch(`${strict.url}/oauth/authorize`, {
          method: 'POST',
          body,
          redirect: 'manual',
          headers: from('192.0.2.1'),
        });
      const empty = await keptBytes();
      const { headers } = await send(searchParams);
      for (let n = 1; n < 500; n += 1) expect((await send(searchParams)).status).toBe(303);
      expect((await keptBytes()) - empty).toBeLessThan(1.15 * halfOpenBytesOfIpAddress);
      const first = await fetch(new URL(headers.get('location') ?? '', strict.url), { redirect: 'manual' });
      expect([first.status, await first.text()]).toEqual([
        400,
        expect.stringContaining('This request is over'),
      ]);
      const before = await keptBytes();
      searchParams.set('state', 's'.repeat(7_000));
      expect((await send(searchParams)).status).toBe(400);
      expect(await keptBytes()).toBe(before);
    } finally {
      await strict.stop();
    }
  });

  test('a thousand addresses: all together stay below the budget of everything', async () => {
    const empty = await keptBytes();
    for (let n = 0; n < 1_200; n += 1) {
      const { status } = await begin(`10.0.${n % 4}.${Math.floor(n / 4) % 250}`, longest);
      expect(status).toBe(303);
    }
    const kept = (await keptBytes()) - empty;
    console.info(`a thousand addresses on one application: ${kept} bytes of a budget of ${2 * 1024 * 1024}`);
    expect(kept).toBeLessThan(1.15 * 2 * 1024 * 1024);
  });

  const pageOf = (arrival: Arrival): Page => {
    if (!('page' in arrival)) throw new Error('no page');
    return arrival.page;
  };

  test('who has typed an address is not pushed out, and has half an hour; who has not has ten minutes', async () => {
    const browser = createBrowser({ headers: from('203.0.113.9') });
    const attempt = startAttempt(service, application);
    const page = pageOf(await browser.open(attempt.url));
    const [key = ''] = await interactions();
    const life = () => redis.command((commands) => commands.ttl(key));
    expect(await life()).toBeLessThanOrEqual(untouchedInteractionSeconds);
    const form = page.forms.find(({ action }) => action.endsWith('/sign-in'));
    if (!form) throw new Error('no form');
    const code = pageOf(await browser.submit(page, form, { email: 'typed@example.test' }, form.buttons[0]));
    expect(await life()).toBeGreaterThan(interactionSeconds - 60);
    for (let n = 0; n < 800; n += 1) await begin(`10.1.${n % 4}.9`, longest);
    expect(await interactions()).toContain(key);
    expect((await browser.open(code.url)) as { page: Page }).toMatchObject({ page: { status: 200 } });
  });

  describe('Redis is full', () => {
    const limitTo = (bytes: number) =>
      redis.command((commands) => commands.config('SET', 'maxmemory', String(bytes)));
    afterEach(() => limitTo(0));

    test('a sign-in under way finishes, with tokens; one that begins gets a plain page with 503', async () => {
      people += 1;
      const email = `full-${people}@example.test`;
      const attempt = startAttempt(service, application);
      const browser = createBrowser({ headers: from('203.0.113.10') });
      // The page is open when it happens.
      const opened = pageOf(await browser.open(attempt.url));
      await limitTo((await usedBytes()) - 100_000);
      const refused = await fetch(startAttempt(service, application).url, {
        redirect: 'manual',
        headers: { accept: 'text/html', ...from('192.0.2.1') },
      });
      expect([refused.status, refused.headers.get('content-type')]).toEqual([
        503,
        'text/html; charset=utf-8',
      ]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      const callback = await signInAs({ authorizationUrl: opened.url, browser, email, name: 'Ada Lovelace' });
      const { code = '' } = readCallback(callback);
      const answer = await exchange(service, application, { code, verifier: attempt.verifier });
      expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    });
  });
});
