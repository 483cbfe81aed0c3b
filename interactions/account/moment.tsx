// A moment in the person's language: in UTC as the page comes, since the service does not know where they are, and by
// their own clock where scripts run (src/page/browser/time.ts).
import type { Language } from '../languages.ts';

export function Moment({ at, language, relative }: { at: Date; language: Language; relative?: boolean }) {
  // English is spoken in many places, and only one of them begins with the month.
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const text = `${format.format(at)} UTC`;
  return (
    <time dateTime={at.toISOString()} title={text} data-time={relative ? 'relative' : 'minutes'}>
      {text}
    </time>
  );
}
