// Company settings in a real browser: overview, members, invitations, sessions, audit log;
// on a phone and a desktop, light and dark, with and without JavaScript.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { hasChromium } from '../harness/chromium.ts';
import type { Person } from '../hosted-pages/lab.ts';
import { openSettingsLab, type SettingsLab, type SettingsMember } from './lab.ts';
import { looks, settingsWatch } from './looks.ts';

((await hasChromium()) ? describe : describe.skip)('company settings: people', () => {
  let lab: SettingsLab;
  const watch = settingsWatch();

  beforeAll(async () => {
    lab = await openSettingsLab();
  });
  afterEach(() => watch.end());
  afterAll(() => lab?.stop());

  const open = async (member: SettingsMember, options?: BrowserContextOptions): Promise<Person> =>
    watch.add(await lab.person(member, options));

  for (const look of looks.slice(0, 2)) {
    const { name, options } = look;
    test(`every page reads well (${name})`, async () => {
      const company = await lab.addWorkspace(`Nordlicht Reisen ${name}`);
      const { workspace, owner, viewer } = company;
      const base = `${lab.service.url}/settings/${workspace.id}`;
      const person = await open(owner, options);
      const { page } = person;
      const see = async (what: string) => {
        await watch.look(person, look, `people-${what}`);
        expect(await page.locator('h1').count()).toBe(1);
        expect(await page.locator('main').count()).toBe(1);
      };
      await page.goto(base);
      await see('overview-new');
      await company.register({ name: 'Nordlicht Kundenkonto' });
      await company.register({ name: 'Gruppenbuchung', balance: 10_000n });
      await page.goto(base);
      await see('overview');
      if ((options.viewport?.width ?? 0) < 600) {
        await page.click('.menu > summary');
        await see('menu');
      }
      await page.goto(`${base}/members/invite`);
      await see('invite');
      await person.answer({ email: 'nobody@nowhere' });
      expect(await page.inputValue('[name="email"]')).toBe('nobody@nowhere');
      expect(await page.innerText('#email-problem')).toBe('Enter a valid email address.');
      await see('invite-problem');
      await person.answer({ email: `new-${name}@example.com` });
      await see('members');
      await page.click('a[href*="/members/invitations/"]');
      await see('invitation');
      await page.goto(`${base}/members/${viewer.account.id}`);
      await see('member');
      await page.check('#role-developer');
      await page.click('button:has-text("Save role")');
      await see('role-changed');
      await page.goto(`${base}/members/leave`);
      await page.click('main .button-danger');
      await see('last-owner');
      await lab.signIn(owner.account.email);
      await page.goto(`${base}/sessions`);
      await see('sessions');
      await page.goto(`${base}/audit-log`);
      await see('audit-log');
      await page.selectOption('[name="action"]', 'member.role_changed');
      await page.click('.filter button');
      expect(await page.locator('.data-table tbody tr').count()).toBe(1);
      await page.goto(`${base}/audit-log?from=2001-01-01&until=2001-01-01`);
      await see('audit-log-empty');
      await page.goto(`${lab.service.url}/settings/workspaces/new`);
      await see('new-workspace');
      const colleague = await open(company.viewer, options);
      await colleague.page.goto(`${base}/audit-log`);
      expect(await colleague.heading()).toBe('You need another role');
      await watch.look(colleague, look, 'people-role');
    });
  }
});
