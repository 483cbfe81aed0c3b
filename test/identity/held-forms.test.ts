// Forms whose body arrives late (threat 103): the session that began to send them has ended by then, so they change
// nothing, and the answer to them revives nobody.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { invitations, members, workspaces } from '../../drizzle/schema/workspaces.ts';
import { findAccountByEmail } from '../../src/accounts/account.ts';
import { open, ours, send } from '../account-page/account-lab.ts';
import type { Browser, Page } from '../harness/browserless-browser.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { type HeldAnswer, holdForm } from './by-half.ts';
import {
  askSilently,
  endAllOthers,
  enterOwnPages,
  formFor,
  NEW_PASSWORD,
  openRecovery,
  PASSWORD,
  type Place,
  recoverAccount,
  registerWithPassword,
  SIGNED_IN,
  signIn,
} from './identity-lab.ts';

let service: TestTollgate;
let place: Place;
beforeAll(async () => {
  service = await startTollgate();
  place = { service, application: await service.register() };
});
afterAll(() => service.stop());

const pathOf = (page: Page) => new URL(page.url).pathname;

describe('a form of company settings whose body is held back', () => {
  /** An owner in company settings, in two browsers: their own, and that of somebody who knows the password. */
  async function ownerAndThief(email: string) {
    await registerWithPassword(place, { email });
    const desk = await enterOwnPages(place, '/settings/workspaces/new', { email, password: PASSWORD });
    const home = await send(desk.browser, desk.page, '/settings/workspaces/new', { name: 'Late & Sons' });
    const workspace = pathOf(home).split('/')[2] ?? '';
    const { browser: thief } = await enterOwnPages(place, '/settings', { email, password: PASSWORD });
    return { desk: desk.browser, thief, workspace, path: (rest: string) => `/settings/${workspace}${rest}` };
  }

  async function held(browser: Browser, path: string, typed: Record<string, string>) {
    return holdForm(browser, formFor(await open(service, browser, path), path), typed);
  }

  const endOthersFrom = async (browser: Browser, email: string) => {
    await enterOwnPages(place, '/account', { email, password: PASSWORD, browser });
    await endAllOthers(place, browser);
  };

  test('invites nobody after the end of all other sessions', async () => {
    const email = 'held.invitation@example.com';
    const { desk, thief, workspace, path } = await ownerAndThief(email);
    const form = await held(thief, path('/members/invite'), { email: 'thief@evil.example', role: 'owner' });
    await endOthersFrom(desk, email);
    await form.finish();
    const sent = await service.db.select().from(invitations).where(eq(invitations.workspaceId, workspace));
    expect(sent.map(({ email: to }) => to)).toEqual([]);
  });

  test('sends nobody to another address after the end of all other sessions', async () => {
    const email = 'held.callback@example.com';
    const { desk, thief, workspace, path } = await ownerAndThief(email);
    await service.register({ workspaceId: workspace, redirectUris: ['https://shop.example.com/callback'] });
    const callbacks = async () =>
      (await service.db.select().from(applications).where(eq(applications.workspaceId, workspace))).map(
        ({ id, redirectUris }) => ({ id, redirectUris }),
      );
    const before = await callbacks();
    expect(before).toHaveLength(1);
    const addresses = path(`/applications/${before[0]?.id}/addresses/change`);
    const form = await held(thief, addresses, { 'callback-1': 'https://evil.example/callback' });
    await endOthersFrom(desk, email);
    await form.finish();
    expect(await callbacks()).toEqual(before);
  });

  test('makes no workspace after a recovery', async () => {
    const email = 'held.workspace@example.com';
    const { thief } = await ownerAndThief(email);
    const form = await held(thief, '/settings/workspaces/new', { name: 'Made too late' });
    await recoverAccount(place, { email });
    await form.finish();
    const made = await service.db.select().from(workspaces).where(eq(workspaces.name, 'Made too late'));
    expect(made).toEqual([]);
  });

  test('makes nobody an owner who was removed from the workspace meanwhile', async () => {
    const email = 'held.role@example.com';
    const { thief, workspace, path } = await ownerAndThief(email);
    const [owner] = await service.db.select().from(members).where(eq(members.workspaceId, workspace));
    const leaving = await held(thief, path('/members/invite'), { email: 'x@evil.example', role: 'owner' });
    // The last owner cannot be removed by a page: as another owner would.
    await service.db.delete(members).where(eq(members.accountId, owner?.accountId ?? ''));
    await leaving.finish();
    expect(await service.db.select().from(invitations).where(eq(invitations.workspaceId, workspace))).toEqual(
      [],
    );
  });
});

