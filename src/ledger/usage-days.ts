// How many registrations and sign-ins each day had, and what they cost, for the company's usage page.
// Days are those of UTC, as everywhere in the service. Closed days are read from their sums (usage-day-sums.ts); only
// what is not summed up yet, as a rule today, is counted from the events themselves.

import { sql } from 'drizzle-orm';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { DAY } from '../limits/units.ts';

export type UsageDay = {
  /** 2026-11-21 */
  day: string;
  registrations: number;
  signIns: number;
  /** Micro-units, charges that were taken back included. */
  cost: bigint;
};

export type UsageQuery = {
  /** Of one workspace: the caller has looked them up there. */
  applicationIds: string[];
  /** Start of the first day. */
  from: Date;
  days: number;
};

const DAY_MILLISECONDS = DAY * 1000;

/** Oldest first, days without any included. */
export async function usagePerDay(db: Database, query: UsageQuery): Promise<UsageDay[]> {
  const found = new Map<string, UsageDay>();
  for (let n = 0; n < query.days; n += 1) {
    const day = dayOf(new Date(query.from.getTime() + n * DAY_MILLISECONDS));
    found.set(day, { day, registrations: 0, signIns: 0, cost: 0n });
  }
  for (const { day: name, kind, count, cost } of await usageByKind(db, query)) {
    const day = found.get(name);
    if (!day) continue;
    if (kind === 'registration') day.registrations += count;
    else day.signIns += count;
    day.cost += cost;
  }
  return [...found.values()];
}

export type KindOfDay = {
  applicationId: string;
  day: string;
  kind: 'registration' | 'sign_in';
  count: number;
  cost: bigint;
};

/** In no order; days without any are missing or have a count of 0. */
export async function usageByKind(db: Database, query: UsageQuery): Promise<KindOfDay[]> {
  return rowsOf(await db.execute(usageQuery(query))).map((row) => ({
    applicationId: String(row.application_id),
    day: String(row.day),
    kind: row.kind === 'registration' ? 'registration' : 'sign_in',
    count: Number(row.count),
    cost: BigInt(String(row.cost)),
  }));
}

/** Of one application, from a moment on (or from the beginning) up to another: each the start of a day. */
export async function chargedBetween(
  db: Database,
  { applicationId, from, until }: { applicationId: string; from: Date | undefined; until: Date },
): Promise<bigint> {
  const span = { applicationIds: [applicationId], from: from ?? new Date(0), until };
  return (await chargedOfEach(db, span)).get(applicationId) ?? 0n;
}

/** The same of several applications with one statement. */
export async function chargedOfEach(
  db: Database,
  { applicationIds, from, until }: { applicationIds: string[]; from: Date; until: Date },
): Promise<Map<string, bigint>> {
  const [start, end] = [from, until].map((time) => sql.param(time, usageEvents.occurredAt));
  const rows = rowsOf(
    await db.execute(sql`
      select application.id, (select coalesce(sum(amount), 0) from usage_days
        where application_id = application.id and day >= ${dayOf(from)} and day < ${dayOf(until)}
      )::text as summed, (select coalesce(sum(amount), 0) from usage_events
        where application_id = application.id and occurred_at < ${end}::timestamptz
          and occurred_at >= greatest(${start}::timestamptz, (
            select (max(day)::date + 1)::timestamp at time zone 'UTC' from usage_days
            where application_id = application.id))
      )::text as open
      from unnest(${sql.param(applicationIds)}::text[]) as application(id)`),
  );
  return new Map(
    rows.map(({ id, summed, open }) => [String(id), BigInt(String(summed)) + BigInt(String(open))]),
  );
}

/** For each application: its sums, and from the first day without one its part of the index of events. */
export function usageQuery({ applicationIds, from, days }: UsageQuery) {
  const ids = sql`${sql.param(applicationIds)}::text[]`;
  const start = sql`${sql.param(from, usageEvents.occurredAt)}::timestamptz`;
  const until = new Date(from.getTime() + days * DAY_MILLISECONDS);
  const end = sql`${sql.param(until, usageEvents.occurredAt)}::timestamptz`;
  return sql`
    select application_id, day, kind, count, amount as cost from usage_days
    where application_id = any(${ids}) and day >= ${dayOf(from)} and day < ${dayOf(until)}
    union all
    select application.id, event.day, event.kind, event.count, event.cost from unnest(${ids}) as application(id)
    cross join lateral (
      select max(day)::date + 1 as next_day from usage_days where application_id = application.id
    ) as summed
    cross join lateral (
      select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') as day, kind, count(*) as count, sum(amount) as cost
      from usage_events
      where application_id = application.id and occurred_at < ${end}
        and occurred_at >= greatest(${start}, summed.next_day::timestamp at time zone 'UTC')
      group by 1, 2
    ) as event`;
}

/** Start of the day, so many days before the one that `now` is in. */
export function startOfDay(now: Date, daysBefore: number): Date {
  const start = Math.floor(now.getTime() / DAY_MILLISECONDS) - daysBefore;
  return new Date(start * DAY_MILLISECONDS);
}

export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
