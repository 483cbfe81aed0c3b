// Linked social providers on the account page: link, unlink, what is refused, and threats 46 to 48
// against linking.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { socialIdentities } from '../../drizzle/schema/accounts.ts';
import { socialTrips } from '../../drizzle/schema/sign-ins.ts';
import { findAccountByEmail } from '../../src/accounts/account.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { openSocialLab, providerIds, type SocialLab } from '../hosted-pages/social-lab.ts';
import { linkProvider, visitProvider } from '../identity/provider-sign-ins.ts';
import { accountPerson, enterAccount, sameOrigin } from './account-walk.ts';

let lab: SocialLab;
beforeAll(async () => {
  lab = await openSocialLab();
});
afterAll(() => lab.stop());

const identities = async () => lab.service.db.select().from(socialIdentities);

describe('linking and unlinking', () => {
  test.each(providerIds)('%s: linked, used to sign in, unlinked; both are told by mail', async (id) => {
    const email = `link.${id}@example.com`;
    lab.seat(id, '1001', `elsewhere.${id}@example.com`);
    const person = await enterAccount(lab.service, email);
    const linked = await linkProvider(person, id);
    expect(linked.html).toContain('Account linked');
    expect(linked.html).toContain(`elsewhere.${id}@example.com`);
    expect(linked.html).toContain(`You can always sign in with a code sent to ${email}`);
    await person.mail('was just linked');

    const walker = await lab.walker(email);
    await walker.begin();
    await walker.come(id);
    expect((await walker.finish()).searchParams.get('code')).toBeTruthy();
    const account = await findAccountByEmail(lab.service.db, email);
    expect((await identities()).find((row) => row.provider === id)?.accountId).toBe(account?.id);

    const unlinked = await person.send(await person.open('/account/social'), '/account/social/unlink');
    expect(unlinked.html).toContain('Account unlinked');
    await person.mail('was just unlinked');
    expect((await identities()).filter((row) => row.accountId === account?.id)).toEqual([]);
  });

  test('an identity that signs somebody else in is refused, and stays theirs', async () => {
    lab.seat('google', '2001', 'first.owner@example.com');
    const first = await enterAccount(lab.service, 'first.owner@example.com');
    expect((await linkProvider(first, 'google')).html).toContain('Account linked');
    const second = await enterAccount(lab.service, 'second.person@example.com');
    expect((await linkProvider(second, 'google')).html).toContain(
      'That account is linked to someone else’s account here.',
    );
    const account = await findAccountByEmail(lab.service.db, 'first.owner@example.com');
    const owners = (await identities()).filter(({ subject }) => subject === '2001');
    expect(owners.map(({ accountId }) => accountId)).toEqual([account?.id]);
  });

  test('one identity of a provider per account: a second one never replaces it', async () => {
    lab.seat('github', '2101', 'one@example.com');
    const person = await enterAccount(lab.service, 'one.each@example.com');
    const shown = await person.open('/account/social');
    await linkProvider(person, 'github', { shown });
    // A page that was open in another tab still has the button.
    expect((await linkProvider(person, 'github', { shown })).html).toContain(
      'That account is already linked.',
    );
    lab.seat('github', '2102', 'two@example.com');
    const refused = await linkProvider(person, 'github', { shown });
    expect(refused.html).toContain('Another account of that provider is linked already.');
    expect((await identities()).filter(({ subject }) => subject === '2102')).toEqual([]);
  });

  test('cancelled at the provider: nothing happens, and the page says so', async () => {
    lab.seat('google', '2002', 'cancels@example.com');
    const person = await enterAccount(lab.service, 'cancels@example.com');
    expect((await linkProvider(person, 'google', { answer: 'no' })).html).toContain(
      'You cancelled. Nothing was linked.',
    );
  });

  test('five minutes after the sign-in it has to be confirmed again', async () => {
    const person = await enterAccount(lab.service, 'stale.link@example.com');
    const page = await person.open('/account/social');
    lab.service.clock.aheadMilliseconds += 5 * 60_000 + 1_000;
    const refused = await person.send(page, '/account/social/link');
    expect(refused.html).toContain('It has been too long since you signed in.');
    lab.service.clock.aheadMilliseconds = 0;
  });
});

