// The pages as people with other needs meet them: colours chosen by their system and text at twice its size, writing that
// runs from right to left, a keyboard and nothing else. The looks of the hosted pages under the first two are in look-pages.test.ts.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inboxReader } from '../harness/browserless-person.ts';
import { hasChromium } from '../harness/chromium.ts';
import { startAttempt } from '../harness/client.ts';
import { CALLBACK, type RegisteredApplication } from '../harness/tollgate.ts';
import type { Person } from '../hosted-pages/lab.ts';
import { writeHistory } from '../ledger/usage-history.ts';
import { openSettingsLab, type SettingsLab } from './lab.ts';
import { settingsWatch } from './looks.ts';

/** A desktop of 1280 pixels, at 200 %. */
const magnified = { viewport: { width: 640, height: 430 } };
const desktop = { width: 1280, height: 860 };
const phone = { width: 390, height: 844 };

((await hasChromium()) ? describe : describe.skip)('pages under other conditions, in Chromium', () => {
  let lab: SettingsLab;
  let shop: RegisteredApplication;
  const watch = settingsWatch();
  beforeAll(async () => {
    lab = await openSettingsLab();
    shop = await lab.acme.register({ name: 'Bergwacht Mitgliederportal für Ehrenamtliche' });
    const history = { applicationId: shop.id, until: new Date(), days: 30, perDay: 5, customers: 5 };
    await writeHistory(lab.service.db, history);
  });
  afterEach(() => watch.end());
  afterAll(() => lab?.stop());

  const settings = (rest = '') => `/settings/${lab.acme.workspace.id}${rest}`;
  const pagesOfCompany = () => [
    settings(),
    settings('/usage'),
    settings('/applications'),
    settings(`/applications/${shop.id}/appearance`),
    settings('/webhooks/new'),
    '/docs/webhooks',
  ];
  const pagesOfAccount = [
    ...['/profile', '/address', '/password', '/passkeys', '/social', '/applications', '/data', '/delete'],
    ...['', '/sign-in', '/sessions'],
  ].map((path) => `/account${path}`);

  async function owner(options = {}): Promise<Person> {
    return watch.add(await lab.person(lab.acme.owner, options));
  }

  /** Through the hosted pages, by the keyboard alone. */
  async function enterAccount(person: Person, email: string): Promise<void> {
    const { page } = person;
    const readCode = await inboxReader(`${lab.service.url}/dev/inbox.json`, email);
    await page.goto(`${lab.service.url}/account`);
    for (const typed of [() => email, () => readCode(email), () => 'Ada Lovelace']) {
      const before = page.url();
      // The browser moves into the field when it draws the page, which may be after it has loaded.
      await page.waitForSelector('input:focus');
      await page.keyboard.type(await typed());
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.href !== before);
      if (new URL(page.url()).pathname === '/account') return;
    }
    await page.waitForURL('**/account');
  }

  async function lookAt(person: Person, paths: string[], name: string): Promise<void> {
    for (const path of paths) {
      await person.page.goto(lab.service.url + path);
      await watch.look(person, { name, options: {} }, `${name} ${path.replaceAll('/', ' ')}`);
    }
  }

  test('promise 68: forced colours at 200 %: nothing is cut off, nothing scrolls sideways, and where one is can be seen', async () => {
    const person = await owner({ ...magnified, forcedColors: 'active' });
    await lookAt(person, pagesOfCompany(), 'forced');
    await enterAccount(person, 'ada.forced@example.com');
    await lookAt(person, [...pagesOfAccount, '/device', '/device?problem=over'], 'forced');
    expect(await styleOf(person.page, '.input[aria-invalid]', 'borderTopWidth')).toBe('3px');
    await person.page.goto(`${lab.service.url}/account/sessions`);
    expect(await styleOf(person.page, '.account-nav [aria-current]', 'outlineStyle')).toBe('solid');
  });

  test('right to left, every page is the other way round and as wide as the window', async () => {
    const { page, overflows } = await owner();
    for (const path of pagesOfCompany()) {
      await page.setViewportSize(desktop);
      await page.goto(lab.service.url + path);
      await page.$eval('html', (html) => html.setAttribute('dir', 'rtl'));
      const [side, content] = [await boxOf(page, '.side'), await boxOf(page, '#content')];
      expect(side.x).toBeGreaterThanOrEqual(content.x + content.width);
      expect([path, await overflows()]).toEqual([path, false]);
      await page.setViewportSize(phone);
      expect([path, await overflows()]).toEqual([path, false]);
    }
  });

  test('by keyboard alone: a sign-in, consent, the account page, and a new application', async () => {
    const guest = watch.add(await lab.person(undefined));
    const { page } = guest;
    await page.route(`${CALLBACK}?**`, (route) => route.fulfill({ body: 'back at the shop' }));
    await enterAccount(guest, 'ada.keys@example.com');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    await tabTo(page, 'main a, main button');
    await page.goto(startAttempt(lab.service, shop).url);
    await tabTo(page, 'button[value="allow"]');
    await page.keyboard.press('Enter');
    await guest.arrive();

    const person = await owner();
    await person.page.goto(lab.service.url + settings('/applications'));
    await tabTo(person.page, 'a[href$="/applications/new"]');
    await person.page.keyboard.press('Enter');
    await person.page.waitForURL('**/applications/new');
    await tabTo(person.page, '[name=name]');
    await person.page.keyboard.type('Typed');
    await tabTo(person.page, '[name=callback]');
    await person.page.keyboard.type('https://typed.example/callback');
    await person.page.keyboard.press('Enter');
    await person.page.waitForURL('**/credentials?**');
    expect(await person.page.innerText('main')).toContain('Typed is ready.');
  });
});

async function styleOf(page: Page, selector: string, property: string): Promise<unknown> {
  return page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`);
}

async function boxOf(page: Page, selector: string): Promise<{ x: number; width: number }> {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} is not shown`);
  return box;
}

/** Whatever has the focus on the way can be seen to have it. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    const isThere = `document.activeElement.matches(${JSON.stringify(selector)})`;
    if (await page.evaluate(isThere)) return;
    await page.keyboard.press('Tab');
    expect(await page.evaluate(IS_SEEN)).toBe(true);
  }
  throw new Error(`${selector} cannot be reached by Tab`);
}

const IS_SEEN = `(() => {
  const element = document.activeElement;
  if (element === document.body) return true;
  const own = getComputedStyle(element);
  const around = element.parentElement ? getComputedStyle(element.parentElement) : own;
  return [own, around].some(({ outlineStyle, boxShadow }) => outlineStyle !== 'none' || boxShadow !== 'none');
})()`;
