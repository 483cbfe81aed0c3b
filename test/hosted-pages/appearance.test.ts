// How the hosted pages look and speak: languages, without JavaScript, on a phone and a desktop, light and
// dark, for people who cannot see them; and what they never do: ask another site for anything (threat 38).

import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { hasChromium } from '../harness/chromium.ts';
import { rounds } from '../harness/rounds.ts';
import { type Lab, openLab, type Person, watchPeople } from './lab.ts';

((await hasChromium()) ? describe : describe.skip)('promise 9: hosted pages for everybody', () => {
  let lab: Lab;
  const watch = watchPeople();

  beforeAll(async () => {
    lab = await openLab();
  });
  afterEach(() => watch.end());
  afterAll(() => lab?.stop());

  async function newPerson(...options: Parameters<Lab['person']>): Promise<Person> {
    return watch.add(await lab.person(...options));
  }

  /** Calls `look` on every page that the service has, in the order in which a person meets them. */
  async function walkEveryPage(
    person: Person,
    email: string,
    look: (name: string) => Promise<void>,
  ): Promise<void> {
    const { page } = person;
    const readCode = await lab.mailbox(email);
    const step = (name: string) => page.goto(page.url().replace(/[^/]+$/, name));
    await page.goto(lab.request().url);
    await look('sign-in');
    await person.answer({ email: 'nobody@nowhere' });
    await look('sign-in-problem');
    await step('password');
    await person.answer({ email, password: 'not the right password' });
    await look('password-problem');
    await step('recover');
    await look('recover');
    await step('register');
    await look('register');
    await person.answer({ email, name: 'Ada Lovelace', password: 'short' });
    await look('register-problem');
    await step('sign-in');
    await person.answer({ email });
    await look('code');
    await person.answer({ code: '12345' });
    await look('code-problem');
    const codePage = page.url();
    // The script keeps its button disabled until then.
    await page.$eval('form[action$="/resend"]', (form) => (form as unknown as { submit(): void }).submit());
    await page.waitForURL('**/resend');
    await look('too-soon');
    await page.goto(codePage);
    await person.answer({ code: await readCode() });
    await look('welcome');
    await person.answer({ name: 'Ada Lovelace' });
    await look('consent');
    await person.answer({}, 'button[value="allow"]');
    await person.arrive();
    await page.goto(codePage);
    await look('finished');
    await recoverPassword(person, email, look);
    await page.goto(`${lab.service.url}/oauth/logout`);
    await look('signed-out');
    await page.goto(`${lab.service.url}/interaction/unknown-unknown-1234`);
    await look('expired');
    await page.goto(lab.request({ redirect_uri: 'https://evil.example/' }).url);
    await look('refused');
    await page.goto(`${lab.service.url}/nothing-here`);
    await look('not-found');
    await page.goto(`${lab.service.url}/dev/inbox?to=${email}`);
    await look('inbox');
  }

  async function recoverPassword(
    person: Person,
    email: string,
    look: (name: string) => Promise<void>,
  ): Promise<void> {
    const { page } = person;
    const readCode = await lab.mailbox(email);
    await page.goto(lab.request({ prompt: 'login' }).url);
    await page.goto(page.url().replace(/[^/]+$/, 'recover'));
    await person.answer({ email });
    await person.answer({ code: await readCode() });
    await look('new-password');
    await person.answer({ password: 'quartz lantern meadow 77 bicycle' });
    await look('recovered');
    await person.answer({});
    await person.arrive();
    await page.goto(`${lab.service.url}/oauth/logout`);
    await look('logout');
    await person.answer({}, 'button[value="yes"]');
  }

  const looks = [
    { colorScheme: 'light', viewport: { width: 1280, height: 860 }, locale: 'en-GB' },
    { colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de-DE' },
    { colorScheme: 'light', viewport: { width: 320, height: 640 }, locale: 'fr-FR' },
    { colorScheme: 'dark', viewport: { width: 1280, height: 860 }, locale: 'es-ES' },
  ] as const;

  // Each of colours, widths and languages once in two looks; all four with ATTACKS=whole.
  for (const look of looks.slice(0, rounds(2, looks.length))) {
    const name = `${look.colorScheme}, ${look.viewport.width} px, ${look.locale}`;
    test(`axe-core finds nothing on any page, nothing overflows, nothing comes from elsewhere (${name})`, async () => {
      const person = await newPerson(look);
      const found: Record<string, string[]> = {};
      const wide: string[] = [];
      const seen: string[] = [];
      await walkEveryPage(person, `everybody-${look.locale}@example.com`.toLowerCase(), async (page) => {
        seen.push(page);
        const findings = await person.findings();
        if (findings.length > 0) found[page] = findings;
        if (await person.overflows()) wide.push(page);
        expect(await person.page.getAttribute('html', 'lang')).toBe(
          page === 'inbox' ? 'en' : look.locale.slice(0, 2),
        );
        expect(await person.page.locator('main').count()).toBe(1);
        expect(await person.page.locator('h1').count()).toBe(1);
        expect(await person.page.locator('script:not([src^="/assets/"]), [style], style').count()).toBe(0);
      });
      expect({ found, wide }).toEqual({ found: {}, wide: [] });
      expect(seen.length).toBeGreaterThanOrEqual(20);
      const own = [lab.service.url, new URL(lab.callback).origin];
      const foreign = person.requests.filter((url) => !own.some((origin) => url.startsWith(origin)));
      expect(foreign.filter((url) => !url.startsWith('data:'))).toEqual([]);
    });
  }

  test('every language has every text, none left empty', async () => {
    const folder = new URL('../../interactions/texts/', import.meta.url);
    const files = await readdir(folder);
    expect(files.sort()).toEqual([
      'api.ts',
      'de.ts',
      'device.ts',
      'en.ts',
      'es.ts',
      'fr.ts',
      'mail-de.ts',
      'password.ts',
      'recovered.ts',
      'request.ts',
      'test-mode.ts',
    ]);
    const { catalogue } = await import('../../interactions/languages.ts');
    const keysOf = (texts: object): string[] =>
      Object.entries(texts).flatMap(([key, value]) => {
        if (typeof value === 'object') return keysOf(value).map((inner) => `${key}.${inner}`);
        return value === '' ? [] : [key];
      });
    for (const texts of Object.values(catalogue)) expect(keysOf(texts)).toEqual(keysOf(catalogue.en));
  });

  test('without JavaScript everything works, in the language that the browser asks for', async () => {
    const jan = await newPerson({ javaScriptEnabled: false, locale: 'de-AT' });
    const readCode = await lab.mailbox('jan@example.com');
    await jan.page.goto(lab.request().url);
    expect(await jan.heading()).toBe('Anmelden');
    await jan.answer({ email: 'jan@example.com' });
    await jan.answer({ code: await readCode() });
    await jan.answer({ name: 'Jan' });
    await jan.answer({}, 'button[value="allow"]');
    expect((await jan.arrive()).has('code')).toBe(true);
    const mails = await fetch(`${lab.service.url}/dev/inbox.json?to=jan@example.com`);
    const [mail] = (await mails.json()) as { subject: string; html: string }[];
    expect(mail?.subject).toMatch(/^\d{6} ist Ihr Code für Nordlicht Notes$/);
    expect(mail?.html).toContain('lang="de"');
  });

  test('ui_locales picks the language, and the switch below the card overrules it and stays', async () => {
    const kim = await newPerson();
    await kim.page.goto(lab.request({ ui_locales: 'xx fr-CA de' }).url);
    expect(await kim.heading()).toBe('Se connecter');
    await kim.page.click('button[value="es"]');
    expect(await kim.heading()).toBe('Iniciar sesión');
    expect(await kim.page.getAttribute('html', 'lang')).toBe('es');
    await kim.page.goto(lab.request({ ui_locales: 'fr' }).url);
    expect(await kim.heading()).toBe('Iniciar sesión');
  });
});
