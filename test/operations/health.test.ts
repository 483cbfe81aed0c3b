// The operator's port: /healthz, /readyz and /metrics, the proof of the ledger on a schedule, and nothing in any of
// them that names a person or an application (threat 92).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { accountVerifications, ledgerVerifications } from '../../drizzle/schema/operations.ts';
import { verifyWhenDue } from '../../src/database/verification.ts';
import { ledgerProof } from '../../src/ledger/verify.ts';
import { createLog } from '../../src/log.ts';
import { createHealth } from '../../src/service/health.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, startAttempt } from '../harness/client.ts';
import { hasPostgres, openTestDatabase, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { freePort } from '../harness/free-port.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';

describe('the operations port', () => {
  let service: TestTollgate;
  let operations: string;
  beforeAll(async () => {
    const port = await freePort();
    operations = `http://127.0.0.1:${port}`;
    service = await startTollgate({
      OPERATIONS_PORT: String(port),
      RATE_LIMIT_FACTOR: '1',
      LEDGER_VERIFY_MINUTES: '60',
      ACCOUNTS_VERIFY_MINUTES: '60',
    });
  });
  afterAll(() => service.stop());

  const metric = async (name: string): Promise<string[]> => {
    const text = await (await fetch(`${operations}/metrics`)).text();
    return text.split('\n').filter((line) => line.startsWith(name));
  };
  const numberOf = (lines: string[], ...labels: string[]) =>
    Number(
      lines
        .find((line) => labels.every((label) => line.includes(label)))
        ?.split(' ')
        .at(-1),
    );

  test('says that the process is alive and ready, what it checked, and the last proofs of ledger and accounts', async () => {
    expect((await fetch(`${operations}/healthz`)).status).toBe(200);
    await bothProofs(service);
    const response = await fetch(`${operations}/readyz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      ready: true,
      checks: { database: { ok: true }, migrations: { ok: true }, running: { ok: true } },
      ledger: { ok: true, verifiedAt: expect.stringMatching(/^\d{4}-/), broken: {} },
      accounts: { ok: true, verifiedAt: expect.stringMatching(/^\d{4}-/), broken: {} },
    });
    expect((await fetch(`${operations}/readyz`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${operations}/oauth/token`)).status).toBe(404);
  });

  test('the public port has none of it', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await fetch(`${service.url}${path}`)).status).toBe(404);
  });

  test('counts sign-ins, refusals by reason, rate-limit hits, jobs and requests by route; no label names anybody', async () => {
    const application = await service.register();
    const attempt = startAttempt(service, application);
    const callback = await signInAs({ authorizationUrl: attempt.url, email: 'ada@example.test' });
    const { code = '' } = readCallback(callback);
    const given = { code, verifier: attempt.verifier };
    expect((await exchange(service, application, given)).status).toBe(200);
    expect((await exchange(service, application, given)).body.error).toBe('invalid_grant');
    expect((await exchange(service, { ...application, clientSecret: 'wrong' }, given)).body.error).toBe(
      'invalid_client',
    );
    const poor = await service.register({ balance: 0n });
    const unpaid = startAttempt(service, poor);
    const away = await signInAs({ authorizationUrl: unpaid.url, email: 'grace@example.test' });
    await exchange(service, poor, { code: readCallback(away).code ?? '', verifier: unpaid.verifier });
    for (let count = 0; count < 61; count += 1)
      await fetch(`${service.url}/v1/applications/${application.id}/customers`, {
        headers: { authorization: `Bearer tollgate_v1_${count}` },
      });

    const refusals = await metric('tollgate_refusals_total');
    for (const reason of ['invalid_grant', 'invalid_client', 'temporarily_unavailable'])
      expect(numberOf(refusals, 'route="/oauth/token"', `reason="${reason}"`)).toBe(1);
    expect(numberOf(await metric('tollgate_sign_ins_total'), 'kind="registration"')).toBe(1);
    expect(numberOf(await metric('tollgate_charge_duration_seconds_count'))).toBe(1);
    expect(
      numberOf(await metric('tollgate_rate_limit_hits_total'), 'limit="failed_api_keys"'),
    ).toBeGreaterThan(0);
    expect(
      numberOf(await metric('tollgate_job_duration_seconds_count'), 'queue="mail"', 'outcome="done"'),
    ).toBe(2);
    const requests = await metric('tollgate_http_request_duration_seconds_count');
    expect(numberOf(requests, 'route="/oauth/token"', 'status="200"', 'method="POST"')).toBe(1);
    expect(numberOf(requests, 'route="/v1/applications/:id/:list"', 'status="401"')).toBe(60);
    expect(await metric('tollgate_queue_lag_seconds')).toHaveLength(3);
    expect(numberOf(await metric('tollgate_ledger_ok'))).toBe(1);
    expect(numberOf(await metric('tollgate_accounts_ok'))).toBe(1);
    expect((await metric('process_resident_memory_bytes')).length).toBe(1);

    const everything = (await metric('')).join('\n');
    const names = [
      application.id,
      application.clientId,
      'example.test',
      code,
      service.workspace.id,
      '127.0.0.1',
    ];
    for (const name of names) expect(everything).not.toContain(name);
  });

  test('paths that clients make up become one series', async () => {
    const before = (await metric('tollgate_http_request_duration_seconds_count')).length;
    for (let count = 0; count < 20; count += 1)
      await fetch(`${service.url}/made-up/${count}`, { method: 'PUT' });
    expect((await metric('tollgate_http_request_duration_seconds_count')).length).toBe(before + 1);
  });

  test.each([
    ['/account/name', '/account/name'],
    ['/account/address/cancel/a-token', '/account/address/cancel/:token'],
    ['/settings/ws_1/members', '/settings/:workspace/members'],
    ['/interaction/abc', '/interaction/:uid'],
    ['/interaction/abc/sign-in', '/interaction/:uid/sign-in'],
    ['/social/nobody/callback', '/social/:provider/callback'],
    ['/payments/stripe', '/payments/stripe'],
    ['/OAUTH/token/', 'other'],
  ])('%s counts under the route %s', async (path, route) => {
    const count = async () => {
      const requests = await metric('tollgate_http_request_duration_seconds_count');
      return requests
        .filter((line) => line.includes(`route="${route}"`))
        .reduce((sum, line) => sum + numberOf([line]), 0);
    };
    const before = await count();
    await fetch(service.url + path, { redirect: 'manual' });
    expect(await count()).toBe(before + 1);
  });

  test('two instances in one process keep their own numbers', async () => {
    const port = await freePort();
    const other = await startTollgate({ OPERATIONS_PORT: String(port) });
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toContain('tollgate_sign_ins_total');
    expect(text).not.toContain('kind="registration"');
    await other.stop();
  });

  test('not ready when the shutdown begins, and still answering', async () => {
    service.tollgate.beginShutdown();
    const response = await fetch(`${operations}/readyz`);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ ready: false, checks: { running: { ok: false } } });
    const discovery = await fetch(`${service.url}/.well-known/openid-configuration`);
    expect([discovery.status, discovery.headers.get('connection')]).toEqual([200, 'close']);
  });
});

