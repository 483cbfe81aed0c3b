// The embedded database has no process that cleans up behind updates and deletions, as PostgreSQL has: without one of
// our own its files would grow for as long as it serves.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { rowsOf } from '../../src/database/connection.ts';
import { vacuumEmbedded } from '../../src/database/embedded-vacuum.ts';
import { openTestPglite, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestPglite();
});
afterAll(() => database.remove());

async function one(statement: string): Promise<unknown> {
  const [row] = rowsOf(await database.connection.db.execute(sql.raw(statement)));
  return Object.values(row ?? {})[0];
}
const vacuum = async () => {
  if (database.connection.kind === 'pglite') await vacuumEmbedded(database.connection.pglite);
};
/** As sessions do: the same rows, saved again and again. */
async function saveAgain(times: number) {
  for (let time = 0; time < times; time += 1)
    await database.connection.db.execute(
      sql`update engine_records set expires_at = expires_at + interval '1 second'`,
    );
}

test('rows that are saved again and again do not let the files grow', async () => {
  await database.connection.db.execute(sql`
    insert into engine_records (model, id_hash, payload, expires_at)
    select 'Session', 'hash ' || number, jsonb_build_object('filler', repeat('x', 200)), now()
    from generate_series(1, 500) as number`);
  await saveAgain(5);
  await vacuum();
  const size = () => one("select pg_total_relation_size('engine_records')");
  const after = Number(await size());
  for (let day = 0; day < 4; day += 1) {
    await saveAgain(5);
    await vacuum();
  }
  expect(Number(await size())).toBeLessThan(after * 1.3);
}, 60_000);

test('statements are planned for the rows that there are', async () => {
  expect(await one("select reltuples from pg_class where relname = 'engine_records'")).toBe(500);
});

test('the tables of the job queue are among them', async () => {
  const rows = 'select n_live_tup from pg_stat_user_tables where relname = ';
  await database.connection.db.execute(
    sql`create table jobs.of_a_test as select generate_series(1, 500) as id`,
  );
  await database.connection.db.execute(sql`delete from jobs.of_a_test where id > 100`);
  await vacuum();
  expect(await one(`${rows} 'of_a_test'`)).toBe(100);
  expect(await one("select n_dead_tup from pg_stat_user_tables where relname = 'of_a_test'")).toBe(0);
});

test('what has hardly changed is left alone', async () => {
  await database.connection.db.execute(sql`update engine_records set model = model where id_hash = 'hash 1'`);
  await vacuum();
  expect(await one("select n_dead_tup from pg_stat_user_tables where relname = 'engine_records'")).toBe(1);
});
