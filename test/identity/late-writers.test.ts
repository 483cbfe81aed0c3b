// Two who write at once, of whom one ends what the other may do: whoever lost the right while their request waited, for
// a password hash or for a provider, changes nothing, however late they land.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { accounts, socialIdentities } from '../../drizzle/schema/accounts.ts';
import { open, ours, send } from '../account-page/account-lab.ts';
import { accountPerson, enterAccount, sameOrigin } from '../account-page/account-walk.ts';
import { type Arrival, createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { startAttempt } from '../harness/client.ts';
import { openSocialLab, type SocialLab } from '../hosted-pages/social-lab.ts';
import {
  askSilently,
  begin,
  enterOwnPages,
  formFor,
  NEW_PASSWORD,
  openRecovery,
  outcomeOf,
  PASSWORD,
  type Place,
  registerWithPassword,
  SIGNED_IN,
} from './identity-lab.ts';
import { holdGitHub, linkProvider, visitProvider } from './provider-sign-ins.ts';
import { makePasswordSlow } from './slow-password.ts';

const INTRUDERS_PASSWORD = 'quicksand bassoon pepper four';

let lab: SocialLab;
let place: Place;
beforeAll(async () => {
  lab = await openSocialLab();
  place = { service: lab.service, application: lab.application };
});
afterAll(() => lab.stop());
afterEach(() => {
  lab.github.instead = undefined;
});

/** At the page for the password, in a new browser; what pressing the button leads to. */
async function atPassword(email: string, password: string) {
  const browser = ours();
  const { path } = await begin(place, browser, { prompt: 'login' });
  const page = await open(lab.service, browser, path('password'));
  const form = formFor(page, path('password'));
  const button = form.buttons.find(({ value }) => value === 'password');
  const press = (): Promise<Arrival> => browser.submit(page, form, { email, password }, button);
  return { browser, press };
}

const opens = async (email: string, password: string) =>
  outcomeOf(await (await atPassword(email, password)).press()) === SIGNED_IN;

const SLOW = 'slow@example.com';
/** Until a request has come to where it waits for its hash. */
const SEEN_MILLISECONDS = 150;

describe('a password that waits for its hash while the owner recovers the account', () => {
  test('does not overwrite the new one', async () => {
    const email = 'overwritten@example.com';
    await registerWithPassword(place, { email });
    await registerWithPassword(place, { email: SLOW });
    await makePasswordSlow(lab.service.db, SLOW, PASSWORD);
    const intruder = await enterOwnPages(place, '/account/password', { email, password: PASSWORD });
    const recovery = await openRecovery(place, { email });
    const slow = await Promise.all(Array.from({ length: 4 }, () => atPassword(SLOW, 'wrong')));
    const pressTwo = () => slow.splice(0, 2).map(({ press }) => press());
    // Two that are at work, the owner's, two more, and then the intruder's: all are let in before the owner's is done.
    const waiting: Promise<unknown>[] = pressTwo();
    await sleep(SEEN_MILLISECONDS);
    waiting.push(recovery.person.send(recovery.form, recovery.action, { password: NEW_PASSWORD }));
    await sleep(SEEN_MILLISECONDS);
    waiting.push(...pressTwo());
    await sleep(SEEN_MILLISECONDS);
    waiting.push(
      send(intruder.browser, intruder.page, '/account/password', { password: INTRUDERS_PASSWORD }),
    );
    await Promise.all(waiting);
    expect(await opens(email, INTRUDERS_PASSWORD)).toBe(false);
    expect(await opens(email, NEW_PASSWORD)).toBe(true);
    const account = await intruder.browser.open(`${lab.service.url}/account`);
    expect(outcomeOf(account)).toBe('sign-in');
  });

  test('signs nobody in when it is the old one', async () => {
    const email = 'verified.too.late@example.com';
    await registerWithPassword(place, { email });
    const recovery = await openRecovery(place, { email });
    await makePasswordSlow(lab.service.db, email, PASSWORD);
    const thief = await atPassword(email, PASSWORD);
    const signingIn = thief.press();
    await sleep(SEEN_MILLISECONDS);
    await recovery.person.send(recovery.form, recovery.action, { password: NEW_PASSWORD });
    expect(outcomeOf(await signingIn)).not.toBe(SIGNED_IN);
    expect(await askSilently(place, thief.browser)).toBe('login_required');
  });
});

describe('a provider that answers late', () => {
  const identitiesOf = async (email: string) => {
    const [account] = await lab.service.db.select().from(accounts).where(eq(accounts.email, email));
    return lab.service.db
      .select()
      .from(socialIdentities)
      .where(eq(socialIdentities.accountId, account?.id ?? ''));
  };

  test("links nothing after the owner's first proof has removed every other way in", async () => {
    const email = 'late.link@example.com';
    lab.seat('google', 'late-liar', email);
    const walker = await lab.walker(email, { headers: sameOrigin });
    await walker.begin();
    await walker.come('google');
    await walker.finish();
    const attacker = accountPerson(lab.service, email, walker.browser);
    lab.seat('github', '71', 'mallory@evil.example');
    const back = await visitProvider(attacker, 'github');
    const github = holdGitHub(lab);
    const linking = attacker.open(back.pathname + back.search);
    await github.isAsked;
    const { url } = startAttempt(lab.service, lab.application);
    await signInAs({ authorizationUrl: url, email, browser: createBrowser() });
    github.answer();
    await linking;
    expect(await identitiesOf(email)).toEqual([]);
    const again = await lab.walker(email);
    await again.begin();
    await again.come('github');
    expect(outcomeOf(again.arrival)).not.toBe(SIGNED_IN);
    // It is an identity of its own, of nobody but the one who has it.
    expect(again.page().html).toContain('mallory@evil.example');
    expect(again.page().html).not.toContain(email);
  });

  test('links nothing to an account that is deleted meanwhile, and whoever registers anew can link it', async () => {
    const email = 'deleted.link@example.com';
    const person = await enterAccount(lab.service, email);
    lab.seat('github', '72', email);
    const back = await visitProvider(person, 'github');
    const form = await person.open('/account/delete');
    const github = holdGitHub(lab);
    const linking = person.open(back.pathname + back.search);
    await github.isAsked;
    await person.send(form, '/account/delete', { email });
    github.answer();
    await linking;
    const owners = new Set((await lab.service.db.select().from(accounts)).map(({ id }) => id));
    const linked = await lab.service.db.select().from(socialIdentities);
    expect(linked.filter(({ accountId }) => !owners.has(accountId))).toEqual([]);
    const anew = await enterAccount(lab.service, email);
    expect((await linkProvider(anew, 'github')).html).toContain('Account linked');
  });

  test('links nothing after the end of all other sessions', async () => {
    const email = 'ended.link@example.com';
    await registerWithPassword(place, { email });
    const { browser } = await enterOwnPages(place, '/account', { email, password: PASSWORD });
    const intruder = accountPerson(lab.service, email, browser);
    lab.seat('github', '73', 'mallory@evil.example');
    const back = await visitProvider(intruder, 'github');
    const owner = await enterOwnPages(place, '/account/sessions', { email, password: PASSWORD });
    const github = holdGitHub(lab);
    const linking = intruder.open(back.pathname + back.search);
    await github.isAsked;
    await send(owner.browser, owner.page, '/account/sessions/end-others');
    github.answer();
    await linking;
    expect(await identitiesOf(email)).toEqual([]);
  });
});
