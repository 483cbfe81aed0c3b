// The account page in a real browser: every page on a phone and a desktop, light and dark, with and
// without JavaScript; passkeys with a virtual authenticator.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { and, eq } from 'drizzle-orm';
import { accounts, passkeys, socialIdentities } from '../../drizzle/schema/accounts.ts';
import { developmentInbox } from '../../drizzle/schema/operations.ts';
import { hasChromium, signInOnPages } from '../harness/chromium.ts';
import { exchange } from '../harness/client.ts';
import { takeOver } from '../harness/identity.ts';
import { until } from '../harness/until.ts';
import { type Look, looks, settingsWatch } from '../settings/looks.ts';
import { type Lab, openLab, type Person } from './lab.ts';

/** Switched on, never asked. */
const providers = {
  GOOGLE_CLIENT_ID: 'g-client',
  GOOGLE_CLIENT_SECRET: 'g-secret',
  GITHUB_CLIENT_ID: 'h-client',
  GITHUB_CLIENT_SECRET: 'h-secret',
};

((await hasChromium()) ? describe : describe.skip)('the account page for everybody', () => {
  let lab: Lab;
  const watch = settingsWatch();
  beforeAll(async () => {
    lab = await openLab(providers);
  });
  afterEach(() => watch.end());
  afterAll(() => lab?.stop());

  const url = (path: string) => `${lab.service.url}/account${path}`;

  /** At the account page, as a customer of an application. */
  async function enter(email: string, options: Look['options'] = {}): Promise<Person> {
    const person = watch.add(await lab.person(options));
    const { url: request, verifier } = lab.request();
    await person.page.goto(request);
    await signInOnPages(person.page, { issuer: lab.service.url, email });
    const code = (await person.arrive()).get('code') ?? '';
    await exchange(lab.service, lab.application, { code, verifier });
    await person.page.goto(url(''));
    await person.page.waitForURL(url(''));
    return person;
  }

  async function accountId(email: string): Promise<string> {
    const [account] = await lab.service.db.select().from(accounts).where(eq(accounts.email, email));
    return account?.id ?? '';
  }

  /** Long names, as people and devices have them. */
  async function addPasskeyAndLink(email: string): Promise<void> {
    const owner = await accountId(email);
    const createdAt = new Date('2026-11-03T08:15:00Z');
    await lab.service.db.insert(passkeys).values({
      id: `pky_${owner}`,
      accountId: owner,
      credentialId: owner,
      publicKey: new Uint8Array([1]),
      counter: 0,
      transports: [],
      name: 'Chrome on the old notebook in the kitchen, next to the tea',
      backedUp: false,
      createdAt,
      lastUsedAt: createdAt,
    });
    const email2 = 'a.rather.long.address.at.the.provider@subdomain.example.com';
    await lab.service.db
      .insert(socialIdentities)
      .values({ provider: 'github', subject: owner, accountId: owner, email: email2, createdAt });
    await takeOver(lab.service.db);
  }

  test.each(looks)('every page: $name', async (look) => {
    const email = `looks.${look.name}@example.com`;
    const { page, ...person } = await enter(email, look.options);
    const see = (name: string) => watch.look({ ...person, page }, look, `account-${name}`);
    const visit = async (path: string, name: string) => {
      await page.goto(url(path));
      await page.waitForURL(url(path));
      await see(name);
    };
    await visit('', 'overview');
    await visit('/passkeys', 'passkeys-none');
    // What only a script can use is not shown without one.
    expect(await page.isVisible('[data-passkey]')).toBe(look.options.javaScriptEnabled !== false);
    await addPasskeyAndLink(email);
    await visit('', 'overview-full');
    await visit('/profile', 'profile');
    await visit('/sign-in', 'sign-in');
    await visit('/name', 'name');
    await page.fill('[name=name]', 'Grace Hopper');
    await page.click('main .button-primary');
    await see('overview-done');
    await visit('/password', 'password');
    await page.fill('[name=password]', 'short');
    await page.click('main .button-primary');
    await see('password-problem');
    await visit('/passkeys', 'passkeys');
    await page.click('main .money-rows a');
    await see('passkey');
    await page.fill('[name=name]', 'Kitchen');
    await page.click('main .button-primary');
    expect(await page.innerText('.notice')).toBe('Passkey renamed.');
    await page.click('main .money-rows a');
    await page.click('main .button-danger');
    expect(await page.innerText('.notice')).toBe('Passkey removed.');
    await visit('/social', 'social');
    await page.click('form[action$="/unlink"] button');
    expect(await page.innerText('.notice-success')).toContain('Account unlinked');
    await visit('/sessions', 'sessions');
    await visit('/applications', 'applications');
    await visit('/address', 'address');
    await page.fill('[name=email]', `new.${email}`);
    await page.click('main .button-primary');
    await see('address-code');
    await visit('/data', 'data');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('form[action$="/download"] button'),
    ]);
    expect(download.suggestedFilename()).toBe('my-data.json');
    expect(await page.locator('.button-busy').count()).toBe(0);
    await visit('/delete', 'delete');
    expect(await page.innerText('main')).toContain('Nordlicht Notes');
    await page.fill('[name=email]', 'somebody.else@example.com');
    await page.click('main .button-final');
    await see('delete-problem');
    await page.fill('[name=email]', email);
    await page.click('main .button-final');
    expect(await page.innerText('h1')).toBe('Your account is deleted');
    await see('deleted');
    expect(await accountId(email)).toBe('');
  });

  test.each(['de', 'fr', 'es'])('in %s nothing is wider than a phone', async (language) => {
    const email = `language.${language}@example.com`;
    const options = { locale: language, viewport: { width: 390, height: 844 } };
    const look = { name: `${language}-phone`, options };
    const { page, ...person } = await enter(email, options);
    await addPasskeyAndLink(email);
    for (const path of [
      '',
      '/profile',
      '/sign-in',
      '/passkeys',
      '/social',
      '/sessions',
      '/applications',
      '/data',
      '/delete',
    ]) {
      await page.goto(url(path));
      await page.waitForURL(url(path));
      expect(await page.getAttribute('html', 'lang')).toBe(language);
      await watch.look({ ...person, page }, look, `account${path.replace('/', '-')}`);
    }
    lab.service.clock.aheadMilliseconds += 5 * 60_000 + 1_000;
    await page.goto(url('/password'));
    await page.waitForURL(url('/confirm?for=password'));
    await watch.look({ ...person, page }, look, 'account-confirm');
    lab.service.clock.aheadMilliseconds = 0;
  });

  test('a passkey is added with a name of its own, and told by mail; a dialogue that fails says so', async () => {
    const email = 'adds.passkey@example.com';
    const person = await enter(email);
    const { page } = person;
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable', { enableUI: false });
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: false,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(url('/passkeys'));
    await page.click('[data-passkey-button]');
    await page.waitForSelector('[data-passkey-problem]:not([hidden])');
    expect(await page.innerText('[data-passkey-problem]')).toContain('No passkey was created.');
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.reload();
    await page.fill('[name=name]', 'My notebook');
    await page.click('[data-passkey-button]');
    await page.waitForSelector('.notice-success');
    expect(await page.innerText('.notice-success')).toBe('Passkey added.');
    expect(await page.innerText('.money-rows')).toContain('My notebook');
    expect(await passkeysOf(email)).toEqual([
      expect.objectContaining({ name: 'My notebook', lastUsedAt: null }),
    ]);
    await mailTo(email, 'A passkey was added');

    // It signs in, and the list says when.
    await devtools.send('Page.enable');
    await devtools.send('Page.addScriptToEvaluateOnNewDocument', {
      source: 'PublicKeyCredential.isConditionalMediationAvailable = async () => false;',
    });
    await page.context().clearCookies();
    await page.goto(url('/passkeys'));
    await page.click('[data-passkey-button]');
    await page.waitForURL(url('/passkeys'));
    expect((await passkeysOf(email))[0]?.lastUsedAt).toBeInstanceOf(Date);
    // The same authenticator holds no second one for this account.
    await page.click('[data-passkey-button]');
    await page.waitForSelector('[data-passkey-problem]:not([hidden])');

    await page.click('.money-rows a');
    await page.click('.button-danger');
    await page.waitForSelector('.notice-success');
    expect(await passkeysOf(email)).toEqual([]);
    await mailTo(email, 'A passkey was removed');
  });

  test("another person's passkey is neither shown, renamed nor removed", async () => {
    const owner = 'owns.passkey@example.com';
    await (await enter(owner)).close();
    await addPasskeyAndLink(owner);
    const id = `pky_${await accountId(owner)}`;
    const { page } = await enter('wants.passkey@example.com');
    const answer = await page.goto(url(`/passkeys/${id}`));
    expect(answer?.status()).toBe(404);
    expect(await passkeysOf(owner)).toHaveLength(1);
  });

  async function passkeysOf(email: string) {
    return lab.service.db
      .select()
      .from(passkeys)
      .where(eq(passkeys.accountId, await accountId(email)));
  }

  async function mailTo(email: string, subject: string): Promise<void> {
    const isThere = and(eq(developmentInbox.recipient, email), eq(developmentInbox.subject, subject));
    await until(`${email} has a mail "${subject}"`, async () => {
      const [mail] = await lab.service.db.select().from(developmentInbox).where(isThere);
      return mail;
    });
  }
});
