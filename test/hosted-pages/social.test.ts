// Promise 10 in Chromium: the way to each social provider and back, with nothing that the policy or a screen reader minds.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { hasChromium, launchChromium, watchConsole } from '../harness/chromium.ts';
import { startAttempt } from '../harness/client.ts';
import { runAxeOn } from './lab.ts';
import { openSocialLab, providerIds, type SocialLab } from './social-lab.ts';

const inChromium = (await hasChromium()) ? describe : describe.skip;

inChromium('social sign-in in Chromium', () => {
  let lab: SocialLab;
  let browser: Browser;
  beforeAll(async () => {
    lab = await openSocialLab();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await lab.stop();
  });

  test.each(providerIds)(
    '%s: button, provider, back, consent; axe finds nothing, the console says nothing',
    async (provider) => {
      lab.seat(provider, '80808', `browser.${provider}@example.com`);
      const hasScript = provider !== 'github';
      const context = await browser.newContext({
        locale: 'en-GB',
        viewport: { width: 390, height: 844 },
        colorScheme: provider === 'apple' ? 'dark' : 'light',
        javaScriptEnabled: hasScript,
      });
      const complaints = watchConsole(context);
      const page = await context.newPage();
      await page.goto(startAttempt(lab.service, lab.application).url);
      if (hasScript) expect(await runAxeOn(page)).toEqual([]);
      await page.click(`.button-${provider}`);
      await page.click('button[value=yes]');
      // Apple's answer is a form: its own script posts it, and without script a person presses the button.
      await page.waitForURL(/consent/);
      if (hasScript) expect(await runAxeOn(page)).toEqual([]);
      expect(await page.innerText('main')).toContain(`browser.${provider}@example.com`);
      const ours = complaints.filter((line) => !line.includes('127.0.0.1'));
      expect(ours).toEqual([]);
      await context.close();
    },
  );

  test('threat 51 in a browser: the page that asks for one proof is fit to be read', async () => {
    lab.seat('google', '1', 'unproven@example.com', { verified: false });
    const context = await browser.newContext({ locale: 'de', viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(startAttempt(lab.service, lab.application).url);
    await page.click('.button-google');
    await page.click('button[value=yes]');
    await page.waitForURL(/social-proof/);
    expect(await page.innerText('h1')).toBe('Noch ein Schritt');
    expect(await runAxeOn(page)).toEqual([]);
    await context.close();
  });
});
