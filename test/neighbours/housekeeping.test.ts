// Housekeeping is never anybody else's problem: a backlog of any size goes in bites, and a step that fails fails alone.
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { type Database, rowsOf } from '../../src/database/connection.ts';
import { createLog } from '../../src/log.ts';
import { createCleaning, deleteExpiredRecords } from '../../src/service/housekeeping.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { refuseLargeDeletions } from './small-statements.ts';

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await openTestDatabase();
  db = database.connection.db;
});
afterEach(() => database.remove());

const NOW = new Date('2026-11-22T12:00:00Z');
const LONG_AGO = '2026-11-20T12:00:00Z';

function createRound(isStopped = () => false) {
  const metrics = createMetrics({ withProcess: false });
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const clean = createCleaning({
    connection: database.connection,
    db,
    clock: () => NOW,
    log: createLog({ level: 'info', destination }),
    metrics,
    onDisabled: async () => undefined,
    isStopped,
  });
  return { clean, lines, numbers: () => metrics.registry.metrics() };
}

test('E: expired records of the engine go however many there are, a bite at a time', async () => {
  await addExpiredRecords(3_500);
  await refuseLargeDeletions(db, ['engine_records']);
  await deleteExpiredRecords(db, NOW);
  expect(await countOf('engine_records')).toBe(0);
});

test('E: a step that fails is told of, and those behind it have their turn', async () => {
  await addExpiredRecords(1);
  await addStaleCounter();
  await db.execute(
    sql.raw(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not today'; end $$`),
  );
  await db.execute(
    sql.raw(`create trigger refused before delete on engine_records for each row execute function refuse()`),
  );
  const { clean, lines, numbers } = createRound();
  await clean();
  expect(await countOf('engine_records')).toBe(1);
  expect(await countOf('attempt_counters')).toBe(0);
  const told = lines.map((line) => JSON.parse(line)).filter(({ step }) => step !== undefined);
  expect(told).toMatchObject([{ msg: expect.stringContaining('failed'), step: 'engine_records' }]);
  const said = await numbers();
  expect(said).toContain(
    'tollgate_housekeeping_duration_seconds_count{step="engine_records",outcome="failed"} 1',
  );
  expect(said).toContain(
    'tollgate_housekeeping_duration_seconds_count{step="attempt_counters",outcome="done"} 1',
  );
  expect(said).toContain('tollgate_housekeeping_rows_total{step="attempt_counters"} 1');
});

test('a process that stops finishes the bite under way and leaves the rest', async () => {
  await addExpiredRecords(3_500);
  let asked = 0;
  const { clean, lines } = createRound(() => {
    asked += 1;
    return asked > 4;
  });
  await clean();
  const left = await countOf('engine_records');
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(3_500);
  expect(lines.join()).toContain('goes on with the rest');
});

async function addExpiredRecords(count: number): Promise<void> {
  await db.execute(sql`
    insert into engine_records (model, id_hash, payload, expires_at)
    select 'AccessToken', 'old ' || n, '{}'::jsonb, ${LONG_AGO}::timestamptz from generate_series(1, ${count}::int) as n`);
}

async function addStaleCounter(): Promise<void> {
  await db.execute(
    sql`insert into attempt_counters (key, count, window_ends_at) values ('old', 1, ${LONG_AGO}::timestamptz)`,
  );
}

async function countOf(table: string): Promise<number> {
  const [row] = rowsOf(await db.execute(sql`select count(*)::int as count from ${sql.identifier(table)}`));
  return Number(row?.count);
}
