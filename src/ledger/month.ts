// Calendar months of statements, in UTC like every time of the service.
import { TollgateError } from '../errors.ts';

/** `2026-11`, with its first moment and the first moment after it. */
export type Month = { name: string; start: Date; end: Date };

const NAME = /^(20\d\d)-(0[1-9]|1[0-2])$/;

/** @throws TollgateError not_found for anything but a month such as 2026-11. */
export function parseMonth(name: string): Month {
  const match = NAME.exec(name);
  if (!match) throw new TollgateError('not_found', 'That month is not valid. Use a month such as 2026-11.');
  return monthAt(Number(match[1]), Number(match[2]) - 1);
}

export function monthOf(time: Date): Month {
  return monthAt(time.getUTCFullYear(), time.getUTCMonth());
}

/** Newest first, from the month of `from` to that of `to`. */
export function monthsBetween(from: Date, to: Date): Month[] {
  const months: Month[] = [];
  const first = monthOf(from);
  for (let month = monthOf(to); month.start >= first.start; month = monthBefore(month)) months.push(month);
  return months;
}

/** "November 2026" */
export function readableMonth({ start }: Month): string {
  return new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(start);
}

function monthBefore({ start }: Month): Month {
  return monthAt(start.getUTCFullYear(), start.getUTCMonth() - 1);
}

function monthAt(year: number, month: number): Month {
  const start = new Date(Date.UTC(year, month, 1));
  return { name: start.toISOString().slice(0, 7), start, end: new Date(Date.UTC(year, month + 1, 1)) };
}
