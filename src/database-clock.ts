// The database's own time, which all processes share, for what is ordered or expires between them. It moves with
// `clock` as far as that was moved away from the machine's own time, which only tests do.
import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { proofs } from '../drizzle/schema.ts';
import type { Clock } from './clock.ts';

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

export function aheadOfMachine(clock: Clock): number {
  const { machine = Date.now } = clock;
  return Math.round(clock().getTime() - machine());
}