describe('a form of the account page whose body is held back', () => {
  test('changes nothing after the end of all other sessions', async () => {
    const email = 'held.name@example.com';
    await registerWithPassword(place, { email });
    const { browser: thief } = await enterOwnPages(place, '/account', { email, password: PASSWORD });
    const page = await open(service, thief, '/account/name');
    const form = await holdForm(thief, formFor(page, '/account/name'), { name: 'Mallory' });
    const { browser } = await enterOwnPages(place, '/account', { email, password: PASSWORD });
    await endAllOthers(place, browser);
    await form.finish();
    const account = await findAccountByEmail(service.db, email);
    expect(account?.name).not.toBe('Mallory');
  });
});

describe('an answer to the question of signing out that is held back', () => {
  /** "Stay signed in", but for its last byte: only the application is left, and the session gets a new id. */
  async function holdStay(browser: Browser) {
    const page = await open(service, browser, `/oauth/logout?client_id=${place.application.clientId}`);
    return holdForm(browser, formFor(page, '/oauth/logout/confirm'));
  }

  /** A browser with nothing but the cookies of this answer. */
  function browserWith({ headers }: HeldAnswer): Browser {
    const browser = ours();
    for (const line of headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';');
      const value = pair.slice(pair.indexOf('=') + 1);
      if (value) browser.plant(service.url, { name: pair.slice(0, pair.indexOf('=')), value, path: '/' });
    }
    return browser;
  }

  test('revives no session that its owner ended from another browser', async () => {
    const email = 'held.logout@example.com';
    const thief = await registerWithPassword(place, { email });
    const form = await holdStay(thief);
    const { browser } = await enterOwnPages(place, '/account', { email, password: PASSWORD });
    await endAllOthers(place, browser);
    const answer = await form.finish();
    expect(await askSilently(place, browserWith(answer))).toBe('login_required');
    expect(await askSilently(place, thief)).toBe('login_required');
    expect(await askSilently(place, browser)).toBe(SIGNED_IN);
  });

  test('revives no session after a recovery', async () => {
    const email = 'held.recovery@example.com';
    const thief = await registerWithPassword(place, { email });
    const form = await holdStay(thief);
    await recoverAccount(place, { email });
    expect(await askSilently(place, browserWith(await form.finish()))).toBe('login_required');
  });

  test('revives no session that began in the very second of the recovery', async () => {
    const email = 'held.second@example.com';
    await registerWithPassword(place, { email });
    const recovery = await openRecovery(place, { email });
    const thief = ours();
    await sleep(1_000 - (Date.now() % 1_000));
    await signIn(place, { email, browser: thief });
    const page = await open(service, thief, '/oauth/logout');
    const form = await holdForm(thief, formFor(page, '/oauth/logout/confirm'), {}, 150);
    await recovery.person.send(recovery.form, recovery.action, { password: NEW_PASSWORD });
    const answer = await form.finish();
    expect(await askSilently(place, thief)).toBe('login_required');
    expect(await askSilently(place, browserWith(answer))).toBe('login_required');
  });

  test('revives no session that was signed out in the same browser', async () => {
    const browser = await registerWithPassword(place, { email: 'held.own@example.com' });
    const form = await holdStay(browser);
    const page = await open(service, browser, '/oauth/logout');
    const yes = page.forms[0]?.buttons.find(({ value }) => value === 'yes');
    await browser.submit(page, formFor(page, '/oauth/logout/confirm'), {}, yes);
    expect(await askSilently(place, browser)).toBe('login_required');
    expect(await askSilently(place, browserWith(await form.finish()))).toBe('login_required');
  });
});
