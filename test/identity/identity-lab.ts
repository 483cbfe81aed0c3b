// For tests of identity under attack: people with passwords, how they come in and recover, and what a browser or a token
// is still good for.
import { expect } from '@jest/globals';
import { inboxOf, open, ours, send, signInToApplication, type Tokens } from '../account-page/account-lab.ts';
import { accountPerson, goesOnTo } from '../account-page/account-walk.ts';
import type { Arrival, Browser, Form, Page } from '../harness/browserless-browser.ts';
import { chooseForm, inboxReader, signInAs } from '../harness/browserless-person.ts';
import { startAttempt } from '../harness/client.ts';
import type { RegisteredApplication, TestTollgate } from '../harness/tollgate.ts';

export const PASSWORD = 'plankton trombone gravel seven';
export const NEW_PASSWORD = 'marzipan tugboat lantern nine';

export type Place = { service: TestTollgate; application: RegisteredApplication };
export type Who = { email: string; password?: string | undefined; browser?: Browser };

/** Somebody new with a password, signed in to the application, which they trust. */
export async function registerWithPassword(place: Place, who: Who): Promise<Browser> {
  const { email, password = PASSWORD, browser = ours() } = who;
  const { url } = startAttempt(place.service, place.application, { prompt: 'create' });
  const callback = await signInAs({ authorizationUrl: url, email, password, browser });
  expect(outcomeOf({ leftTo: callback })).toBe(SIGNED_IN);
  return browser;
}

/** Whoever is signed in there proves it again. */
export async function signIn(place: Place, who: Who): Promise<Browser> {
  const { email, password = PASSWORD, browser = ours() } = who;
  const { url } = startAttempt(place.service, place.application, { prompt: 'login' });
  const callback = await signInAs({ authorizationUrl: url, email, password, browser });
  expect(outcomeOf({ leftTo: callback })).toBe(SIGNED_IN);
  return browser;
}

/** The application got its code. */
export const SIGNED_IN = 'signed in';

/** Where it led: the name of a hosted page, SIGNED_IN or the error at the application, or another path of ours. */
export function outcomeOf(arrival: Arrival): string {
  if ('page' in arrival) {
    const { pathname } = new URL(arrival.page.url);
    return /^\/interaction\/[^/]+\/([\w-]+)$/.exec(pathname)?.[1] ?? pathname;
  }
  const to = new URL(arrival.leftTo, 'http://ours.invalid');
  if (to.searchParams.has('code')) return SIGNED_IN;
  return to.searchParams.get('error') ?? to.pathname;
}

/** Whether the browser is still signed in: what the application hears without anybody seeing a page. */
export async function askSilently(place: Place, browser: Browser): Promise<string> {
  const { url } = startAttempt(place.service, place.application, { prompt: 'none' });
  return outcomeOf(await browser.open(url));
}

/** Up to the sign-in page; its interaction. */
export async function begin(
  place: Place,
  browser: Browser,
  parameters: Record<string, string> = {},
): Promise<{ page: Page; uid: string; path(step: string): string }> {
  const arrival = await browser.open(startAttempt(place.service, place.application, parameters).url);
  if (!('page' in arrival)) throw new Error(`left to ${arrival.leftTo}`);
  const uid = new URL(arrival.page.url).pathname.split('/')[2] ?? '';
  return { page: arrival.page, uid, path: (step) => `/interaction/${uid}/${step}` };
}

/** From /account or /settings through the hosted pages, to the page that was asked for. */
export async function enterOwnPages(
  { service }: { service: Pick<TestTollgate, 'url'> },
  path: string,
  { email, password, browser = ours() }: Who,
): Promise<{ browser: Browser; page: Page }> {
  const readCode = await inboxReader(inboxOf(service), email);
  let arrival = await browser.open(service.url + path);
  for (let pages = 0; pages < 16; pages += 1) {
    if (!('page' in arrival)) throw new Error(`left to ${arrival.leftTo}`);
    const { page } = arrival;
    const on = goesOnTo(page);
    const { pathname } = new URL(page.url);
    const isOnTheWay = pathname.startsWith('/interaction/') || pathname === '/account/confirm';
    if (!on && !isOnTheWay) return { browser, page };
    const step = on ? undefined : chooseForm(page, password === undefined ? {} : { password });
    if (!on && !step) throw new Error(`no way on from ${page.url}: ${page.html}`);
    if (!step) {
      arrival = await browser.open(new URL(on ?? '', service.url).href);
      continue;
    }
    const typed: Record<string, string> = {};
    for (const { name, type } of step.form.fields) {
      if (name === 'code') typed.code = await readCode(email);
      else if (type === 'email') typed[name] = email;
      else if (type === 'password') typed[name] = password ?? '';
      else if (name === 'name') typed.name = 'Ada Lovelace';
    }
    arrival = await browser.submit(page, step.form, typed, step.button);
  }
  throw new Error('never came to the page');
}

/** The owner, in a browser that was never here: code, new password, and everything else should be over. */
export async function recoverAccount(
  place: Place,
  { email, password = NEW_PASSWORD, browser = ours() }: Who,
): Promise<void> {
  const open = await openRecovery(place, { email, browser });
  const done = await open.person.send(open.form, open.action, { password });
  expect(outcomeOf({ page: done })).toBe('recovered');
}

/** The same up to the form for the new password. */
export async function openRecovery(place: Place, { email, browser = ours() }: Who) {
  const person = accountPerson(place.service, email, browser);
  const readCode = await inboxReader(inboxOf(place.service), email);
  const { path } = await begin(place, browser, { prompt: 'login' });
  const code = await person.send(await person.open(path('recover')), path('recover'), { email });
  const form = await person.send(code, path('code'), { code: await readCode(email) });
  return { person, form, action: path('new-password') };
}

/** Presses "End all others" on the account page. */
export async function endAllOthers({ service }: Pick<Place, 'service'>, browser: Browser): Promise<Page> {
  const person = accountPerson(service, '', browser);
  return person.send(await person.open('/account/sessions'), '/account/sessions/end-others');
}

export const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1';

/** Ends the session that the list of the account page shows for this kind of browser. */
export async function endListed(
  { service }: Pick<Place, 'service'>,
  browser: Browser,
  device = 'Safari on iPhone',
): Promise<Page> {
  const page = await open(service, browser, '/account/sessions');
  const isItsRow = (row: string) => row.includes(device) && row.includes('/account/sessions/end"');
  const row = page.html.split('<li class="device">').find(isItsRow) ?? '';
  const [, session = ''] = /\/sessions\/end".*?name="session" value="([^"]+)"/s.exec(row) ?? [];
  return send(browser, page, '/account/sessions/end', {}, { session });
}

export function formFor(page: Page, action: string): Form {
  const form = page.forms.find((each) => each.method === 'post' && new URL(each.action).pathname === action);
  if (!form) throw new Error(`no form for ${action} on ${page.url}: ${page.html}`);
  return form;
}

export function tokensFor(place: Place, email: string, browser: Browser): Promise<Tokens> {
  return signInToApplication(place.service, place.application, { email, browser });
}

export const LIVING = { userInfo: 200, refresh: '200' };
export const DEAD = { userInfo: 401, refresh: 'invalid_grant' };
