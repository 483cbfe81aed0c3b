// How rows go whose time is over: the oldest first, a bite at a time, whatever there is. What somebody else has locked is
// theirs or is left for the next round: whoever never waits cannot be part of a deadlock.
import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type Bite, type Bites, type Bitten, inBites } from './bites.ts';
import { type Database, rowsOf } from './connection.ts';

/** How much of a round one kind of rows may take; all of it without an answer. */
export type Round = Pick<Bites, 'milliseconds' | 'isStopped' | 'onBite'>;

export type Expired = {
  table: PgTable;
  /** It has an index that begins with it. */
  age: PgColumn;
  /** Older than this, itself excluded. */
  before: Date;
  /** Others stay. */
  only?: SQL;
};

export function deleteExpired(db: Database, expired: Expired, round: Round = {}): Promise<Bitten> {
  return inBites(db, { ...round, bite: deletionOf(expired) });
}

/** Kinds of one table that are told apart by different columns. */
export async function inTurn(deletions: (() => Promise<Bitten>)[]): Promise<Bitten> {
  const all: Bitten = { rows: 0, isFinished: true };
  for (const run of deletions) {
    const { rows, isFinished } = await run();
    all.rows += rows;
    all.isFinished &&= isFinished;
  }
  return all;
}

/** By place of the row, so that no plan can read the table for it. Waits for what somebody else has locked. */
export async function deleteSome(
  tx: Database,
  { table, which, rows }: { table: PgTable; which: SQL | undefined; rows: number },
): Promise<number> {
  const [row] = rowsOf(
    await tx.execute(sql`
      with deleted as (
        delete from ${table} where ctid = any(array(
          select ctid from ${table} where ${which} limit ${rows} for update
        )) returning 1
      ) select count(*)::int as count from deleted`),
  );
  return Number(row?.count ?? 0);
}

/**
 * Begins where the bite before ended: the index still has what was just deleted, and reading past it again and again
 * would take longer with each bite.
 */
function deletionOf({ table, age, before, only }: Expired): Bite {
  let from: string | undefined;
  return async (tx, rows) => {
    const isDue = sql`${age} < ${sql.param(before, age)}::timestamptz`;
    const isOne = only ? sql`and ${only}` : undefined;
    const isNext = from === undefined ? undefined : sql`and ${age} >= ${from}::timestamptz`;
    const [row] = rowsOf(
      await tx.execute(sql`
        with deleted as (
          delete from ${table} where ctid = any(array(
            select ctid from ${table} where ${isDue} ${isOne} ${isNext} order by ${age} limit ${rows} for update skip locked
          )) returning ${age} as age
        ) select count(*)::int as count, max(age)::text as latest from deleted`),
    );
    if (row?.latest) from = String(row.latest);
    return Number(row?.count ?? 0);
  };
}
