// Threat 92: at the most talkative level, through good flows, refused ones and failures of every store, no log line,
// metric or console output of the service holds a password, code, token, verifier, secret, key, cookie or address.
import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { createApiKey } from '../../src/applications/api-key.ts';
import { rowsOf, transaction } from '../../src/database/connection.ts';
import { createSubscription } from '../../src/webhooks/subscription.ts';
import { type Browser, createBrowser } from '../harness/browserless-browser.ts';
import { inboxReader, signInAs } from '../harness/browserless-person.ts';
import {
  exchange,
  type Parameters,
  postForm,
  readCallback,
  refresh,
  startAttempt,
  userinfo,
} from '../harness/client.ts';
import { freePort } from '../harness/free-port.ts';
import { startSmtp, type TestSmtp } from '../harness/smtp.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';

const PASSWORD = 'canary battery staple password';
const EMAIL = 'canary.mailbox@example.test';
const NAME = 'Canary Lovelace';

/** Everything secret that was typed, sent or received. */
const canaries = new Set<string>([
  PASSWORD,
  encodeURIComponent(PASSWORD),
  'canary+battery',
  EMAIL,
  encodeURIComponent(EMAIL),
  NAME,
]);
const remember = (...values: unknown[]) => {
  for (const value of values) if (typeof value === 'string' && value.length > 5) canaries.add(value);
};

/** Whatever a line says, it says it without these; six digits may stand in an id by chance, so codes stand alone. */
function expectNone(texts: string[]): void {
  const whole = texts.join('\n');
  const found = [...canaries].filter((canary) =>
    /^\d{6}$/.test(canary)
      ? new RegExp(`(?<![\\w.-])${canary}(?![\\w.-])`).test(whole)
      : whole.includes(canary),
  );
  expect(found).toEqual([]);
}

