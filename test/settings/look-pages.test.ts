// An application's look in a real browser: the preview follows what is chosen before anything is saved, and the hosted
// pages wear what is saved, in light and in dark, on a phone and a desktop, in forced colours and magnified.

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { hasChromium } from '../harness/chromium.ts';
import { startAttempt } from '../harness/client.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
import { openSettingsLab, type SettingsLab } from './lab.ts';
import { looks, settingsWatch } from './looks.ts';

const ACCENT = '#e0a100';
const DARKENED = /^rgb\((\d+), (\d+), 0\)$/;

((await hasChromium()) ? describe : describe.skip)('the look of an application, in Chromium', () => {
  let lab: SettingsLab;
  let application: RegisteredApplication;
  const watch = settingsWatch();
  beforeAll(async () => {
    lab = await openSettingsLab();
    application = await lab.acme.register({ name: 'Nordlicht Notes' });
  });
  afterEach(() => watch.end());
  afterAll(() => lab?.stop());

  const url = () =>
    `${lab.service.url}/settings/${lab.acme.workspace.id}/applications/${application.id}/appearance`;

  test('the preview follows name, colour, corners and logo, and nothing is saved', async () => {
    const person = watch.add(await lab.person(lab.acme.developer));
    const { page } = person;
    await page.goto(url());
    const colourOf = (part: string) =>
      page.$eval(
        part,
        (element) => element.ownerDocument.defaultView?.getComputedStyle(element).backgroundColor,
      );
    const button = '.look-light .button-primary';
    expect(await colourOf(button)).toBe('rgb(52, 81, 209)');
    await page.fill('[name=name]', 'Zeppelin');
    expect(await page.innerText('.look-dark .lead')).toBe('to continue to Zeppelin');
    expect(await page.innerText('.look-dark .monogram')).toBe('Z');
    await page.fill('[name=accent]', ACCENT);
    await page.check('#corners-round');
    await until('the button is darker', async () => DARKENED.test((await colourOf(button)) ?? ''));
    expect(await page.locator('.look-light .preview-link').first().isVisible()).toBe(false);
    await page.fill('[name=terms]', 'https://notes.example/terms');
    await page.fill('[name=sender_name]', 'Zeppelin Support');
    expect(await page.innerText('.look-light .brand-links')).toBe('Terms');
    expect(await page.innerText('.look-dark .preview-mail')).toContain(
      'Zeppelin Support <no-reply@localhost>',
    );
    const logo = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#14653a' } })
      .png()
      .toBuffer();
    await page.setInputFiles('[name=logo]', { name: 'logo.png', mimeType: 'image/png', buffer: logo });
    await page.waitForSelector('.look-light img[src^="blob:"]');
    expect(await page.innerText('.drop:has([name=logo])')).toContain('logo.png · ');
    const wrong = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') };
    await page.setInputFiles('[name=logo]', wrong);
    expect(await page.innerText('.drop:has([name=logo])')).toContain('That file can’t be used');
    await page.waitForSelector('.look-light .monogram');
    await page.reload();
    expect(await colourOf(button)).toBe('rgb(52, 81, 209)');
    expect(await page.innerText('.look-light .lead')).toBe('to continue to Nordlicht Notes');
  });

  test.each(looks)('$name: form and sign-in page with everything chosen', async (look) => {
    const person = watch.add(await lab.person(lab.acme.developer, look.options));
    const { page } = person;
    await page.goto(url());
    await page.fill('[name=accent]', ACCENT);
    await page.check('#background-gradient');
    await page.check('#corners-round');
    await page.fill('[name=terms]', 'https://notes.example/terms');
    await page.fill('[name=privacy]', 'https://notes.example/privacy');
    await page.fill('[name=support]', 'help@notes.example');
    await page.click('main form .button-primary');
    await page.waitForSelector('.notice-success');
    await watch.look(person, look, 'look-form');
    expect(await page.innerText('main')).toContain('buttons use #');
    const guest = watch.add(await lab.person(undefined, { ...look.options, locale: 'de-DE' }));
    await guest.page.goto(startAttempt(lab.service, application).url);
    await watch.look(guest, look, 'look-sign-in');
    expect(await guest.page.innerText('.brand-links')).toContain('Datenschutz');
    await guest.page.goto(guest.page.url().replace(/[^/]+$/, 'register'));
    await guest.page.fill('[name=password]', 'correct horse battery staple');
    if (look.options.javaScriptEnabled === false) expect(await guest.page.isVisible('.strength')).toBe(false);
    else {
      expect(await guest.page.innerText('.strength')).toBe('Lang und abwechslungsreich. Gut.');
      await guest.page.click('[data-reveal]');
      expect(await guest.page.getAttribute('[name=password]', 'type')).toBe('text');
      await guest.page.fill('[name=password]', 'aaaaaaaaaaaaaaaa');
      expect(await guest.page.getAttribute('.strength', 'data-level')).toBe('guessable');
    }
    await watch.look(guest, look, 'look-register');
  });

  test('in forced colours, and at 200 %, the sign-in page shows everything and scrolls in one direction', async () => {
    const options = { forcedColors: 'active', viewport: { width: 640, height: 430 } } as const;
    const guest = watch.add(await lab.person(undefined, options));
    for (const step of ['sign-in', 'register', 'password', 'recover']) {
      await guest.page.goto(startAttempt(lab.service, application).url);
      await guest.page.goto(guest.page.url().replace(/[^/]+$/, step));
      await watch.look(guest, { name: 'forced', options }, `look-${step}`);
      const border = await guest.page.$eval(
        'main .button-primary',
        (element) => element.ownerDocument.defaultView?.getComputedStyle(element).borderTopStyle,
      );
      expect(border).toBe('solid');
    }
  });
});
