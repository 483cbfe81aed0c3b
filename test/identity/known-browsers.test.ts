// Browsers that an account knows have a count of code requests and guesses of their own, so that strangers cannot lock its
// owner out. A browser is known for itself alone, and only as long as what it proved still counts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { codeMailsPerEmail, failedPasswordsPerAccountAndIpAddress } from '../../src/limits/credentials.ts';
import { open, ours } from '../account-page/account-lab.ts';
import type { Arrival, Browser } from '../harness/browserless-browser.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import {
  begin,
  formFor,
  NEW_PASSWORD,
  outcomeOf,
  PASSWORD,
  type Place,
  recoverAccount,
  registerWithPassword,
  SIGNED_IN,
  signIn,
} from './identity-lab.ts';

let service: TestTollgate;
let place: Place;
let number = 0;
let email: string;
beforeAll(async () => {
  service = await startTollgate();
  place = { service, application: await service.register() };
});
afterAll(() => service.stop());
beforeEach(() => {
  number += 1;
  email = `known.${number}@example.com`;
});

/** Signed in with this password, and known from then on. */
const known = (password: string) => signIn(place, { email, password });

/** Presses "email me a code" in a sign-in of its own: `code` is the page to type it on. */
async function askForCode(browser: Browser): Promise<string> {
  const { page, path } = await begin(place, browser, { prompt: 'login' });
  return resultOf(await browser.submit(page, formFor(page, path('sign-in')), { email, method: 'code' }));
}

async function tryPassword(browser: Browser, password: string): Promise<string> {
  const { path } = await begin(place, browser, { prompt: 'login' });
  const page = await open(service, browser, path('password'));
  const typed = { email, password, method: 'password' };
  return resultOf(await browser.submit(page, formFor(page, path('password')), typed));
}

const resultOf = (arrival: Arrival) =>
  'page' in arrival && arrival.page.status === 429 ? 'too many' : outcomeOf(arrival);

/** Until it is told to stop, and once more. */
async function useUp(ask: () => Promise<string>, count: number): Promise<void> {
  const answers: string[] = [];
  while (answers.length <= count) answers.push(await ask());
  expect(answers.at(-1)).toBe('too many');
}

const useUpCodes = (browser: Browser) => useUp(() => askForCode(browser), codeMailsPerEmail.count);
const useUpPasswords = (browser: Browser) =>
  useUp(() => tryPassword(browser, 'not the password at all'), failedPasswordsPerAccountAndIpAddress.count);

describe('an intruder who was signed in before the owner recovered the account', () => {
  let intruder: Browser;
  let owner: Browser;
  beforeEach(async () => {
    await registerWithPassword(place, { email });
    intruder = await known(PASSWORD);
    await recoverAccount(place, { email });
    owner = await known(NEW_PASSWORD);
  });

  test("cannot use up the codes of the owner's known browser", async () => {
    await useUpCodes(intruder);
    expect(await askForCode(owner)).toBe('code');
  });

  test("cannot use up the passwords of the owner's known browser", async () => {
    await useUpPasswords(intruder);
    expect(await tryPassword(owner, NEW_PASSWORD)).toBe(SIGNED_IN);
  });

  test('counts as a stranger: what strangers used up is used up for them', async () => {
    await useUpCodes(ours());
    expect(await askForCode(intruder)).toBe('too many');
    expect(await askForCode(owner)).toBe('code');
  });
});

describe('two known browsers of one account', () => {
  let first: Browser;
  let second: Browser;
  beforeEach(async () => {
    first = await registerWithPassword(place, { email });
    second = await known(PASSWORD);
  });

  test('do not use up the codes of each other', async () => {
    await useUpCodes(first);
    expect(await askForCode(second)).toBe('code');
    expect(await askForCode(first)).toBe('too many');
  });

  test('do not use up the passwords of each other', async () => {
    await useUpPasswords(first);
    expect(await tryPassword(second, PASSWORD)).toBe(SIGNED_IN);
  });
});

test('strangers use up nothing of a known browser', async () => {
  const browser = await registerWithPassword(place, { email });
  await useUpCodes(ours());
  expect(await askForCode(browser)).toBe('code');
});
