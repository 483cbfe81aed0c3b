// A moment, written in UTC, so that the page is complete without scripts and two people who speak about a moment mean
// the same one. Where scripts run, src/page/browser/time.ts writes it as the reader's own clock shows it; UTC stays in
// the title.

export type TimeProps = {
  at: Date;
  /** In lists of what happened last: "5 minutes ago". Not in a sentence, where it may come after "since". */
  relative?: boolean;
  /** Steps that follow one another within seconds. */
  seconds?: boolean;
  /** Of statements and everything else that is counted by days of UTC: it stays as it is. */
  utc?: boolean;
};

export function Time({ at, relative = false, seconds = false, utc = false }: TimeProps) {
  const kind = utc ? undefined : kindOf({ relative, seconds });
  return (
    <time
      dateTime={at.toISOString()}
      title={`${exact.format(at)} UTC`}
      {...(kind ? { 'data-time': kind } : {})}
    >
      {seconds ? `${exact.format(at)} UTC` : readableTime(at)}
    </time>
  );
}

function kindOf({ relative, seconds }: { relative: boolean; seconds: boolean }): string {
  if (relative) return 'relative';
  return seconds ? 'seconds' : 'minutes';
}

const minute = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
} as const;
const format = new Intl.DateTimeFormat('en-GB', minute);
const exact = new Intl.DateTimeFormat('en-GB', { ...minute, second: '2-digit' });

/** "21 Nov 2026, 16:05 UTC" */
export function readableTime(at: Date): string {
  return `${format.format(at)} UTC`;
}
