// Promise 50, threats 72 and 96: PostgreSQL is refused, cut, frozen and cut in the middle of a COMMIT while people sign
// in. The service says 503, hands out no token without a charge, and is back by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { allowLongStatements, rowsOf, transaction } from '../../src/database/connection.ts';
import { postgresConnections } from '../../src/limits/stores.ts';
import { exchange, refresh, startAttempt } from '../harness/client.ts';
import { administer, hasPostgres, openTestPostgres, postgresAddress } from '../harness/database.ts';
import { countCharges, expectOracles } from '../harness/oracles.ts';
import {
  askEverywhere,
  expectQuickRecovery,
  registerPerson,
  type SignedInPerson,
  signInAgain,
  startTraffic,
  untilItWorks,
} from '../harness/outage.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';

const describeOutage = (await hasPostgres()) ? describe : describe.skip;

describeOutage('threat 96: PostgreSQL goes away', () => {
  let proxy: TcpProxy;
  let service: TestTollgate;
  let application: RegisteredApplication;
  let ada: SignedInPerson;

  beforeAll(async () => {
    proxy = await startTcpProxy(postgresAddress());
    // Without Redis, so that nothing at all works without the database.
    service = await startTollgate({ REDIS_URL: '' }, () => openTestPostgres(proxy.port));
    application = await service.register({ balance: 1_000_000_000n });
    ada = await registerPerson(service, application, 'ada@example.test');
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
  });

  const signIn = () => signInAgain(service, application, ada);

  test('refused: 503 with Retry-After as JSON and as a page, and back by itself', async () => {
    const [code, token] = [await ada.newCode(), (await exchangeWithRefresh()).body.refresh_token];
    await proxy.refuse();
    try {
      const { json, page } = await askEverywhere(service);
      for (const answer of json) {
        expect(answer.status).toBe(503);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        expect(answer.body).toEqual({ error: 'service_unavailable', error_description: expect.any(String) });
      }
      expect(page.status).toBe(503);
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect((await exchange(service, application, code)).status).toBe(503);
      expect((await refresh(service, application, String(token))).status).toBe(503);
    } finally {
      await proxy.accept();
    }
    await expectQuickRecovery(signIn);
    expect((await refresh(service, application, String(token))).status).toBe(200);
  });

  const exchangeWithRefresh = async () =>
    exchange(service, application, await ada.newCode('openid email profile offline_access'));

  test.each(['before', 'after'] as const)(
    'threat 72: cut %s the server has read COMMIT: the outcome is found, and the tokens leave with one charge',
    async (when) => {
      const code = await ada.newCode();
      const before = await countCharges(service);
      // In the packet that writes the charge and commits it.
      const cut = proxy.cutAt('"transferId"', when);
      const answer = await exchange(service, application, code);
      await cut;
      expect(answer.status).toBe(200);
      const again = await exchange(service, application, code);
      expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
      expect((await countCharges(service)) - before).toBe(1);
      await signIn();
    },
  );

  test('cut: the next sign-in succeeds', async () => {
    proxy.cut();
    await expectQuickRecovery(signIn);
  });

  test('connections that break at BEGIN do not take the places of the pool with them', async () => {
    for (let round = 0; round < 12; round += 1) {
      const code = await untilCode();
      const cut = proxy.cutAt('begin', 'before');
      // Whose connection it was decides: the charge's own attempt is repeated.
      expect([200, 503]).toContain((await exchange(service, application, code)).status);
      await cut;
    }
    await untilItWorks(signIn);
    await Promise.all(Array.from({ length: 20 }, signIn));
  });

  test('a charge waits for no connection that other work holds', async () => {
    const other = new pg.Client({ connectionString: service.tollgate.config.databaseUrl });
    await other.connect();
    const charged = Promise.withResolvers<void>();
    try {
      await other.query('begin; lock table customers in exclusive mode');
      const answer = exchange(service, application, await ada.newCode());
      await untilItWorks(async () => {
        const { rows } = await other.query(
          'select pid from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0',
        );
        expect(rows).toHaveLength(1);
      });
      // The charge has begun. If it held one of these connections, one of these transactions could not begin.
      const begun = Array.from({ length: postgresConnections }, () => Promise.withResolvers<void>());
      const held = begun.map(({ resolve }) =>
        transaction(service.db, async (tx) => {
          resolve(void (await tx.execute(sql`select 1`)));
          await charged.promise;
        }),
      );
      await Promise.all(begun.map(({ promise }) => promise));
      await other.query('commit');
      expect((await answer).status).toBe(200);
      charged.resolve();
      await Promise.all(held);
    } finally {
      charged.resolve();
      await other.end();
    }
  });

  const untilCode = async () => {
    let code = { code: '', verifier: '' };
    await untilItWorks(async () => {
      code = await ada.newCode();
    });
    return code;
  };

  test('cut again and again in mid-traffic: nothing but 200 and 503, and every 200 is charged once', async () => {
    const people = [ada];
    for (const name of ['bea', 'cy', 'di'])
      people.push(await registerPerson(service, application, `${name}@example.test`));
    const before = await countCharges(service);
    const traffic = startTraffic(service, application, people);
    for (let round = 0; round < 15; round += 1) {
      await sleep(200);
      proxy.cut();
    }
    await until('an exchange succeeded', () => traffic.statuses.includes(200), { seconds: 60 });
    await traffic.stop();
    const succeeded = traffic.statuses.filter((status) => status === 200).length;
    expect(succeeded).toBeGreaterThan(0);
    expect(traffic.statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(traffic.refusals.filter((refusal) => !refusal.includes('status 503'))).toEqual([]);
    const charges = (await countCharges(service)) - before;
    // A COMMIT whose answer was lost may have charged; then the client was told 503 and has no token.
    expect(charges).toBeGreaterThanOrEqual(succeeded);
    expect(charges).toBeLessThanOrEqual(traffic.statuses.length);
  });

  test('frozen for 5 s: every request has an answer, and the first one after it succeeds', async () => {
    const traffic = startTraffic(service, application, [ada]);
    await sleep(300);
    proxy.pause();
    const started = performance.now();
    const answers = Promise.all(Array.from({ length: 30 }, () => askEverywhere(service)));
    await sleep(5_000);
    proxy.resume();
    const waited = performance.now() - started;
    await expectQuickRecovery(signIn);
    for (const { json, page } of await answers) {
      for (const { status } of [...json, page]) expect([503, 400, 401]).toContain(status);
    }
    expect(waited).toBeGreaterThan(4_900);
    await traffic.stop();
    expect(traffic.statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  });

  test('connections whose server has vanished are given up, and new ones used', async () => {
    proxy.freeze();
    expect(await untilItWorks(signIn)).toBeLessThan(30_000);
    await Promise.all(Array.from({ length: 10 }, signIn));
  });

  test('a long transaction that says so is not mistaken for one whose server has vanished', async () => {
    const slept = await transaction(service.db, async (tx) => {
      await allowLongStatements(tx);
      return rowsOf(await tx.execute(sql`select pg_sleep(9)::text as slept`)).length;
    });
    expect(slept).toBe(1);
    await expect(service.db.execute(sql`select pg_sleep(9)`)).rejects.toThrow();
  });

  test('a table that a migration changes under prepared statements fails nobody', async () => {
    const { db } = service;
    const read = sql`select sign_in_count from customers where sign_in_count > ${0}`;
    const readTwice = () =>
      Promise.all([db, db].map((each) => transaction(each, async (tx) => rowsOf(await tx.execute(read)))));
    expect((await readTwice()).flat().length).toBeGreaterThan(0);
    await db.execute(sql`alter table customers alter column sign_in_count type bigint`);
    expect((await readTwice()).flat().length).toBeGreaterThan(0);
    await db.execute(sql`alter table customers alter column sign_in_count type integer`);
  });

  test('a failover: 503 while the server takes no writes, and back by itself', async () => {
    const database = new URL(service.tollgate.config.databaseUrl ?? '').pathname.slice(1);
    await administer(`alter database ${database} set default_transaction_read_only = on`);
    proxy.cut();
    try {
      await untilItWorks(() =>
        Promise.all(Array.from({ length: 10 }, () => service.tollgate.connection.ping())),
      );
      const attempt = startAttempt(service, application);
      const answer = await fetch(attempt.url, { redirect: 'manual', headers: { accept: 'text/html' } });
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      await expect(signIn()).rejects.toThrow('503');
    } finally {
      await administer(`alter database ${database} reset default_transaction_read_only`);
    }
    await expectQuickRecovery(signIn);
    await Promise.all(Array.from({ length: 20 }, signIn));
  });

  test('after all of it the books agree', async () => {
    await expectOracles(service, { allowServerErrors: true });
  });
});
