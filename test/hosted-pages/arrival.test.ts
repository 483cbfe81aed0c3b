// The address that a start prints: a start page on one's own machine, a front door elsewhere, and a way on from every
// page that is an end.
import { mkdir } from 'node:fs/promises';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CSRF_FIELD } from '../../src/http/form.ts';
import { send } from '../account-page/account-lab.ts';
import { createBrowser, type Page } from '../harness/browserless-browser.ts';
import { hasChromium } from '../harness/chromium.ts';
import { openTestPglite } from '../harness/database.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { enterOwnPages } from '../identity/identity-lab.ts';
import { type Lab, openLab } from './lab.ts';

const WITHOUT_REDIS = { REDIS_URL: '' };
const ELSEWHERE = {
  ...WITHOUT_REDIS,
  BASE_URL: 'https://id.example.test',
  SMTP_URL: 'smtp://127.0.0.1:1',
};

const asPage = { headers: { accept: 'text/html' } };

/** As a browser would whose page was led to this machine by its own name. */
function statusWithHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host, accept: 'text/html' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('arriving on one’s own machine', () => {
  let service: TestTollgate;
  beforeAll(async () => {
    service = await startTollgate(WITHOUT_REDIS, openTestPglite);
  });
  afterAll(() => service.stop());

  test('the start page leads everywhere and says whether the stores answer', async () => {
    const answer = await fetch(service.url, asPage);
    const html = await answer.text();
    expect(answer.status).toBe(200);
    const links = [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(
      ([, href = '']) => new URL(href, service.url),
    );
    expect(links.map(({ pathname }) => pathname).sort()).toEqual([
      '/.well-known/openid-configuration',
      '/account',
      '/dev/inbox',
      '/docs',
      '/settings',
      '/v1/docs',
      '/v1/openapi.json',
    ]);
    for (const link of links) {
      const { status } = await fetch(link, { ...asPage, redirect: 'manual' });
      // Settings and account ask for a sign-in first.
      expect([link.href, status]).toEqual([link.href, /settings|account/.test(link.href) ? 303 : 200]);
    }
    expect(html).toMatch(/Embedded database<\/dt><dd><span class="badge badge-good">answers in \d+ ms/);
    expect(html).toContain('npm run demo');
  });

  test('it has no other methods, and a page of another name that was led here reads nothing', async () => {
    expect((await fetch(service.url, { method: 'POST' })).status).toBe(405);
    expect((await fetch(service.url, { method: 'HEAD' })).status).toBe(200);
    expect(await statusWithHost(service.url, 'evil.example')).toBe(421);
    expect(await statusWithHost(`${service.url}/start/first-owner`, 'evil.example')).toBe(421);
  });

  /** Where the form leads, without going there. */
  async function claimBy({ forms: [claim], headers }: Page, email: string): Promise<string> {
    const token = claim?.fields.find(({ name }) => name === CSRF_FIELD)?.value ?? '';
    const answer = await fetch(`${service.url}/start/first-owner`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: String(headers['set-cookie']).split(';')[0] ?? '' },
      body: new URLSearchParams({ [CSRF_FIELD]: token, email }),
    });
    expect(answer.status).toBe(303);
    return new URL(answer.headers.get('location') ?? '', service.url).pathname;
  }

  test('a company that nobody owns gets an owner: an address, a code, one button, and once', async () => {
    const browser = createBrowser();
    const start = await browser.open(service.url);
    if (!('page' in start)) throw new Error('the start page leads nowhere else');
    const [claim] = start.page.forms;
    if (!claim) throw new Error('the start page offers to become the owner');
    const wrong = await browser.submit(start.page, claim, { email: 'nobody' });
    expect(wrong).toMatchObject({ page: { status: 400, html: expect.stringContaining('you@example.com') } });

    const email = 'owner@example.com';
    const invitation = await claimBy(start.page, email);
    const { page } = await enterOwnPages({ service }, invitation, { email, browser });
    const home = await send(browser, page, new URL(page.url).pathname);
    expect(home.html).toContain('Welcome to Acme');

    const later = await browser.open(service.url);
    expect(later).toMatchObject({ page: { forms: [] } });
    const again = await browser.submit(start.page, claim, { email: 'second@example.com' });
    expect(again).toMatchObject({ page: { forms: [], html: expect.stringContaining('is running') } });
  });

  test('another site cannot send the form', async () => {
    const answer = await fetch(`${service.url}/start/first-owner`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ email: 'evil@example.com' }),
    });
    expect(answer.status).toBe(403);
  });

  test('every page that is an end knows a way on', async () => {
    const ends = {
      '/nothing-here': '/',
      '/interaction/unknown-unknown-1234': '/',
      '/settings/ws_nothing/nothing': '/settings',
      '/account/nothing': '/account',
      '/settings/invitations/over': '/settings',
    };
    for (const [path, wayOn] of Object.entries(ends)) {
      const html = await (await fetch(service.url + path, asPage)).text();
      expect([path, /<a class="button [^>]*href="([^"]+)"/.exec(html)?.[1]]).toEqual([path, wayOn]);
    }
  });
});

