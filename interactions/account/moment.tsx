// A moment in the person's language, in UTC: the service does not know where they are.
import type { Language } from '../languages.ts';

export function Moment({ at, language }: { at: Date; language: Language }) {
  // English is spoken in many places, and only one of them begins with the month.
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return <time dateTime={at.toISOString()}>{format.format(at)} UTC</time>;
}
