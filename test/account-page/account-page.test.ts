// The person's own account page: the way in, and each thing that can be changed there.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { type Browser, createBrowser, type Page } from '../harness/browserless-browser.ts';
import { chooseForm, inboxReader, mailsTo, type ReadCode } from '../harness/browserless-person.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';

let service: TestTollgate;
beforeAll(async () => {
  service = await startTollgate();
});
afterAll(() => service.stop());

/** Every navigation is one within the site; what comes from elsewhere is for the tests of company settings. */
const ours = () => createBrowser({ headers: { 'sec-fetch-site': 'same-origin' } });

/** Signs in to the account page with codes, and registers on the way if need be. */
async function enter(email: string, path = '/account', browser: Browser = ours()) {
  const readCode = await inboxReader(`${service.url}/dev/inbox.json`, email);
  const page = await walk(browser, `${service.url}${path}`, { email, readCode });
  return { browser, page, readCode };
}

async function walk(
  browser: Browser,
  url: string,
  who: { email: string; readCode: ReadCode },
): Promise<Page> {
  let arrival = await browser.open(url);
  for (let pages = 0; pages < 10; pages += 1) {
    if (!('page' in arrival)) throw new Error(`left to ${arrival.leftTo}`);
    const { page } = arrival;
    const goesOn = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(page.html)?.[1];
    if (goesOn) arrival = await browser.open(new URL(goesOn.replaceAll('&amp;', '&'), service.url).href);
    else if (new URL(page.url).pathname.startsWith('/account')) return page;
    else {
      const step = chooseForm(page, {});
      if (!step) throw new Error(`no way on from ${page.url}: ${page.html}`);
      const typed: Record<string, string> = {};
      for (const { name, type } of step.form.fields) {
        if (name === 'code') typed.code = await who.readCode(who.email);
        if (name === 'email') typed.email = who.email;
        if (name === 'name' && type === 'text') typed.name = 'Ada Lovelace';
      }
      arrival = await browser.submit(page, step.form, typed, step.button);
    }
  }
  throw new Error('never arrived at the account page');
}

async function send(
  browser: Browser,
  page: Page,
  action: string,
  typed: Record<string, string> = {},
): Promise<Page> {
  const form = page.forms.find((each) => new URL(each.action).pathname === action);
  if (!form) throw new Error(`no form for ${action} on ${page.url}`);
  const arrival = await browser.submit(page, form, typed);
  if (!('page' in arrival)) throw new Error(`left to ${arrival.leftTo}`);
  return arrival.page;
}

describe('the way in', () => {
  test('whoever is not signed in signs in through the service, and is never charged for it', async () => {
    const { page } = await enter('way.in@example.com');
    expect(page.html).toContain('Your account');
    expect(page.html).toContain('way.in@example.com');
    expect(await service.db.select().from(usageEvents)).toEqual([]);
  });

  test('signing out ends this session and the one with the engine, without another question', async () => {
    const { browser, page } = await enter('way.out@example.com');
    const done = await send(browser, page, '/account/sign-out');
    expect(done.html).toContain('You are signed out');
    const again = await browser.open(`${service.url}/account`);
    expect('page' in again && again.page.html).not.toContain('Your account');
  });
});

describe('name', () => {
  test('it is changed, and a bad one comes back with what was typed', async () => {
    const { browser } = await enter('name@example.com');
    const form = await browser.open(`${service.url}/account/name`);
    if (!('page' in form)) throw new Error('left');
    const bad = await send(browser, form.page, '/account/name', { name: 'x'.repeat(101) });
    expect(bad.html).toContain('Enter a name of at most 100 characters.');
    expect(bad.html).toContain('x'.repeat(101));
    const done = await send(browser, bad, '/account/name', { name: 'Grace Hopper' });
    expect(done.html).toContain('Your name has been changed.');
    expect(done.html).toContain('Grace Hopper');
  });
});