describe('arriving anywhere else', () => {
  let service: TestTollgate;
  let local: string;
  beforeAll(async () => {
    service = await startTollgate({ ...ELSEWHERE, HOST: '127.0.0.1' }, openTestPglite);
    local = `http://127.0.0.1:${service.tollgate.config.port}`;
  });
  afterAll(() => service.stop());

  test('the front door leads people to their account and companies to settings, and says nothing else', async () => {
    const html = await (
      await fetch(local, { headers: { accept: 'text/html', 'accept-language': 'de' } })
    ).text();
    const links = [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href);
    expect(links).toEqual(['/account', '/settings']);
    expect(html).toContain('Ihr Konto');
    expect(html).not.toMatch(/npm|npx|PostgreSQL|Redis|inbox/);
  });

  test('nobody becomes an owner by a form', async () => {
    const answer = await fetch(`${local}/start/first-owner`, { method: 'POST' });
    expect(answer.status).toBe(404);
  });

  test('a service on loopback that listens for others has the front door as well', async () => {
    const open = await startTollgate(
      { ...WITHOUT_REDIS, HOST: '0.0.0.0', SMTP_URL: ELSEWHERE.SMTP_URL },
      openTestPglite,
    );
    expect(await (await fetch(open.url, asPage)).text()).not.toContain('is running');
    await open.stop();
  });
});

((await hasChromium()) ? describe : describe.skip)('how arriving looks', () => {
  const looks = [
    { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
    { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  ] as const;
  let own: Lab;
  let open: Lab;
  beforeAll(async () => {
    own = await openLab(WITHOUT_REDIS, openTestPglite);
    open = await openLab({ ...WITHOUT_REDIS, HOST: '0.0.0.0', SMTP_URL: ELSEWHERE.SMTP_URL }, openTestPglite);
  });
  afterAll(async () => {
    await own.stop();
    await open.stop();
  });

  for (const look of looks) {
    test(`axe-core finds nothing and nothing overflows (${look.colorScheme})`, async () => {
      for (const [name, lab] of Object.entries({ own, open })) {
        const person = await lab.person(look);
        await person.page.goto(lab.service.url);
        expect([name, await person.findings(), await person.overflows()]).toEqual([name, [], false]);
        const { SCREENSHOTS } = process.env;
        if (SCREENSHOTS) {
          await mkdir(SCREENSHOTS, { recursive: true });
          await person.page.screenshot({
            path: `${SCREENSHOTS}/${name}-${look.colorScheme}.png`,
            fullPage: true,
          });
        }
        expect(person.complaints).toEqual([]);
        await person.close();
      }
    });
  }
});
