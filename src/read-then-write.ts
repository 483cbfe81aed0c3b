// A transaction that looks first and writes then, which is what a charge does. Its look-ups travel with BEGIN, and what
// it sends at once (together.ts) shares a packet: a charge waits for PostgreSQL four times instead of thirteen.
import type pg from 'pg';
import { type Connection, type Database, transaction } from './database.ts';
import { databasesOf, lend, type PostgresDatabase } from './postgres-transaction.ts';
import { repeatWhenAsked } from './sql-state.ts';
import { together } from './together.ts';

export type Steps<R, T> = {
  /** Nothing but look-ups. */
  read(tx: Database): Promise<R>;
  write(tx: Database, found: R): Promise<T>;
};

/** Everything of `write` commits together or not at all; both steps are repeated when the database asks for it. */
export type ReadThenWrite = <R, T>(steps: Steps<R, T>) => Promise<T>;

/** For charges. */
export function createReadThenWrite(connection: Connection): ReadThenWrite {
  if (connection.kind === 'postgres') return onPool(connection.charges);
  // Nothing is far away there: PGlite runs in this process.
  const { db } = connection;
  return ({ read, write }) => transaction(db, async (tx) => write(tx, await read(tx)));
}

function onPool(pool: pg.Pool): ReadThenWrite {
  const databaseOf = databasesOf();
  return (steps) =>
    repeatWhenAsked(() => lend(pool, (client) => readThenWrite(client, databaseOf(client), steps)));
}

async function readThenWrite<R, T>(
  client: pg.PoolClient,
  db: PostgresDatabase,
  { read, write }: Steps<R, T>,
): Promise<T> {
  try {
    // Both are awaited before anything is written: without BEGIN, a statement would be a transaction of its own.
    const [, found] = await together([client.query('begin'), read(db)]);
    const result = await write(db, found);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
