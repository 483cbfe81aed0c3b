// This month beside the last one, in UTC as on statements. The present month is not over, so it is compared with the
// last one up to the same day.
import type { KindOfDay } from '../../ledger/usage-days.ts';

export type MonthSum = { sessions: number; registrations: number; cost: bigint };
export type Months = {
  now: MonthSum;
  /** Up to the same day of the month, that day included. */
  lastByToday: MonthSum;
  last: MonthSum;
};

export function startOfLastMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
}

export function monthFigures(usage: KindOfDay[], now: Date): Months {
  const thisMonth = now.toISOString().slice(0, 7);
  const lastMonth = startOfLastMonth(now).toISOString().slice(0, 7);
  const today = now.getUTCDate();
  const inMonth = (month: string, lastDay = 31) =>
    sumOf(usage.filter(({ day }) => day.startsWith(month) && Number(day.slice(8)) <= lastDay));
  return { now: inMonth(thisMonth), lastByToday: inMonth(lastMonth, today), last: inMonth(lastMonth) };
}

function sumOf(usage: KindOfDay[]): MonthSum {
  return {
    sessions: usage.reduce((sum, { count }) => sum + count, 0),
    registrations: usage
      .filter(({ kind }) => kind === 'registration')
      .reduce((sum, { count }) => sum + count, 0),
    cost: usage.reduce((sum, { cost }) => sum + cost, 0n),
  };
}

/** Whole percents, signed; undefined where there is nothing to compare with. */
export function changeInPercent(now: number | bigint, before: number | bigint): number | undefined {
  if (Number(before) === 0) return undefined;
  return Math.round(((Number(now) - Number(before)) / Number(before)) * 100);
}
