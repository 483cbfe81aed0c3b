// Which migrations of this release a database does not have yet, for readiness and `tollgate doctor`: they look, and
// change nothing.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, rowsOf } from './connection.ts';
import { sqlState } from './sql-state.ts';

const journalSchema = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })) });
const UNDEFINED_TABLE = '42P01';

/**
 * Names, oldest first. A database of a newer release has none pending: the old code runs on it.
 * `isEmpty`: nothing has been started on it yet.
 */
export async function lookAtMigrations(db: Database): Promise<{ pending: string[]; isEmpty: boolean }> {
  const file = fileURLToPath(import.meta.resolve('#root/drizzle/migrations/meta/_journal.json'));
  const { entries } = journalSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const latest = await latestMigration(db);
  const pending = entries.filter(({ when }) => when > latest).map(({ tag }) => tag);
  return { pending, isEmpty: latest === 0 };
}

export async function pendingMigrations(db: Database): Promise<string[]> {
  return (await lookAtMigrations(db)).pending;
}

async function latestMigration(db: Database): Promise<number> {
  try {
    const [row] = rowsOf(
      await db.execute(sql`select max(created_at)::text as latest from drizzle.__drizzle_migrations`),
    );
    return Number(row?.latest ?? 0);
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return 0;
    throw error;
  }
}
