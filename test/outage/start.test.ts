// The service as a process that is started before its stores, as a deployment may: it waits for PostgreSQL, listens
// without Redis, and is ready as soon as both are there. Commands do not wait.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { userinfo } from '../harness/client.ts';
import { type CommandLine, createCommandLine } from '../harness/command-line.ts';
import { hasPostgres, openEmptyPostgres, postgresAddress, type TestDatabase } from '../harness/database.ts';
import { untilItWorks } from '../harness/outage.ts';
import { hasRedis, openTestRedis, type TestRedis } from '../harness/redis.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';

const describeOutage = (await hasPostgres()) && (await hasRedis()) ? describe : describe.skip;

describeOutage('started before its stores', () => {
  let postgres: TcpProxy;
  let redis: TcpProxy;
  let database: TestDatabase;
  let keys: TestRedis;
  let tollgate: CommandLine;

  beforeAll(async () => {
    postgres = await startTcpProxy(postgresAddress());
    redis = await startTcpProxy({ host: '127.0.0.1', port: 6379 });
    database = await openEmptyPostgres(postgres.port);
    keys = openTestRedis();
    const redisUrl = new URL(keys.url);
    redisUrl.port = String(redis.port);
    tollgate = await createCommandLine({
      DATABASE_URL: database.databaseUrl ?? '',
      REDIS_URL: redisUrl.href,
      TOLLGATE_SECRET: 's'.repeat(48),
    });
    await postgres.refuse();
    await redis.refuse();
  });
  afterAll(async () => {
    await tollgate.remove();
    await keys.remove();
    await database.remove();
    await postgres.close();
    await redis.close();
  });

  test('a command says at once that PostgreSQL does not answer', async () => {
    const { code, stderr } = await tollgate.run('migrate');
    expect(code).toBe(1);
    expect(stderr).toContain('PostgreSQL does not answer at 127.0.0.1:');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('the service waits for PostgreSQL, says 503 and not "ready" until Redis is there, and then works', async () => {
    const starting = tollgate.startWaiting();
    await sleep(3_000);
    await postgres.accept();
    const service = await starting;
    const ask = () => userinfo(service, 'x'.repeat(43));
    const away = await ask();
    expect(away.status).toBe(503);
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(service.stdout()).toBe('');
    await redis.accept();
    const back = await untilItWorks(async () => {
      if ((await ask()).status !== 401) throw new Error('not yet');
    });
    expect(back).toBeLessThan(5_000);
    await untilItWorks(async () => {
      if (!service.stdout().includes('Tollgate is ready at')) throw new Error('not yet');
    });
    // A sentence for each store, not one for each attempt to reach it.
    const sentences = service
      .stderr()
      .split('\n')
      .filter((line) => line.includes('does not answer at'));
    for (const variable of ['DATABASE_URL', 'REDIS_URL'])
      expect(sentences.filter((line) => line.includes(variable)).length).toBeGreaterThanOrEqual(1);
    expect(sentences.length).toBeLessThanOrEqual(2 + 2 * Math.ceil(service.readyAfter / 5_000));
    expect(sentences.join('\n')).not.toContain('stack');
    expect(await service.stop('SIGTERM')).toBe(0);
    expect(service.stderr()).not.toContain('s'.repeat(48));
  });
});
