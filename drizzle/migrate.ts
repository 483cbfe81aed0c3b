// Brings a database to the schema of this release. Safe when several processes start at once: on PostgreSQL an
// advisory lock lets one of them work while the others wait.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import type { Connection } from '../src/database.ts';
import { LONG_WORK } from '../src/postgres-pool.ts';

/** Resolved through the package's own import map: the same folder from the sources and from dist. */
const journal = fileURLToPath(import.meta.resolve('#root/drizzle/migrations/meta/_journal.json'));
const migrationsFolder = join(dirname(journal), '..');
/** Any number that no other program of this database uses. */
const MIGRATION_LOCK = 7_235_198_110;

export async function migrate(connection: Connection): Promise<void> {
  if (connection.kind === 'pglite') {
    await migratePglite(drizzlePglite(connection.pglite), { migrationsFolder });
    return;
  }
  const client = await connection.pool.connect();
  try {
    await client.query(
      `set lock_timeout = 0; set statement_timeout = 0; set application_name = '${LONG_WORK}'`,
    );
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migratePostgres(drizzle(client), { migrationsFolder });
  } finally {
    // Closing this connection releases the lock and drops its settings, whatever happened before.
    client.release(true);
  }
}
