// Databases for tests: PGlite in memory, from a migrated snapshot that is made once per version of the
// migrations, or a fresh PostgreSQL database. `TEST_DATABASE=postgres` runs the service's tests on the latter.
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../drizzle/migrate.ts';
import { type Connection, openDatabase } from '../../src/database.ts';

export type TestDatabase = {
  connection: Connection;
  databaseUrl: string | undefined;
  /** Closes the connection and removes the database. */
  remove(): Promise<void>;
};

export function openTestDatabase(): Promise<TestDatabase> {
  return process.env.TEST_DATABASE === 'postgres' ? openTestPostgres() : openTestPglite();
}

export async function openTestPglite(): Promise<TestDatabase> {
  const connection = await openDatabase({ memory: true, snapshot: await migratedSnapshot() });
  return { connection, databaseUrl: undefined, remove: () => connection.close() };
}

const server = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

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
  const database = await openEmptyPostgres(through);
  await migrate(database.connection);
  return database;
}

/** Where the server listens. */
export function postgresAddress(): { host: string; port: number } {
  const { hostname, port } = new URL(server);
  return { host: hostname, port: Number(port || 5432) };
}

/** Without a single table. */
export async function openEmptyPostgres(through?: number): Promise<TestDatabase> {
  const name = `tollgate_test_${randomUUID().replaceAll('-', '')}`;
  await administer(`create database ${name}`);
  const databaseUrl = new URL(server);
  databaseUrl.pathname = `/${name}`;
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

/** One statement, on the server itself. */
export async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 3_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Starting from a snapshot takes a quarter of a second; initialising and migrating takes almost three. */
async function migratedSnapshot(): Promise<Blob> {
  const file = join(tmpdir(), `tollgate-test-${await migrationsHash()}.tar`);
  const existing = await readFile(file).catch(() => undefined);
  if (existing) return new Blob([new Uint8Array(existing)]);
  const connection = await openDatabase({ memory: true });
  await migrate(connection);
  if (connection.kind !== 'pglite') throw new Error('the snapshot is made with PGlite');
  const snapshot = await connection.pglite.dumpDataDir('none');
  await connection.close();
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, Buffer.from(await snapshot.arrayBuffer()));
  await rename(unfinished, file);
  return snapshot;
}

async function migrationsHash(): Promise<string> {
  const folder = join(import.meta.dirname, '../../drizzle/migrations');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(await readFile(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}
