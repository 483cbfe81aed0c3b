// Somebody holds a copy of all of a browser's cookies. What its owner proves afterwards in that browser is the owner's:
// the copy does not become fresh with it.
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { open, ours } from '../account-page/account-lab.ts';
import type { Browser } from '../harness/browserless-browser.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { offersPasskey } from './authenticator.ts';
import { askSilently, enterOwnPages, type Place, registerWithPassword, SIGNED_IN } from './identity-lab.ts';

const MINUTE = 60_000;
const PASSKEYS = '/account/passkeys';
const PASSWORD = 'plankton trombone gravel seven';

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

function copyOf(browser: Browser): Browser {
  const copy = ours();
  for (const cookie of browser.cookies()) copy.plant(service.url, cookie);
  return copy;
}

/** The thief has opened the account page with the copied session, the owner has not. */
async function ownerAndThief(email: string) {
  const owner = await registerWithPassword(place, { email });
  const thief = copyOf(owner);
  const entered = await enterOwnPages(place, PASSKEYS, {
    email,
    password: 'is not asked for',
    browser: thief,
  });
  expect(offersPasskey(entered.page)).toBe(true);
  service.clock.aheadMilliseconds = 20 * MINUTE;
  expect(offersPasskey(await open(service, thief, PASSKEYS))).toBe(false);
  return { who: { email, password: PASSWORD, browser: owner }, owner, thief };
}

test('a page that was opened with the copy is not fresh because the owner signs in again', async () => {
  const { who, thief } = await ownerAndThief('copied.1@example.com');
  expect(offersPasskey((await enterOwnPages(place, PASSKEYS, who)).page)).toBe(true);
  expect(offersPasskey(await open(service, thief, PASSKEYS))).toBe(false);
});

test('and the copied session with the engine is over with it', async () => {
  const { who, owner, thief } = await ownerAndThief('copied.2@example.com');
  expect(await askSilently(place, thief)).toBe(SIGNED_IN);
  await enterOwnPages(place, PASSKEYS, who);
  expect(await askSilently(place, thief)).toBe('login_required');
  expect(await askSilently(place, owner)).toBe(SIGNED_IN);
});
