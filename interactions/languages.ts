// Which language a page or mail is written in: what the person chose here, else what the application asked for
// (`ui_locales`, OpenID Connect Core §3.1.2.1), else what the browser says, else English.

import type { Context } from 'koa';
import { type PageCookie, readCookie, writeCookie } from '../src/http/cookies.ts';
import { languageChoiceSeconds } from '../src/limits/pages.ts';
import { HOUR, MINUTE } from '../src/limits/units.ts';
import { de } from './texts/de.ts';
import { en, type Texts } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';

export const catalogue = { en, de, fr, es } satisfies Record<string, Texts>;
export type Language = keyof typeof catalogue;
export const languages: Language[] = ['en', 'de', 'fr', 'es'];

const cookie: PageCookie = { name: 'tollgate_language', path: '/' };

export function languageOf(ctx: Context, uiLocales?: string): Language {
  const chosen = known(readCookie(ctx, cookie));
  if (chosen) return chosen;
  for (const tag of (uiLocales ?? '').split(/\s+/)) {
    const wanted = known(tag);
    if (wanted) return wanted;
  }
  return known(ctx.acceptsLanguages(...languages) || undefined) ?? 'en';
}

export function rememberLanguage(ctx: Context, language: Language): void {
  writeCookie(ctx, cookie, language, languageChoiceSeconds);
}

/** `de-AT` is German to us. */
export function known(tag: string | undefined): Language | undefined {
  const primary = tag?.split('-')[0]?.toLowerCase();
  return languages.find((language) => language === primary);
}

/** "45 seconds", "9 minutes", "2 hours": rounded up, so that whoever waits this long has waited long enough. */
export function duration(language: Language, seconds: number): string {
  const [amount, unit] = scale(Math.max(1, Math.ceil(seconds)));
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
}

function scale(seconds: number): [number, 'second' | 'minute' | 'hour'] {
  if (seconds < 2 * MINUTE) return seconds <= MINUTE ? [seconds, 'second'] : [2, 'minute'];
  if (seconds < 2 * HOUR) return [Math.ceil(seconds / MINUTE), 'minute'];
  return [Math.ceil(seconds / HOUR), 'hour'];
}
