// RFC 8628, promises 65 and 66, threats 177 to 182: a device signs in by a code that a person types elsewhere, through the
// public doors alone.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { revokeAccount } from '../../adapters/revoke.ts';
import { applications } from '../../drizzle/schema/applications.ts';
import type { NewApplication } from '../../src/applications/application.ts';
import { rowsOf, transaction } from '../../src/database/connection.ts';
import { sha256 } from '../../src/secrets.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { refresh, userinfo } from '../harness/client.ts';
import { openTestPglite } from '../harness/database.ts';
import {
  answerPages,
  askForCode,
  beginDevice,
  confirmDevice,
  DEVICE_GRANT,
  poll,
  typeCode,
} from '../harness/device.ts';
import { countCharges, expectOracles, expectPageHeaders } from '../harness/oracles.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

let service: TestTollgate;
let television: RegisteredApplication;
beforeAll(async () => {
  service = await startTollgate();
  television = await register({ name: 'Nordlicht TV', clientType: 'public' });
});
afterAll(async () => {
  await expectOracles(service);
  await service.stop();
});

async function register(input: Partial<NewApplication> & { balance?: bigint } = {}) {
  const application = await service.register(input);
  await allow(service, application, true);
  return application;
}

function allow({ db }: TestTollgate, { id }: RegisteredApplication, allowsDevices: boolean) {
  return db.update(applications).set({ allowsDevices }).where(eq(applications.id, id));
}

/** Of a stock client: the fourth and fifth argument are only there because the service under test speaks plain http. */
function connect(application: RegisteredApplication) {
  const method = application.clientSecret ? undefined : client.None();
  const execute = [client.allowInsecureRequests];
  const { clientId, clientSecret } = application;
  return client.discovery(new URL(service.url), clientId, clientSecret, method, { execute });
}

describe('a whole sign-in', () => {
  test('openid-client: a registration, then a sign-in; each charged once, refreshed for nothing', async () => {
    const application = await register();
    const config = await connect(application);
    const charges = await countCharges(service);
    const email = 'ada.device@example.com';
    const browser = createBrowser();
    const headings: string[][] = [[], []];
    for (const visit of [0, 1]) {
      const asked = await client.initiateDeviceAuthorization(config, {
        scope: 'openid email profile offline_access',
      });
      expect(asked).toMatchObject({
        interval: 5,
        expires_in: 900,
        verification_uri: `${service.url}/device`,
      });
      const waiting = client.pollDeviceAuthorizationGrant(config, { ...asked, interval: 1 });
      const onPage = ({ html }: { html: string }) =>
        headings[visit]?.push(/<h1>(.*?)<\/h1>/.exec(html)?.[1] ?? '');
      const end = await confirmDevice(service, { userCode: asked.user_code }, { email, browser, onPage });
      expect(end.html).toContain('Your device is connected');
      const tokens = await waiting;
      expect(tokens.claims()).toMatchObject({ email, name: 'Ada Lovelace', amr: ['otp'] });
      expect(tokens.claims()).not.toHaveProperty('nonce');
      await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '');
      await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
      expect(await countCharges(service)).toBe(charges + visit + 1);
    }
    // Whoever is signed in and has agreed before is asked all the same, for each device.
    const question = 'Sign in to Example shop on your device?';
    expect(headings[0]).toContain(question);
    expect(headings[1]).toEqual([question, 'Your device is connected']);
    const kinds = await service.db.execute(
      sql`select kind from usage_events where application_id = ${application.id} order by occurred_at`,
    );
    expect(rowsOf(kinds).map(({ kind }) => kind)).toEqual(['registration', 'sign_in']);
  });

  test('the page names the application, what it will see, and warns; in the language that is asked for', async () => {
    const codes = await beginDevice(service, television, { ui_locales: 'de' });
    const pages: string[] = [];
    const email = 'page.device@example.com';
    const end = await confirmDevice(service, codes, { email, onPage: ({ html }) => pages.push(html) });
    const question = pages.find((html) => html.includes('Auf Ihrem Gerät bei Nordlicht TV anmelden?'));
    expect(question).toContain(email);
    expect(question).toContain('Hat Ihnen jemand den Code geschickt oder genannt');
    expect(end.html).toContain('Ihr Gerät ist verbunden');
    expectPageHeaders(new Headers({ ...end.headers } as Record<string, string>));
  });

  test('another account: the device gets whoever signs in then, and the browser is theirs', async () => {
    const browser = createBrowser();
    await confirmDevice(service, await beginDevice(service, television), {
      email: 'first.device@example.com',
      browser,
    });
    const codes = await beginDevice(service, television);
    const page = await typeCode(service, browser, codes.userCode);
    const form = page.forms.find(({ action }) => action.endsWith('/other-account'));
    if (!form) throw new Error(page.html);
    const next = await browser.submit(page, form);
    if (!('page' in next)) throw new Error('left');
    expect(next.page.url).toMatch(/\/sign-in$/);
    const second = { email: 'second.device@example.com', browser };
    expect((await answerPages(service, next.page, second)).html).toContain('Your device is connected');
    const { body } = await poll(service, television, codes);
    expect(decodeJwt(String(body.id_token))).toMatchObject({ email: 'second.device@example.com' });
  });
});

