// What test databases are copies of: this release's schema with the job queue's own tables, and not a row of ours.
// The embedded one is made by whoever needs it first and kept in the temporary folder under its migrations' name.
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { type Connection, openDatabase } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createLog } from '../../src/log.ts';
import { startJobs } from '../../src/queue/jobs.ts';

export async function migrateAll(connection: Connection, databaseUrl?: string): Promise<void> {
  await migrate(connection);
  const jobs = await startJobs({ connection, databaseUrl, log: createLog({ level: 'silent' }) });
  await jobs.stop();
}

/** The same for the same migrations. */
export async function migrationsHash(): Promise<string> {
  const folder = join(import.meta.dirname, '../../drizzle/migrations');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(await readFile(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}

let snapshot: Promise<Blob> | undefined;

/** Starting from it takes a third of a second; initialising and migrating takes five. */
export function migratedSnapshot(): Promise<Blob> {
  snapshot ??= readOrMakeSnapshot();
  return snapshot;
}

async function readOrMakeSnapshot(): Promise<Blob> {
  const file = join(tmpdir(), `tollgate-test-database-${await migrationsHash()}.tar`);
  const existing = await readFile(file).catch(() => undefined);
  if (existing) return new Blob([existing]);
  const connection = await openDatabase({ memory: true });
  if (connection.kind !== 'pglite') throw new Error('the snapshot is made with PGlite');
  await migrateAll(connection);
  const made = await dump(connection.pglite);
  await connection.close();
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, Buffer.from(await made.arrayBuffer()));
  await rename(unfinished, file);
  return made;
}

/** Without the two databases that PostgreSQL makes others from: half of the files, and nobody needs them. */
async function dump(pglite: PGlite): Promise<Blob> {
  await pglite.exec(`update pg_database set datistemplate = false where datname like 'template%'`);
  await pglite.exec('drop database template0');
  await pglite.exec('drop database template1');
  return pglite.dumpDataDir('none');
}
