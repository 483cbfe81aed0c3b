// From where and when somebody asked for what a mail is about, in words: nobody is asked where an address may be.
import type { Context } from 'koa';
import { deviceParts } from '../src/page/device.ts';
import type { Language } from './languages.ts';
import { requestTexts } from './texts/request.ts';

export type MailRequest = { userAgent: string; at: Date };

export function mailRequestOf(ctx: Context, at: Date): MailRequest {
  return { userAgent: ctx.get('user-agent'), at };
}

export function factsOfRequest(
  language: Language,
  application: string,
  { userAgent, at }: MailRequest,
): { facts: [name: string, value: string][] } {
  const texts = requestTexts[language];
  return {
    facts: [
      [texts.application, application],
      [texts.device, deviceIn(language, userAgent)],
      [texts.time, timeIn(language, at)],
    ],
  };
}

/** "Firefox on Windows" */
export function deviceIn(language: Language, userAgent: string): string {
  const texts = requestTexts[language];
  const { browser, system } = deviceParts(userAgent);
  if (browser && system) return texts.on(browser, system);
  return browser ?? system ?? texts.unknownDevice;
}

/** In UTC: a mail cannot know the reader's clock. */
export function timeIn(language: Language, at: Date): string {
  // English is spoken in many places, and only one of them begins with the month.
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(at)} UTC`;
}
