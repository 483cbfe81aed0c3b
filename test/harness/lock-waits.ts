// Whether somebody waits for somebody else's lock, for tests that bring two transactions together.
import { sql } from 'drizzle-orm';
import { type Database, rowsOf } from '../../src/database/connection.ts';

/** Connections of this PostgreSQL database that wait for a lock right now. */
export async function countLockWaits(db: Database): Promise<number> {
  const waiting = await db.execute(
    sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowsOf(waiting).length;
}
