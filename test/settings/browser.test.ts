// The door of company settings in a real browser: strict cookies across the way in, links
// from elsewhere, a fresh sign-in in the middle of work, the copy button, and all of it without JavaScript.
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { inboxReader, mailsTo } from '../harness/browserless-person.ts';
import { hasChromium } from '../harness/chromium.ts';
import { type Person, watchPeople } from '../hosted-pages/lab.ts';
import { openSettingsLab, type SettingsLab, type SettingsMember } from './lab.ts';

const folder = join(import.meta.dirname, '../../test-output/settings-browser');

((await hasChromium()) ? describe : describe.skip)('the door of company settings, in Chromium', () => {
  let lab: SettingsLab;
  let elsewhere: { origin: string; close(): void };
  const watch = watchPeople();

  beforeAll(async () => {
    lab = await openSettingsLab();
    await mkdir(folder, { recursive: true });
    elsewhere = await startOtherSite(() => `${lab.service.url}/settings/${lab.acme.workspace.id}/members`);
  });
  afterEach(() => watch.end());
  afterAll(async () => {
    elsewhere?.close();
    await lab?.stop();
  });

  async function open(member?: SettingsMember, options?: BrowserContextOptions): Promise<Person> {
    return watch.add(await lab.person(member, options));
  }

  /** Through the hosted pages, until the browser is back in the settings. */
  async function signIn(person: Person, email: string): Promise<void> {
    const readCode = await inboxReader(`${lab.service.url}/dev/inbox.json`, email);
    const { page } = person;
    const isAway = () => new URL(page.url()).pathname.startsWith('/interaction/');
    for (let pages = 0; pages < 6 && isAway(); pages += 1) {
      const before = page.url();
      const code = page.locator('input[name="code"]');
      const name = page.locator('input[autocomplete="name"]');
      const address = page.locator('input[type="email"]');
      if (await code.isVisible()) await code.fill(await readCode(email));
      else if (await name.isVisible()) await name.fill('Grace Hopper');
      else if (await address.isEditable()) await address.fill(email);
      await page.locator('main form .button-primary').first().click();
      await page.waitForURL((url) => url.href !== before);
    }
    await page.waitForURL(
      (url) => url.pathname.startsWith('/settings') && !url.pathname.endsWith('/callback'),
    );
  }

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with' : 'without';
    test(`somebody new arrives by a link from elsewhere, signs up, founds a company and leaves (${how} JavaScript)`, async () => {
      const email = `grace-${how}@example.com`;
      const person = await open(undefined, { javaScriptEnabled });
      const { page } = person;
      await page.goto(`${elsewhere.origin}/home`);
      await page.click('a');
      await page.waitForURL(/\/interaction\//);
      expect(await page.title()).toContain('Tollgate');
      expect(await page.innerText('.lead')).toContain('Tollgate');
      await signIn(person, email);
      expect(await person.heading()).toBe('Create your workspace');
      await person.answer({ name: `Grace & Co ${how}` });
      expect(await person.heading()).toBe(`Grace & Co ${how}`);
      expect(await page.innerText('.notice-success')).toContain('is ready');
      await page.reload();
      expect(await page.locator('.notice-success').count()).toBe(0);
      await page.click('.person-menu > summary:visible');
      await page.click('.side-foot button:visible');
      expect(await person.heading()).toBe('You are signed out');
      await page.goto(`${lab.service.url}/settings`);
      await page.waitForURL(/\/interaction\//);
    });

    test(`a signed-in member follows a link from elsewhere and stays signed in (${how} JavaScript)`, async () => {
      const member = await lab.signIn(lab.acme.viewer.account.email);
      const person = await open(member, { javaScriptEnabled });
      await person.page.goto(`${elsewhere.origin}/deep`);
      await person.page.click('a');
      await person.page.waitForSelector('h1:has-text("Members")');
      expect(person.requests.filter((url) => url.includes('/oauth/authorize'))).toEqual([]);
    });

    test(`an owner whose sign-in is too long ago proves it again and comes back to the page (${how} JavaScript)`, async () => {
      const { workspace, owner } = lab.acme;
      const stale = await lab.signIn(owner.account.email, { authenticatedSecondsAgo: 3_000 });
      const person = await open(stale, { javaScriptEnabled });
      await person.page.goto(`${lab.service.url}/settings/${workspace.id}/members/invite`);
      expect(await person.page.inputValue('input[type="email"]')).toBe(owner.account.email);
      await signIn(person, owner.account.email);
      expect(await person.heading()).toBe('Invite a member');
      const email = `invited-${how}@example.com`;
      await person.answer({ email });
      expect(await person.page.innerText('.notice-success')).toContain(email);
    });
  }

  test('two tabs begin a sign-in, one finishes it, the other one is signed in as well', async () => {
    const person = await open();
    const first = person.page;
    await first.goto(`${lab.service.url}/settings`);
    const second = await first.context().newPage();
    await second.goto(`${lab.service.url}/settings`);
    await first.bringToFront();
    await signIn(person, 'tabs@example.com');
    expect(await person.heading()).toBe('Create your workspace');
    await second.goto(`${lab.service.url}/settings`);
    expect(await second.innerText('h1')).toBe('Create your workspace');
  });

  test('an invitation is read, accepted and over', async () => {
    const { operator } = lab.service.tollgate;
    const email = 'joiner@example.com';
    const { id: workspace } = lab.other.workspace;
    const { invitation } = await operator('member add', { workspace, email, role: 'viewer' });
    const person = await open();
    await person.page.goto(String(invitation));
    expect(await person.heading()).toBe('Join Other & Sons');
    await person.page.screenshot({ path: join(folder, 'join.png') });
    expect(await person.findings()).toEqual([]);
    await person.page.click('.button-primary');
    await signIn(person, email);
    await person.page.click('button:has-text("Join")');
    expect(await person.page.innerText('.notice-success')).toBe('Welcome to Other & Sons.');
    await person.page.goto(String(invitation));
    expect(await person.heading()).toBe('This invitation is no longer valid');
    const [mail] = await mailsTo(`${lab.service.url}/dev/inbox.json`, email);
    expect(mail?.text).toBeDefined();
  });

  test('a form that comes too late waits, and is sent again after a sign-in in another tab', async () => {
    const { workspace, owner } = lab.acme;
    const { clock } = lab.service;
    const person = await open(await lab.signIn(owner.account.email));
    const { page } = person;
    await page.goto(`${lab.service.url}/settings/${workspace.id}/members/invite`);
    try {
      clock.aheadMilliseconds = 6 * 60_000;
      await person.answer({ email: 'patience@example.com' });
      expect(await person.heading()).toBe('Confirm it’s you');
      await page.screenshot({ path: join(folder, 'form-waits.png') });
      expect(await person.findings()).toEqual([]);
      const [tab] = await Promise.all([page.context().waitForEvent('page'), page.click('a.button-primary')]);
      await tab.waitForURL(/\/interaction\//);
      await signIn({ ...person, page: tab }, owner.account.email);
      expect(await tab.innerText('h1')).toBe('You are signed in');
      await page.bringToFront();
      await page.click('form button');
      expect(await page.innerText('.notice-success')).toContain('patience@example.com');
    } finally {
      clock.aheadMilliseconds = 0;
    }
  });

  test('the copy button is there with scripts, copies, and is not there without them', async () => {
    const { workspace, developer } = lab.acme;
    const { id } = await lab.acme.register();
    const path = `${lab.service.url}/settings/${workspace.id}/applications/${id}/credentials`;
    const person = await open(await lab.signIn(developer.account.email));
    await person.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await person.page.goto(path);
    const value = await person.page.locator('[data-copy-value]').first().innerText();
    await person.page.locator('button[data-copy]').first().click();
    await person.page.waitForSelector('button[data-copy]:has-text("Copied")');
    expect(await person.page.evaluate('navigator.clipboard.readText()')).toBe(value);
    const plain = await open(await lab.signIn(developer.account.email), { javaScriptEnabled: false });
    await plain.page.goto(path);
    expect(await plain.page.locator('button[data-copy]:visible').count()).toBe(0);
  });
});

/** A site with two links into the settings. */
async function startOtherSite(deep: () => string): Promise<{ origin: string; close(): void }> {
  const server = createServer((request, response) => {
    const target = request.url === '/deep' ? deep() : new URL('/settings', deep()).href;
    response.setHeader('Content-Type', 'text/html');
    response.end(
      `<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,"><a href="${target}">Go</a>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}
