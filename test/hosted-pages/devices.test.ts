// Promise 65: the pages for a device in a real browser, in light and dark, on a phone and a desktop, in every language,
// with scripts and without; and the question that nobody can be led past (threat 177).
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { hasChromium } from '../harness/chromium.ts';
import { askForCode, beginDevice, poll } from '../harness/device.ts';
import { type Look, looks, settingsWatch } from '../settings/looks.ts';
import { type Lab, openLab, type Person } from './lab.ts';

((await hasChromium()) ? describe : describe.skip)('the pages for a device', () => {
  let lab: Lab;
  const watch = settingsWatch();
  beforeAll(async () => {
    lab = await openLab();
    const isOurs = eq(applications.id, lab.application.id);
    await lab.service.db.update(applications).set({ allowsDevices: true }).where(isOurs);
  });
  afterEach(() => watch.end());
  afterAll(() => lab?.stop());

  const ask = () => beginDevice(lab.service, lab.application);

  async function walk(person: Person, look: Look, email: string): Promise<void> {
    const { page } = person;
    const readCode = await lab.mailbox(email);
    const codes = await ask();
    await page.goto(`${lab.service.url}/device`);
    await watch.look(person, look, 'device-code');
    await person.answer({ user_code: 'BBBB BBBB' });
    await watch.look(person, look, 'device-code-problem');
    // As people type it.
    await person.answer({ user_code: codes.userCode.toLowerCase().replace('-', ' ') });
    await watch.look(person, look, 'device-sign-in');
    await person.answer({ email });
    await person.answer({ code: await readCode() });
    await person.answer({ name: 'Ada Lovelace' });
    await page.waitForURL('**/device');
    await watch.look(person, look, 'device-question');
    await person.answer({}, 'button[value="allow"]');
    await page.waitForURL('**/device/*');
    await watch.look(person, look, 'device-connected');
    expect((await poll(lab.service, lab.application, codes)).status).toBe(200);
  }

  for (const look of looks) {
    test(`from the code to the device (${look.name})`, async () => {
      const locale = { 'light-desktop': 'en-GB', 'dark-phone': 'de-DE' }[look.name] ?? 'fr-FR';
      const person = watch.add(await lab.person({ ...look.options, locale }));
      await walk(person, look, `${look.name}@example.com`);
    });
  }

  test('a link with the code in it: the person looks at the code, is asked all the same, and says no', async () => {
    const look = { name: 'dark-desktop', options: { colorScheme: 'dark', locale: 'es-ES' } } as const;
    const person = watch.add(await lab.person(look.options));
    const { page } = person;
    const email = 'no-thanks@example.com';
    const readCode = await lab.mailbox(email);
    const { body } = await askForCode(lab.service, lab.application);
    await page.goto(String(body.verification_uri_complete));
    expect(await page.inputValue('[name="user_code"]')).toBe(body.user_code);
    await watch.look(person, look, 'device-link');
    await person.answer({});
    await person.answer({ email });
    await person.answer({ code: await readCode() });
    await person.answer({ name: 'Ada Lovelace' });
    await page.waitForURL('**/device');
    expect(await person.heading()).toBe('¿Iniciar sesión en Nordlicht Notes en su dispositivo?');
    await person.answer({}, 'button[value="cancel"]');
    await page.waitForURL('**/device/*');
    await watch.look(person, look, 'device-refused');
    const codes = { deviceCode: String(body.device_code) };
    expect((await poll(lab.service, lab.application, codes)).body.error).toBe('access_denied');
  });
});
