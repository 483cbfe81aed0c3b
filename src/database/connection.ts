// The database behind everything: PGlite on disk for one process, or PostgreSQL. Both wear the same drizzle type,
// so that no other file knows which one it is.
import type { PGlite } from '@electric-sql/pglite';
import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { postgresChargeConnections } from '../limits/charges.ts';
import { postgresProbeConnections, postgresReadConnections } from '../limits/reads.ts';
import { postgresConnections, postgresLookUpConnections } from '../limits/stores.ts';
import { lookUpsOn } from './look-ups.ts';
import { createPostgresPool, LONG_WORK } from './pool.ts';
import { repeatWhenAsked } from './sql-state.ts';
import { drizzleOnPool } from './transaction.ts';

export type Database = PgDatabase<PgQueryResultHKT>;

type Common = {
  db: Database;
  /** For questions about the database itself, which must be answered however busy everything else is. */
  probe: Database;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
};
export type Connection = Common &
  (
    | { kind: 'pglite'; pglite: PGlite }
    | {
        kind: 'postgres';
        pool: pg.Pool;
        /** Connections that nothing else uses, so that a charge never waits behind other work. */
        charges: pg.Pool;
        lookUps: Database;
        reads: Database;
      }
  );

export type DatabaseOptions =
  | { databaseUrl: string; onError?: (error: Error) => void }
  /** A folder that nobody else has open (src/service/data-directory.ts holds the lock), or a copy in memory. */
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
  const db = drizzle(pglite);
  return {
    kind: 'pglite',
    pglite,
    db,
    probe: db,
    ping: async () => void (await pglite.query('select 1')),
    close: () => pglite.close(),
  };
}

function placeOf(options: Exclude<DatabaseOptions, { databaseUrl: string }>) {
  if ('folder' in options) return { dataDir: options.folder };
  return options.snapshot ? { loadDataDir: options.snapshot } : {};
}

function openPostgres(databaseUrl: string, onError: (error: Error) => void = () => undefined): Connection {
  const common = { databaseUrl, onError };
  const pool = createPostgresPool({ ...common, connections: postgresConnections });
  const charges = createPostgresPool({ ...common, connections: postgresChargeConnections });
  const lookUps = createPostgresPool({ ...common, connections: postgresLookUpConnections });
  const reads = createPostgresPool({ ...common, connections: postgresReadConnections });
  const probe = createPostgresPool({ ...common, connections: postgresProbeConnections, keepIdle: true });
  const pools = [pool, charges, lookUps, reads, probe];
  return {
    kind: 'postgres',
    pool,
    db: drizzleOnPool(pool),
    charges,
    lookUps: lookUpsOn(lookUps),
    reads: drizzleOnPool(reads),
    probe: drizzleOnPool(probe),
    ping: async () => void (await probe.query('select 1')),
    close: async () => void (await Promise.all(pools.map((each) => each.end()))),
  };
}

/** For what every sign-in looks up, and nobody writes with it. */
export function lookUpsOf(connection: Connection): Database {
  return connection.kind === 'postgres' ? connection.lookUps : connection.db;
}

/** For src/database/reading-lanes.ts: what pages, downloads and the API read. */
export function readsOf(connection: Connection): Database {
  return connection.kind === 'postgres' ? connection.reads : connection.db;
}

/** Built once for each database that asks. */
export function oncePerDatabase<T>(build: (db: Database) => T): (db: Database) => T {
  const built = new WeakMap<Database, { value: T }>();
  return (db) => {
    const found = built.get(db) ?? { value: build(db) };
    built.set(db, found);
    return found.value;
  };
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

/**
 * Everything inside commits together or not at all. Repeats the whole of `work` when the database asks for it,
 * so `work` must do nothing but database work on `tx`.
 */
export function transaction<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return repeatWhenAsked(() => db.transaction((tx) => work(tx)));
}

/** All that `read` reads is of one moment: what is committed between two of its statements is not seen. */
export function atOneMoment<T>(db: Database, read: (tx: Database) => Promise<T>): Promise<T> {
  const settings = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const;
  return repeatWhenAsked(() => db.transaction((tx) => read(tx), settings));
}

/** The same for who reads whole tables: it may take its time. */
export function atOneLongMoment<T>(db: Database, read: (tx: Database) => Promise<T>): Promise<T> {
  return atOneMoment(db, async (tx) => {
    await allowLongStatements(tx);
    return read(tx);
  });
}