describe('password (threat 39)', () => {
  test('set, used to sign in, removed; each told by mail; other browsers are signed out', async () => {
    const email = 'password@example.com';
    const first = await enter(email);
    const second = await enter(email);
    const form = await second.browser.open(`${service.url}/account/password`);
    if (!('page' in form)) throw new Error('left');
    const short = await send(second.browser, form.page, '/account/password', { password: 'short' });
    expect(short.html).toContain('Use at least 15 characters.');
    const done = await send(second.browser, short, '/account/password', {
      password: 'marzipan tugboat lantern',
    });
    expect(done.html).toContain('Your password has been set.');
    const elsewhere = await first.browser.open(`${service.url}/account`);
    expect('page' in elsewhere && elsewhere.page.html).not.toContain('Your account');
    const settings = await second.browser.open(`${service.url}/account/password`);
    if (!('page' in settings)) throw new Error('left');
    const removed = await send(second.browser, settings.page, '/account/password/remove');
    expect(removed.html).toContain('Your password has been removed.');
    const told = async () =>
      (await mailsTo(`${service.url}/dev/inbox.json`, email)).map(({ text }) => text).join();
    const isIt = (mails: string) => mails.includes('was just removed');
    expect(await until('a mail tells of the removal', told, { isIt })).toContain('was just set');
  });

  test('five minutes after the sign-in it has to be confirmed again', async () => {
    const { browser } = await enter('stale@example.com');
    service.clock.aheadMilliseconds += 5 * 60_000 + 1_000;
    const asked = await browser.open(`${service.url}/account/password`);
    if (!('page' in asked)) throw new Error('left');
    expect(asked.page.url).toBe(`${service.url}/account/confirm?for=password`);
    expect(asked.page.html).toContain('Changing your password needs a sign-in from the last five minutes.');
    const overview = await browser.open(`${service.url}/account`);
    expect('page' in overview && overview.page.html).toContain('Your account');
    const signIn = await send(browser, asked.page, '/account/confirm');
    expect(new URL(signIn.url).pathname).toMatch(/^\/interaction\//);
    const email = 'stale@example.com';
    const readCode = await inboxReader(`${service.url}/dev/inbox.json`, email);
    const page = await walk(browser, signIn.url, { email, readCode });
    expect(page.url).toBe(`${service.url}/account/password`);
    expect(page.html).toContain('name="password"');
  });

  test('whoever is asked to confirm and cancels is as signed in as before', async () => {
    const { browser } = await enter('changes.mind@example.com');
    service.clock.aheadMilliseconds += 5 * 60_000 + 1_000;
    const asked = await browser.open(`${service.url}/account/data`);
    if (!('page' in asked)) throw new Error('left');
    expect(asked.page.html).toContain('Downloading or deleting your data');
    const signIn = await send(browser, asked.page, '/account/confirm');
    const back = await send(
      browser,
      signIn,
      signIn.url.replace(service.url, '').replace('sign-in', 'cancel'),
    );
    expect(new URL(back.url).pathname).toBe('/account');
    expect(back.html).toContain('Your account');
  });

  test('a made-up purpose leads to the first page, and a form with one back to it', async () => {
    const { browser } = await enter('made.up@example.com');
    service.clock.aheadMilliseconds += 5 * 60_000 + 1_000;
    for (const purpose of ['', '?for=', '?for=//evil.example', '?for=constructor']) {
      const arrival = await browser.open(`${service.url}/account/confirm${purpose}`);
      expect('page' in arrival && arrival.page.url).toBe(`${service.url}/account`);
    }
  });
});

describe('the language', () => {
  test('is chosen on any page, which then speaks it, and a made-up page leads to the first one', async () => {
    const { browser } = await enter('language@example.com');
    const sessions = await browser.open(`${service.url}/account/sessions`);
    if (!('page' in sessions)) throw new Error('left');
    const german = await send(browser, sessions.page, '/account/language', { language: 'de' });
    expect(german.url).toBe(`${service.url}/account/sessions`);
    expect(german.html).toContain('Sitzungen und Geräte');
    for (const page of ['//evil.example', '/../settings', '/a?b=c', '@evil.example']) {
      const away = await send(browser, german, '/account/language', { language: 'en', page });
      expect(away.url).toBe(`${service.url}/account`);
    }
  });
});
