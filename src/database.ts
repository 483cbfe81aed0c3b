// The database behind everything: PGlite on disk for one process, or PostgreSQL. Both wear the same drizzle type,
// so that no other file knows which one it is.
import { isNativeError } from 'node:util/types';
import type { PGlite } from '@electric-sql/pglite';
import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { drizzle as drizzlePostgres, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PgColumn, PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import * as schema from '../drizzle/schema.ts';
import { serviceUnavailable, TollgateError } from './errors.ts';
import { postgresChargeConnections, postgresConnections, transactionAttempts } from './limits.ts';
import { createPostgresPool, LONG_WORK } from './postgres-pool.ts';

export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

type Common = {
  db: Database;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
};
export type Connection = Common &
  (
    | { kind: 'pglite'; pglite: PGlite }
    /** `charges`: connections that nothing else uses, so that a charge never waits behind other work. */
    | { kind: 'postgres'; pool: pg.Pool; charges: Database }
  );

export type DatabaseOptions =
  | { databaseUrl: string; onError?: (error: Error) => void }
  /** A folder that nobody else has open (src/data-directory.ts holds the lock), or a copy in memory. */
  | { folder: string }
  | { memory: true; snapshot?: Blob };

export async function openDatabase(options: DatabaseOptions): Promise<Connection> {
  if ('databaseUrl' in options) return openPostgres(options.databaseUrl, options.onError);
  // A process that serves from PostgreSQL never loads it.
  const [{ PGlite }, { drizzle }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('drizzle-orm/pglite'),
  ]);
  const pglite = await PGlite.create(placeOf(options));
  await pglite.exec("set time zone 'UTC'");
  return {
    kind: 'pglite',
    pglite,
    db: drizzle(pglite, { schema }),
    ping: async () => void (await pglite.query('select 1')),
    close: () => pglite.close(),
  };
}

function placeOf(options: Exclude<DatabaseOptions, { databaseUrl: string }>) {
  if ('folder' in options) return { dataDir: options.folder };
  return options.snapshot ? { loadDataDir: options.snapshot } : {};
}

function openPostgres(databaseUrl: string, onError: (error: Error) => void = () => undefined): Connection {
  const isDemotion = (error: unknown) => sqlState(error) === READ_ONLY_SERVER;
  const common = { databaseUrl, onError, isDemotion };
  const pool = createPostgresPool({ ...common, connections: postgresConnections });
  const chargePool = createPostgresPool({ ...common, connections: postgresChargeConnections });
  return {
    kind: 'postgres',
    pool,
    db: drizzleOnPool(pool),
    charges: drizzleOnPool(chargePool),
    ping: async () => void (await pool.query('select 1')),
    close: async () => void (await Promise.all([pool.end(), chargePool.end()])),
  };
}

type PostgresDatabase = NodePgDatabase<typeof schema>;

/**
 * drizzle's own transaction on a pool loses a connection for ever when BEGIN fails, and hands a broken one to the
 * next caller. This one returns it in any case, and for further use only when no transaction is open on it.
 */
function drizzleOnPool(pool: pg.Pool): PostgresDatabase {
  const db = drizzlePostgres(pool, { schema });
  const databases = new WeakMap<pg.PoolClient, PostgresDatabase>();
  const databaseOf = (client: pg.PoolClient) => {
    const database = databases.get(client) ?? drizzlePostgres(client, { schema });
    databases.set(client, database);
    return database;
  };
  const runTransaction: PostgresDatabase['transaction'] = async (work, settings) => {
    const client = await pool.connect();
    let useless: Error | undefined;
    try {
      return await databaseOf(client).transaction(work, settings);
    } catch (error) {
      if (isNativeError(error) && ENDS_CONNECTION.includes(sqlState(error) ?? '')) useless = error;
      throw error;
    } finally {
      client.release(useless ?? client.getTransactionStatus() !== 'I');
    }
  };
  return Object.assign(db, { transaction: runTransaction });
}

/** For transactions that read everything: neither the server nor the client ends their statements. */
export async function allowLongStatements(tx: Database): Promise<void> {
  await tx.execute(sql`set local statement_timeout = 0`);
  await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
  await tx.execute(sql.raw(`set local application_name = '${LONG_WORK}'`));
}

/**
 * `inArray` for look-ups of many: one parameter however many values, so the text of the statement never changes. A
 * placeholder is for queries that are built once (`prepare`): building costs more than the rest of a short look-up.
 */
export function isOneOf(column: PgColumn, values: string[] | Placeholder): SQL {
  return sql`${column} = any(${sql.param(values)}::text[])`;
}

/** The rows of `db.execute(sql…)`: both drivers wrap them alike, but the common type cannot say so. */
export function rowsOf(result: unknown): Record<string, unknown>[] {
  if (typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows))
    return result.rows;
  throw new TypeError('the database driver returned no rows');
}

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
/** The server became a replica; a new connection may find the new primary. */
const READ_ONLY_SERVER = '25006';
/** A statement that this connection has prepared does not fit its tables any more; a new connection prepares anew. */
const STALE_STATEMENT = '0A000';
const ENDS_CONNECTION = [READ_ONLY_SERVER, STALE_STATEMENT];
const REPEATABLE = [SERIALIZATION_FAILURE, DEADLOCK_DETECTED, STALE_STATEMENT];

/**
 * Everything inside commits together or not at all. Repeats the whole of `work` when the database asks for it,
 * so `work` must do nothing but database work on `tx`.
 */
export async function transaction<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction((tx) => work(tx));
    } catch (error) {
      const state = sqlState(error);
      if (!REPEATABLE.includes(state ?? '') || attempt >= transactionAttempts) throw error;
    }
  }
}

/** The five characters of SQLSTATE, or a network error's code; drizzle wraps the driver's error as `cause`. */
export function sqlState(error: unknown): string | undefined {
  if (!isNativeError(error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return sqlState(error.cause);
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === '23505';
}

const UNREACHABLE =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|57P0|08|53|57014|55P03|25P03|25006)/;

/** A database that is away, full, starting or too slow, as the 503 that callers may see; anything else as it is. */
export function asServiceUnavailable(error: unknown): unknown {
  if (error instanceof TollgateError) return error;
  const state = sqlState(error);
  if (state !== undefined && UNREACHABLE.test(state)) return serviceUnavailable(error);
  if (isBrokenConnection(error)) return serviceUnavailable(error);
  return error;
}

const BROKEN =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|Query read timeout/;

/** pg reports these without a code. */
function isBrokenConnection(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  return BROKEN.test(error.message) || isBrokenConnection(error.cause);
}
