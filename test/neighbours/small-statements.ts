// Makes a database refuse any statement that deletes more rows of a table than one bite.
import { sql } from 'drizzle-orm';
import type { Database } from '../../src/database/connection.ts';
import { biteRows } from '../../src/limits/bites.ts';

export async function refuseLargeDeletions(db: Database, tables: string[]): Promise<void> {
  await db.execute(
    sql.raw(`
      create or replace function refuse_large_deletion() returns trigger language plpgsql as $$
      begin
        if (select count(*) from gone) > ${biteRows} then
          raise exception 'one statement deletes more than ${biteRows} rows of %', tg_table_name;
        end if;
        return null;
      end $$`),
  );
  for (const table of tables)
    await db.execute(
      sql.raw(`
        create trigger only_bites after delete on ${table} referencing old table as gone
        for each statement execute function refuse_large_deletion()`),
    );
}
