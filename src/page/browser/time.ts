// Runs in the browser: writes the moments of src/page/time.tsx as the reader's own clock shows them, those of
// lists as "5 minutes ago". UTC stays in the title, and all of the text without this script.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const language = document.documentElement.lang === 'en' ? 'en-GB' : document.documentElement.lang;
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });

for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-time]')) {
  const at = new Date(element.dateTime);
  if (Number.isNaN(at.getTime())) continue;
  const kind = element.dataset.time;
  element.textContent = (kind === 'relative' && recent(at)) || moment(at, kind === 'seconds');
}

/** Undefined beyond a day. */
function recent(at: Date): string | undefined {
  const seconds = Math.round((at.getTime() - Date.now()) / 1000);
  const distance = Math.abs(seconds);
  if (distance < MINUTE) return relative.format(0, 'second');
  if (distance < HOUR) return relative.format(Math.trunc(seconds / MINUTE), 'minute');
  return distance < DAY ? relative.format(Math.trunc(seconds / HOUR), 'hour') : undefined;
}

function moment(at: Date, withSeconds: boolean): string {
  return new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(withSeconds ? { second: '2-digit' } : {}),
  }).format(at);
}
