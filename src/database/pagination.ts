// Lists by time, a page after the other: a page starts behind the last row of the page before, not at an offset, so every
// depth costs the same and no insert shifts a row.
import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** Of a row in its list. */
export type Place = { time: Date; id: string };

/** The order of a list, as its index has it. Conditions are undefined where no place is given. */
export function paginationBy(time: PgColumn, id: PgColumn) {
  /** One row comparison, so that PostgreSQL enters the index at exactly this place. */
  const beyond = (side: SQL, place: Place | undefined): SQL | undefined =>
    place &&
    sql`(${time}, ${id}) ${side} (${sql.param(place.time, time)}::timestamptz, ${sql.param(place.id, id)}::text)`;
  return {
    olderThan: (place: Place | undefined) => beyond(sql`<`, place),
    newerThan: (place: Place | undefined) => beyond(sql`>`, place),
    /** "nulls last" because the index says so; without it PostgreSQL sorts the whole list for each page. */
    newestFirst: [sql`${time} desc nulls last`, sql`${id} desc nulls last`],
    /** The same index, read backwards. */
    oldestFirst: [sql`${time} asc nulls first`, sql`${id} asc nulls first`],
  };
}
