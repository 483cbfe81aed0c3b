// Reads a table from its first row to its last in bites (docs/decisions/0802), each from the key where the one before
// ended. However much there is, no statement is about more rows than one bite; at one moment of the database
// (`atOneMoment`) all of them see the same.
import { type SQL, sql } from 'drizzle-orm';
import { createBiteSize } from './bites.ts';
import { type Database, rowsOf } from './connection.ts';

export type Row = Record<string, unknown>;

export type Walk = {
  table: string;
  /** Columns that name each row once, in the order of an index; none of them is ever null. */
  key: readonly string[];
  /** Asked about each bite: a subquery with all columns of its rows, for `from`. */
  read: (bite: SQL) => SQL;
};

export type WalkOptions = {
  /** Rows of a bite at most. */
  most: number;
  /** After each bite: how many rows it took at most. */
  onBite?: (rows: number) => void;
  /** Where first bites end, for whoever walks the same tables again and again at one moment of the database. */
  ends?: Map<string, string[] | undefined>;
};

/** What `read` found, bite by bite. Whoever has seen enough may leave. */
export async function* walk(db: Database, { table, key, read }: Walk, options: WalkOptions) {
  const size = createBiteSize(options.most);
  const columns = sql.join(
    key.map((name) => sql.identifier(name)),
    sql`, `,
  );
  let after: string[] | undefined;
  for (;;) {
    const rows = size.rows();
    const beyond = after
      ? sql` where (${columns}) > (${sql.join(
          after.map((value) => sql`${value}`),
          sql`, `,
        )})`
      : sql``;
    const bite = sql`select * from ${sql.identifier(table)}${beyond} order by ${columns} limit ${rows}`;
    const startedAt = performance.now();
    const found = rowsOf(await db.execute(read(sql`(${bite})`)));
    const findEnd = () => lastOf(db, { bite, key, rows });
    const isFirst = after === undefined;
    after = isFirst
      ? await endOfFirst(`${table} ${key.join(' ')} ${rows}`, options.ends, findEnd)
      : await findEnd();
    size.took(performance.now() - startedAt);
    options.onBite?.(rows);
    if (found.length > 0) yield found;
    if (!after) return;
  }
}

type End = string[] | undefined;

async function endOfFirst(
  name: string,
  ends = new Map<string, End>(),
  find: () => Promise<End>,
): Promise<End> {
  if (!ends.has(name)) ends.set(name, await find());
  return ends.get(name);
}

/** The key of a bite's last row; undefined when the bite is not full, so that nothing follows. */
async function lastOf(
  db: Database,
  { bite, key, rows }: { bite: SQL; key: readonly string[]; rows: number },
): Promise<string[] | undefined> {
  // As text, since a date of JavaScript has no microseconds.
  const texts = sql.join(
    key.map((name, place) => sql`${sql.identifier(name)}::text as ${sql.identifier(`k${place}`)}`),
    sql`, `,
  );
  const [last] = rowsOf(
    await db.execute(sql`select ${texts} from (${bite}) as bite offset ${rows - 1} limit 1`),
  );
  return last && key.map((_, place) => String(last[`k${place}`]));
}
