// Statements of closed months, sealed once: sums, number of entries and hash are kept, and nothing is written with a time in
// such a month any more (balance-change.ts). What is corrected later is an entry of the month in which it is corrected.

import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { balances, statementSeals } from '../../drizzle/schema/balances.ts';
import { transfers } from '../../drizzle/schema/transfers.ts';
import { secondsAfter } from '../clock.ts';
import { allowLongStatements, type Database, rowsOf, transaction } from '../database/connection.ts';
import { statementSettlingSeconds, statementsSealedPerRound } from '../limits/payments.ts';
import { DAY } from '../limits/units.ts';
import { type Month, monthOf, monthsBetween } from './month.ts';
import { dayHash, monthHash, signedAmount } from './statement-hash.ts';

export type StatementSeal = typeof statementSeals.$inferSelect;
type Wanted = { applicationId: string; month: Month };

export async function findSeal(
  db: Database,
  { applicationId, month }: Wanted,
): Promise<StatementSeal | undefined> {
  const isThis = and(eq(statementSeals.applicationId, applicationId), eq(statementSeals.month, month.name));
  const [seal] = await db.select().from(statementSeals).where(isThis);
  return seal;
}

/** The latest before this month. */
export async function findSealBefore(
  db: Database,
  { applicationId, month }: Wanted,
): Promise<StatementSeal | undefined> {
  const [seal] = await db
    .select()
    .from(statementSeals)
    .where(and(eq(statementSeals.applicationId, applicationId), lt(statementSeals.month, month.name)))
    .orderBy(desc(statementSeals.month))
    .limit(1);
  return seal;
}

/** For housekeeping: each application's months, oldest first. @returns how many were sealed */
export async function sealStatements(db: Database, now: Date, isStopped = () => false): Promise<number> {
  const open = monthOf(secondsAfter(now, -statementSettlingSeconds));
  let sealed = 0;
  for (const { applicationId, first } of await findUnsealed(db, open)) {
    for (const month of monthsBetween(first, open.start).reverse()) {
      if (month.start >= open.start) break;
      if (sealed >= statementsSealedPerRound || isStopped()) return sealed;
      sealed += await seal(db, { applicationId, month, now });
    }
  }
  return sealed;
}

/** With the first moment of the first month that has no seal. */
async function findUnsealed(db: Database, open: Month): Promise<{ applicationId: string; first: Date }[]> {
  const last = sql.param(open.start, transfers.createdAt);
  const rows = rowsOf(
    await db.execute(sql`
      select b.application_id, to_json(coalesce(latest.next, first.at)) as first from balances b
      cross join lateral (
        select ((max(month) || '-01')::date + interval '1 month')::timestamp at time zone 'UTC' as next
        from statement_seals s where s.application_id = b.application_id
      ) as latest
      cross join lateral (
        select min(t.created_at) as at from transfers t where t.application_id = b.application_id
      ) as first
      where coalesce(latest.next, first.at) < ${last}::timestamptz
      order by b.application_id limit ${statementsSealedPerRound}`),
  );
  return rows.map((row) => ({
    applicationId: String(row.application_id),
    first: new Date(String(row.first)),
  }));
}

/** @returns 0 when another process is at it. */
async function seal(db: Database, wanted: Wanted & { now: Date }): Promise<number> {
  await close(db, wanted);
  return transaction(db, async (tx) => {
    const lock = sql`hashtextextended(${`seal ${wanted.applicationId}`}, 0)`;
    const [row] = rowsOf(await tx.execute(sql`select pg_try_advisory_xact_lock(${lock}) as alone`));
    if (row?.alone !== true || (await findSeal(tx, wanted))) return 0;
    await allowLongStatements(tx);
    const before = await findSealBefore(tx, wanted);
    const { change, count, hash } = await addUp(tx, wanted);
    const opening = before?.closing ?? 0n;
    const { applicationId, month, now } = wanted;
    const sums = { opening, closing: opening + change, entryCount: count, hash };
    await tx.insert(statementSeals).values({ applicationId, month: month.name, ...sums, sealedAt: now });
    return 1;
  });
}

/** Waits for whoever holds the balance: with this committed, nobody who comes later writes into the month. */
async function close(db: Database, { applicationId, month }: Wanted): Promise<void> {
  const end = sql.param(month.end, balances.sealedUntil);
  await db
    .update(balances)
    .set({ sealedUntil: sql`greatest(${balances.sealedUntil}, ${end}::timestamptz)` })
    .where(eq(balances.applicationId, applicationId));
}

/** Day by day, so that no more than one day's lines are ever in memory. */
async function addUp(tx: Database, { applicationId, month }: Wanted) {
  const days: { day: string; count: number; hash: string }[] = [];
  let change = 0n;
  for (let day = month.start; day < month.end; day = secondsAfter(day, DAY)) {
    const [start, end] = [day, secondsAfter(day, DAY)].map((at) => sql.param(at, transfers.createdAt));
    const [row] = rowsOf(
      await tx.execute(sql`
        select count(*)::int as count, coalesce(sum(${signedAmount()}), 0)::text as change, ${dayHash} as hash
        from transfers t where t.application_id = ${applicationId}
          and t.created_at >= ${start}::timestamptz and t.created_at < ${end}::timestamptz`),
    );
    const count = Number(row?.count ?? 0);
    change += BigInt(String(row?.change ?? 0));
    if (count > 0) days.push({ day: day.toISOString().slice(0, 10), count, hash: String(row?.hash) });
  }
  const [whole] = rowsOf(
    await tx.execute(sql`
      select ${monthHash} as hash
      from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as d(day text, count int, hash text)`),
  );
  return { change, count: days.reduce((sum, { count }) => sum + count, 0), hash: String(whole?.hash) };
}
