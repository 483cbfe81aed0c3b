// A sign-in whose last redirect is not followed (threat 101): the proof was given, and the engine has not heard of it
// yet. Whatever ends everything from before ends that too, and the person is asked anew.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ours, send, tryTokens } from '../account-page/account-lab.ts';
import { accountPerson } from '../account-page/account-walk.ts';
import { type Arrival, createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { startAttempt } from '../harness/client.ts';
import { openSocialLab, type SocialLab } from '../hosted-pages/social-lab.ts';
import { parkAt, parkSignIn } from './by-half.ts';
import {
  askSilently,
  DEAD,
  endAllOthers,
  enterOwnPages,
  NEW_PASSWORD,
  outcomeOf,
  PASSWORD,
  type Place,
  recoverAccount,
  registerWithPassword,
  SIGNED_IN,
  tokensFor,
} from './identity-lab.ts';

let lab: SocialLab;
let place: Place;
beforeAll(async () => {
  lab = await openSocialLab();
  place = { service: lab.service, application: lab.application };
});
afterAll(() => lab.stop());

/** What the owner does against whoever knows the old password. */
const revocations: [string, (email: string) => Promise<void>][] = [
  ['a recovery', (email) => recoverAccount(place, { email })],
  [
    'a change of the password',
    async (email) => {
      const { browser } = await enterOwnPages(place, '/account/password', { email, password: PASSWORD });
      const person = accountPerson(lab.service, email, browser);
      const page = await person.open('/account/password');
      await person.send(page, '/account/password', { password: NEW_PASSWORD });
    },
  ],
  [
    'the removal of the password',
    async (email) => {
      const { browser } = await enterOwnPages(place, '/account/password', { email, password: PASSWORD });
      const person = accountPerson(lab.service, email, browser);
      await person.send(await person.open('/account/password'), '/account/password/remove');
    },
  ],
  [
    'the end of all other sessions',
    async (email) => {
      const { browser } = await enterOwnPages(place, '/account', { email, password: PASSWORD });
      await endAllOthers(place, browser);
    },
  ],
];

describe.each(revocations)('a parked sign-in after %s', (name, revoke) => {
  const mailbox = (what: string) => `${what}.${name.replaceAll(' ', '.')}@example.com`;

  test('leads to the sign-in page again, never to a code', async () => {
    const email = mailbox('parked');
    await registerWithPassword(place, { email });
    const thief = ours();
    const parked = await parkSignIn(place, { email, browser: thief });
    await revoke(email);
    expect(outcomeOf(await thief.open(parked))).toBe('sign-in');
    expect(await askSilently(place, thief)).toBe('login_required');
  });

  test('opens no page of the account', async () => {
    const email = mailbox('parked.account');
    await registerWithPassword(place, { email });
    const thief = ours();
    const parked = await parkAt(`${lab.service.url}/account`, { email, browser: thief });
    await revoke(email);
    expect(outcomeOf(await thief.open(parked))).toBe('sign-in');
    expect(outcomeOf(await thief.open(`${lab.service.url}/account`))).toBe('sign-in');
  });
});

test('a parked sign-in of whoever held an account that a provider vouched for ends with the first code of its owner', async () => {
  const email = 'claimed.while.parked@example.com';
  lab.seat('google', 'parked-liar', email);
  const walker = await lab.walker(email);
  await walker.begin();
  await walker.come('google');
  await walker.finish();
  // The same identity once more, in a browser without a session.
  const thief = await lab.walker(email);
  await thief.begin();
  const back = await thief.visit('google');
  thief.browser.stopsBefore = '/oauth/authorize/';
  await thief.open(back);
  thief.browser.stopsBefore = undefined;
  const parked = leftTo(thief.arrival);
  const { url } = startAttempt(lab.service, lab.application);
  await signInAs({ authorizationUrl: url, email, browser: createBrowser() });
  expect(outcomeOf(await thief.browser.open(parked))).toBe('sign-in');
  expect(await askSilently(place, thief.browser)).toBe('login_required');
});

test('a parked sign-in to an account that is deleted meanwhile leads to the sign-in page', async () => {
  const email = 'deleted.while.parked@example.com';
  await registerWithPassword(place, { email });
  const browser = ours();
  const parked = await parkSignIn(place, { email, browser });
  const owner = await enterOwnPages(place, '/account/delete', { email, password: PASSWORD });
  await send(owner.browser, owner.page, '/account/delete', { email });
  expect(outcomeOf(await browser.open(parked))).toBe('sign-in');
});

test('a sign-in that was parked for a while and met nothing goes on, and what the owner ends later takes it along', async () => {
  const email = 'patient@example.com';
  await registerWithPassword(place, { email });
  const browser = ours();
  const parked = await parkSignIn(place, { email, browser });
  expect(outcomeOf(await browser.open(parked))).toBe(SIGNED_IN);
  const tokens = await tokensFor(place, email, browser);
  await recoverAccount(place, { email });
  expect(await tryTokens(lab.service, lab.application, tokens)).toEqual(DEAD);
  expect(await askSilently(place, browser)).toBe('login_required');
});

function leftTo(arrival: Arrival): string {
  if ('page' in arrival) throw new Error(`still on ${arrival.page.url}`);
  return new URL(arrival.leftTo, lab.service.url).href;
}
