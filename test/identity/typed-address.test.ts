// An address is somebody's when their code came from its mailbox, or a provider vouched for it and its owner agreed
// (threat 108). What was only typed never is, and what was proven before an account existed is no key to that account.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findAccountByEmail } from '../../src/accounts/account.ts';
import { ours, send } from '../account-page/account-lab.ts';
import { enterAccount } from '../account-page/account-walk.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { readCallback, startAttempt } from '../harness/client.ts';
import { openSocialLab, type SocialLab } from '../hosted-pages/social-lab.ts';
import { stopAt } from './by-half.ts';
import {
  askSilently,
  begin,
  enterOwnPages,
  outcomeOf,
  PASSWORD,
  registerWithPassword,
  SIGNED_IN,
} from './identity-lab.ts';
import { linkProvider } from './provider-sign-ins.ts';

let lab: SocialLab;
beforeAll(async () => {
  lab = await openSocialLab();
});
afterAll(() => lab.stop());

const accountOf = (email: string) => findAccountByEmail(lab.service.db, email);

describe('an address that was typed', () => {
  test('never becomes verified, whichever identities wait', async () => {
    const [attacker, decoy, victim] = ['mallory@evil.example', 'decoy@evil.example', 'victim@example.com'];
    await enterAccount(lab.service, attacker);
    const walker = await lab.walker(victim);
    await walker.begin();
    const signInPage = walker.page().url;
    lab.seat('github', '61', attacker);
    await walker.come('github');
    expect(outcomeOf(walker.arrival)).toBe('social-proof');
    await walker.open(signInPage);
    lab.seat('github', '62', victim, { verified: false });
    await walker.come('github');
    const proof = walker.page();
    await send(walker.browser, proof, new URL(proof.url).pathname, { email: victim });

    // Elsewhere the second identity gets an account of its own for a moment, and goes with it.
    const other = await enterAccount(lab.service, decoy);
    await linkProvider(other, 'github');
    const end = await other.open('/account/delete');
    await other.send(end, '/account/delete', { email: decoy });
    expect(await accountOf(decoy)).toBeUndefined();

    await walker.open(proof.url.replace(/social-proof$/, 'welcome'));
    if (outcomeOf(walker.arrival) === 'welcome') {
      const [form] = walker.page().forms;
      if (!form) throw new Error('a page without a form');
      walker.arrival = await walker.browser.submit(walker.page(), form, { name: 'Mallory' });
    }
    expect(await accountOf(victim)).toBeUndefined();
    expect(['sign-in', 'code', 'social-proof']).toContain(outcomeOf(walker.arrival));
  });

  test('stays unverified when the identity that waits is the only one', async () => {
    const victim = 'only.one@example.com';
    lab.seat('github', '63', victim, { verified: false });
    const walker = await lab.walker(victim);
    await walker.begin();
    await walker.come('github');
    const proof = walker.page();
    await send(walker.browser, proof, new URL(proof.url).pathname, { email: victim });
    await walker.open(proof.url.replace(/social-proof$/, 'welcome'));
    expect(['sign-in', 'code', 'social-proof']).toContain(outcomeOf(walker.arrival));
    expect(await accountOf(victim)).toBeUndefined();
  });
});

describe('a proof that is older than the account', () => {
  test('a code that was typed before somebody registered does not open their account', async () => {
    const email = 'older.proof@example.com';
    const place = { service: lab.service, application: lab.application };
    const early = ours();
    const { url } = startAttempt(lab.service, lab.application);
    const welcome = await stopAt('welcome', url, { email, browser: early });
    await registerWithPassword(place, { email, password: PASSWORD });
    const [form] = welcome.forms;
    if (!form) throw new Error('a page without a form');
    const arrival = await early.submit(welcome, form, { name: 'Somebody Else' });
    expect(['sign-in', 'code']).toContain(outcomeOf(arrival));
    expect(await askSilently(place, early)).toBe('login_required');
    const account = await early.open(`${lab.service.url}/account`);
    expect(outcomeOf(account)).toBe('sign-in');
    // Its owner is not disturbed.
    const { page } = await enterOwnPages(place, '/account', { email, password: PASSWORD });
    expect(page.html).toContain('Your account');
  });

  test("a provider's word from before somebody registered does not open their account", async () => {
    const email = 'older.word@example.com';
    const place = { service: lab.service, application: lab.application };
    lab.seat('google', '64', email);
    delete lab.google.person.claims.name;
    const walker = await lab.walker(email);
    await walker.begin();
    await walker.come('google');
    expect(outcomeOf(walker.arrival)).toBe('welcome');
    await registerWithPassword(place, { email, password: PASSWORD });
    const [form] = walker.page().forms;
    if (!form) throw new Error('a page without a form');
    const arrival = await walker.browser.submit(walker.page(), form, { name: 'Somebody Else' });
    expect(['sign-in', 'code', 'social-proof']).toContain(outcomeOf(arrival));
    expect(await askSilently(place, walker.browser)).toBe('login_required');
  });
});

test('the same code opens the account of its own mailbox, in its own time', async () => {
  const place = { service: lab.service, application: lab.application };
  const browser = ours();
  const { url } = startAttempt(lab.service, lab.application);
  const callback = await signInAs({ authorizationUrl: url, email: 'in.time@example.com', browser });
  expect(readCallback(callback).code).toBeTruthy();
  expect(await askSilently(place, browser)).toBe(SIGNED_IN);
  expect((await begin(place, browser, { prompt: 'login' })).page.url).toContain('/sign-in');
});
