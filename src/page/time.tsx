// A moment, in UTC, so that two people who speak about it mean the same one.

export function Time({ at }: { at: Date }) {
  return <time dateTime={at.toISOString()}>{readableTime(at)}</time>;
}

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** "21 Nov 2026, 16:05 UTC" */
export function readableTime(at: Date): string {
  return `${format.format(at)} UTC`;
}
