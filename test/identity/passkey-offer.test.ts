// The offer of a passkey after the first sign-in to an application: a passkey outlives every session, so nobody gets one
// for a session that is not fresh, and the offer says nothing about a consent that was asked for before.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { accounts, passkeys } from '../../drizzle/schema/accounts.ts';
import { consents } from '../../drizzle/schema/customers.ts';
import { open, ours, send } from '../account-page/account-lab.ts';
import type { Browser, Page } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { startAttempt } from '../harness/client.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { createAuthenticator, offersPasskey, passkeyForm } from './authenticator.ts';
import { begin, outcomeOf, type Place, SIGNED_IN } from './identity-lab.ts';

const MINUTE = 60_000;

let service: TestTollgate;
let first: Place;
let second: RegisteredApplication;
let number = 0;
let email: string;
beforeAll(async () => {
  service = await startTollgate();
  first = { service, application: await service.register() };
  second = await service.register({ name: 'Another shop' });
});
afterAll(() => service.stop());
beforeEach(() => {
  number += 1;
  email = `offered.${number}@example.com`;
});
afterEach(() => {
  service.clock.aheadMilliseconds = 0;
});

async function signedIn(): Promise<Browser> {
  const browser = ours();
  const { url } = startAttempt(service, first.application);
  const callback = await signInAs({ authorizationUrl: url, email, browser });
  expect(outcomeOf({ leftTo: callback })).toBe(SIGNED_IN);
  return browser;
}

async function ofAccount() {
  const [account] = await service.db.select().from(accounts).where(eq(accounts.email, email));
  const id = account?.id ?? '';
  return {
    passkeys: await service.db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.accountId, id)),
    consents: await service.db.select().from(consents).where(eq(consents.accountId, id)),
  };
}

/** At the second application's question for consent, in a browser that is signed in. */
const atConsent = async (browser: Browser) => {
  const asked = await begin({ service, application: second }, browser);
  expect(outcomeOf({ page: asked.page })).toBe('consent');
  return asked;
};

async function createOn(browser: Browser, page: Page) {
  return browser.submit(page, passkeyForm(page), { response: createAuthenticator().create(page) });
}

const allowWithPasskeys = (browser: Browser, page: Page) =>
  send(browser, page, new URL(page.url).pathname, { decision: 'allow', passkeys: 'yes' });

test('after a fresh sign-in and a yes to the application it is made', async () => {
  const browser = await signedIn();
  const { page } = await atConsent(browser);
  const offer = await allowWithPasskeys(browser, page);
  expect(outcomeOf({ page: offer })).toBe('passkey-offer');
  expect(outcomeOf(await createOn(browser, offer))).toBe(SIGNED_IN);
  expect((await ofAccount()).passkeys).toHaveLength(1);
});

test('a session without a sign-in in the last five minutes is shown no form for a passkey', async () => {
  const browser = await signedIn();
  service.clock.aheadMilliseconds = 20 * MINUTE;
  const { path } = await atConsent(browser);
  const offer = await open(service, browser, path('passkey-offer'));
  const wasOffered = offersPasskey(offer);
  if (wasOffered) await createOn(browser, offer);
  expect((await ofAccount()).passkeys).toEqual([]);
  expect(wasOffered).toBe(false);
});

test('nor is it after a yes to the application: the sign-in goes on without one', async () => {
  const browser = await signedIn();
  service.clock.aheadMilliseconds = 20 * MINUTE;
  const { page } = await atConsent(browser);
  const allow = page.forms.find(({ buttons }) => buttons.some(({ value }) => value === 'allow'));
  if (!allow) throw new Error('nothing to agree to');
  const arrival = await browser.submit(page, allow, { decision: 'allow', passkeys: 'yes' });
  expect(outcomeOf(arrival)).toBe(SIGNED_IN);
});

test('the form of an offer that lay open until the sign-in was old makes no passkey', async () => {
  const browser = await signedIn();
  const { page } = await atConsent(browser);
  const offer = await allowWithPasskeys(browser, page);
  service.clock.aheadMilliseconds = 10 * MINUTE;
  await createOn(browser, offer);
  expect((await ofAccount()).passkeys).toEqual([]);
});

test.each([
  ['asks for the first time', () => second, {}],
  ['asks once more', () => first.application, { prompt: 'consent' }],
] as const)(
  'an application that %s gets no code for an answer to the offer',
  async (_name, application, more) => {
    const browser = await signedIn();
    const asked = await begin({ service, application: application() }, browser, more);
    expect(outcomeOf({ page: asked.page })).toBe('consent');
    const offer = await open(service, browser, asked.path('passkey-offer'));
    const later = offer.forms.find(
      ({ action, fields }) =>
        new URL(action).pathname === asked.path('passkey-offer') &&
        fields.every(({ name }) => name !== 'ticket'),
    );
    const arrival = later ? await browser.submit(offer, later) : { page: offer };
    expect(outcomeOf(arrival)).not.toBe(SIGNED_IN);
    expect((await ofAccount()).consents.map(({ applicationId }) => applicationId)).not.toContain(second.id);
  },
);

test('a passkey that was made while consent is open does not give it either', async () => {
  const browser = await signedIn();
  const { path } = await atConsent(browser);
  const offer = await open(service, browser, path('passkey-offer'));
  const arrival = offersPasskey(offer) ? await createOn(browser, offer) : { page: offer };
  expect(outcomeOf(arrival)).not.toBe(SIGNED_IN);
  expect(await ofAccount()).toMatchObject({
    passkeys: [],
    consents: [{ applicationId: first.application.id }],
  });
});
