// Whatever was proven of a mailbox before its account was deleted is worth nothing after it: it opens nothing, and makes no
// new account either, from the moment of the deletion on.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findAccountByEmail } from '../../src/accounts/account.ts';
import { closeAccount } from '../../src/accounts/deletion.ts';
import { transaction } from '../../src/database/connection.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { startAttempt } from '../harness/client.ts';
import { openSocialLab, type SocialLab, type Walker } from '../hosted-pages/social-lab.ts';
import { stopAt } from './by-half.ts';
import { outcomeOf } from './identity-lab.ts';

let lab: SocialLab;
beforeAll(async () => {
  lab = await openSocialLab();
});
afterAll(() => lab.stop());

const accountOf = (email: string) => findAccountByEmail(lab.service.db, email);

/** Only what the deletion itself does; what follows in bites may be late. */
async function deleteAccount(email: string): Promise<void> {
  const account = await accountOf(email);
  if (!account) throw new Error(`${email} has no account`);
  await transaction(lab.service.db, (tx) => closeAccount(tx, { ...account, now: new Date() }));
}

test("a provider's word from before makes no account", async () => {
  const email = 'two.tabs@example.com';
  lab.seat('google', '81', email);
  delete lab.google.person.claims.name;
  const [early, late] = [await lab.walker(email), await lab.walker(email)];
  for (const walker of [early, late]) {
    await walker.begin();
    await walker.come('google');
    expect(outcomeOf(walker.arrival)).toBe('welcome');
  }
  const sayName = ({ browser, page }: Walker, name: string) => {
    const [form] = page().forms;
    if (!form) throw new Error('a page without a form');
    return browser.submit(page(), form, { name });
  };
  await sayName(late, 'The Person');
  await deleteAccount(email);
  const arrival = await sayName(early, 'From Before');
  expect(outcomeOf(arrival)).toBe('sign-in');
  expect(await accountOf(email)).toBeUndefined();
});

test('a code from before makes no account', async () => {
  const { service, application } = lab;
  const email = 'two.codes@example.com';
  const browsers = [createBrowser(), createBrowser()];
  const pages = [];
  for (const browser of browsers)
    pages.push(await stopAt('welcome', startAttempt(service, application).url, { email, browser }));
  const [early, late] = pages;
  const [earlyForm, lateForm] = [early?.forms[0], late?.forms[0]];
  if (!early || !late || !earlyForm || !lateForm) throw new Error('a page without a form');
  await browsers[1]?.submit(late, lateForm, { name: 'The Person' });
  await deleteAccount(email);
  const arrival = await browsers[0]?.submit(early, earlyForm, { name: 'From Before' });
  expect(arrival && outcomeOf(arrival)).toBe('sign-in');
  expect(await accountOf(email)).toBeUndefined();
});