describe('attacks against linking (46 to 48)', () => {
  test("46: another browser's way back links nothing: neither in a session of another person nor without one", async () => {
    lab.seat('google', '3001', 'attacker@example.com');
    const attacker = await enterAccount(lab.service, 'attacker@example.com');
    const back = await visitProvider(attacker, 'google');
    const victim = await enterAccount(lab.service, 'victim@example.com');
    const page = await victim.open(back.pathname + back.search);
    expect(page.html).toContain('belongs to another browser');
    const nobody = accountPerson(lab.service, '', createBrowser({ headers: sameOrigin }));
    expect((await nobody.open(back.pathname + back.search)).html).toContain('Sign in');
    expect((await identities()).filter(({ subject }) => subject === '3001')).toEqual([]);
  });

  test('46: missing, made-up and late states are refused', async () => {
    lab.seat('google', '3002', 'late@example.com');
    const person = await enterAccount(lab.service, 'late@example.com');
    expect((await person.open('/account/social-return')).html).toContain('belongs to another browser');
    expect((await person.open('/account/social-return?answer=made-up')).html).toContain('another browser');
    const back = await visitProvider(person, 'google');
    lab.service.clock.aheadMilliseconds += 6 * 60_000;
    await person.open('/account');
    lab.service.clock.aheadMilliseconds += 4 * 60_000 + 1_000;
    const late = await person.open(back.pathname + back.search);
    lab.service.clock.aheadMilliseconds = 0;
    expect(late.html).toContain('has expired');
    expect((await identities()).filter(({ subject }) => subject === '3002')).toEqual([]);
  });

  test('46: no other site can begin a link: it takes a form of ours', async () => {
    const person = await enterAccount(lab.service, 'forced@example.com');
    const before = (await lab.service.db.select().from(socialTrips)).length;
    const forced = await person.browser.open(`${lab.service.url}/account/social/link?provider=google`);
    expect('page' in forced && forced.page.status).toBe(405);
    expect(await lab.service.db.select().from(socialTrips)).toHaveLength(before);
  });

  test("47: nothing of one provider is taken at another one's callback", async () => {
    const person = await enterAccount(lab.service, 'mixed.up@example.com');
    for (const from of providerIds) {
      for (const to of providerIds.filter((id) => id !== from)) {
        lab.seat(from, '3003', 'mixed.up@example.com');
        const back = await visitProvider(person, from);
        const arrival = await person.browser.open(`${lab.service.url}/social/${to}/callback${back.search}`);
        expect([from, to, 'page' in arrival && arrival.page.status]).toEqual([from, to, 400]);
      }
    }
    expect((await identities()).filter(({ subject }) => subject === '3003')).toEqual([]);
  });

  test('47: a sign-in that was begun elsewhere is no link, and a link is no sign-in', async () => {
    lab.seat('google', '3004', 'purpose@example.com');
    const person = await enterAccount(lab.service, 'purpose@example.com');
    const walker = await lab.walker('purpose@example.com');
    await walker.begin();
    const signIn = await walker.visit('google');
    if (typeof signIn !== 'string') throw new Error('Google redirects');
    const page = await person.browser.open(signIn);
    expect('page' in page && page.page.url).not.toContain('/account');
    expect((await identities()).filter(({ subject }) => subject === '3004')).toEqual([]);
  });

  test('48: the same way back twice, in parallel and later, links once and asks the provider once', async () => {
    lab.seat('google', '3005', 'replayed@example.com');
    const person = await enterAccount(lab.service, 'replayed@example.com');
    const back = await visitProvider(person, 'google');
    const exchanges = () => lab.google.requests.filter((path) => path === '/token').length;
    const before = exchanges();
    const path = back.pathname + back.search;
    await Promise.all([person.open(path), person.open(path)]);
    const later = await person.open(path);
    expect(later.html).toContain('That link was already used');
    expect((await identities()).filter(({ subject }) => subject === '3005')).toHaveLength(1);
    expect(exchanges() - before).toBe(1);
  });
});
