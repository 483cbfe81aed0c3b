// How long a balance lasts at the present pace: what the last seven days cost, and nothing
// cleverer, so that a person can check it.

import { sql } from 'drizzle-orm';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { secondsAfter } from '../clock.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { forecastDays, forecastMaximumDays } from '../limits/payments.ts';
import { DAY } from '../limits/units.ts';
import { chargedOfEach, startOfDay } from './usage-days.ts';

export type Forecast =
  /** Nothing was charged in the last seven days. */
  | { kind: 'idle' }
  /** Further away than a date would mean anything. */
  | { kind: 'long'; spentPerDay: bigint }
  | { kind: 'until'; at: Date; spentPerDay: bigint };

export type ForecastOf = { applicationId: string; balance: bigint; createdAt: Date };

export async function readForecast(db: Database, input: ForecastOf & { now: Date }): Promise<Forecast> {
  const found = await readForecasts(db, { applications: [input], now: input.now });
  return found.get(input.applicationId) ?? { kind: 'idle' };
}

/** Two statements, however many applications there are. */
export async function readForecasts(
  db: Database,
  { applications, now }: { applications: ForecastOf[]; now: Date },
): Promise<Map<string, Forecast>> {
  const spent = await spentSince(db, {
    applicationIds: applications.map(({ applicationId }) => applicationId),
    since: secondsAfter(now, -forecastDays * DAY),
    now,
  });
  return new Map(
    applications.map((one) => [
      one.applicationId,
      forecast({ ...one, spent: spent.get(one.applicationId) ?? 0n, now }),
    ]),
  );
}

type Spent = { applicationIds: string[]; since: Date; now: Date };

/** Whole days from their sums, the first and the present one from their events; what was taken back is subtracted. */
async function spentSince(db: Database, { applicationIds, since, now }: Spent): Promise<Map<string, bigint>> {
  const from = startOfDay(since, -1);
  const charged = await chargedOfEach(db, { applicationIds, from, until: startOfDay(now, -1) });
  const start = sql`${sql.param(since, usageEvents.occurredAt)}::timestamptz`;
  const rows = rowsOf(
    await db.execute(sql`
      select application.id, (select coalesce(sum(amount), 0) from usage_events
        where application_id = application.id and occurred_at >= ${start}
          and occurred_at < ${sql.param(from, usageEvents.occurredAt)}::timestamptz
      )::text as first_day, (select coalesce(sum(amount), 0) from transfers
        where application_id = application.id and created_at >= ${start}
          and code <> 'charge' and code = 'reversal'
      )::text as taken_back
      from unnest(${sql.param(applicationIds)}::text[]) as application(id)`),
  );
  return new Map(
    rows.map(({ id, first_day, taken_back }) => {
      const whole = charged.get(String(id)) ?? 0n;
      return [String(id), whole + BigInt(String(first_day)) - BigInt(String(taken_back))];
    }),
  );
}

/** An application that is younger than a week has its own days counted, at least one. */
export function forecast(input: { spent: bigint; balance: bigint; createdAt: Date; now: Date }): Forecast {
  const { spent, balance, createdAt, now } = input;
  if (spent <= 0n) return { kind: 'idle' };
  const ageSeconds = Math.ceil((now.getTime() - createdAt.getTime()) / 1000);
  const seconds = Math.min(Math.max(ageSeconds, DAY), forecastDays * DAY);
  const spentPerDay = (spent * BigInt(DAY)) / BigInt(seconds);
  const secondsLeft = (balance * BigInt(seconds)) / spent;
  if (secondsLeft > BigInt(forecastMaximumDays * DAY)) return { kind: 'long', spentPerDay };
  return { kind: 'until', at: secondsAfter(now, Number(secondsLeft)), spentPerDay };
}
