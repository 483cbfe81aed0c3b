// The queue under the mails: a job exists when its transaction committed, runs once, and comes back when it
// failed.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { type Database, rowsOf, transaction } from '../../src/database/connection.ts';
import { createLog } from '../../src/log.ts';
import { type Jobs, startJobs } from '../../src/queue/jobs.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { until } from '../harness/until.ts';

type Order = { name: string; mishap?: 'fail once' };

let database: TestDatabase;
let db: Database;
let jobs: Jobs;
const done: string[] = [];
const seen = new Map<string, number>();

beforeAll(async () => {
  database = await openTestDatabase();
  const { connection, databaseUrl } = database;
  db = connection.db;
  jobs = await startJobs({ connection, databaseUrl, log: createLog({ level: 'silent' }) });
  await jobs.work<Order>('mail', async ({ name, mishap }) => {
    seen.set(name, (seen.get(name) ?? 0) + 1);
    if (mishap === 'fail once' && seen.get(name) === 1) throw new Error('the first time');
    done.push(name);
  });
});

afterAll(async () => {
  await jobs.stop();
  await database.remove();
});

function send(orders: (Order & { startAfter?: Date })[]) {
  return transaction(db, (tx) =>
    jobs.send(
      tx,
      'mail',
      orders.map(({ startAfter, ...data }) => ({
        data,
        ...(startAfter && { startAfter }),
      })),
    ),
  );
}

const isDone = (name: string, seconds = 10) =>
  until(`${name} is done`, () => done, { isIt: (names) => names.includes(name), seconds });

async function states(name: string): Promise<string[]> {
  const rows = await db.execute(
    sql`select state from jobs.job where name = 'mail' and data->>'name' = ${name}`,
  );
  return rowsOf(rows).map(({ state }) => String(state));
}

test('a job runs when its transaction committed, and is completed', async () => {
  const refused = transaction(db, async (tx) => {
    await jobs.send(tx, 'mail', [{ data: { name: 'rolled back' } }]);
    throw new Error('no');
  });
  await expect(refused).rejects.toThrow('no');
  await send([{ name: 'committed' }]);
  await isDone('committed');
  await until('the job is completed', () => states('committed'), {
    isIt: ([state, ...others]) => state === 'completed' && others.length === 0,
  });
  expect(await states('rolled back')).toEqual([]);
  expect(seen.get('rolled back')).toBeUndefined();
});

test('a job that fails returns to the queue and runs again', async () => {
  await send([{ name: 'stumbles', mishap: 'fail once' }]);
  await isDone('stumbles', 30);
  expect(seen.get('stumbles')).toBe(2);
});

test('a delayed job does not run early', async () => {
  const startAfter = new Date(Date.now() + 1_500);
  await send([{ name: 'delayed', startAfter }]);
  await isDone('delayed');
  expect(Date.now()).toBeGreaterThanOrEqual(startAfter.getTime() - 50);
});
