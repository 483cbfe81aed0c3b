// Promise 6 with oidc-client-ts in a real Chromium: the single-page example, across origins, tokens in memory.
import { afterAll, beforeAll, expect, describe as suite, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { makeCertificate } from '../../examples/certificate.ts';
import { type SinglePageApp, startSinglePageApp } from '../../examples/single-page-app/server.ts';
import { hasChromium, launchChromium, signInOnPages, watchConsole } from '../harness/chromium.ts';
import { freePort } from '../harness/free-port.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const describe = (await hasChromium()) ? suite : suite.skip;

describe('oidc-client-ts in Chromium', () => {
  let service: TestTollgate;
  let app: SinglePageApp;
  let chromium: Browser;

  beforeAll(async () => {
    service = await startTollgate();
    const port = await freePort();
    const url = `https://localhost:${port}`;
    const { clientId } = await service.register({
      clientType: 'public',
      redirectUris: [`${url}/callback.html`],
      postLogoutRedirectUris: [`${url}/`],
    });
    app = await startSinglePageApp({ issuer: service.url, clientId, port, tls: await makeCertificate() });
    chromium = await launchChromium();
  });
  afterAll(async () => {
    await chromium.close();
    await app.close();
    await service.stop();
  });

  async function open() {
    const context = await chromium.newContext({ ignoreHTTPSErrors: true });
    const complaints = watchConsole(context);
    const page = await context.newPage();
    await page.goto(app.url);
    return { context, complaints, page };
  }

  test('registers, reads UserInfo across origins, rotates the refresh token, logs out', async () => {
    const { context, complaints, page } = await open();
    const email = 'ada.spa@example.com';
    await page.click('#sign-in');
    await page.waitForURL(`${service.url}/**`);
    await signInOnPages(page, { issuer: service.url, email });
    await page.waitForSelector('#signed-in:not([hidden])');
    expect(await page.textContent('#name')).toBe('Ada Lovelace');
    expect(await page.textContent('#claims')).toContain(email);
    expect(page.url()).toBe(`${app.url}/`);

    const renewal = page.waitForResponse((response) => response.url() === `${service.url}/oauth/token`);
    await page.click('#refresh');
    expect((await renewal).status()).toBe(200);
    await page.getByText('Renewals: 1').waitFor();

    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).toBe('[{},{}]');

    await page.click('#log-out');
    await page.click('button[name="logout"]');
    await page.waitForURL(`${app.url}/`);
    await page.waitForSelector('#signed-out:not([hidden])');
    await page.click('#sign-in');
    await page.waitForURL(`${service.url}/**`);
    await page.locator('input[type="email"]').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('after a reload the page knows nobody, and one click signs in again without a question', async () => {
    const { context, complaints, page } = await open();
    await page.click('#sign-in');
    await page.waitForURL(`${service.url}/**`);
    await signInOnPages(page, { issuer: service.url, email: 'reload.spa@example.com' });
    await page.waitForSelector('#signed-in:not([hidden])');
    await page.reload();
    await page.waitForSelector('#signed-out:not([hidden])');
    await page.click('#sign-in');
    await page.waitForSelector('#signed-in:not([hidden])');
    expect(complaints).toEqual([]);
    await context.close();
  });
});