describe('§3.1: the request', () => {
  test('off unless an owner has switched it on, and discovery tells of it', async () => {
    const off = await service.register();
    const refused = await askForCode(service, off);
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const token = await poll(service, off, { deviceCode: 'x' });
    expect(token.body.error).toBe('unauthorized_client');
    const discovery = await fetch(`${service.url}/.well-known/openid-configuration`);
    expect(await discovery.json()).toMatchObject({
      device_authorization_endpoint: `${service.url}/oauth/device_authorization`,
      grant_types_supported: expect.arrayContaining([DEVICE_GRANT]),
    });
  });

  test('switched off while a code waits: the code is worth nothing', async () => {
    const application = await register();
    const codes = await beginDevice(service, application);
    await confirmDevice(service, codes, { email: 'off.device@example.com' });
    await allow(service, application, false);
    expect((await poll(service, application, codes)).body.error).toBe('unauthorized_client');
    await allow(service, application, true);
    expect((await poll(service, application, codes)).status).toBe(200);
  });

  test('mistakes are named; a client proves itself as at the token endpoint', async () => {
    const backend = await register();
    const answers = await Promise.all([
      askForCode(service, backend, { client_secret: 'wrong' }),
      askForCode(service, backend, { scope: 'email' }),
      askForCode(service, television, { client_id: 'client_unknown' }),
      askForCode(service, television, { scope: 'openid\u00e9' }),
      askForCode(service, television, { login_hint: 'x'.repeat(400) }),
      askForCode(service, television, { request: 'e30.e30.' }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [401, 'invalid_client'],
      [400, 'invalid_request'],
      [401, 'invalid_client'],
      [400, 'invalid_scope'],
      [400, 'invalid_request'],
      [400, 'invalid_request_object'],
    ]);
    const unknown = await askForCode(service, television, { scope: 'openid phone' });
    expect(unknown.body).not.toHaveProperty('scope');
  });
});

describe('§3.5: what a device hears', () => {
  test('pending, then access_denied when the person says no; and nobody was charged', async () => {
    const charges = await countCharges(service);
    const codes = await beginDevice(service, television);
    expect((await poll(service, television, codes)).body.error).toBe('authorization_pending');
    const email = 'no.device@example.com';
    const end = await confirmDevice(service, codes, { email, decision: 'deny' });
    expect(end.html).toContain('The device was not connected');
    expect((await poll(service, television, codes)).body.error).toBe('access_denied');
    expect(await countCharges(service)).toBe(charges);
  });

  test('slow_down, by the interval that it was told; threat 178: guesses of user codes end in 429', async () => {
    const strict = await startTollgate({ RATE_LIMIT_FACTOR: '1' });
    try {
      const application = await strict.register();
      await allow(strict, application, true);
      const codes = await beginDevice(strict, application);
      const errors = [];
      for (const _each of [1, 2, 3]) errors.push((await poll(strict, application, codes)).body.error);
      expect(errors).toEqual(['authorization_pending', 'slow_down', 'slow_down']);
      const other = await beginDevice(strict, application);
      expect((await poll(strict, application, other)).body.error).toBe('authorization_pending');
      await guessInVain(strict);
    } finally {
      await strict.stop();
    }
  });

  test('a code is good once, for its own client; a second use ends what the first gave', async () => {
    const codes = await beginDevice(service, television);
    await confirmDevice(service, codes, { email: 'once.device@example.com' });
    const stranger = await register({ clientType: 'public' });
    expect((await poll(service, stranger, codes)).body.error).toBe('invalid_grant');
    const answers = await Promise.all([1, 2, 3].map(() => poll(service, television, codes)));
    // The second use may end them before the first one is answered.
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect((await poll(service, television, codes)).body.error).toBe('invalid_grant');
    const token = String(answers.find(({ status }) => status === 200)?.body.access_token);
    expect((await userinfo(service, token)).status).toBe(401);
  });

  test('expired_token, and a page that says so', async () => {
    const old = await startTollgate({ REDIS_URL: '' }, openTestPglite);
    try {
      const application = await old.register({ clientType: 'public' });
      await allow(old, application, true);
      const codes = await beginDevice(old, application);
      // As if a quarter of an hour had passed: the engine keeps its own time.
      const exp = Math.floor(Date.now() / 1000) - 1;
      await old.db.execute(
        sql`update engine_records set payload = payload || jsonb_build_object('exp', ${exp}::int)`,
      );
      expect((await poll(old, application, codes)).body.error).toBe('expired_token');
      const page = await typeCode(old, createBrowser(), codes.userCode);
      expect(page.html).toContain('That code has expired.');
    } finally {
      await old.stop();
    }
  });

  test('made-up device codes, and the hash under which the store knows one, are worth nothing', async () => {
    const { deviceCode } = await beginDevice(service, television);
    for (const made of ['', 'x', `hash:${sha256(deviceCode)}`, sha256(deviceCode), '\u0000'])
      expect((await poll(service, television, { deviceCode: made })).status).toBe(400);
  });
});

/** Threat 178: per browser first, then per network, whatever browser. */
async function guessInVain(strict: TestTollgate): Promise<void> {
  const browser = createBrowser();
  const statuses: number[] = [];
  let retryAfter: string | undefined;
  for (let guess = 0; guess < 12; guess += 1) {
    const page = await typeCode(strict, browser, 'BBBB-BBBB');
    statuses.push(page.status);
    retryAfter = page.headers['retry-after'];
  }
  expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);
  expect(Number(retryAfter)).toBeGreaterThan(0);
  const others: number[] = [];
  for (let guess = 0; guess < 62; guess += 1) {
    const answer = await fetch(`${strict.url}/device`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html' },
      body: new URLSearchParams({ user_code: 'BBBB-BBBB', confirm: 'yes' }),
    });
    others.push(answer.status);
  }
  expect(others.at(-1)).toBe(429);
}

