// Threat 88: request limits that several processes share are exact under any concurrency, and never turn into no
// limit while Redis is away.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TollgateError } from '../../src/errors.ts';
import { createRateLimiter, type RateLimiter } from '../../src/http/rate-limit.ts';
import { createLog } from '../../src/log.ts';
import { connectRedis, type RedisClient } from '../../src/redis/client.ts';
import { parseRedisUrl } from '../../src/redis/url.ts';
import { hasOwnRedis, type OwnRedisServer, startOwnRedis, untilReady } from '../harness/redis.ts';

describe('REDIS_URL', () => {
  test('TLS, password, database, Cluster and prefix are in the address', () => {
    expect(parseRedisUrl('rediss://ann:p%40ss@redis.example:6380/2?cluster=true&prefix=one:')).toEqual({
      host: 'redis.example',
      port: 6380,
      username: 'ann',
      password: 'p@ss',
      database: 2,
      isTls: true,
      isCluster: true,
      prefix: 'one:',
    });
    expect(parseRedisUrl('redis://[::1]')).toMatchObject({ host: '::1', port: 6379, prefix: 'tollgate:' });
  });

  test.each(['redis://x/y', 'redis://x?clusters=true'])('%s is refused', (url) => {
    expect(() => parseRedisUrl(url)).toThrow(TypeError);
  });
});

const describeRedis = (await hasOwnRedis()) ? describe : describe.skip;

describeRedis('threat 88: limits of two processes on one Redis', () => {
  let server: OwnRedisServer;
  let clients: RedisClient[];
  let limiters: RateLimiter[];

  beforeAll(async () => {
    server = await startOwnRedis();
    const log = createLog({ level: 'silent' });
    clients = [server.url, server.url].map((url) => connectRedis({ url, log }));
    await Promise.all(clients.map(untilReady));
    // authorize: 600 a minute, times 1/60
    limiters = clients.map((redis) => createRateLimiter({ factor: 1 / 60, redis }));
  });
  afterAll(async () => {
    for (const client of clients) client.disconnect();
    await server.stop();
  });

  const askMany = (count: number, key: string) =>
    Promise.allSettled(Array.from({ length: count }, (_, n) => limiters[n % 2]?.consume('authorize', key)));
  const isRefusal = (outcome: PromiseSettledResult<unknown>) =>
    outcome.status === 'rejected' && outcome.reason instanceof TollgateError;

  test('1,000 parallel requests at a limit of 10: exactly 10 pass, the others are told when to return', async () => {
    const outcomes = await askMany(1_000, 'one');
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const outcome of outcomes.filter(isRefusal)) {
      if (outcome.status === 'fulfilled') continue;
      expect(outcome.reason).toMatchObject({ code: 'too_many_requests', status: 429 });
      expect(outcome.reason.retryAfterSeconds).toBeGreaterThanOrEqual(1);
      expect(Number.isInteger(outcome.reason.retryAfterSeconds)).toBe(true);
    }
    await expect(limiters[0]?.check('authorize', 'one')).rejects.toThrow(TollgateError);
    await limiters[1]?.check('authorize', 'two');
  });

  test('frozen and killed: each process counts for itself until Redis is back', async () => {
    process.kill(server.pid, 'SIGSTOP');
    try {
      const outcomes = await askMany(100, 'frozen');
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
      expect(outcomes.filter(isRefusal)).toHaveLength(80);
      await expect(limiters[0]?.check('authorize', 'frozen')).rejects.toThrow(TollgateError);
    } finally {
      process.kill(server.pid, 'SIGCONT');
    }
    await server.stop();
    await sleep(100);
    expect((await askMany(100, 'killed')).filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    server = await startOwnRedis({ port: server.port });
    await Promise.all(clients.map(untilReady));
    expect((await askMany(100, 'back')).filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });
});
