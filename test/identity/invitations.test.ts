// An invitation speaks for a member who could send it. When they are no member any more, the link in the mail is dead.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { members } from '../../drizzle/schema/workspaces.ts';
import { inboxOf, open, ours, send } from '../account-page/account-lab.ts';
import type { Browser } from '../harness/browserless-browser.ts';
import { mailsTo } from '../harness/browserless-person.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
import { enterOwnPages, PASSWORD, type Place, registerWithPassword } from './identity-lab.ts';

let service: TestTollgate;
let place: Place;
let number = 0;
let workspace: string;
let founder: Browser;
let sender: { browser: Browser; email: string; accountId: string };
let link: string;
const guest = () => `guest.${number}@example.com`;
const path = (rest: string) => `/settings/${workspace}${rest}`;

beforeAll(async () => {
  service = await startTollgate();
  place = { service, application: await service.register() };
});
afterAll(() => service.stop());

/** A workspace with two owners, of whom the second one has invited a guest. */
beforeEach(async () => {
  number += 1;
  const email = `founder.${number}@example.com`;
  founder = await registerWithPassword(place, { email });
  const start = { email, password: PASSWORD, browser: founder };
  const { page } = await enterOwnPages(place, '/settings/workspaces/new', start);
  const home = await send(founder, page, '/settings/workspaces/new', { name: `Guests ${number}` });
  workspace = new URL(home.url).pathname.split('/')[2] ?? '';
  const second = `sender.${number}@example.com`;
  const browser = await join(second, await invite(founder, second));
  const [account] = await service.db.select().from(accounts).where(eq(accounts.email, second));
  sender = { browser, email: second, accountId: account?.id ?? '' };
  link = await invite(browser, guest());
});

async function invite(browser: Browser, email: string): Promise<string> {
  const page = await open(service, browser, path('/members/invite'));
  await send(browser, page, path('/members/invite'), { email, role: 'owner' });
  const linkOf = async () => {
    const texts = (await mailsTo(inboxOf(service), email)).map(({ text }) => text).join('\n');
    return /\/settings\/invitations\/[\w-]{43}/.exec(texts)?.[0];
  };
  return until(`${email} has an invitation`, linkOf);
}

/** As far as the link lets them. */
async function join(email: string, address: string): Promise<Browser> {
  const browser = ours();
  await enterOwnPages(place, `${address}/sign-in`, { email, browser });
  const page = await open(service, browser, address);
  const form = page.forms.find(({ action }) => new URL(action).pathname === address);
  if (form) await browser.submit(page, form);
  return browser;
}

async function isMember(email: string): Promise<boolean> {
  const [account] = await service.db.select().from(accounts).where(eq(accounts.email, email));
  const found = await service.db.select().from(members).where(eq(members.workspaceId, workspace));
  return found.some(({ accountId }) => accountId === account?.id);
}

test('it works while its sender is a member', async () => {
  await join(guest(), link);
  expect(await isMember(guest())).toBe(true);
});

test('it is over when its sender is removed', async () => {
  const page = await open(service, founder, path(`/members/${sender.accountId}`));
  await send(founder, page, path(`/members/${sender.accountId}/remove`));
  expect(await isMember(sender.email)).toBe(false);
  await join(guest(), link);
  expect(await isMember(guest())).toBe(false);
});

test('it is over when its sender leaves', async () => {
  const page = await open(service, sender.browser, path('/members/leave'));
  await send(sender.browser, page, path('/members/leave'));
  expect(await isMember(sender.email)).toBe(false);
  await join(guest(), link);
  expect(await isMember(guest())).toBe(false);
});

test('it is over when the account of its sender is deleted', async () => {
  const { email, browser } = sender;
  const { page } = await enterOwnPages(place, '/account/delete', { email, browser });
  await send(browser, page, '/account/delete', { email });
  await join(guest(), link);
  expect(await isMember(guest())).toBe(false);
});
