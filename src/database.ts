// The database behind everything: PGlite on disk for one process, or PostgreSQL. Both wear the same drizzle type,
// so that no other file knows which one it is.
import { PGlite } from '@electric-sql/pglite';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import pg from 'pg';
import * as schema from '../drizzle/schema.ts';
import { serviceUnavailable, TollgateError } from './errors.ts';
import {
  postgresConnections,
  postgresConnectMilliseconds,
  postgresLockMilliseconds,
  postgresStatementMilliseconds,
  transactionAttempts,
} from './limits.ts';

export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

type Common = {
  db: Database;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
};
export type Connection = Common & ({ kind: 'pglite'; pglite: PGlite } | { kind: 'postgres'; pool: pg.Pool });

export type DatabaseOptions =
  | { databaseUrl: string; onError?: (error: Error) => void }
  /** A folder that nobody else has open (src/data-directory.ts holds the lock), or a copy in memory. */
  | { folder: string }
  | { memory: true; snapshot?: Blob };

export async function openDatabase(options: DatabaseOptions): Promise<Connection> {
  if ('databaseUrl' in options) return openPostgres(options.databaseUrl, options.onError);
  const pglite =
    'folder' in options ? await PGlite.create(options.folder) : await openInMemory(options.snapshot);
  await pglite.exec("set time zone 'UTC'");
  return {
    kind: 'pglite',
    pglite,
    db: drizzlePglite(pglite, { schema }),
    ping: async () => void (await pglite.query('select 1')),
    close: () => pglite.close(),
  };
}

function openInMemory(snapshot: Blob | undefined): Promise<PGlite> {
  return snapshot ? PGlite.create({ loadDataDir: snapshot }) : PGlite.create();
}

function openPostgres(databaseUrl: string, onError: (error: Error) => void = () => undefined): Connection {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: postgresConnections,
    connectionTimeoutMillis: postgresConnectMilliseconds,
    statement_timeout: postgresStatementMilliseconds,
    lock_timeout: postgresLockMilliseconds,
    idle_in_transaction_session_timeout: postgresStatementMilliseconds,
    options: '-c timezone=UTC',
    application_name: 'tollgate',
  });
  // An idle connection that breaks must not end the process; the next query opens another one.
  pool.on('error', onError);
  // The same for one that breaks between two statements of a transaction: the next statement says so to its caller.
  pool.on('connect', (client) => client.on('error', onError));
  return {
    kind: 'postgres',
    pool,
    db: drizzlePostgres(pool, { schema }),
    ping: async () => void (await pool.query('select 1')),
    close: () => pool.end(),
  };
}

/** The rows of `db.execute(sql…)`: both drivers wrap them alike, but the common type cannot say so. */
export function rowsOf(result: unknown): Record<string, unknown>[] {
  if (typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows))
    return result.rows;
  throw new TypeError('the database driver returned no rows');
}

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

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
      const repeatable = state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
      if (!repeatable || attempt >= transactionAttempts) throw error;
    }
  }
}

/** The five characters of SQLSTATE, or a network error's code; drizzle wraps the driver's error as `cause`. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return sqlState(error.cause);
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === '23505';
}

const UNREACHABLE = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|57P0|08|53|57014|55P03|25P03)/;

/** A database that is away, full, starting or too slow, as the 503 that callers may see; anything else as it is. */
export function asServiceUnavailable(error: unknown): unknown {
  if (error instanceof TollgateError) return error;
  const state = sqlState(error);
  if (state !== undefined && UNREACHABLE.test(state)) return serviceUnavailable(error);
  if (isConnectionTimeout(error)) return serviceUnavailable(error);
  return error;
}

/** pg reports these two without a code. */
function isConnectionTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (/timeout exceeded when trying to connect|Connection terminated/.test(error.message)) return true;
  return isConnectionTimeout(error.cause);
}
