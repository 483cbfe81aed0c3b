// Look-ups of one moment share a connection (src/database/look-ups.ts), and nothing else: each has its own answer.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { type Database, lookUpsOf, rowsOf } from '../../src/database/connection.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
let lookUps: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  lookUps = lookUpsOf(database.connection);
});
afterAll(() => database.remove());

const ask = async (number: number) => rowsOf(await lookUps.execute(sql`select ${number}::int as number`));

test('a hundred at once: everybody gets what they asked for', async () => {
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  expect(await Promise.all(numbers.map(ask))).toEqual(numbers.map((number) => [{ number }]));
});

test('one that fails is nobody else’s trouble, at that moment and afterwards', async () => {
  const broken = lookUps.execute(sql`select 1 / 0`).then(
    () => 'an answer',
    () => 'an error',
  );
  expect(await Promise.all([ask(1), broken, ask(3)])).toEqual([[{ number: 1 }], 'an error', [{ number: 3 }]]);
  expect(await ask(4)).toEqual([{ number: 4 }]);
});

test('a table that a migration changed is found again, though its statement was prepared before', async () => {
  const find = async () => rowsOf(await lookUps.execute(sql`select * from shapes where corners = ${3}`));
  await database.connection.db.execute(sql`create table shapes as select 3 as corners`);
  expect(await find()).toEqual([{ corners: 3 }]);
  await database.connection.db.execute(sql`alter table shapes add column name text default 'triangle'`);
  // PostgreSQL refuses it once; the next one has a connection that prepares anew.
  await find().catch(() => undefined);
  expect(await find()).toEqual([{ corners: 3, name: 'triangle' }]);
});
