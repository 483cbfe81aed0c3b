// What sends data to a new place, or exports people, asks for a sign-in within the last five minutes: also in company
// settings, also for a form that lay open.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import { open, ours, send } from '../account-page/account-lab.ts';
import type { Browser } from '../harness/browserless-browser.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import {
  enterOwnPages,
  formFor,
  outcomeOf,
  PASSWORD,
  type Place,
  registerWithPassword,
} from './identity-lab.ts';

const TEN_MINUTES = 600_000;

let service: TestTollgate;
let place: Place;
let browser: Browser;
let application: RegisteredApplication;
let workspace: string;
const path = (rest: string) => `/settings/${workspace}${rest}`;
beforeAll(async () => {
  service = await startTollgate({ WEBHOOK_ALLOW_LOOPBACK: 'on' });
  place = { service, application: await service.register() };
  const email = 'weighty@example.com';
  browser = await registerWithPassword(place, { email });
  const { page } = await enterOwnPages(place, '/settings/workspaces/new', {
    email,
    password: PASSWORD,
    browser,
  });
  const home = await send(browser, page, '/settings/workspaces/new', { name: 'Weighty' });
  workspace = new URL(home.url).pathname.split('/')[2] ?? '';
  application = await service.register({ workspaceId: workspace });
  const form = await open(service, browser, path('/webhooks/new'));
  await send(browser, form, path('/webhooks/new'), {
    url: 'https://127.0.0.1/hook',
    applications: 'all',
    registrations: 'on',
    sign_ins: 'on',
  });
});
afterAll(() => service.stop());
afterEach(() => {
  service.clock.aheadMilliseconds = 0;
});

const subscription = async () => {
  const [found] = await service.db
    .select({ id: webhookSubscriptions.id, url: webhookSubscriptions.url })
    .from(webhookSubscriptions)
    .where(eq(webhookSubscriptions.workspaceId, workspace));
  if (!found) throw new Error('no subscription');
  return found;
};
const callbacks = async () => {
  const [found] = await service.db
    .select({ redirectUris: applications.redirectUris })
    .from(applications)
    .where(eq(applications.id, application.id));
  return found?.redirectUris;
};

/** The form of a page that was opened in time, sent ten minutes later. */
async function sendLate(address: string, typed: Record<string, string>) {
  const page = await open(service, browser, address);
  service.clock.aheadMilliseconds = TEN_MINUTES;
  return browser.submit(page, formFor(page, address), typed);
}

describe('ten minutes after the sign-in', () => {
  test('the page that changes a webhook asks for a new one', async () => {
    const address = path(`/webhooks/${(await subscription()).id}/edit`);
    service.clock.aheadMilliseconds = TEN_MINUTES;
    expect(outcomeOf(await browser.open(service.url + address))).toBe('sign-in');
  });

  test('a form that sends the events elsewhere changes nothing', async () => {
    const before = await subscription();
    await sendLate(path(`/webhooks/${before.id}/edit`), { url: 'https://127.0.0.1/elsewhere' });
    expect(await subscription()).toEqual(before);
  });

  test('a form that sends people to another callback changes nothing', async () => {
    const before = await callbacks();
    await sendLate(path(`/applications/${application.id}/addresses/change`), {
      'callback-1': 'https://evil.example/callback',
    });
    expect(await callbacks()).toEqual(before);
  });

  test('customers are not exported', async () => {
    const arrival = await sendLate(path(`/applications/${application.id}/customers/export`), {
      format: 'csv',
    });
    if (!('page' in arrival)) throw new Error(`left to ${arrival.leftTo}`);
    expect(arrival.page.headers['content-disposition']).toBeUndefined();
    expect(arrival.page.headers['content-type']).toContain('text/html');
  });
});

describe('right after the sign-in', () => {
  test('the same is done at once', async () => {
    const { id } = await subscription();
    const address = path(`/applications/${application.id}/addresses/change`);
    const { browser: fresh } = await enterOwnPages(place, address, {
      email: 'weighty@example.com',
      password: PASSWORD,
      browser: ours(),
    });
    const page = await open(service, fresh, address);
    await fresh.submit(page, formFor(page, address), { 'callback-1': 'https://app.example.test/second' });
    expect(await callbacks()).toEqual(['https://app.example.test/second']);
    const edit = await open(service, fresh, path(`/webhooks/${id}/edit`));
    const form = formFor(edit, path(`/webhooks/${id}/edit`));
    await fresh.submit(edit, form, { url: 'https://127.0.0.1/second' });
    expect((await subscription()).url).toBe('https://127.0.0.1/second');
  });
});
