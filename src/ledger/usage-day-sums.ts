// Adds up the usage of each closed day, once: events are never changed, so neither is their sum. Housekeeping of every
// process may do it at the same time; the first one's row stays.
import { sql } from 'drizzle-orm';
import { usageEvents } from '../../drizzle/schema.ts';
import { secondsAfter } from '../clock.ts';
import { type Database, rowsOf } from '../database.ts';
import { usageDayClosesSeconds, usageDaysPerRound } from '../limits-usage.ts';
import { dayOf, startOfDay } from './usage-days.ts';

/** @returns how many days were added up; as many as one round may do means that there may be more. */
export async function sumUpDays(db: Database, now: Date): Promise<number> {
  const open = startOfDay(secondsAfter(now, -usageDayClosesSeconds), 0);
  const days = await findOpenDays(db, open);
  for (const { applicationId, day } of days) await sumUp(db, applicationId, day);
  return days.length;
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

/** A day without events has sums as well, or it would be looked at again and again. */
async function sumUp(db: Database, applicationId: string, day: Date): Promise<void> {
  const start = sql.param(day, usageEvents.occurredAt);
  const end = sql.param(startOfDay(day, -1), usageEvents.occurredAt);
  await db.execute(sql`
    insert into usage_days (application_id, day, kind, count, amount)
    select ${applicationId}, ${dayOf(day)}, kinds.kind, count(event.id), coalesce(sum(event.amount), 0)
    from (values ('registration'), ('sign_in')) as kinds(kind)
    left join usage_events as event on event.kind = kinds.kind and event.application_id = ${applicationId}
      and event.occurred_at >= ${start}::timestamptz and event.occurred_at < ${end}::timestamptz
    group by kinds.kind
    on conflict do nothing`);
}
