// A browser is signed in once (promise 13, threat 105): whichever door the person goes out by, the others are closed
// behind them, so that the next one at a shared computer finds nobody signed in.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { open, ours, tryTokens } from '../account-page/account-lab.ts';
import type { Browser, Page } from '../harness/browserless-browser.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import {
  askSilently,
  endListed,
  enterOwnPages,
  outcomeOf,
  PASSWORD,
  type Place,
  registerWithPassword,
  SAFARI,
  SIGNED_IN,
  tokensFor,
} from './identity-lab.ts';

let service: TestTollgate;
let place: Place;
beforeAll(async () => {
  service = await startTollgate();
  place = { service, application: await service.register() };
});
afterAll(() => service.stop());

/** Says yes where the question is asked. */
async function confirm(browser: Browser, page: Page): Promise<void> {
  const form = page.forms.find(({ action }) => new URL(action).pathname === '/oauth/logout/confirm');
  const yes = form?.buttons.find(({ value }) => value === 'yes');
  if (form) await browser.submit(page, form, {}, yes);
}

async function signOutOf(browser: Browser, path: '/account' | '/settings'): Promise<void> {
  const page = await open(service, browser, path === '/settings' ? '/settings/workspaces/new' : path);
  const form = page.forms.find(({ action }) => new URL(action).pathname === `${path}/sign-out`);
  if (!form) throw new Error(`no way out of ${page.url}: ${page.html}`);
  const arrival = await browser.submit(page, form);
  if ('page' in arrival) await confirm(browser, arrival.page);
}

const doors: Record<string, (browser: Browser) => Promise<void>> = {
  '/account': (browser) => signOutOf(browser, '/account'),
  '/settings': (browser) => signOutOf(browser, '/settings'),
  '/oauth/logout': async (browser) => confirm(browser, await open(service, browser, '/oauth/logout')),
};

describe.each(Object.entries(doors))('signing out at %s', (name, signOut) => {
  const email = `out.by${name.replaceAll('/', '.')}@example.com`;
  let browser: Browser;
  let tokens: Awaited<ReturnType<typeof tokensFor>>;
  beforeAll(async () => {
    await registerWithPassword(place, { email });
    browser = ours();
    await enterOwnPages(place, '/account', { email, password: PASSWORD, browser });
    await enterOwnPages(place, '/settings', { email, password: PASSWORD, browser });
    tokens = await tokensFor(place, email, browser);
    await signOut(browser);
  });

  test.each(['/account', '/settings', '/account/passkeys', '/settings/workspaces/new'])(
    'leaves nobody signed in at %s',
    async (path) => {
      expect(outcomeOf(await browser.open(service.url + path))).toBe('sign-in');
    },
  );

  test('leaves nobody signed in with the engine, and no token that works', async () => {
    expect(await askSilently(place, browser)).toBe('login_required');
    expect(await tryTokens(service, place.application, tokens)).toEqual({
      userInfo: 401,
      refresh: 'invalid_grant',
    });
  });
});

test('the end of one listed session ends the pages of that browser as well', async () => {
  const email = 'listed.once@example.com';
  await registerWithPassword(place, { email });
  const thief = ours(SAFARI);
  await enterOwnPages(place, '/account', { email, password: PASSWORD, browser: thief });
  await enterOwnPages(place, '/settings', { email, password: PASSWORD, browser: thief });
  const { browser: desk } = await enterOwnPages(place, '/account', { email, password: PASSWORD });
  await endListed(place, desk);
  expect(await askSilently(place, thief)).toBe('login_required');
  expect(outcomeOf(await thief.open(`${service.url}/account/password`))).toBe('sign-in');
  expect(outcomeOf(await thief.open(`${service.url}/settings`))).toBe('sign-in');
  expect(await askSilently(place, desk)).toBe(SIGNED_IN);
});
