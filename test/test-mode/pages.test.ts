// The mark of test mode on the hosted pages, with a real browser, and the page about a wrong callback, which helps the
// developers of a test application and nobody else (threat 145).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hasChromium } from '../harness/chromium.ts';
import { startAttempt } from '../harness/client.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import { type Lab, openLab } from '../hosted-pages/lab.ts';

const describeBrowser = (await hasChromium()) ? describe : describe.skip;

describeBrowser('the pages of an application in test mode', () => {
  let lab: Lab;
  let application: RegisteredApplication;

  beforeAll(async () => {
    lab = await openLab();
    application = await lab.service.register({
      name: 'Nordlicht Notes',
      redirectUris: [lab.callback],
      isTest: true,
      balance: 0n,
    });
  });
  afterAll(() => lab?.stop());

  const marks = { en: 'Test mode', de: 'Testmodus', fr: 'Mode test', es: 'Modo de prueba' };

  test('say so in every language, from the first to the last, without a finding of axe', async () => {
    for (const [language, mark] of Object.entries(marks)) {
      const person = await lab.person({ locale: language, viewport: { width: 390, height: 800 } });
      const email = `${language}@example.test`;
      const readCode = await lab.mailbox(email);
      const expectMark = async () => {
        expect(await person.page.innerText('main')).toContain(mark);
        expect(await person.findings()).toEqual([]);
        expect(await person.overflows()).toBe(false);
      };
      await person.page.goto(startAttempt(lab.service, application).url);
      await expectMark();
      await person.answer({ email });
      await person.page.waitForURL(/\/code$/);
      await expectMark();
      await person.answer({ code: await readCode() });
      await person.page.waitForURL(/\/welcome$/);
      await expectMark();
      await person.answer({ name: 'Ada Lovelace' });
      await person.page.waitForURL(/\/consent$/);
      await expectMark();
      expect(person.complaints).toEqual([]);
      await person.close();
    }
  });

  test('a live application’s carry no mark', async () => {
    const person = await lab.person();
    await person.page.goto(lab.request().url);
    expect(await person.page.innerText('main')).not.toContain('Test mode');
    await person.close();
  });

  test('a wrong callback is shown beside the registered ones, as text and not at any length', async () => {
    const person = await lab.person();
    const sent = `https://evil.example/<img/onerror>?secret=${'s'.repeat(40)}&${'x'.repeat(3_000)}`;
    await person.page.goto(startAttempt(lab.service, application, { redirect_uri: sent }).url);
    const shown = await person.page.innerText('main');
    expect(shown).toContain('redirect_uri that was sent');
    expect(shown).toContain('https://evil.example/<img/onerror>?secret=...');
    expect(shown).toContain(lab.callback);
    expect(shown).not.toContain('sss');
    expect(shown.length).toBeLessThan(1_500);
    expect(await person.page.locator('main img').count()).toBe(0);
    expect(await person.findings()).toEqual([]);
    await person.page.goto(lab.request({ redirect_uri: sent }).url);
    const live = await person.page.innerText('main');
    expect(live).not.toContain('evil.example');
    expect(live).not.toContain(lab.callback);
    await person.close();
  });
});
