// Cookies that another host of the domain planted (threat 107): a sign-in that somebody else began is not this
// browser's to finish, and what this browser proves is not somebody else's to take away.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ours } from '../account-page/account-lab.ts';
import type { Browser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { parkAt } from './by-half.ts';
import {
  askSilently,
  begin,
  enterOwnPages,
  outcomeOf,
  PASSWORD,
  type Place,
  registerWithPassword,
  SIGNED_IN,
} from './identity-lab.ts';

let service: TestTollgate;
let place: Place;
beforeAll(async () => {
  service = await startTollgate();
  place = { service, application: await service.register() };
});
afterAll(() => service.stop());

/** What `shop.example.com` can set for `login.example.com`: under https a cookie of ours for the whole host is `__Host-`. */
function plantFrom(attacker: Browser, victim: Browser, names: RegExp): void {
  for (const cookie of attacker.cookies())
    if (names.test(cookie.name) && cookie.path !== '/') victim.plant(service.url, cookie);
}

/** The victim signs in on the page that they were sent to, as far as it lets them. */
async function signsInThere(victim: Browser, url: string, who: { email: string; password?: string }) {
  victim.stopsBefore = '/oauth/authorize/';
  await signInAs({ authorizationUrl: url, ...who, browser: victim }).catch(() => undefined);
  victim.stopsBefore = undefined;
}

describe.each([
  ['a password', PASSWORD],
  ['a code', undefined],
])('a victim who signs in with %s in a sign-in that was planted', (name, password) => {
  const mailbox = (what: string) => `${what}.${name.replaceAll(' ', '.')}@example.com`;
  const who = (email: string) => ({ email, ...(password === undefined ? {} : { password }) });

  test.each([
    ['its interaction cookie', /interaction/],
    ['its interaction and resume cookies', /interaction|resume/],
  ])('with %s gives the planter no session', async (kind, names) => {
    const email = mailbox(`planted.${kind.length}`);
    await registerWithPassword(place, { email });
    const attacker = ours();
    const { page, uid } = await begin(place, attacker);
    const victim = ours();
    plantFrom(attacker, victim, names);
    await signsInThere(victim, page.url, who(email));
    const resumed = await attacker.open(`${service.url}/oauth/authorize/${uid}`);
    expect(outcomeOf(resumed)).not.toBe(SIGNED_IN);
    expect(await askSilently(place, attacker)).toBe('login_required');
  });

  test('to the account page gives the planter no page of the account', async () => {
    const email = mailbox('planted.account');
    await registerWithPassword(place, { email });
    const attacker = ours();
    const begun = await attacker.open(`${service.url}/account`);
    if (!('page' in begun)) throw new Error('no sign-in page');
    const [, , uid] = new URL(begun.page.url).pathname.split('/');
    const victim = ours();
    plantFrom(attacker, victim, /interaction|resume/);
    await signsInThere(victim, begun.page.url, who(email));
    await attacker.open(`${service.url}/oauth/authorize/${uid}`);
    expect(outcomeOf(await attacker.open(`${service.url}/account`))).toBe('sign-in');
  });
});

test('a sign-in that was planted does not sign the victim in as somebody else at the end of their own', async () => {
  const email = 'planted.own@example.com';
  await registerWithPassword(place, { email });
  await registerWithPassword(place, { email: 'planter@evil.example' });
  const attacker = ours();
  await begin(place, attacker);
  const victim = ours();
  const { page } = await begin(place, victim);
  plantFrom(attacker, victim, /interaction|resume/);
  const callback = await signInAs({ authorizationUrl: page.url, email, password: PASSWORD, browser: victim });
  expect(outcomeOf({ leftTo: callback })).toBe(SIGNED_IN);
  const { page: account } = await enterOwnPages(place, '/account', {
    email,
    password: PASSWORD,
    browser: victim,
  });
  expect(account.html).toContain(email);
});

test('a way in that was planted does not sign the victim in as its planter', async () => {
  const email = 'planter.at.account@evil.example';
  await registerWithPassword(place, { email });
  const attacker = ours();
  const callback = await parkAt(`${service.url}/account`, { email, browser: attacker }, '/account/callback');
  const victim = ours();
  plantFrom(attacker, victim, /way_in/);
  await victim.open(callback);
  expect(outcomeOf(await victim.open(`${service.url}/account`))).toBe('sign-in');
});
