// Moving everything from one database to another: from the embedded one to PostgreSQL, or into a backup that any
// later release can read. One line of JSON per row; PostgreSQL itself writes and reads the values, so that money,
// times and bytes survive exactly.
import { getTableName, sql } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { everyTable } from '../../drizzle/every-table.ts';
import {
  allowLongStatements,
  atOneLongMoment,
  type Database,
  rowsOf,
  transaction,
} from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { copyBatchRows } from '../limits/operator.ts';

const FORMAT = 'tollgate-copy-1';

export type CopyReport = { tables: number; rows: number };

/** Every table, parents before children, at one moment of the database. */
export async function exportDatabase(
  db: Database,
  write: (line: string) => Promise<void>,
): Promise<CopyReport> {
  return atOneLongMoment(db, async (tx) => {
    await write(JSON.stringify({ format: FORMAT }));
    let rows = 0;
    const tables = tablesInOrder();
    for (const table of tables) rows += await exportTable(tx, table, write);
    await write(JSON.stringify({ end: true, rows }));
    return { tables: tables.length, rows };
  });
}

async function exportTable(
  tx: Database,
  table: string,
  write: (line: string) => Promise<void>,
): Promise<number> {
  const name = sql.identifier(table);
  await tx.execute(
    sql`declare copied no scroll cursor for select row_to_json(t)::text as row from ${name} t`,
  );
  for (let rows = 0; ; ) {
    const batch = rowsOf(await tx.execute(sql.raw(`fetch ${copyBatchRows} from copied`)));
    // The row stays text: parsed by JavaScript, a large amount would lose its last digits.
    for (const { row } of batch) await write(`{"table":${JSON.stringify(table)},"row":${row}}`);
    rows += batch.length;
    if (batch.length < copyBatchRows) {
      await tx.execute(sql`close copied`);
      return rows;
    }
  }
}

/**
 * Into an empty database of this release; the file may be of an earlier one. All or nothing: it commits only when
 * every row arrived and the books agree. @throws TollgateError conflict with what is in the way.
 */
export async function importDatabase(db: Database, lines: AsyncIterable<string>): Promise<CopyReport> {
  return transaction(db, async (tx) => {
    await allowLongStatements(tx);
    await requireEmpty(tx);
    const rows = await importRows(tx, lines);
    const report = await verifyLedger(tx);
    if (report.ok) return { tables: tablesInOrder().length, rows };
    const broken = report.checks.filter((check) => check.violations.length > 0).map((check) => check.rule);
    throw new TollgateError(
      'conflict',
      `The copy was refused, because its books are wrong: not ${broken.join(', not ')}.`,
    );
  });
}

async function importRows(tx: Database, lines: AsyncIterable<string>): Promise<number> {
  const known = new Set(tablesInOrder());
  let batch: { table: string; rows: string[] } = { table: '', rows: [] };
  let imported = 0;
  const flush = async () => {
    if (batch.rows.length > 0) await insertRows(tx, batch.table, batch.rows);
    imported += batch.rows.length;
  };
  let isFirst = true;
  for await (const line of lines) {
    if (isFirst) requireFormat(line);
    else if (line.startsWith('{"end":')) {
      await flush();
      requireWhole(line, imported);
      return imported;
    } else {
      const { table, row } = readLine(line, known);
      if (table !== batch.table || batch.rows.length >= copyBatchRows) {
        await flush();
        batch = { table, rows: [] };
      }
      batch.rows.push(row);
    }
    isFirst = false;
  }
  throw new TollgateError('invalid_request', 'The file ends in the middle; export it again.');
}

async function insertRows(tx: Database, table: string, rows: string[]): Promise<void> {
  const name = sql.identifier(table);
  const values = `[${rows.join(',')}]`;
  // Only the columns that the file has: those of a later release keep their defaults.
  const columns = sql.join(
    Object.keys(JSON.parse(rows[0] ?? '{}')).map((column) => sql.identifier(column)),
    sql`, `,
  );
  await tx.execute(
    sql`insert into ${name} (${columns}) select ${columns} from json_populate_recordset(null::${name}, ${values}::json)`,
  );
}

const LINE = /^\{"table":"([a-z_]+)","row":(\{.*\})\}$/;

function readLine(line: string, known: Set<string>): { table: string; row: string } {
  const [, table = '', row = ''] = LINE.exec(line) ?? [];
  if (known.has(table)) return { table, row };
  throw new TollgateError(
    'invalid_request',
    'The file has a line that is no row of this release; is it from a newer one?',
  );
}

function requireFormat(line: string): void {
  if (line === JSON.stringify({ format: FORMAT })) return;
  throw new TollgateError('invalid_request', 'This is not a file that `tollgate export` wrote.');
}

function requireWhole(line: string, imported: number): void {
  if (line === JSON.stringify({ end: true, rows: imported })) return;
  throw new TollgateError('invalid_request', 'Rows are missing from the file; export it again.');
}

async function requireEmpty(tx: Database): Promise<void> {
  for (const table of tablesInOrder()) {
    const [found] = rowsOf(await tx.execute(sql`select 1 as found from ${sql.identifier(table)} limit 1`));
    if (!found) continue;
    throw new TollgateError(
      'conflict',
      `The database is not empty (${table} has rows). Import into a new one, before its first start.`,
    );
  }
}

/** Tables after those that they refer to. */
function tablesInOrder(): string[] {
  const ordered: string[] = [];
  const place = (table: PgTable) => {
    const name = getTableName(table);
    if (ordered.includes(name)) return;
    for (const key of getTableConfig(table).foreignKeys) place(key.reference().foreignTable);
    ordered.push(name);
  };
  for (const table of Object.values(everyTable)) place(table);
  return ordered;
}
