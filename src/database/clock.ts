// The database's own time, which all processes share, for what is ordered or expires between them. It moves with
// `clock` as far as that was moved away from the machine's own time, which only tests do.
import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { proofs } from '../../drizzle/schema/proofs.ts';
import type { Clock } from '../clock.ts';
import { type Database, rowsOf } from './connection.ts';

/** Of this statement, not of the beginning of its transaction. */
export function databaseTime(clock: Clock): SQL<Date> {
  return databaseTimeWith(aheadOfMachine(clock));
}

/** For statements that are prepared once. */
export function databaseTimeWith(aheadMilliseconds: number | Placeholder): SQL<Date> {
  return sql`(clock_timestamp() + ${aheadMilliseconds}::int8 * interval '1 millisecond')`.mapWith(
    proofs.provenAt,
  );
}

/** When this statement began: the same for all of its rows, so that an index can be searched by it. */
export function statementTime(clock: Clock): SQL<Date> {
  return sql`(statement_timestamp() + ${aheadOfMachine(clock)}::int8 * interval '1 millisecond')`.mapWith(
    proofs.provenAt,
  );
}

/** How far the clock of this machine is ahead: what the way there and back takes is shared out evenly. */
export async function clockSkewSeconds(db: Database, clock: Clock): Promise<number> {
  const before = clock().getTime();
  const [row] = rowsOf(await db.execute(sql`select extract(epoch from clock_timestamp())::float8 as now`));
  return (before + clock().getTime()) / 2000 - Number(row?.now);
}

export function aheadOfMachine(clock: Clock): number {
  const { machine = Date.now } = clock;
  return Math.round(clock().getTime() - machine());
}
