// Transactions on a pool of connections to PostgreSQL. drizzle's own loses a connection for ever when BEGIN fails, and
// hands a broken one to the next caller; these return it in any case, and for further use only when it is fit for it.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { endsConnection } from './sql-state.ts';

export type PostgresDatabase = NodePgDatabase;

export function drizzleOnPool(pool: pg.Pool): PostgresDatabase {
  const databaseOf = databasesOf();
  const transaction: PostgresDatabase['transaction'] = (work, settings) =>
    lend(pool, (client) => databaseOf(client).transaction(work, settings));
  return Object.assign(drizzle(pool), { transaction });
}

/** One for each connection, for as long as that lives. */
export function databasesOf(): (client: pg.PoolClient) => PostgresDatabase {
  const databases = new WeakMap<pg.PoolClient, PostgresDatabase>();
  return (client) => {
    const database = databases.get(client) ?? drizzle(client);
    databases.set(client, database);
    return database;
  };
}

/** What is thrown is judged by itself; `judge` is for errors that `use` keeps. */
type Use<T> = (client: pg.PoolClient, judge: (error: unknown) => void) => Promise<T>;

export async function lend<T>(pool: pg.Pool, use: Use<T>): Promise<T> {
  const client = await pool.connect();
  let useless: Error | undefined;
  const judge = (error: unknown) => {
    if (endsConnection(error)) useless = error;
  };
  try {
    return await use(client, judge);
  } catch (error) {
    judge(error);
    throw error;
  } finally {
    client.release(useless ?? client.getTransactionStatus() !== 'I');
  }
}
