// Databases for tests, each with this release's schema: PGlite in memory from a snapshot, or a PostgreSQL database
// from a template. Nobody else uses it, and it is removed at the end.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Connection, openDatabase } from '../../src/database/connection.ts';
import { sqlState } from '../../src/database/sql-state.ts';
import { migrateAll, migratedSnapshot, migrationsHash } from './database-originals.ts';
import { chosenStores } from './stores.ts';

export type TestDatabase = {
  connection: Connection;
  databaseUrl: string | undefined;
  /** Closes the connection and removes the database. */
  remove(): Promise<void>;
};

/** Of the project's kind. */
export function openTestDatabase(): Promise<TestDatabase> {
  return chosenStores() === 'servers' ? openTestPostgres() : openTestPglite();
}

export async function openTestPglite(): Promise<TestDatabase> {
  const connection = await openDatabase({ memory: true, snapshot: await migratedSnapshot() });
  return { connection, databaseUrl: undefined, remove: () => connection.close() };
}

export const server = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const TEMPLATE_PREFIX = 'tollgate_template_';
const OTHER_TEMPLATES = 4;
/** Any number: test files that start at once make one template. */
const TEMPLATE_LOCK = 7_235_198_111;
const NO_SUCH_DATABASE = '3D000';

/** Whether PostgreSQL answers; where CI is set it must. */
export async function hasPostgres(): Promise<boolean> {
  try {
    await administer('select 1');
    return true;
  } catch (error) {
    if (process.env.CI) throw error;
    return false;
  }
}

/** Connections go `through` another port of this machine if a test wants to stand in between. */
export async function openTestPostgres(through?: number): Promise<TestDatabase> {
  const name = databaseName();
  const template = `${TEMPLATE_PREFIX}${await migrationsHash()}`;
  const copy = () => administer(`create database ${name} template ${template}`);
  try {
    await copy();
  } catch (error) {
    if (sqlState(error) !== NO_SUCH_DATABASE) throw error;
    await makeTemplate(template);
    await copy();
  }
  return openPostgres(name, through);
}

/** Without a single table. */
export async function openEmptyPostgres(through?: number): Promise<TestDatabase> {
  const name = databaseName();
  await administer(`create database ${name}`);
  return openPostgres(name, through);
}

async function openPostgres(name: string, through?: number): Promise<TestDatabase> {
  const databaseUrl = addressOf(name);
  if (through !== undefined) databaseUrl.host = `127.0.0.1:${through}`;
  const connection = await openDatabase({ databaseUrl: databaseUrl.href });
  return {
    connection,
    databaseUrl: databaseUrl.href,
    async remove() {
      await connection.close();
      await administer(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Kept for the next run, as are those of a few other checkouts, which may be testing at this moment. */
async function makeTemplate(template: string): Promise<void> {
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1) order by oid desc',
      [TEMPLATE_PREFIX],
    );
    const existing = rows.map(({ datname }) => datname);
    if (existing.includes(template)) return;
    for (const old of existing.slice(OTHER_TEMPLATES))
      await client.query(`drop database ${old} with (force)`);
    const unfinished = 'tollgate_unfinished_template';
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished}`);
    const databaseUrl = addressOf(unfinished).href;
    const connection = await openDatabase({ databaseUrl });
    await migrateAll(connection, databaseUrl);
    await connection.close();
    await client.query(`alter database ${unfinished} rename to ${template}`);
  });
}

/** Where the server listens. */
export function postgresAddress(): { host: string; port: number } {
  const { hostname, port } = new URL(server);
  return { host: hostname, port: Number(port || 5432) };
}

/** Such as 15.14. */
export async function postgresVersion(): Promise<string> {
  let version = '';
  await onServer(async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    // Debian adds its own version, after a space.
    version = rows[0]?.server_version.split(' ')[0] ?? '';
  });
  return version;
}

/** One statement, on the server itself. */
export async function administer(statement: string): Promise<void> {
  await onServer((client) => client.query(statement));
}

async function onServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 3_000 });
  try {
    await client.connect();
    await work(client);
  } finally {
    // After a refusal as well: the server would keep that connection open for a minute.
    await client.end();
  }
}

function databaseName(): string {
  return `tollgate_test_${randomUUID().replaceAll('-', '')}`;
}

function addressOf(name: string): URL {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url;
}
