// Adds up the usage of each closed day, once: events are never changed, so neither is their sum. Housekeeping of every
// process may do it at the same time; the first one's row stays.
import { sql } from 'drizzle-orm';
import { usageDays, usageEvents } from '../../drizzle/schema/usage.ts';
import { secondsAfter } from '../clock.ts';
import { inBites } from '../database/bites.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { entriesOf } from '../entries.ts';
import { usageDayClosesSeconds, usageDayEventsPerBite, usageDaysPerRound } from '../limits/usage.ts';
import type { UsageKind } from './price-and-balance.ts';
import { dayOf, startOfDay } from './usage-days.ts';

/** @returns how many days were added up; as many as one round may do means that there may be more. */
export async function sumUpDays(db: Database, now: Date, isStopped = () => false): Promise<number> {
  const open = startOfDay(secondsAfter(now, -usageDayClosesSeconds), 0);
  const days = await findOpenDays(db, open);
  let summed = 0;
  for (const { applicationId, day } of days) {
    if (isStopped()) break;
    await sumUp(db, applicationId, day);
    summed += 1;
  }
  return summed;
}

/** Each application's days from its first event, or the first one without a sum, to the last closed one. */
async function findOpenDays(db: Database, open: Date): Promise<{ applicationId: string; day: Date }[]> {
  const rows = rowsOf(
    await db.execute(sql`
      select application.id, to_char(day, 'YYYY-MM-DD') as day from applications as application
      cross join lateral (
        select max(usage_days.day)::date + 1 as next_day from usage_days where application_id = application.id
      ) as summed
      cross join lateral (
        select coalesce(summed.next_day, (
          select (min(occurred_at) at time zone 'UTC')::date from usage_events where application_id = application.id
        )) as first_day
      ) as missing
      cross join lateral generate_series(first_day, ${dayOf(open)}::date - 1, interval '1 day') as day
      order by application.id, day limit ${usageDaysPerRound}`),
  );
  return rows.map((row) => ({
    applicationId: String(row.id),
    day: new Date(`${String(row.day)}T00:00:00Z`),
  }));
}

type Sums = { [kind in UsageKind]: { count: number; amount: bigint } };

/**
 * A day without events has sums as well, or it would be looked at again and again. Read in bites, however many events it
 * has; only the whole of it is written.
 */
async function sumUp(db: Database, applicationId: string, day: Date): Promise<void> {
  const sums: Sums = { registration: { count: 0, amount: 0n }, sign_in: { count: 0, amount: 0n } };
  let after: string[] | undefined;
  let bitten: Awaited<ReturnType<typeof readBite>> | undefined;
  await inBites(db, {
    most: usageDayEventsPerBite,
    // Only now: a bite may be repeated.
    onBite: () => {
      for (const { kind, count, amount } of bitten?.sums ?? []) {
        sums[kind].count += count;
        sums[kind].amount += amount;
      }
      after = bitten?.last;
    },
    bite: async (tx, rows) => {
      bitten = await readBite(tx, { applicationId, day, after, rows });
      return bitten.count;
    },
  });
  await db
    .insert(usageDays)
    .values(entriesOf(sums).map(([kind, sum]) => ({ applicationId, day: dayOf(day), kind, ...sum })))
    .onConflictDoNothing();
}

type Part = { applicationId: string; day: Date; after: string[] | undefined; rows: number };

/** The next events of the day, oldest first, as their sums. `last`: time and id of the last one. */
async function readBite(tx: Database, { applicationId, day, after, rows }: Part) {
  const time = (value: Date) => sql`${sql.param(value, usageEvents.occurredAt)}::timestamptz`;
  const [lastTime, lastId] = after ?? [];
  const isNext = after && sql`and (occurred_at, id) > (${lastTime}::timestamptz, ${lastId}::text)`;
  const found = rowsOf(
    await tx.execute(sql`
      with bite as materialized (
        select kind, amount, occurred_at, id from usage_events
        where application_id = ${applicationId}
          and occurred_at >= ${time(day)} and occurred_at < ${time(startOfDay(day, -1))} ${isNext}
        order by occurred_at nulls first, id nulls first limit ${rows}
      ), last as (select occurred_at, id from bite order by occurred_at desc, id desc limit 1)
      select kind, count(*)::int as count, sum(amount)::text as amount,
        (select occurred_at::text from last) as last_time, (select id from last) as last_id
      from bite group by kind`),
  );
  const sums = found.map(({ kind, count, amount }) => ({
    kind: kind === 'registration' ? ('registration' as const) : ('sign_in' as const),
    count: Number(count),
    amount: BigInt(String(amount)),
  }));
  const [first] = found;
  return {
    sums,
    count: sums.reduce((all, { count }) => all + count, 0),
    last: first ? [String(first.last_time), String(first.last_id)] : after,
  };
}
