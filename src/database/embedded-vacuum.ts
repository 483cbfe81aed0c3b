// Cleaning up behind updates and deletions in the embedded database. PGlite says that autovacuum is on, but is one
// process and has nobody to do it: its files would grow for ever, and its statements stay planned for empty tables.
import type { PGlite } from '@electric-sql/pglite';

/** The rule of PostgreSQL's autovacuum, with its defaults: fifty rows and a fifth (a tenth) of the table. */
const DUE = `
  select quote_ident(schemaname) || '.' || quote_ident(stats.relname) as "table",
    n_dead_tup > 50 + 0.2 * greatest(reltuples, 0) as "hasDeadRows"
  from pg_stat_user_tables stats join pg_class on pg_class.oid = relid
  where n_dead_tup > 50 + 0.2 * greatest(reltuples, 0)
    or n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0)`;

/** One table at a time, so that whoever waits for the one connection waits for one table at most. */
export async function vacuumEmbedded(pglite: Pick<PGlite, 'query' | 'exec'>): Promise<void> {
  // PostgreSQL counts what changed with a delay of a second or a statement.
  await pglite.query('select pg_stat_force_next_flush()');
  const { rows } = await pglite.query<{ table: string; hasDeadRows: boolean }>(DUE);
  for (const { table, hasDeadRows } of rows)
    await pglite.exec(`${hasDeadRows ? 'vacuum (analyze)' : 'analyze'} ${table}`);
}
