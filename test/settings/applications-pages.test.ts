// The pages of applications in Chromium (promise 40): every page and form on phone and desktop, light and
// dark, with and without JavaScript; and the trial sign-in, from the button to the claims.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { count, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { customers } from '../../drizzle/schema/customers.ts';
import { transfers } from '../../drizzle/schema/transfers.ts';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { inboxReader, signInAs } from '../harness/browserless-person.ts';
import { hasChromium } from '../harness/chromium.ts';
import { exchange, readCallback, startAttempt } from '../harness/client.ts';
import type { Person } from '../hosted-pages/lab.ts';
import { openSettingsLab, type SettingsLab } from './lab.ts';
import { looks, settingsWatch } from './looks.ts';

((await hasChromium()) ? describe : describe.skip)('applications in company settings', () => {
  const watch = settingsWatch();
  let lab: SettingsLab;
  let logo: Buffer;

  beforeAll(async () => {
    lab = await openSettingsLab();
    logo = await sharp({ create: { width: 96, height: 96, channels: 3, background: '#e2725b' } })
      .png()
      .toBuffer();
  });
  afterEach(() => watch.end());
  afterAll(() => lab?.stop());

  const at = (rest: string) => `${lab.service.url}/settings/${lab.acme.workspace.id}${rest}`;

  async function save(person: Person, button: string): Promise<void> {
    await person.page.locator('main').getByRole('button', { name: button, exact: true }).click();
  }

  test.each(looks)('$name: made, connected, changed, disabled, deleted', async (look) => {
    const person = watch.add(await lab.person(lab.acme.owner, look.options));
    const { page } = person;
    const see = (name: string) => watch.look(person, look, `application-${name}`);
    const name = `Nordlicht ${look.name}`;

    await page.goto(at('/applications'));
    await see('list');
    await page.goto(at('/applications/new'));
    await see('new');
    await page.fill('[name="name"]', ' ');
    await page.fill('[name="callback"]', 'http://shop.example/callback');
    await page.setInputFiles('[name="logo"]', { name: 'logo.png', mimeType: 'image/png', buffer: logo });
    await save(person, 'Create application');
    await see('new-refused');
    expect(await page.inputValue('[name="callback"]')).toBe('http://shop.example/callback');
    await page.fill('[name="name"]', name);
    await page.fill('[name="callback"]', 'https://shop.example/callback');
    await page.setInputFiles('[name="logo"]', { name: 'logo.png', mimeType: 'image/png', buffer: logo });
    await page.selectOption('[name="stack"]', 'go');
    await save(person, 'Create application');
    await see('credentials-new');
    expect(await page.innerText('.secrets')).toContain('You won’t be able to see it again');
    expect(await page.innerText('main')).toContain('Go with go-oidc');

    await page.getByRole('link', { name: 'Python' }).click();
    expect(await page.innerText('main')).toContain('os.environ["TOLLGATE_CLIENT_SECRET"]');
    expect(await page.locator('.secrets').count()).toBe(0);
    await see('credentials');
    await page.getByRole('link', { name: 'Next.js' }).click();
    expect(await page.innerText('main')).toContain('https://shop.example/api/auth/callback/tollgate');

    await save(person, 'Create a secret');
    await page
      .getByRole('link', { name: /^Expire the secret/ })
      .first()
      .click();
    await page.check('[value="at"]');
    await save(person, 'Expire secret');
    await see('expire-refused');
    expect(await page.isChecked('[value="at"]')).toBe(true);
    await page.fill('[name="at"]', '2099-12-31T23:59');
    await save(person, 'Expire secret');
    expect(await page.innerText('main')).toContain('works until 31 Dec 2099, 23:59 UTC');
    await page
      .getByRole('link', { name: /^Expire the secret/ })
      .last()
      .click();
    await see('expire-last');
    expect(await page.innerText('main')).toContain('every sign-in and refresh fails');

    await page.getByRole('link', { name, exact: true }).click();
    await see('overview');
    await page.getByRole('link', { name: 'Addresses' }).click();
    await see('addresses');
    await page.getByRole('link', { name: 'Change the addresses' }).click();
    await see('addresses-change');
    await page.fill('[name="callback-2"]', 'https://shop.example/Callback#x');
    await page.fill('[name="origin-1"]', 'https://shop.example/');
    await page.locator('#callback').getByRole('button', { name: 'Add another' }).click();
    expect(await page.inputValue('[name="callback-2"]')).toBe('https://shop.example/Callback#x');
    await page.fill('[name="callback-3"]', 'https://shop.example/callback');
    await page.press('[name="callback-3"]', 'Enter');
    await see('addresses-refused');
    expect(await page.innerText('#callback-2-problem')).toContain('fragment');
    expect(await page.innerText('#callback-3-problem')).toContain('given twice');
    expect(await page.innerText('#origin-1-problem')).toContain('without a path');
    await page.fill('[name="callback-2"]', 'https://shop.example/other');
    await page.fill('[name="callback-3"]', '');
    await page.fill('[name="origin-1"]', 'https://shop.example');
    await save(person, 'Save addresses');
    expect(await page.innerText('main')).toContain('Addresses saved');

    await page.getByRole('link', { name: 'Appearance' }).click();
    await see('appearance');
    expect(await page.locator('figure img').count()).toBe(2);
    await page.setInputFiles('[name="logo"]', {
      name: 'x.png',
      mimeType: 'image/png',
      buffer: Buffer.from('<b>'),
    });
    await save(person, 'Save');
    await see('appearance-refused');
    await save(person, 'Remove the logo');
    expect(await page.locator('figure img').count()).toBe(0);

    await page.getByRole('link', { name: 'Overview' }).last().click();
    await save(person, 'Disable');
    await see('disabled');
    await save(person, 'Enable');
    await page.getByRole('link', { name: 'Delete this application' }).click();
    await see('delete');
    await page.fill('[name="name"]', 'something else');
    await save(person, 'Delete permanently');
    await see('delete-refused');
    await page.fill('[name="name"]', name);
    await save(person, 'Delete permanently');
    expect(await page.innerText('main')).toContain(`${name} has been deleted`);
    await see('list-deleted');
  });

  test('a viewer sees every page and no way to change anything', async () => {
    const application = await lab.acme.register({ name: 'Seen by viewers' });
    const person = watch.add(await lab.person(lab.acme.viewer));
    for (const rest of ['', '/credentials', '/addresses', '/appearance']) {
      await person.page.goto(at(`/applications/${application.id}${rest}`));
      expect(await person.page.locator('main form').count()).toBe(0);
      expect(await person.findings()).toEqual([]);
    }
    await person.page.goto(at('/applications'));
    expect(await person.page.getByRole('link', { name: 'New application' }).count()).toBe(0);
  });

  test.each([looks[0], looks[2]].filter((look) => look !== undefined))(
    '$name: "Try the sign-in" goes through the real pages, shows the real claims, and is not charged',
    async (look) => {
      const application = await lab.acme.register({ name: 'Nordlicht Notes', logo: new Uint8Array(logo) });
      const person = watch.add(await lab.person(lab.acme.developer, look.options));
      const { page } = person;
      const email = `grace.${look.name}@example.com`;
      await page.goto(at(`/applications/${application.id}`));
      await page.getByRole('link', { name: 'Try the sign-in' }).click();
      await watch.look(person, look, 'application-try');
      await save(person, 'Start the sign-in');
      await page.waitForURL('**/interaction/**');
      expect(await page.innerText('main')).toContain('to continue to Nordlicht Notes');
      expect(await page.getAttribute('.mark', 'src')).toBe(`/applications/${application.id}/logo`);
      await walkToCallback(person, email);
      await watch.look(person, look, 'application-tried');
      expect(await person.heading()).toBe('It works');
      const shown = await page.locator('main dl').innerText();
      const callback = page.url();
      await page.reload();
      expect(await person.heading()).toBe('This trial has ended');
      expect(new URL(callback).searchParams.get('code')).toBeTruthy();

      const { db } = lab.service;
      for (const table of [customers, usageEvents]) {
        const [rows] = await db
          .select({ rows: count() })
          .from(table)
          .where(eq(table.applicationId, application.id));
        expect(rows?.rows).toBe(0);
      }
      const moved = await db.select().from(transfers).where(eq(transfers.applicationId, application.id));
      expect(moved.map(({ code }) => code)).toEqual(['top_up']);

      // The same person for real: the same claims, no consent asked again, and charged as a registration.
      const attempt = startAttempt(lab.service, application);
      const steps: string[] = [];
      const back = await signInAs({
        authorizationUrl: attempt.url,
        email,
        browser: createBrowser(),
        onPage: ({ url }) => steps.push(url.split('/').at(-1) ?? ''),
      });
      expect(steps).not.toContain('consent');
      const { body } = await exchange(lab.service, application, {
        code: readCallback(back).code ?? '',
        verifier: attempt.verifier,
      });
      const [, payload = ''] = String(body.id_token).split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      for (const claim of ['iss', 'aud', 'sub', 'email', 'email_verified', 'name', 'updated_at']) {
        expect(shown).toContain(`${claim}\n`);
        expect(shown).toContain(String(claims[claim]));
      }
      const others = Object.keys(claims).filter((claim) => !shown.includes(`${claim}\n`));
      // Those say something about one sign-in, not about the person.
      expect(['acr', 'amr', 'exp', 'iat', 'nonce']).toEqual(expect.arrayContaining(others));
    },
  );

  test('the code of a trial is refused at the token endpoint, whatever is sent with it', async () => {
    const application = await lab.acme.register();
    const trial = { ...application, clientId: `trial-${application.clientId}` };
    for (const client of [
      trial,
      { ...trial, clientSecret: undefined },
      { ...trial, clientSecret: 'kept as hashes' },
    ]) {
      const { status, body } = await exchange(lab.service, client, { code: 'any', verifier: 'v'.repeat(43) });
      expect([status, body.error]).toEqual([401, 'invalid_client']);
    }
    const elsewhere = startAttempt(lab.service, trial);
    expect((await fetch(elsewhere.url, { redirect: 'manual' })).status).toBe(400);
  });

  test('whoever cancels a trial reads what the application would have received', async () => {
    const application = await lab.acme.register();
    const person = watch.add(await lab.person(lab.acme.developer));
    await person.page.goto(at(`/applications/${application.id}/try`));
    await save(person, 'Start the sign-in');
    await person.page.waitForURL('**/interaction/**');
    await person.page.getByRole('button', { name: /^Cancel and return/ }).click();
    await person.page.waitForURL('**/try/callback**');
    expect(await person.heading()).toBe('You cancelled');
    expect(await person.page.innerText('main')).toContain('access_denied');
  });

  async function walkToCallback({ page }: Person, email: string): Promise<void> {
    const readCode = await inboxReader(`${lab.service.url}/dev/inbox.json`, email);
    const press = async (selector: string) => {
      const before = page.url();
      await page.click(selector);
      await page.waitForURL((url) => url.href !== before);
    };
    await page.fill('[name="email"]', email);
    await press('button[value="code"]');
    await page.fill('[name="code"]', await readCode(email));
    await press('main form .button-primary');
    await page.fill('[name="name"]', 'Grace Hopper');
    await press('main form .button-primary');
    expect(page.url()).toContain('/consent');
    await press('button[value="allow"]');
    await page.waitForURL('**/try/callback**');
  }
});
