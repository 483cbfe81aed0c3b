// How long a balance lasts at the present pace (issue 4 section 4): what the last seven days cost, and nothing
// cleverer, so that a person can check it.
import { and, eq, gte, inArray, sql } from 'drizzle-orm';
import { transfers } from '../../drizzle/schema.ts';
import { secondsAfter } from '../clock.ts';
import type { Database } from '../database.ts';
import { forecastDays, forecastMaximumDays } from '../limits-payments.ts';

const DAY_SECONDS = 86_400;

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
  const since = secondsAfter(input.now, -forecastDays * DAY_SECONDS);
  const [row] = await db
    .select({
      spent: sql<string>`coalesce(sum(case ${transfers.code} when 'charge' then ${transfers.amount}
        else -${transfers.amount} end), 0)::text`,
    })
    .from(transfers)
    .where(
      and(
        eq(transfers.applicationId, input.applicationId),
        gte(transfers.createdAt, since),
        inArray(transfers.code, ['charge', 'reversal']),
      ),
    );
  return forecast({ ...input, spent: BigInt(row?.spent ?? '0') });
}

/** An application that is younger than a week has its own days counted, at least one. */
export function forecast(input: { spent: bigint; balance: bigint; createdAt: Date; now: Date }): Forecast {
  const { spent, balance, createdAt, now } = input;
  if (spent <= 0n) return { kind: 'idle' };
  const ageSeconds = Math.ceil((now.getTime() - createdAt.getTime()) / 1000);
  const seconds = Math.min(Math.max(ageSeconds, DAY_SECONDS), forecastDays * DAY_SECONDS);
  const spentPerDay = (spent * BigInt(DAY_SECONDS)) / BigInt(seconds);
  const secondsLeft = (balance * BigInt(seconds)) / spent;
  if (secondsLeft > BigInt(forecastMaximumDays * DAY_SECONDS)) return { kind: 'long', spentPerDay };
  return { kind: 'until', at: secondsAfter(now, Number(secondsLeft)), spentPerDay };
}
