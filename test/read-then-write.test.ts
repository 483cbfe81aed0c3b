// The transaction of a charge sends what need not wait for each other at once (src/read-then-write.ts). That changes how
// long it takes and nothing else: everything commits or nothing does, each statement is sent once, in its order, and
// none is left over for whoever has the connection next.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { type Database, rowsOf, transaction } from '../src/database.ts';
import { createReadThenWrite, type ReadThenWrite } from '../src/read-then-write.ts';
import { isUniqueViolation } from '../src/sql-state.ts';
import { together } from '../src/together.ts';
import { openTestDatabase, type TestDatabase } from './harness/database.ts';

let database: TestDatabase;
let db: Database;
let readThenWrite: ReadThenWrite;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.connection.db;
  readThenWrite = createReadThenWrite(database.connection);
  await db.execute(sql`create table notes (id serial, text text unique)`);
});
beforeEach(() => db.execute(sql`truncate notes restart identity`));
afterAll(() => database.remove());

const nothing = async () => undefined;

function note(tx: Database, text: string) {
  return tx.execute(sql`insert into notes (text) values (${text}) returning id`);
}

async function notes(): Promise<unknown[]> {
  return rowsOf(await db.execute(sql`select text from notes order by id`)).map(({ text }) => text);
}

test('what is sent at once is executed in the order in which it was sent, each once', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `note ${index}`);
  await readThenWrite({
    read: nothing,
    write: (tx) => together(names.map((name) => note(tx, name))),
  });
  expect(await notes()).toEqual(names);
});

test('what the look-ups found is what the second step gets', async () => {
  await note(db, 'before');
  const found = await readThenWrite({
    read: (tx) => together([tx.execute(sql`select text from notes`), tx.execute(sql`select 7 as seven`)]),
    write: async (_tx, [texts, sevens]) => [...rowsOf(texts), ...rowsOf(sevens)],
  });
  expect(found).toEqual([{ text: 'before' }, { seven: 7 }]);
});

test('of statements that were sent at once, one that fails takes all of them back', async () => {
  await note(db, 'taken');
  const attempt = readThenWrite({
    read: nothing,
    write: (tx) => together([note(tx, 'first'), note(tx, 'taken'), note(tx, 'last')]),
  });
  expect(await attempt.catch(isUniqueViolation)).toBe(true);
  expect(await notes()).toEqual(['taken']);
});

test('a statement that follows late is not executed after the end of a transaction that failed', async () => {
  await note(db, 'taken');
  const late = async (tx: Database) => {
    await sleep(20);
    await note(tx, 'late');
  };
  const attempt = readThenWrite({
    read: nothing,
    write: (tx) => together([note(tx, 'taken'), late(tx)]),
  });
  expect(await attempt.catch(isUniqueViolation)).toBe(true);
  await sleep(60);
  expect(await notes()).toEqual(['taken']);
});

test('an error of the first step ends the transaction before anything is written', async () => {
  const attempt = readThenWrite({
    read: (tx) => together([tx.execute(sql`select 1`), tx.execute(sql`select 1 / 0`)]),
    write: (tx) => note(tx, 'never'),
  });
  await expect(attempt).rejects.toThrow();
  expect(await notes()).toEqual([]);
  await readThenWrite({ read: nothing, write: (tx) => note(tx, 'afterwards') });
  expect(await notes()).toEqual(['afterwards']);
});

test('a refusal of our own takes back what was written', async () => {
  const attempt = readThenWrite({
    read: nothing,
    async write(tx) {
      await note(tx, 'one');
      throw new Error('refused');
    },
  });
  await expect(attempt).rejects.toThrow('refused');
  expect(await notes()).toEqual([]);
});

test('two at once, each with the other in its way, both end', async () => {
  const both = await Promise.allSettled(
    [0, 1].map(() =>
      readThenWrite({ read: nothing, write: (tx) => together([note(tx, 'a'), note(tx, 'b')]) }),
    ),
  );
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await notes()).toEqual(['a', 'b']);
});

test('the transactions of everybody else may send statements at once as well', async () => {
  await transaction(db, (tx) => together([note(tx, 'a'), note(tx, 'b'), note(tx, 'c')]));
  expect(await notes()).toEqual(['a', 'b', 'c']);
});
