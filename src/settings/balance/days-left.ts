// How long a balance lasts, in three words for lists; the balance page has the sentence with the pace.
import type { Forecast } from '../../ledger/forecast.ts';
import { DAY } from '../../limits/units.ts';

export function daysLeft({
  forecast,
  balance,
  now,
}: {
  forecast: Forecast;
  balance: bigint;
  now: Date;
}): string {
  if (balance === 0n) return 'Used up';
  if (forecast.kind === 'idle') return 'Not in use';
  if (forecast.kind === 'long') return 'Lasts for years';
  const days = Math.floor((forecast.at.getTime() - now.getTime()) / (DAY * 1000));
  if (days < 1) return 'Less than a day left';
  return days === 1 ? '1 day left' : `${days} days left`;
}
