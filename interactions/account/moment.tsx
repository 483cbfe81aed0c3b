// A moment in the person's language: in UTC as the page comes, since the service does not know where they are, and by
// their own clock where scripts run (src/page/browser/time.ts).
import type { Language } from '../languages.ts';
import { timeIn } from '../mail-request.ts';

export function Moment({ at, language, relative }: { at: Date; language: Language; relative?: boolean }) {
  const text = timeIn(language, at);
  return (
    <time dateTime={at.toISOString()} title={text} data-time={relative ? 'relative' : 'minutes'}>
      {text}
    </time>
  );
}
