// A process that stops (threat 100): what is in flight ends, and jobs that do not end in time are handed back at once
// instead of when their queue notices that nobody works on them.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createLog } from '../../src/log.ts';
import { type JobSource, type PooledJob, startJobPool } from '../../src/queue/job-pool.ts';
import { listen } from '../../src/service/server.ts';
import { until } from '../harness/until.ts';

test('a job that outlasts the shutdown is handed back; one that ends in time is not', async () => {
  const waiting: PooledJob<string>[] = [
    { id: 'quick', data: 'quick', retryCount: 0 },
    { id: 'stuck', data: 'stuck', retryCount: 0 },
  ];
  const settled: string[] = [];
  const source: JobSource<string> = {
    fetch: async (most) => waiting.splice(0, most),
    complete: async ({ id }) => settled.push(`${id} done`),
    fail: async ({ id }) => settled.push(`${id} handed back`),
  };
  const { promise: never } = Promise.withResolvers<void>();
  const pool = startJobPool({
    source,
    places: 4,
    pollMilliseconds: 20,
    handler: (name) => (name === 'stuck' ? never : sleep(200)),
    log: createLog({ level: 'silent' }),
  });
  await until('all are begun', () => waiting.length === 0);
  await pool.stop(1_000);
  expect(settled).toEqual(['quick done', 'stuck handed back']);
});

test('a connection that asked for nothing, as browsers open in advance, holds nobody up; a request under way is answered', async () => {
  const asked = Promise.withResolvers<void>();
  const server = await listen(
    async (_request, response) => {
      asked.resolve();
      await sleep(300);
      response.end('answered');
    },
    { host: '127.0.0.1', port: 0 },
  );
  const silent = connect(server.port, '127.0.0.1').on('error', () => undefined);
  await new Promise((resolve) => silent.once('connect', resolve));
  const answer = fetch(`http://127.0.0.1:${server.port}/`);
  await asked.promise;
  const startedAt = performance.now();
  await server.close();
  expect(await (await answer).text()).toBe('answered');
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
