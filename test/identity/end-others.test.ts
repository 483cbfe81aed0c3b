// "End all others" on the account page (threat 106) ends whatever else there is of the account, listed or not, and
// leaves the browser that asks as it is.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { open, ours, token, tryTokens } from '../account-page/account-lab.ts';
import type { Browser } from '../harness/browserless-browser.ts';
import { startAttempt } from '../harness/client.ts';
import { openTestRedis, type TestRedis } from '../harness/redis.ts';
import { chosenStores } from '../harness/stores.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { agree, parkSignIn, stopAt } from './by-half.ts';
import {
  askSilently,
  DEAD,
  endAllOthers,
  enterOwnPages,
  LIVING,
  outcomeOf,
  PASSWORD,
  type Place,
  registerWithPassword,
  SIGNED_IN,
  signIn,
  tokensFor,
} from './identity-lab.ts';

const DAY = 86_400_000;
/** The account page lists the newest fifty browsers. */
const MANY = 54;

let redis: TestRedis | undefined;
let service: TestTollgate;
let place: Place;
let second: RegisteredApplication;
let number = 0;
let email: string;
beforeAll(async () => {
  redis = chosenStores() === 'servers' ? openTestRedis() : undefined;
  service = await startTollgate(redis ? { REDIS_URL: redis.url } : {});
  place = { service, application: await service.register() };
  second = await service.register({ name: 'Another shop' });
});
afterAll(async () => {
  await service.stop();
  await redis?.remove();
});
beforeEach(() => {
  number += 1;
  email = `ends.others.${number}@example.com`;
});
afterEach(() => {
  service.clock.aheadMilliseconds = 0;
});

const signedIn = (browser = ours()) => signIn(place, { email, browser });

const atAccount = async (browser = ours()): Promise<Browser> => {
  await enterOwnPages(place, '/account', { email, password: PASSWORD, browser });
  return browser;
};

/** Signed in at an application that they have not agreed to yet. */
const stoppedAtConsent = (browser: Browser) =>
  stopAt('consent', startAttempt(service, second).url, { email, password: PASSWORD, browser });

describe('what was stopped half-way', () => {
  test('a sign-in that waits at the question for consent gets no code', async () => {
    await registerWithPassword(place, { email });
    const thief = ours();
    const consent = await stoppedAtConsent(thief);
    await endAllOthers(place, await atAccount());
    expect(outcomeOf(await agree(thief, consent))).not.toBe(SIGNED_IN);
    expect(await askSilently(place, thief)).toBe('login_required');
  });

  test('nor does one on the same browser that goes round by signing in silently', async () => {
    await registerWithPassword(place, { email });
    const thief = ours();
    await stoppedAtConsent(thief);
    await endAllOthers(place, await atAccount());
    expect(await askSilently(place, thief)).toBe('login_required');
    expect(outcomeOf(await thief.open(`${service.url}/account`))).toBe('sign-in');
    expect(outcomeOf(await thief.open(`${service.url}/settings`))).toBe('sign-in');
  });

  test('a parked sign-in gets none either, and the account page is not fresh for it', async () => {
    await registerWithPassword(place, { email });
    const thief = ours();
    const parked = await parkSignIn(place, { email, browser: thief });
    await endAllOthers(place, await atAccount());
    expect(outcomeOf(await thief.open(parked))).toBe('sign-in');
    expect(outcomeOf(await thief.open(`${service.url}/account/password`))).toBe('sign-in');
  });
});

describe('what is not listed', () => {
  test.each([
    ['while another browser is listed', true],
    ['when no other browser is left to list', false],
  ])('a refresh token whose session lapsed long ago, %s', async (_name, isListed) => {
    await registerWithPassword(place, { email });
    const { refresh } = await tokensFor(place, email, await signedIn());
    service.clock.aheadMilliseconds = 2 * DAY;
    await redis?.age(2 * DAY);
    const refreshed = async () => {
      const { status, body } = await token(service, place.application, {
        grant_type: 'refresh_token',
        refresh_token: refresh,
      });
      return body.error ?? status;
    };
    if (isListed) await signedIn();
    const desk = await atAccount();
    expect(await refreshed()).toBe(200);
    await endAllOthers(place, desk);
    expect(await refreshed()).toBe('invalid_grant');
  });

  test('more than fifty browsers', async () => {
    const browsers = [await registerWithPassword(place, { email })];
    while (browsers.length < MANY) browsers.push(await signedIn());
    const tokens = await tokensFor(place, email, browsers[0] ?? ours());
    await endAllOthers(place, await atAccount());
    const left: number[] = [];
    for (const [n, browser] of browsers.entries())
      if ((await askSilently(place, browser)) !== 'login_required') left.push(n);
    expect(left).toEqual([]);
    expect(await tryTokens(service, place.application, tokens)).toEqual(DEAD);
  });

  test('pages of company settings and of the account in other browsers', async () => {
    await registerWithPassword(place, { email });
    const { browser: thief } = await enterOwnPages(place, '/settings', { email, password: PASSWORD });
    await atAccount(thief);
    await endAllOthers(place, await atAccount());
    expect(outcomeOf(await thief.open(`${service.url}/settings`))).toBe('sign-in');
    expect(outcomeOf(await thief.open(`${service.url}/account`))).toBe('sign-in');
  });
});

test('the browser that asks goes on: its session, its pages and its tokens', async () => {
  await registerWithPassword(place, { email });
  const desk = await signedIn();
  const tokens = await tokensFor(place, email, desk);
  await atAccount(desk);
  await enterOwnPages(place, '/settings', { email, password: PASSWORD, browser: desk });
  const done = await endAllOthers(place, desk);
  expect(outcomeOf({ page: done })).toBe('/account/sessions');
  expect(await tryTokens(service, place.application, tokens)).toEqual(LIVING);
  expect(await askSilently(place, desk)).toBe(SIGNED_IN);
  expect(outcomeOf({ page: await open(service, desk, '/account/password') })).toBe('/account/password');
  expect((await open(service, desk, '/settings')).url).toContain('/settings');
});
