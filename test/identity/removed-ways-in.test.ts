// Taking a way into the account away: whoever came in by it is out, with everything that is not the browser in which it
// was taken away; and a recovery tells its owner which ways in are still there.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { inboxOf, open, ours, tryTokens } from '../account-page/account-lab.ts';
import { type AccountPerson, accountPerson } from '../account-page/account-walk.ts';
import type { Browser } from '../harness/browserless-browser.ts';
import { inboxReader, mailsTo } from '../harness/browserless-person.ts';
import { openSocialLab, type SocialLab } from '../hosted-pages/social-lab.ts';
import { type Authenticator, createAuthenticator, passkeyForm } from './authenticator.ts';
import {
  askSilently,
  begin,
  DEAD,
  enterOwnPages,
  LIVING,
  outcomeOf,
  PASSWORD,
  type Place,
  recoverAccount,
  registerWithPassword,
  SIGNED_IN,
  tokensFor,
} from './identity-lab.ts';
import { linkProvider } from './provider-sign-ins.ts';

let lab: SocialLab;
let place: Place;
let number = 0;
let email: string;
let owner: AccountPerson;
beforeAll(async () => {
  lab = await openSocialLab();
  place = { service: lab.service, application: lab.application };
});
afterAll(() => lab.stop());
beforeEach(async () => {
  number += 1;
  email = `ways.in.${number}@example.com`;
  const browser = await registerWithPassword(place, { email });
  await enterOwnPages(place, '/account', { email, password: PASSWORD, browser });
  owner = accountPerson(lab.service, email, browser);
});

async function addPasskey(name: string): Promise<Authenticator> {
  const authenticator = createAuthenticator();
  const page = await owner.open('/account/passkeys');
  const response = authenticator.create(page);
  const added = await owner.browser.submit(page, passkeyForm(page), { response, name });
  expect('page' in added && added.page.html).toContain(name);
  return authenticator;
}

async function removePasskey(): Promise<void> {
  const list = await owner.open('/account/passkeys');
  const [, path] = /href="(\/account\/passkeys\/pky_[^"/]+)"/.exec(list.html) ?? [];
  const page = await owner.open(path ?? '');
  await owner.send(page, `${path}/remove`);
}

/** Up to the last redirect, if told so. */
async function byPasskey(authenticator: Authenticator, browser: Browser, stopsBefore?: string) {
  const { page } = await begin(place, browser);
  browser.stopsBefore = stopsBefore;
  const arrival = await browser.submit(page, passkeyForm(page), { response: authenticator.use(page) });
  browser.stopsBefore = undefined;
  return arrival;
}

const byGitHub = async (): Promise<Browser> => {
  const walker = await lab.walker(email);
  await walker.begin();
  await walker.come('github');
  expect(outcomeOf(walker.arrival)).toBe(SIGNED_IN);
  return walker.browser;
};

/** The thief's browser and another one are out; the owner's goes on. */
async function expectOnlyOwner(thief: Browser, remove: () => Promise<unknown>): Promise<void> {
  const other = (await enterOwnPages(place, '/account', { email, password: PASSWORD })).browser;
  const taken = await tokensFor(place, email, thief);
  const own = await tokensFor(place, email, owner.browser);
  await remove();
  expect(await tryTokens(lab.service, lab.application, taken)).toEqual(DEAD);
  expect(await askSilently(place, thief)).toBe('login_required');
  expect(await askSilently(place, other)).toBe('login_required');
  expect(outcomeOf(await other.open(`${lab.service.url}/account`))).toBe('sign-in');
  expect(await tryTokens(lab.service, lab.application, own)).toEqual(LIVING);
  expect(outcomeOf(await owner.browser.open(`${lab.service.url}/account`))).toBe('/account');
}

describe('a passkey that is removed', () => {
  test('takes the sessions along that it led to, and all others', async () => {
    const passkey = await addPasskey('Lost key');
    const thief = ours();
    expect(outcomeOf(await byPasskey(passkey, thief))).toBe(SIGNED_IN);
    await expectOnlyOwner(thief, removePasskey);
  });

  test('takes a parked sign-in along', async () => {
    const passkey = await addPasskey('Lost key');
    const thief = ours();
    const parked = await byPasskey(passkey, thief, '/oauth/authorize/');
    if (!('leftTo' in parked)) throw new Error('not parked');
    await removePasskey();
    expect(outcomeOf(await thief.open(new URL(parked.leftTo, lab.service.url).href))).toBe('sign-in');
  });
});

describe('a provider that is unlinked', () => {
  test('takes the sessions along that it led to, and all others', async () => {
    lab.seat('github', String(800 + number), 'elsewhere@example.com');
    await linkProvider(owner, 'github');
    await expectOnlyOwner(await byGitHub(), async () =>
      owner.send(await owner.open('/account/social'), '/account/social/unlink'),
    );
  });
});

describe('an address that is changed', () => {
  test('takes the sessions along that the old mailbox led to, and all others', async () => {
    const { browser: thief } = await enterOwnPages(place, '/account', { email });
    const renamed = `renamed.${number}@example.com`;
    const readCode = await inboxReader(inboxOf(lab.service), renamed);
    await expectOnlyOwner(thief, async () => {
      const page = await owner.open('/account/address');
      const code = await owner.send(page, '/account/address', { email: renamed });
      await owner.send(code, '/account/address/code', { code: await readCode(renamed) });
    });
  });
});

test('the mail after a recovery names the passkeys and the providers that remain', async () => {
  lab.seat('github', String(800 + number), 'elsewhere@example.com');
  await linkProvider(owner, 'github');
  await addPasskey('Key of an intruder');
  const inbox = inboxOf(lab.service);
  const before = new Set((await mailsTo(inbox, email)).map(({ id }) => id));
  await recoverAccount(place, { email });
  await owner.mail('password');
  const told = (await mailsTo(inbox, email)).filter(({ id }) => !before.has(id)).map(({ text }) => text);
  const notices = told.filter((text) => !/\b\d{3}[ \u00a0]?\d{3}\b/.test(text));
  expect(notices.join('\n')).toContain('Key of an intruder');
  expect(notices.join('\n')).toContain('GitHub');
  expect((await open(lab.service, ours(), '/account')).url).toContain('/sign-in');
});