async function bothProofs({ db }: TestTollgate) {
  await until('both are proven', async () => {
    const [proof] = await db.select().from(ledgerVerifications);
    const [accounts] = await db.select().from(accountVerifications);
    return proof !== undefined && accounts !== undefined;
  });
}

describe('readiness', () => {
  const ledger = { latest: () => undefined };

  test('a database that is away, a Redis that is away or a missing migration: not ready, with a code and no address', async () => {
    if (!(await hasPostgres())) return;
    const database = await openTestPostgres();
    const redis = { ping: async () => Promise.reject(new Error('connect to secret-host failed')) };
    const health = createHealth({ connection: database.connection, redis, ledger, accounts: ledger });
    expect(await health.ready()).toMatchObject({
      ready: false,
      checks: { database: { ok: true }, migrations: { ok: true }, redis: { ok: false, reason: 'failed' } },
    });
    await database.connection.db.execute(
      sql`delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`,
    );
    const fresh = createHealth({
      connection: database.connection,
      redis: undefined,
      ledger,
      accounts: ledger,
    });
    expect((await fresh.ready()).checks.migrations).toEqual({ ok: false, reason: '1 pending' });
    await database.remove();
    const away = await health.ready();
    expect(away).toMatchObject({ ready: false, checks: { database: { ok: false } } });
    expect(JSON.stringify(away)).not.toMatch(/secret-host|127\.0\.0\.1|tollgate_test/);
  });
});

describe('ledger verify on a schedule', () => {
  let database: TestDatabase;
  const lines: string[] = [];
  const log = createLog({ level: 'error', destination: { write: (line) => void lines.push(line) } });
  let now = new Date('2026-11-21T10:00:00Z');
  const clock = () => now;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.remove());

  test('is proven once an hour by one of any number of processes', async () => {
    const { db } = database.connection;
    const prove = () => verifyWhenDue(ledgerProof, { db, clock, log, minutes: 60 });
    await Promise.all([prove(), prove(), prove()]);
    const first = (await db.select().from(ledgerVerifications)).length;
    expect(first).toBeGreaterThan(0);
    now = new Date(now.getTime() + 59 * 60_000);
    expect((await prove())?.ok).toBe(true);
    expect(await db.select().from(ledgerVerifications)).toHaveLength(first);
    now = new Date(now.getTime() + 60_000);
    await prove();
    expect(await db.select().from(ledgerVerifications)).toHaveLength(first + 1);
  });

  test('a balance that is not the sum of its transfers is found, logged as an error and known to every process', async () => {
    const { db } = database.connection;
    await db.execute(sql`insert into workspaces values ('ws_1', 'Acme', 'EUR', now())`);
    await db.execute(sql`insert into applications (id, workspace_id, client_id, name, client_type, redirect_uris,
      post_logout_redirect_uris, allowed_origins, created_at) values ('app_1', 'ws_1', 'client_1', 'Shop',
      'confidential', '{https://app.example.test/}', '{}', '{}', now())`);
    await db.execute(sql`insert into balances values ('app_1', 'EUR', 5)`);
    now = new Date(now.getTime() + 3_600_000);
    const proof = await verifyWhenDue(ledgerProof, { db, clock, log, minutes: 60 });
    expect(proof).toMatchObject({
      ok: false,
      broken: { 'every balance equals the sum of its transfers': 1 },
    });
    expect(lines.join('')).toContain('the ledger does not add up');
    expect(await verifyWhenDue(ledgerProof, { db, clock, log, minutes: 0 })).toEqual(proof);
    const health = createHealth({
      connection: database.connection,
      redis: undefined,
      ledger: { latest: () => proof },
      accounts: { latest: () => proof },
    });
    expect(await health.ready()).toMatchObject({
      ready: true,
      ledger: { ok: false },
      accounts: { ok: false },
    });
  });
});
