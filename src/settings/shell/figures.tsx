// How the usage, trace and customers pages write moments, amounts and counts.
import { formatAmount } from '../../money.ts';

/** To the second, in UTC: the steps of a sign-in follow one another within seconds. */
export function SecondTime({ at }: { at: Date }) {
  return <time dateTime={at.toISOString()}>{moment.format(at)}</time>;
}

/** Cents where that is exact, up to six places where it is not. */
export function shortAmount(amount: bigint): string {
  return formatAmount(amount).replace(/0{1,4}$/, '');
}

export function plainNumber(value: number): string {
  return number.format(value);
}

const number = new Intl.NumberFormat('en-GB');
const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
});
