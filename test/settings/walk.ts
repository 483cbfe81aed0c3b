// A person without a browser who signs in to company settings through the hosted pages.
import { type Browser, type Page, readForms } from '../harness/browserless-browser.ts';
import { chooseForm, inboxReader } from '../harness/browserless-person.ts';
import type { TestTollgate } from '../harness/tollgate.ts';

/** From `path` through the hosted pages to the first page of company settings that answers, usually its callback. */
export async function walkIn(
  service: TestTollgate,
  browser: Browser,
  { email, path = '/settings' }: { email: string; path?: string },
): Promise<Page> {
  const readCode = await inboxReader(`${service.url}/dev/inbox.json`, email);
  let arrival = await browser.open(service.url + path);
  for (let pages = 0; pages < 8; pages += 1) {
    if (!('page' in arrival)) throw new Error(`left to ${arrival.leftTo}`);
    const { page } = arrival;
    if (new URL(page.url).pathname.startsWith('/settings')) return page;
    const step = chooseForm(page, {});
    if (!step) throw new Error(`no form on ${page.url}: ${page.html}`);
    const typed: Record<string, string> = {};
    for (const { name, type } of step.form.fields) {
      if (name === 'code') typed.code = await readCode(email);
      else if (type === 'email') typed[name] = email;
      else if (name === 'name') typed.name = 'Grace Hopper';
    }
    arrival = await browser.submit(page, step.form, typed, step.button);
  }
  throw new Error('never came back');
}

/** Of a page: what the form that posts to `path` would send by itself. */
export function formValues(html: string, origin: string, path: string): Record<string, string> {
  const forms = readForms(html, origin);
  const form = forms.find(({ action, method }) => method === 'post' && new URL(action).pathname === path);
  if (!form) throw new Error(`no form posts to ${path}`);
  return Object.fromEntries(form.fields.map(({ name, value }) => [name, value]));
}
