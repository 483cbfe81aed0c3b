// A transaction that looks first and writes then, which is what a charge does, in two round trips: its look-ups travel
// with BEGIN, and all that it writes travels with COMMIT. One refused statement makes a ROLLBACK of that COMMIT.
import { type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import { type Connection, type Database, transaction } from './connection.ts';
import { settleAll } from './settle-all.ts';
import { repeatWhenAsked } from './sql-state.ts';
import { databasesOf, drizzleOnPool, lend, type PostgresDatabase } from './transaction.ts';

export type Steps<R, T> = {
  /** Nothing but look-ups, and locks on what they find. */
  read(tx: Database): Promise<R>;
  /** What to write, executed in this order, and what is true once that is committed. Knows no more than `found`. */
  write(found: R): { statements: SQL[]; result: T };
  /** What else must have come to its end before anything is written; it goes on beside the look-ups. Short. */
  meanwhile?(): Promise<unknown>;
  /** For each lock, where that is less than usual. */
  lockMilliseconds?: number;
};

/**
 * Everything of `write` commits together or not at all; both steps are repeated when the database asks for it. When the
 * connection breaks, the caller cannot know whether it was committed.
 */
export type ReadThenWrite = <R, T>(steps: Steps<R, T>) => Promise<T>;

export function createReadThenWrite(connection: Connection): ReadThenWrite {
  if (connection.kind === 'postgres') return onPool(connection.charges);
  // Nothing is far away there, and nobody else holds a lock: PGlite runs in this process.
  const { db } = connection;
  return async ({ read, write, meanwhile }) => {
    // Before, since it may need the one connection that there is.
    await meanwhile?.();
    return transaction(db, async (tx) => {
      const { statements, result } = write(await read(tx));
      for (const statement of statements) await tx.execute(statement);
      return result;
    });
  };
}

/** On the same connections, for what belongs to charges and decides between its statements. */
export function chargesOf(connection: Connection): Database {
  return connection.kind === 'postgres' ? drizzleOnPool(connection.charges) : connection.db;
}

function onPool(pool: pg.Pool): ReadThenWrite {
  const databaseOf = databasesOf();
  return (steps) =>
    repeatWhenAsked(() => lend(pool, (client) => readThenWrite(client, databaseOf(client), steps)));
}

async function readThenWrite<R, T>(client: pg.PoolClient, db: PostgresDatabase, steps: Steps<R, T>) {
  const { statements, result } = steps.write(await beginAndRead(client, db, steps));
  // Sent at once: after a statement that fails, the server refuses the rest and COMMIT takes everything back.
  await settleAll([...statements, sql`commit`].map((statement) => db.execute(statement)));
  return result;
}

async function beginAndRead<R, T>(
  client: pg.PoolClient,
  db: PostgresDatabase,
  { read, meanwhile, lockMilliseconds }: Steps<R, T>,
): Promise<R> {
  try {
    // Awaited before anything is written: without BEGIN, a statement would be a transaction of its own.
    const [, , found] = await settleAll([
      client.query('begin'),
      lockMilliseconds && client.query(`set local lock_timeout = ${Math.ceil(lockMilliseconds)}`),
      read(db),
      meanwhile?.(),
    ]);
    return found;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
