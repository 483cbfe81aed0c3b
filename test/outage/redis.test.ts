// Threat 95: Redis is emptied, killed, frozen, full or a replica while people sign in. What it costs is a sign-in:
// never a refresh token, a second use of a code, or a counter that protects a secret.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exchange, refresh, startAttempt, userinfo } from '../harness/client.ts';
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
import { hasOwnRedis, type OwnRedisServer, startOwnRedis } from '../harness/redis.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';

const describeOutage = (await hasOwnRedis()) ? describe : describe.skip;

const OFFLINE = 'openid email profile offline_access';

describeOutage('threat 95: Redis goes away', () => {
  let redis: OwnRedisServer;
  let proxy: TcpProxy;
  let service: TestTollgate;
  let application: RegisteredApplication;
  let ada: SignedInPerson;
  let people = 0;

  beforeAll(async () => {
    redis = await startOwnRedis();
    proxy = await startTcpProxy({ host: '127.0.0.1', port: redis.port });
    service = await startTollgate({ REDIS_URL: `redis://127.0.0.1:${proxy.port}` });
    application = await service.register({ balance: 1_000_000_000n });
    await untilItWorks(signInAnew);
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
    await redis.stop();
  });

  const signIn = () => signInAgain(service, application, ada);
  const flush = () => redis.command((commands) => commands.flushall());

  /** After the sessions are gone. Somebody else each time: one address gets five mails an hour. */
  const signInAnew = async () => {
    people += 1;
    ada = await registerPerson(service, application, `ada-${people}@example.test`);
  };

  const expectUnavailable = async () => {
    const { json, page } = await askEverywhere(service);
    const statuses = [...json, page].map(({ status }) => status);
    // The token endpoint refuses an unknown client before it needs Redis.
    expect(statuses).toContain(503);
    for (const answer of [...json, page].filter(({ status }) => status === 503))
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(statuses.filter((status) => status === 500 || status === 200)).toEqual([]);
  };

  test('FLUSHALL in mid-traffic: people sign in again, refresh tokens live on, no code revives', async () => {
    const made = await exchange(service, application, await ada.newCode(OFFLINE));
    const [used, unused] = [await ada.newCode(), await ada.newCode()];
    expect((await exchange(service, application, used)).status).toBe(200);
    await flush();
    for (const code of [used, unused]) {
      const answer = await exchange(service, application, code);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
    }
    expect((await userinfo(service, String(made.body.access_token))).status).toBe(401);
    const refreshed = await refresh(service, application, String(made.body.refresh_token));
    expect(refreshed.status).toBe(200);
    expect((await userinfo(service, String(refreshed.body.access_token))).status).toBe(200);
    await expect(signIn()).rejects.toThrow('page');
    await untilItWorks(signInAnew);
    await signIn();
  });

  test('a wrong verifier stays counted over a FLUSHALL', async () => {
    const code = await ada.newCode();
    const record = await redis.command(async (commands) => {
      const keys = await commands.keys('*AuthorizationCode:*');
      return Promise.all(keys.filter((key) => !key.includes(':grant:')).map((key) => keep(commands, key)));
    });
    for (let attempt = 0; attempt < 4; attempt += 1)
      await exchange(service, application, { ...code, verifier: 'w'.repeat(43) });
    await flush();
    // A replica that lagged behind brings the code back; its counter is in SQL.
    await redis.command((commands) =>
      Promise.all(record.map(({ key, bytes }) => commands.restore(key, 60_000, bytes, 'REPLACE'))),
    );
    await exchange(service, application, { ...code, verifier: 'w'.repeat(43) });
    expect((await exchange(service, application, code)).body.error).toBe('invalid_grant');
    await untilItWorks(signInAnew);
  });

  test('a consumed code that a lagging replica brings back is charged no second time', async () => {
    const code = await ada.newCode();
    const record = await redis.command(async (commands) => {
      const keys = await commands.keys('*AuthorizationCode:*');
      return Promise.all(keys.map((key) => keep(commands, key)));
    });
    expect((await exchange(service, application, code)).status).toBe(200);
    const charges = await countCharges(service);
    await redis.command((commands) =>
      Promise.all(record.map(({ key, bytes }) => commands.restore(key, 60_000, bytes, 'REPLACE'))),
    );
    const again = await exchange(service, application, code);
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    expect(await countCharges(service)).toBe(charges);
    await untilItWorks(signInAnew);
  });

  test('refused: 503 with Retry-After, and back by itself', async () => {
    const code = await ada.newCode();
    await proxy.refuse();
    try {
      await expectUnavailable();
      const answer = await exchange(service, application, code);
      expect(answer.status).toBe(503);
      expect(answer.body).toEqual({ error: 'service_unavailable', error_description: expect.any(String) });
    } finally {
      await proxy.accept();
    }
    await expectQuickRecovery(signIn);
  });

  test('frozen for 5 s: answers within seconds, and back by itself', async () => {
    const code = await ada.newCode();
    process.kill(redis.pid, 'SIGSTOP');
    const frozenAt = performance.now();
    try {
      await expectUnavailable();
      expect((await exchange(service, application, code)).status).toBe(503);
      expect(performance.now() - frozenAt).toBeLessThan(10_000);
      await sleep(Math.max(0, 5_000 - (performance.now() - frozenAt)));
    } finally {
      process.kill(redis.pid, 'SIGCONT');
    }
    await expectQuickRecovery(signIn);
  });

  test('no byte passes for 5 s: back by itself', async () => {
    proxy.pause();
    await Promise.all([sleep(5_000), expectUnavailable()]);
    proxy.resume();
    await expectQuickRecovery(signIn);
  });

  test('cut: the next sign-in succeeds', async () => {
    proxy.cut();
    await expectQuickRecovery(signIn);
  });

  test('connections whose server has vanished are given up, and new ones used', async () => {
    proxy.freeze();
    expect(await untilItWorks(signIn)).toBeLessThan(15_000);
  });

  test('killed and started again: people sign in again, refresh tokens live on', async () => {
    const made = await exchange(service, application, await ada.newCode(OFFLINE));
    await redis.stop();
    await expectUnavailable();
    redis = await startOwnRedis({ port: redis.port });
    // Sessions are gone with it, so whoever succeeds first is a backend with a refresh token.
    await expectQuickRecovery(async () => {
      const answer = await refresh(service, application, String(made.body.refresh_token));
      if (answer.status !== 200) throw new Error(`refused with ${answer.status}`);
    });
    await untilItWorks(signInAnew);
    await signIn();
  });

  test('a replica that takes no writes, and a full memory: 503, then back', async () => {
    for (const [break_, mend] of [
      [
        ['replicaof', '127.0.0.1', '1'],
        ['replicaof', 'no', 'one'],
      ],
      [
        ['config', 'set', 'maxmemory', '1'],
        ['config', 'set', 'maxmemory', '0'],
      ],
    ] as const) {
      await redis.command((commands) => commands.call(break_[0], ...break_.slice(1)));
      const attempt = startAttempt(service, application);
      const answer = await fetch(attempt.url, { redirect: 'manual', headers: { accept: 'text/html' } });
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      await redis.command((commands) => commands.call(mend[0], ...mend.slice(1)));
      await expectQuickRecovery(signIn);
    }
  });

  test('cut and emptied again and again in mid-traffic: no 500, every 200 is charged exactly once', async () => {
    const all = [ada];
    for (const name of ['bea', 'cy'])
      all.push(await registerPerson(service, application, `${name}@example.test`));
    const before = await countCharges(service);
    const traffic = startTraffic(service, application, all);
    for (let round = 0; round < 10; round += 1) {
      await sleep(200);
      proxy.cut();
    }
    await until('an exchange succeeded', () => traffic.statuses.includes(200), { seconds: 60 });
    await flush();
    await sleep(200);
    await traffic.stop();
    const count = (wanted: number) => traffic.statuses.filter((status) => status === wanted).length;
    expect(count(200)).toBeGreaterThan(0);
    // 400: the connection broke after the code was consumed.
    expect(count(200) + count(503) + count(400)).toBe(traffic.statuses.length);
    expect((await countCharges(service)) - before).toBe(count(200));
  });

  test('after all of it the books agree', async () => {
    await expectOracles(service, { allowServerErrors: true });
  });
});

type Commands = { dumpBuffer(key: string): Promise<Buffer | null> };

async function keep(commands: Commands, key: string): Promise<{ key: string; bytes: Buffer }> {
  return { key, bytes: (await commands.dumpBuffer(key)) ?? Buffer.alloc(0) };
}
