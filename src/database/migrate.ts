// Brings a database to the schema of this release. Safe when several processes start at once: on PostgreSQL an
// advisory lock lets one of them work while the others wait.

import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import {
  migrationLockMilliseconds,
  migrationPauseMilliseconds,
  migrationSeconds,
} from '../limits/operations.ts';
import { advisoryLocks } from './advisory-locks.ts';
import type { Connection } from './connection.ts';
import { LONG_WORK } from './pool.ts';
import { sqlState } from './sql-state.ts';

/** Resolved through the package's own import map: the same folder from the sources and from dist. */
const journal = fileURLToPath(import.meta.resolve('#root/drizzle/migrations/meta/_journal.json'));
const ownMigrations = join(dirname(journal), '..');

/** `migrationsFolder`: of another release, for tests. */
export async function migrate(connection: Connection, migrationsFolder = ownMigrations): Promise<void> {
  if (connection.kind === 'pglite') {
    const [pglite, migrator] = await Promise.all([
      import('drizzle-orm/pglite'),
      import('drizzle-orm/pglite/migrator'),
    ]);
    await migrator.migrate(pglite.drizzle(connection.pglite), { migrationsFolder });
    return;
  }
  const client = await connection.pool.connect();
  try {
    await client.query(
      `set lock_timeout = 0; set statement_timeout = 0; set application_name = '${LONG_WORK}'`,
    );
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migration]);
    await client.query(`set lock_timeout = ${migrationLockMilliseconds}`);
    await untilUndisturbed(() => migratePostgres(drizzle(client), { migrationsFolder }));
  } finally {
    // Closing this connection releases the lock and drops its settings, whatever happened before.
    client.release(true);
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

/**
 * Whoever waits to change a table makes everybody wait who comes after, so behind a long transaction (the ledger's
 * proof, a backup) a migration would stop the sign-ins. It gives up quickly instead, lets them through, and tries again.
 */
async function untilUndisturbed(work: () => Promise<void>): Promise<void> {
  const giveUpAt = performance.now() + migrationSeconds * 1000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const state = sqlState(error);
      const isDisturbed = state === LOCK_NOT_AVAILABLE || state === DEADLOCK_DETECTED;
      if (!isDisturbed || performance.now() >= giveUpAt) throw error;
      await sleep(migrationPauseMilliseconds);
    }
  }
}
