// How long a balance lasts at the present pace: what the last seven days cost, and nothing
// cleverer, so that a person can check it.

import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { transfers, usageEvents } from '../../drizzle/schema.ts';
import { secondsAfter } from '../clock.ts';
import type { Database } from '../database/connection.ts';
import { forecastDays, forecastMaximumDays } from '../limits/payments.ts';
import { DAY } from '../limits/units.ts';
import { chargedBetween, startOfDay } from './usage-days.ts';

export type Forecast =
  /** Nothing was charged in the last seven days. */
  | { kind: 'idle' }
  /** Further away than a date would mean anything. */
  | { kind: 'long'; spentPerDay: bigint }
  | { kind: 'until'; at: Date; spentPerDay: bigint };

export async function readForecast(
  db: Database,
  input: { applicationId: string; balance: bigint; createdAt: Date; now: Date },
): Promise<Forecast> {
  const since = secondsAfter(input.now, -forecastDays * DAY);
  const spent = await spentSince(db, { ...input, since });
  return forecast({ ...input, spent });
}

/** Whole days from their sums, the first and the present one from their events; what was taken back is subtracted. */
async function spentSince(
  db: Database,
  { applicationId, since, now }: { applicationId: string; since: Date; now: Date },
): Promise<bigint> {
  const from = startOfDay(since, -1);
  const charged = await chargedBetween(db, { applicationId, from, until: startOfDay(now, -1) });
  const isHere = eq(usageEvents.applicationId, applicationId);
  const [first] = await db
    .select({ spent: sql<string>`coalesce(sum(${usageEvents.amount}), 0)::text` })
    .from(usageEvents)
    .where(and(isHere, gte(usageEvents.occurredAt, since), lt(usageEvents.occurredAt, from)));
  const [back] = await db
    .select({ amount: sql<string>`coalesce(sum(${transfers.amount}), 0)::text` })
    .from(transfers)
    .where(
      and(
        eq(transfers.applicationId, applicationId),
        gte(transfers.createdAt, since),
        sql`${transfers.code} <> 'charge'`,
        eq(transfers.code, 'reversal'),
      ),
    );
  return charged + BigInt(first?.spent ?? 0) - BigInt(back?.amount ?? 0);
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