describe('money', () => {
  test('too low a balance: no tokens, temporarily_unavailable, and the code is spent', async () => {
    const poor = await register({ balance: 0n });
    const codes = await beginDevice(service, poor);
    await confirmDevice(service, codes, { email: 'poor.device@example.com' });
    const refused = await poll(service, poor, codes);
    expect(refused).toMatchObject({ status: 400, body: { error: 'temporarily_unavailable' } });
    expect(refused.body).not.toHaveProperty('access_token');
    expect((await poll(service, poor, codes)).body.error).toBe('invalid_grant');
  });

  test('test mode is free', async () => {
    const charges = await countCharges(service);
    const tried = await register({ isTest: true, balance: 0n });
    const codes = await beginDevice(service, tried);
    await confirmDevice(service, codes, { email: 'tester.device@example.com' });
    expect((await poll(service, tried, codes)).status).toBe(200);
    expect(await countCharges(service)).toBe(charges);
  });
});

describe('threats', () => {
  test('threat 177: a link with the code in it asks for it all the same, and nothing happens by itself', async () => {
    const { body } = await askForCode(service, television);
    const answer = await fetch(String(body.verification_uri_complete));
    const html = await answer.text();
    expect(html).toContain(String(body.user_code));
    expect(html).toContain('Continue only if your device shows exactly this code.');
    expect(html).not.toContain('<script');
    const codes = { deviceCode: String(body.device_code) };
    expect((await poll(service, television, codes)).body.error).toBe('authorization_pending');
  });

  test('threat 179: a form of another site, which has no token, is nobody’s', async () => {
    const { userCode, deviceCode } = await beginDevice(service, television);
    const answer = await fetch(`${service.url}/device`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html' },
      body: new URLSearchParams({ user_code: userCode, confirm: 'yes', xsrf: 'x' }),
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/device?problem=page_expired');
    expect((await poll(service, television, { deviceCode })).body.error).toBe('authorization_pending');
  });

  test('threat 180: the question cannot be answered in another browser, signed in or not', async () => {
    const attacker = createBrowser();
    const email = 'attacker.device@example.com';
    await confirmDevice(service, await beginDevice(service, television), { email, browser: attacker });
    const codes = await beginDevice(service, television);
    const page = await typeCode(service, attacker, codes.userCode);
    const victim = createBrowser();
    const theirs = await beginDevice(service, television);
    await confirmDevice(service, theirs, { email: 'victim.device@example.com', browser: victim });
    for (const cookie of attacker.cookies().filter(({ path }) => path !== '/'))
      victim.plant(service.url, cookie);
    const seen = await victim.open(page.url);
    expect('page' in seen && seen.page.html).not.toContain('on your device?');
    expect((await poll(service, television, codes)).body.error).toBe('authorization_pending');
  });

  test('threat 181: an end of the session before the device asks ends what was confirmed', async () => {
    const browser = createBrowser();
    const codes = await beginDevice(service, television, { scope: 'openid offline_access' });
    const email = 'ended.device@example.com';
    await confirmDevice(service, codes, { email, browser });
    const logout = await browser.open(`${service.url}/oauth/logout`);
    if (!('page' in logout)) throw new Error('left');
    const [form] = logout.page.forms;
    if (!form) throw new Error(logout.page.html);
    await browser.submit(logout.page, form, {}, form.buttons[0]);
    expect((await poll(service, television, codes)).body.error).toBe('invalid_grant');
  });

  test('threat 181: a raise of the account’s generation ends the waiting and the finished', async () => {
    const email = 'raised.device@example.com';
    const done = await beginDevice(service, television, { scope: 'openid offline_access' });
    await confirmDevice(service, done, { email });
    const tokens = await poll(service, television, done);
    const waiting = await beginDevice(service, television);
    await confirmDevice(service, waiting, { email });
    const [account] = rowsOf(await service.db.execute(sql`select id from accounts where email = ${email}`));
    const raise = { accountId: String(account?.id), now: new Date() };
    await transaction(service.db, (tx) => revokeAccount(tx, raise));
    expect((await poll(service, television, waiting)).body.error).toBe('invalid_grant');
    const again = await refresh(service, television, String(tokens.body.refresh_token));
    expect(again.body.error).toBe('invalid_grant');
  });

  test('threat 182: neither code is in a log line, and the store keeps no device code', async () => {
    const { deviceCode, userCode } = await beginDevice(service, television);
    await typeCode(service, createBrowser(), userCode);
    await poll(service, television, { deviceCode });
    const rows = await service.db.execute(
      sql`select payload::text as text from engine_records where payload::text like ${`%${deviceCode}%`}`,
    );
    expect(rowsOf(rows)).toEqual([]);
    expect(service.logLines.filter((line) => line.includes(deviceCode) || line.includes(userCode))).toEqual(
      [],
    );
  });
});
