// When somebody proved who they are is one moment, the one in which they did (threat 110). Waiting afterwards, on a
// page or before the last redirect, makes no proof younger: not in `auth_time`, not for `max_age`, not for our own
// pages.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { ours } from '../account-page/account-lab.ts';
import { exchange, readCallback, startAttempt } from '../harness/client.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { agree, parkAt, parkSignIn, stopAt } from './by-half.ts';
import { outcomeOf, type Place, registerWithPassword, SIGNED_IN } from './identity-lab.ts';

const PATIENCE_MILLISECONDS = 3_500;

let service: TestTollgate;
let place: Place;
beforeAll(async () => {
  service = await startTollgate();
  place = { service, application: await service.register() };
});
afterAll(() => service.stop());
afterEach(() => {
  service.clock.aheadMilliseconds = 0;
});

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

async function authTimeOf(callback: string, verifier: string): Promise<number> {
  const { code = '' } = readCallback(callback);
  const { body } = await exchange(service, place.application, { code, verifier });
  return Number(decodeJwt(String(body.id_token)).auth_time);
}

test('auth_time is the moment of the code, however late consent is given', async () => {
  const attempt = startAttempt(service, place.application, { max_age: '3600' });
  const browser = ours();
  const began = Date.now();
  const consent = await stopAt('consent', attempt.url, { email: 'late.consent@example.com', browser });
  const provenBy = Date.now();
  await sleep(PATIENCE_MILLISECONDS);
  const end = await agree(browser, consent);
  if (!('leftTo' in end)) throw new Error(`still on ${end.page.url}`);
  const authTime = await authTimeOf(end.leftTo, attempt.verifier);
  expect(authTime).toBeLessThanOrEqual(seconds(provenBy));
  expect(authTime).toBeGreaterThanOrEqual(seconds(began) - 1);
});

test('auth_time is the moment of the password, however late the browser goes back to the engine', async () => {
  const email = 'late.resume@example.com';
  await registerWithPassword(place, { email });
  const attempt = startAttempt(service, place.application, { max_age: '3600' });
  const browser = ours();
  const parked = await parkAt(attempt.url, { email, browser });
  const provenBy = Date.now();
  await sleep(PATIENCE_MILLISECONDS);
  const end = await browser.open(parked);
  if (!('leftTo' in end)) throw new Error(`still on ${end.page.url}`);
  expect(await authTimeOf(end.leftTo, attempt.verifier)).toBeLessThanOrEqual(seconds(provenBy));
});

test('max_age counts from the proof, not from the way back to the engine', async () => {
  const email = 'max.age@example.com';
  await registerWithPassword(place, { email });
  const browser = ours();
  const parked = await parkSignIn(place, { email, browser });
  await sleep(PATIENCE_MILLISECONDS);
  expect(outcomeOf(await browser.open(parked))).toBe(SIGNED_IN);
  const { url } = startAttempt(service, place.application, { prompt: 'none', max_age: '2' });
  expect(outcomeOf(await browser.open(url))).toBe('login_required');
});

test('a sign-in to the account page that is resumed ten minutes later is no fresh one', async () => {
  const email = 'late.account@example.com';
  await registerWithPassword(place, { email });
  const browser = ours();
  const account = `${service.url}/account`;
  const parked = await parkAt(account, { email, browser });
  service.clock.aheadMilliseconds = 600_000;
  await browser.open(parked);
  expect(outcomeOf(await browser.open(account))).toBe('/account');
  expect(outcomeOf(await browser.open(`${account}/password`))).toBe('/account/confirm');
});
