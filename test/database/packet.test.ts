// Statements of one moment leave in one packet with one Sync (src/database/packet.ts). That uses how `pg` tells its queries what
// the server says, which its documentation leaves out: here is what has to stay true of it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { sqlState } from '../../src/database/sql-state.ts';
import { hasPostgres, openTestPostgres, type TestDatabase } from '../harness/database.ts';

const describeOnPostgres = (await hasPostgres()) ? describe : describe.skip;
const SKIPPED = '25P02';
const UNIQUE = '23505';

describeOnPostgres('statements of one moment', () => {
  let database: TestDatabase;
  let client: pg.PoolClient;

  beforeAll(async () => {
    database = await openTestPostgres();
    await poolOf(database).query('create table notes (text text primary key)');
  });
  beforeEach(async () => {
    client = await poolOf(database).connect();
    await client.query('truncate notes');
  });
  afterEach(() => client.release());
  afterAll(() => database.remove());

  /** Syncs that the server has answered since. */
  function countSyncs(): () => number {
    const connection: unknown = Reflect.get(client, 'connection');
    if (!isEmitter(connection)) throw new TypeError('the client of pg has no connection');
    let count = 0;
    connection.on('readyForQuery', () => {
      count += 1;
    });
    return () => count;
  }
  const note = (text: unknown) => client.query('insert into notes values ($1) returning text', [text]);
  const notes = async () =>
    (await client.query('select text from notes order by 1')).rows.map(({ text }) => text);
  const outcomeOf = (query: Promise<pg.QueryResult>) =>
    query.then(
      ({ rows }) => rows[0]?.text ?? 'nothing',
      (error: unknown) => sqlState(error) ?? 'unnamed',
    );
  const outcomesOf = (...queries: Promise<pg.QueryResult>[]) => Promise.all(queries.map(outcomeOf));

  test('share one Sync, also a transaction with its BEGIN and COMMIT, and each has its own answer', async () => {
    const syncs = countSyncs();
    const answers = outcomesOf(client.query('begin'), note('a'), note('b'), client.query('commit'));
    expect(await answers).toEqual(['nothing', 'a', 'b', 'nothing']);
    expect(syncs()).toBe(1);
    expect(await notes()).toEqual(['a', 'b']);
    expect(client.getTransactionStatus()).toBe('I');
  });

  test('one alone has a Sync of its own', async () => {
    const syncs = countSyncs();
    await note('a');
    await note('b');
    expect(syncs()).toBe(2);
  });

  test('after one that fails the rest is skipped, COMMIT too', async () => {
    await note('taken');
    const answers = outcomesOf(
      client.query('begin'),
      note('a'),
      note('taken'),
      note('b'),
      client.query('commit'),
    );
    expect(await answers).toEqual(['nothing', 'a', UNIQUE, SKIPPED, SKIPPED]);
    await client.query('rollback');
    expect(client.getTransactionStatus()).toBe('I');
    expect(await notes()).toEqual(['taken']);
  });

  test('outside of a transaction they are one', async () => {
    await note('taken');
    expect(await outcomesOf(note('a'), note('taken'))).toEqual(['a', UNIQUE]);
    expect(await notes()).toEqual(['taken']);
  });

  test('what was skipped before the server had prepared it is prepared the next time', async () => {
    const find = () => client.query('select $1 || text as text from notes', ['found ']);
    await note('taken');
    expect(await outcomesOf(note('taken'), find())).toEqual([UNIQUE, SKIPPED]);
    expect(await outcomesOf(find(), find())).toEqual(['found taken', 'found taken']);
  });

  test('a statement that the server cannot parse leaves nothing prepared under its name', async () => {
    const broken = () => client.query('select $1 from nowhere', ['a']);
    expect(await outcomesOf(note('a'), broken(), note('b'))).toEqual(['a', '42P01', SKIPPED]);
    await client.query('create temp table nowhere as select 1');
    expect(await outcomesOf(note('c'), broken())).toEqual(['c', 'nothing']);
    await client.query('drop table nowhere');
  });

  test.each([0, 1, 2])('a value that cannot be written down, at place %i, ends it there', async (place) => {
    const endless: Record<string, unknown> = {};
    endless.self = endless;
    const values = ['a', 'b', 'c'].map((text, index) => (index === place ? endless : text));
    const answers = outcomesOf(client.query('begin'), ...values.map(note), client.query('commit'));
    const expected = values.map((_, index) => (index < place ? values[index] : SKIPPED));
    expect(await answers).toEqual(['nothing', ...expected.with(place, 'unnamed'), SKIPPED]);
    await client.query('rollback');
    expect(await outcomesOf(note('d'), note('e'))).toEqual(['d', 'e']);
    expect(await notes()).toEqual(['d', 'e']);
  });

  test('a connection that breaks tells each of them', async () => {
    const lost = await poolOf(database).connect();
    lost.on('error', () => undefined);
    const answers = Promise.allSettled([
      lost.query('select pg_terminate_backend(pg_backend_pid())'),
      lost.query('select 1'),
      lost.query('select 2'),
    ]);
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    lost.release(true);
  });

  test('one that had broken before they left does too', async () => {
    const lost = await poolOf(database).connect();
    lost.on('error', () => undefined);
    await lost.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    const answers = Promise.allSettled([lost.query('begin'), lost.query('select 1'), lost.query('commit')]);
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    lost.release(true);
  });

  test('random statements: what is answered well is there, and nothing is that was not', async () => {
    for (let round = 0; round < 200; round += 1) {
      const texts = Array.from({ length: 1 + (round % 7) }, (_, index) => `${(round * 7 + index * 3) % 11}`);
      const before = await notes();
      const answers = await outcomesOf(...texts.map(note));
      const first = texts.findIndex((text, index) => [...before, ...texts.slice(0, index)].includes(text));
      const failed =
        first === -1
          ? texts
          : [...texts.slice(0, first), UNIQUE, ...texts.slice(first + 1).map(() => SKIPPED)];
      expect(answers).toEqual(failed);
      expect(await notes()).toEqual(first === -1 ? [...before, ...texts].sort() : before);
      if (round % 3 === 0) await client.query('truncate notes');
    }
  });
});

function poolOf({ connection }: TestDatabase): pg.Pool {
  if (connection.kind !== 'postgres') throw new TypeError('not PostgreSQL');
  return connection.pool;
}

function isEmitter(value: unknown): value is NodeJS.EventEmitter {
  return typeof value === 'object' && value !== null && 'on' in value && typeof value.on === 'function';
}
