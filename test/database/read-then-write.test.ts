// The transaction of a charge sends what need not wait for each other at once (src/database/pipelined-transaction.ts). That changes how
// long it takes and nothing else: everything commits or nothing does, each statement is sent once, in its order, and
// none is left over for whoever has the connection next.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { type Database, rowsOf, transaction } from '../../src/database/connection.ts';
import { createReadThenWrite, type ReadThenWrite } from '../../src/database/pipelined-transaction.ts';
import { settleAll } from '../../src/database/settle-all.ts';
import { isUniqueViolation } from '../../src/database/sql-state.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';

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

function note(text: string) {
  return sql`insert into notes (text) values (${text}) returning id`;
}

const insert = (tx: Database, text: string) => tx.execute(note(text));

const writes =
  (...texts: string[]) =>
  () => ({ statements: texts.map(note), result: texts });

async function notes(): Promise<unknown[]> {
  return rowsOf(await db.execute(sql`select text from notes order by id`)).map(({ text }) => text);
}

test('what is written is executed in its order, each statement once, and committed', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `note ${index}`);
  expect(await readThenWrite({ read: nothing, write: writes(...names) })).toEqual(names);
  expect(await notes()).toEqual(names);
});

test('what the look-ups found is what the second step gets', async () => {
  await insert(db, 'before');
  const found = await readThenWrite({
    read: (tx) => settleAll([tx.execute(sql`select text from notes`), tx.execute(sql`select 7 as seven`)]),
    write: ([texts, sevens]) => ({ statements: [], result: [...rowsOf(texts), ...rowsOf(sevens)] }),
  });
  expect(found).toEqual([{ text: 'before' }, { seven: 7 }]);
});

test('what goes on meanwhile has come to its end before anything is written', async () => {
  let isOver = false;
  const meanwhile = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    isOver = true;
  };
  const write = () => ({ statements: [note(isOver ? 'after it' : 'before it')], result: undefined });
  await readThenWrite({ read: nothing, meanwhile, write });
  expect(await notes()).toEqual(['after it']);
});

test('where it fails nothing is written, and the connection is fit for the next one', async () => {
  const meanwhile = () => Promise.reject(new Error('no tokens'));
  const attempt = readThenWrite({ read: (tx) => insert(tx, 'read'), meanwhile, write: writes('written') });
  await expect(attempt).rejects.toThrow('no tokens');
  expect(await notes()).toEqual([]);
  await readThenWrite({ read: nothing, write: writes('next') });
  expect(await notes()).toEqual(['next']);
});

test('of statements that were sent at once, one that fails takes all of them back', async () => {
  await insert(db, 'taken');
  const attempt = readThenWrite({ read: nothing, write: writes('first', 'taken', 'last') });
  expect(await attempt.catch(isUniqueViolation)).toBe(true);
  expect(await notes()).toEqual(['taken']);
  await readThenWrite({ read: nothing, write: writes('afterwards') });
  expect(await notes()).toEqual(['taken', 'afterwards']);
});

test('an error of the first step ends the transaction before anything is written', async () => {
  const attempt = readThenWrite({
    read: (tx) => settleAll([tx.execute(sql`select 1`), tx.execute(sql`select 1 / 0`)]),
    write: writes('never'),
  });
  await expect(attempt).rejects.toThrow();
  expect(await notes()).toEqual([]);
  await readThenWrite({ read: nothing, write: writes('afterwards') });
  expect(await notes()).toEqual(['afterwards']);
});

test('two at once, each with the other in its way, both end', async () => {
  const both = await Promise.allSettled(
    [0, 1].map(() => readThenWrite({ read: nothing, write: writes('a', 'b') })),
  );
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await notes()).toEqual(['a', 'b']);
});

test('the transactions of everybody else may send statements at once as well', async () => {
  await transaction(db, (tx) => settleAll([insert(tx, 'a'), insert(tx, 'b'), insert(tx, 'c')]));
  expect(await notes()).toEqual(['a', 'b', 'c']);
});