describe('a running service at DEBUG level', () => {
  let service: TestTollgate;
  let operations: string;
  let application: RegisteredApplication;
  beforeAll(async () => {
    const port = await freePort();
    operations = `http://127.0.0.1:${port}`;
    service = await startTollgate({ LOG_LEVEL: 'debug', OPERATIONS_PORT: String(port) });
    application = await service.register({ clientType: 'confidential' });
    remember(application.clientSecret);
  });
  afterAll(() => service.stop());

  async function walk(
    browser: Browser,
    given: { changed?: Parameters; password?: string; consent?: 'deny' } = {},
  ) {
    const attempt = startAttempt(service, application, given.changed);
    remember(attempt.verifier, attempt.state, attempt.nonce);
    const inbox = await inboxReader(`${service.url}/dev/inbox.json`, EMAIL);
    const callback = await signInAs({
      authorizationUrl: attempt.url,
      email: EMAIL,
      name: NAME,
      browser,
      inbox: async (address) => {
        const code = await inbox(address);
        remember(code);
        return code;
      },
      onPage: (page) => {
        for (const form of page.forms)
          remember(...form.fields.map(({ name, value }) => name === 'csrf_token' && value));
      },
      ...(given.password !== undefined && { password: given.password }),
      ...(given.consent && { consent: given.consent }),
    });
    remember(...browser.cookies().map(({ value }) => value.split('.')[0]));
    const { code = '' } = readCallback(callback);
    remember(code);
    return { attempt, code };
  }

  test('threat 92: sign-ins by every way, tokens, refreshes, revocation and log-out leave no secret behind', async () => {
    const browser = createBrowser();
    const first = await walk(browser, {
      changed: { prompt: 'create', scope: 'openid email profile offline_access' },
      password: PASSWORD,
    });
    const { body } = await exchange(service, application, {
      code: first.code,
      verifier: first.attempt.verifier,
    });
    remember(body.access_token, body.refresh_token, body.id_token);
    expect(body.access_token).toBeDefined();
    const renewed = (await refresh(service, application, String(body.refresh_token))).body;
    remember(renewed.access_token, renewed.refresh_token, renewed.id_token);
    expect((await userinfo(service, String(body.access_token))).body.email).toBe(EMAIL);
    const again = await walk(createBrowser(), { password: PASSWORD });
    await exchange(service, application, { code: again.code, verifier: again.attempt.verifier });
    await postForm(service, '/oauth/revoke', {
      token: String(renewed.refresh_token ?? body.refresh_token),
      client_id: application.clientId,
      client_secret: application.clientSecret ?? '',
    });
    await fetch(`${service.url}/oauth/logout?id_token_hint=${body.id_token}`);
    expectNone(service.logLines);
  });

  test('threat 92: refused exchanges, wrong passwords, codes and keys, secrets in the wrong place', async () => {
    const { attempt, code } = await walk(createBrowser());
    const wrongVerifier = 'canary-verifier-that-is-wrong-but-long-enough-to-pass';
    const wrongSecret = 'canary-client-secret';
    remember(wrongVerifier, wrongSecret);
    await exchange(service, application, { code, verifier: wrongVerifier });
    await exchange(
      service,
      { ...application, clientSecret: wrongSecret },
      { code, verifier: attempt.verifier },
    );
    const basic = `Basic ${Buffer.from(`${application.clientId}:${wrongSecret}`).toString('base64')}`;
    remember(basic.slice(6));
    await exchange(service, application, {
      code,
      verifier: attempt.verifier,
      changed: { client_id: null, client_secret: null },
      headers: { authorization: basic },
    });
    await exchange(service, application, { code, verifier: attempt.verifier });
    await exchange(service, application, { code, verifier: attempt.verifier });
    await refresh(service, application, 'canary-refresh-token');
    await userinfo(service, 'canary-access-token');
    remember('canary-refresh-token', 'canary-access-token', 'tollgate_v1_canary');
    await fetch(`${service.url}/v1/applications/${application.id}/events?email=${EMAIL}`, {
      headers: { authorization: 'Bearer tollgate_v1_canary' },
    });
    await fetch(`${service.url}/v1/applications/${application.id}/events?api_key=tollgate_v1_canary`);
    await fetch(`${service.url}/oauth/token?client_secret=${wrongSecret}&code=${code}`, { method: 'POST' });
    await fetch(`${service.url}/oauth/userinfo?access_token=canary-access-token`);
    await fetch(`${service.url}/oauth/authorize?client_id=${application.clientId}&login_hint=${EMAIL}`);
    await fetch(`${service.url}/nowhere?password=${encodeURIComponent(PASSWORD)}`, {
      headers: { cookie: 'session=canary-cookie-value', referer: 'https://x.test/?t=canary-referrer' },
    });
    remember('canary-cookie-value', 'canary-referrer');
    await expect(walk(createBrowser(), { password: `${PASSWORD} wrong` })).rejects.toThrow();
    await walk(createBrowser(), { consent: 'deny' }).catch(() => undefined);
    expectNone(service.logLines);
  });

  test('threat 92: API keys and webhook secrets', async () => {
    const now = new Date();
    const { key } = await transaction(service.db, (tx) =>
      createApiKey(tx, { workspaceId: service.workspace.id, name: 'canary', scopes: ['identity:read'], now }),
    );
    const { secret } = await transaction(service.db, (tx) =>
      createSubscription(tx, {
        keys: service.keys,
        workspaceId: service.workspace.id,
        url: 'https://hooks.example.test/canary-path-token',
        allowLoopback: false,
        now,
      }),
    );
    remember(key, secret, 'canary-path-token');
    const customers = await fetch(`${service.url}/v1/applications/${application.id}/customers`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(JSON.stringify(await customers.json())).toContain(EMAIL);
    const { attempt, code } = await walk(createBrowser());
    await exchange(service, application, { code, verifier: attempt.verifier });
    // The endpoint has no address: its first attempt fails and is recorded.
    await until('its first attempt is recorded', async () =>
      rowsOf(await service.db.execute(sql`select 1 from webhook_attempts limit 1`)).at(0),
    );
    expectNone(service.logLines);
  });

  test('threat 92: every query failing in the middle of everything; metrics', async () => {
    const waiting = await walk(createBrowser());
    const metrics = await (await fetch(`${operations}/metrics`)).text();
    const readiness = await (await fetch(`${operations}/readyz`)).text();
    // Every query below fails, and the drivers' errors carry its parameters.
    const tables = ['engine_records', 'accounts', 'customers', 'applications', 'flows'];
    for (const table of tables)
      await service.db.execute(sql.raw(`alter table ${table} rename to ${table}_gone`));
    const attempt = startAttempt(service, application, { login_hint: EMAIL });
    const answers = await Promise.all([
      exchange(service, application, { code: waiting.code, verifier: waiting.attempt.verifier }),
      refresh(service, application, 'canary-refresh-token'),
      userinfo(service, 'canary-access-token'),
    ]);
    // With Redis, an unknown access token is refused before anything asks the database.
    for (const { status } of answers) expect(status).toBeGreaterThanOrEqual(401);
    await fetch(attempt.url, { redirect: 'manual' });
    expectNone([...service.logLines, metrics, readiness]);
    expect(service.logLines.length).toBeGreaterThan(100);
    for (const table of tables)
      await service.db.execute(sql.raw(`alter table ${table}_gone rename to ${table}`));
  });

  test('every line is one JSON object with a time and a message, and a request has its reference', () => {
    for (const line of service.logLines) {
      expect(line.trimEnd()).not.toContain('\n');
      const entry: Record<string, unknown> = JSON.parse(line);
      expect(entry).toMatchObject({ time: expect.any(String), msg: expect.any(String) });
      if (entry.msg === 'request') expect(entry.request).toMatch(/^req_[0-9a-f]{32}$/);
    }
  });
});

describe('stores and mail servers that are away', () => {
  let smtp: TestSmtp;
  beforeAll(async () => {
    smtp = await startSmtp([
      { replies: { AUTH: '535 no canary-reply', MAIL: '550 no', EHLO: '250-hello\r\n250 AUTH PLAIN LOGIN' } },
    ]);
  });
  afterAll(() => smtp.stop());

  test('threat 92: a mail server that refuses us does not put its password, the address or the code into the log', async () => {
    const password = 'canary-smtp-password';
    const url = smtp.url.replace('smtp://', `smtp://user:${password}@`);
    const service = await startTollgate({ SMTP_URL: url, LOG_LEVEL: 'debug' });
    const application = await service.register();
    const browser = createBrowser();
    const arrival = await browser.open(startAttempt(service, application).url);
    if (!('page' in arrival)) throw new Error('no page');
    const form = arrival.page.forms.find(({ fields }) => fields.some(({ name }) => name === 'email'));
    if (!form) throw new Error('no form');
    await browser.submit(arrival.page, form, { email: EMAIL }, form.buttons[0]);
    const isIt = (line: string) => line.includes('mail not sent');
    await until('the log tells of the mail', () => service.logLines.find(isIt));
    remember(password, Buffer.from(`\0user\0${password}`).toString('base64'), 'canary-reply');
    expectNone(service.logLines);
    await service.stop();
  });

  test('threat 92: commands and a start that fail do not print the passwords in DATABASE_URL, REDIS_URL, SMTP_URL or the secret', async () => {
    const port = await freePort();
    const secret = 'canary-secret-canary-secret-canary-secret';
    remember('canary-database', 'canary-redis', 'canary-smtp', secret);
    const cwd = await mkdtemp(join(tmpdir(), 'tollgate-canary-'));
    const env = {
      PATH: process.env.PATH ?? '',
      LOG_LEVEL: 'debug',
      PORT: String(await freePort()),
      DATABASE_URL: `postgres://user:canary-database@127.0.0.1:${port}/tollgate`,
      REDIS_URL: `redis://user:canary-redis@127.0.0.1:${port}`,
      SMTP_URL: `smtp://user:canary-smtp@127.0.0.1:${port}`,
      TOLLGATE_SECRET: secret,
    };
    const cli = resolve(import.meta.dirname, '../../dist/src/cli.js');
    // A start waits for its database; here it is ended while it does.
    const outputs = await Promise.all(
      ['start', 'migrate', 'doctor', 'ledger verify', 'application list'].map(
        (line) =>
          new Promise<string>((done) => {
            execFile(
              process.execPath,
              [cli, ...line.split(' ')],
              { cwd, env, timeout: 8_000 },
              (error, stdout, stderr) => {
                expect(error).not.toBeNull();
                done(`${line}\n${stdout}\n${stderr}`);
              },
            );
          }),
      ),
    );
    expectNone(outputs);
  }, 120_000);
});
