// The queue under the webhooks (design 2.8): a job exists when its transaction committed, runs once, comes back
// when it failed, and waits for nobody of another group.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { type Database, rowsOf, transaction } from '../src/database.ts';
import { type PooledJob, startJobPool } from '../src/job-pool.ts';
import { type Jobs, startJobs } from '../src/jobs.ts';
import { createLog } from '../src/log.ts';
import { openTestDatabase, type TestDatabase } from './harness/database.ts';
import { measure } from './harness/stopwatch.ts';

type Order = { name: string; mishap?: 'fail once' | 'hang' };

let database: TestDatabase;
let db: Database;
let jobs: Jobs;
const done: string[] = [];
const seen = new Map<string, number>();
let release: () => void = () => undefined;
const released = new Promise<void>((resolve) => {
  release = resolve;
});

beforeAll(async () => {
  database = await openTestDatabase();
  const { connection, databaseUrl } = database;
  db = connection.db;
  jobs = await startJobs({ connection, databaseUrl, log: createLog({ level: 'silent' }) });
  await jobs.work<Order>('webhooks', async ({ name, mishap }) => {
    seen.set(name, (seen.get(name) ?? 0) + 1);
    if (mishap === 'hang') await released;
    if (mishap === 'fail once' && seen.get(name) === 1) throw new Error('the first time');
    done.push(name);
  });
});

afterAll(async () => {
  release();
  await jobs.stop();
  await database.remove();
});

function send(orders: (Order & { group?: string; startAfter?: Date })[]) {
  return transaction(db, (tx) =>
    jobs.send(
      tx,
      'webhooks',
      orders.map(({ group, startAfter, ...data }) => ({
        data,
        ...(group && { group }),
        ...(startAfter && { startAfter }),
      })),
    ),
  );
}

async function until(condition: () => boolean, milliseconds = 10_000): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`not within ${milliseconds} ms`);
    await pause(10);
  }
}

async function states(name: string): Promise<string[]> {
  const rows = await db.execute(
    sql`select state from jobs.job where name = 'webhooks' and data->>'name' = ${name}`,
  );
  return rowsOf(rows).map(({ state }) => String(state));
}

test('a job runs when its transaction committed, and is completed', async () => {
  const refused = transaction(db, async (tx) => {
    await jobs.send(tx, 'webhooks', [{ data: { name: 'rolled back' } }]);
    throw new Error('no');
  });
  await expect(refused).rejects.toThrow('no');
  await send([{ name: 'committed' }]);
  await until(() => done.includes('committed'));
  for (let tries = 0; tries < 100 && (await states('committed'))[0] !== 'completed'; tries += 1)
    await pause(20);
  expect(await states('committed')).toEqual(['completed']);
  expect(await states('rolled back')).toEqual([]);
  expect(seen.get('rolled back')).toBeUndefined();
});

test('a job that fails returns to the queue and runs again', async () => {
  await send([{ name: 'stumbles', mishap: 'fail once' }]);
  await until(() => done.includes('stumbles'), 30_000);
  expect(seen.get('stumbles')).toBe(2);
});

test('a delayed job does not run early', async () => {
  const startAfter = new Date(Date.now() + 1_500);
  await send([{ name: 'delayed', startAfter }]);
  await until(() => done.includes('delayed'));
  expect(Date.now()).toBeGreaterThanOrEqual(startAfter.getTime() - 50);
});

test('jobs of one group hold at most their places; the next group passes them at once', async () => {
  /** Milliseconds. */
  const pass = async (name: string) => {
    const { milliseconds } = await measure(async () => {
      await send([{ name, group: 'alive' }]);
      await until(() => done.includes(name));
    });
    return milliseconds;
  };
  const alone = await pass('passes alone');
  await send(
    Array.from({ length: 30 }, (_, index) => ({
      name: `hanging ${index}`,
      mishap: 'hang' as const,
      group: 'dead',
    })),
  );
  await until(() => [...seen.keys()].filter((name) => name.startsWith('hanging')).length >= 8);
  expect((await pass('passes')) - alone).toBeLessThan(1_000);
  await pause(1_500);
  expect([...seen.keys()].filter((name) => name.startsWith('hanging'))).toHaveLength(16);
  release();
  await until(() => done.filter((name) => name.startsWith('hanging')).length === 30);
  expect([...seen.entries()].filter(([name, count]) => name.startsWith('hanging') && count !== 1)).toEqual(
    [],
  );
});

test('a group with one place left does not make the jobs of the others come one by one', async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const hung: string[] = [];
  const served: string[] = [];
  const completed: string[] = [];
  let waiting: PooledJob<string>[] = [];
  const add = (groupId: string, count: number) => {
    for (let number = 0; number < count; number += 1)
      waiting.push({ id: `${groupId} ${number}`, data: groupId, groupId, retryCount: 0 });
    pool.wake();
  };
  let fetches = 0;
  const pool = startJobPool<string>({
    source: {
      async fetch(most, ignoreGroups) {
        fetches += 1;
        await pause(2);
        const isDue = ({ groupId }: PooledJob<string>) => !ignoreGroups.includes(groupId ?? '');
        const taken = waiting.filter(isDue).slice(0, most);
        waiting = waiting.filter((job) => !taken.includes(job));
        return taken;
      },
      complete: async ({ id }) => void completed.push(id),
      fail: async () => undefined,
    },
    places: { total: 128, perGroup: 16 },
    pollMilliseconds: 1_000,
    async handler(group) {
      (group === 'slow' ? hung : served).push(group);
      await (group === 'slow' ? finished : pause(5));
    },
    log: createLog({ level: 'silent' }),
  });
  add('slow', 15);
  await until(() => hung.length === 15);
  fetches = 0;
  for (let group = 0; group < 8; group += 1) add(`quick ${group}`, 16);
  await until(() => served.length === 128);
  expect(fetches).toBeLessThan(64);
  // And a crowded group still gets its last place, and no more.
  add('slow', 3);
  await until(() => hung.length === 16);
  await pause(100);
  expect(hung).toHaveLength(16);
  finish();
  await until(() => completed.length === 128 + 18);
  await pool.stop(1_000);
});
