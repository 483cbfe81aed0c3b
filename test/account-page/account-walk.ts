// For tests of the account page without a browser: people who sign in to it with codes, open its pages and send its forms.
import { type Browser, createBrowser, type Page } from '../harness/browserless-browser.ts';
import { chooseForm, inboxReader, mailsTo } from '../harness/browserless-person.ts';
import type { TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';

export type AccountPerson = {
  email: string;
  browser: Browser;
  /** Opens a page of the account, through every page that goes on by itself. */
  open(path: string): Promise<Page>;
  /** Sends the form of a page that posts to `action`. */
  send(page: Page, action: string, typed?: Record<string, string>): Promise<Page>;
  /** Waits for a mail to this person that contains these words; its text. */
  mail(words: string): Promise<string>;
};

/** Signed in with codes, and registered on the way if need be. */
export async function enterAccount(
  service: TestTollgate,
  email: string,
  path = '/account',
  browser = createBrowser({ headers: sameOrigin }),
): Promise<AccountPerson> {
  const person = accountPerson(service, email, browser);
  const readCode = await inboxReader(`${service.url}/dev/inbox.json`, email);
  let page = await person.open(path);
  for (let pages = 0; !isAccount(page) && pages < 10; pages += 1) {
    const step = chooseForm(page, {});
    if (!step) throw new Error(`no way on from ${page.url}: ${page.html}`);
    const typed: Record<string, string> = {};
    for (const { name, type } of step.form.fields) {
      if (name === 'code') typed.code = await readCode(email);
      if (name === 'email') typed.email = email;
      if (name === 'name' && type === 'text') typed.name = 'Ada Lovelace';
    }
    page = await arrive(
      service,
      person.browser,
      await person.browser.submit(page, step.form, typed, step.button),
    );
  }
  return person;
}

/** Every navigation is one within the site. */
export const sameOrigin = { 'sec-fetch-site': 'same-origin' };

export function accountPerson(service: TestTollgate, email: string, browser: Browser): AccountPerson {
  return {
    email,
    browser,
    open: async (path) => arrive(service, browser, await browser.open(service.url + path)),
    async send(page, action, typed = {}) {
      const form = page.forms.find((each) => new URL(each.action).pathname === action);
      if (!form) throw new Error(`no form for ${action} on ${page.url}: ${page.html}`);
      return arrive(service, browser, await browser.submit(page, form, typed));
    },
    async mail(words) {
      const told = async () =>
        (await mailsTo(`${service.url}/dev/inbox.json`, email)).map(({ text }) => text);
      const isIt = (texts: string[]) => texts.some((text) => text.includes(words));
      const texts = await until(`a mail to ${email} says ${words}`, told, { isIt });
      return texts.find((text) => text.includes(words)) ?? '';
    },
  };
}

export function isAccount(page: Page): boolean {
  return new URL(page.url).pathname.startsWith('/account');
}

/** Where a page of ours goes on to by itself, on our site or elsewhere. */
export function goesOnTo(page: Page): string | undefined {
  return /http-equiv="refresh" content="0; url=([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&');
}

async function arrive(
  service: TestTollgate,
  browser: Browser,
  arrival: Awaited<ReturnType<Browser['open']>>,
  hops = 5,
): Promise<Page> {
  if (!('page' in arrival)) throw new Error(`left to ${arrival.leftTo}`);
  const to = goesOnTo(arrival.page);
  const next = to && new URL(to, service.url);
  if (!next || next.origin !== service.url) return arrival.page;
  if (hops === 0) throw new Error(`${next} goes on and on`);
  return arrive(service, browser, await browser.open(next.href), hops - 1);
}
