// Pages at which a sign-in ends badly: they name the application where it is known, and lead on. The way back is an address that an
// owner registered, whatever the request says (threat 189).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { saveAppearance } from '../../src/applications/appearance.ts';
import { type Browser, createBrowser, type Page } from '../harness/browserless-browser.ts';
import { startAttempt } from '../harness/client.ts';
import { beginDevice, typeCode } from '../harness/device.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { mailbox, startWalk } from './walk.ts';

const HOME = 'https://shop.example/';
let service: TestTollgate;
let shop: RegisteredApplication;

beforeAll(async () => {
  service = await startTollgate();
  shop = await service.register({
    name: 'Nordlicht Shop',
    redirectUris: ['https://localhost:4443/callback', `${HOME}account/callback`],
  });
  await service.db.update(applications).set({ allowsDevices: true }).where(eq(applications.id, shop.id));
  await saveAppearance(service.db, {
    applicationId: shop.id,
    accent: '#0f766e',
    background: 'tint',
    corners: 'soft',
    termsUrl: null,
    privacyUrl: null,
    supportUrl: 'mailto:help@shop.example',
    senderName: null,
    now: new Date(),
  });
});
afterAll(() => service?.stop());

async function open(browser: Browser, url: string): Promise<Page> {
  const arrival = await browser.open(new URL(url, service.url).href);
  if (!('page' in arrival)) throw new Error(`left to ${arrival.leftTo}`);
  return arrival.page;
}

/** Of the card: where its buttons lead. */
function waysOf({ html }: Page): string[] {
  return [...html.matchAll(/<a class="button[^"]*" href="([^"]*)"/g)].map(([, href = '']) => href);
}

function expectShop(page: Page, ways = [HOME]): void {
  expect(page.html).toMatch(/<title>[^<]+ · Nordlicht Shop<\/title>/);
  expect(page.html).toContain(`/applications/${shop.id}/look-`);
  expect(page.html).toContain('mailto:help@shop.example');
  expect(page.html).toContain('>Back to Nordlicht Shop<');
  expect(waysOf(page)).toEqual(ways);
}

describe('threat 189: a refused request leads to what is registered', () => {
  const refused = (redirectUri: string | null, of = shop, changed = {}) =>
    open(createBrowser(), startAttempt(service, of, { redirect_uri: redirectUri, ...changed }).url);

  test.each([
    ['another site', 'https://evil.example/callback', HOME],
    ['another path of one of its sites', 'https://localhost:4443/elsewhere', 'https://localhost:4443/'],
    ['no address at all', 'javascript:alert(1)', HOME],
    ['nothing', null, HOME],
  ])('%s as the callback', async (_name, sent, home) => {
    const page = await refused(sent);
    expect(page.status).toBe(400);
    expectShop(page, [home]);
    expect(page.html).not.toContain('evil.example');
    expect(page.html).not.toContain('/callback');
  });

  test('in the language of the person', async () => {
    const page = await refused('https://evil.example/', shop, { ui_locales: 'de' });
    expect(page.html).toContain('Zurück zu Nordlicht Shop');
  });

  test('a client that is unknown or disabled is not named, and the way on is our own', async () => {
    const off = await service.register({ name: 'Switched off' });
    await service.db.update(applications).set({ disabledAt: new Date() }).where(eq(applications.id, off.id));
    for (const client of [off, { ...shop, clientId: 'client_made_up' }]) {
      const page = await refused('https://evil.example/', client);
      expect(page.html).not.toContain(client.name);
      expect(waysOf(page)).toEqual(['/']);
    }
  });
});

describe('a sign-in that is over leads back to where it began', () => {
  test('finished: the tab is reloaded', async () => {
    const email = 'finished@example.test';
    const walker = await startWalk(service, shop, { browser: createBrowser() });
    const { url } = walker.page;
    const readCode = await mailbox(service, email);
    await walker.submit('sign-in', { email });
    await walker.submit('code', { code: await readCode() });
    await walker.submit('welcome', { name: 'Ada' });
    await walker.submit('consent', {}, 'allow');
    const page = await walker.open(url);
    expect(page.html).toContain('Already finished');
    expectShop(page);
  });

  test('expired: nothing knows of it but the cookie of its address', async () => {
    const browser = createBrowser();
    const path = '/interaction/unknown-unknown-1234';
    const cookie = { name: 'tollgate_application', path };
    browser.plant(service.url, { ...cookie, value: shop.clientId });
    const page = await open(browser, `${path}/sign-in`);
    expect(page.html).toContain('This link has expired');
    expectShop(page);
    for (const value of ['https://evil.example', 'client_made_up', 'device', 'tollgate-settings']) {
      const fresh = createBrowser();
      fresh.plant(service.url, { ...cookie, value });
      const [way = ''] = waysOf(await open(fresh, path));
      expect([value, way]).toEqual([
        value,
        { device: '/device', 'tollgate-settings': '/settings' }[value] ?? '/',
      ]);
    }
  });

  test('the browser keeps it for the address of one flow alone', async () => {
    const browser = createBrowser();
    const { pathname } = new URL((await open(browser, startAttempt(service, shop).url)).url);
    const kept = browser.cookies().filter(({ name }) => name === 'tollgate_application');
    expect(kept).toEqual([
      { name: 'tollgate_application', value: shop.clientId, path: pathname.replace(/\/[^/]+$/, '') },
    ]);
  });

  test('without cookies, or in another browser', async () => {
    const { url } = await open(createBrowser(), startAttempt(service, shop).url);
    const page = await open(createBrowser(), url);
    expect(page.html).toContain('send our cookie');
    expectShop(page);
  });

  test('of a device: to the page for its code', async () => {
    const { userCode } = await beginDevice(service, shop);
    const { url } = await typeCode(service, createBrowser(), userCode);
    const page = await open(createBrowser(), url);
    expect(waysOf(page)).toEqual(['/device']);
    expect(page.html).not.toContain('Nordlicht Shop');
  });
});

describe('the page for a device’s code has the languages', () => {
  const choose = async (browser: Browser, page: Page, language: string, typed = {}) => {
    const form = page.forms.find(({ action }) => new URL(action).pathname === '/language');
    if (!form) throw new Error(`no languages on ${page.url}`);
    const button = form.buttons.find(({ value }) => value === language);
    const arrival = await browser.submit(page, form, typed, button);
    if (!('page' in arrival)) throw new Error(`left to ${arrival.leftTo}`);
    return arrival.page;
  };

  test('what was typed and what was wrong stay', async () => {
    const browser = createBrowser();
    const linked = await open(browser, '/device?user_code=BCDF-GHJK');
    const french = await choose(browser, linked, 'fr');
    expect(french.html).toContain('lang="fr"');
    expect(french.html).toContain('value="BCDF-GHJK"');
    const wrong = await typeCode(service, browser, 'BBBB-BBBB');
    const german = await choose(browser, wrong, 'de');
    expect(german.html).toContain('Dieser Code ist falsch.');
  });

  test('it leads nowhere else, and takes no form of another browser', async () => {
    const browser = createBrowser();
    const page = await open(browser, '/device');
    for (const elsewhere of [
      'https://evil.example/',
      '//evil.example',
      '/device/../settings',
      '/oauth/logout',
    ])
      expect(new URL((await choose(browser, page, 'es', { page: elsewhere })).url).pathname).toBe('/device');
    expect((await choose(createBrowser(), page, 'de')).status).toBe(403);
    expect((await open(browser, '/language')).status).toBe(405);
  });
});
