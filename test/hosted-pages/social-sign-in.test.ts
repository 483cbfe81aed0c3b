// Promise 10: three social identity providers, whose callbacks the service manages. Each stand-in speaks its provider's
// dialect; the service, its pages and its tokens are real.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { socialIdentities } from '../../drizzle/schema/accounts.ts';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { findAccountByEmail } from '../../src/accounts/account.ts';
import { mailsTo, signInAs } from '../harness/browserless-person.ts';
import { exchange, startAttempt } from '../harness/client.ts';
import { until } from '../harness/until.ts';
import { openSocialLab, type ProviderId, providerIds, type SocialLab } from './social-lab.ts';

let lab: SocialLab;
beforeAll(async () => {
  lab = await openSocialLab();
});
afterAll(() => lab.stop());

const inbox = (email: string) => mailsTo(`${lab.service.url}/dev/inbox.json`, email);
const subjects: Record<ProviderId, string> = {
  google: '110169484474386276334',
  apple: '001473.9ad5.0815',
  github: '583231',
};

/** A whole sign-in with tokens; the claims of the ID Token. */
async function signInWith(provider: ProviderId, email: string) {
  const attempt = startAttempt(lab.service, lab.application);
  const walker = await lab.walker(email);
  walker.arrival = await walker.browser.open(attempt.url);
  await walker.come(provider);
  const back = await walker.finish();
  const answer = await exchange(lab.service, lab.application, {
    code: back.searchParams.get('code') ?? '',
    verifier: attempt.verifier,
  });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return decodeJwt(String(answer.body.id_token));
}

describe('sign-in with a social provider', () => {
  test.each(providerIds)(
    'promise 10: %s registers a person the first time and signs the same one in later',
    async (provider) => {
      const email = `grace.${provider}@example.com`;
      lab.seat(provider, subjects[provider], email);
      const first = await signInWith(provider, email);
      expect(first).toMatchObject({ email, email_verified: true, name: 'Grace Hopper' });
      // The address at the provider changed: it is still the same person, under the address that we know.
      lab.seat(provider, subjects[provider], `renamed.${provider}@example.com`);
      const second = await signInWith(provider, email);
      expect(second).toMatchObject({ sub: first.sub, email });
      // No code was needed, so none was sent.
      expect(await inbox(email)).toEqual([]);
    },
  );

  test.each([
    ['an application with prompt=login', { prompt: 'login' }],
    ['an application with prompt=consent login', { prompt: 'consent login' }],
    ['an application with max_age', { max_age: '300' }],
  ])(
    'a new sign-in, asked for by %s, is not GitHub’s, which goes by a session of its own',
    async (_name, asked) => {
      const walker = await lab.walker('again@example.com');
      await walker.begin(asked);
      const { url, html } = walker.page();
      expect(html).toContain('name="email"');
      expect(html).toContain('Continue with Google');
      expect(html).not.toContain('Continue with GitHub');
      walker.arrival = await walker.browser.open(url.replace(/[^/]+$/, 'register'));
      expect(walker.page().html).not.toContain('Continue with GitHub');
      walker.arrival = await walker.browser.open(url.replace(/[^/]+$/, 'social?provider=github'));
      expect(new URL(walker.page().url).pathname).toMatch(/\/sign-in$/);
      await walker.begin();
      expect(walker.page().html).toContain('Continue with GitHub');
    },
  );

  test('a page of ours that needs a fresh sign-in does not offer GitHub either', async () => {
    const walker = await lab.walker('again@example.com');
    walker.arrival = await walker.browser.open(`${lab.service.url}/settings/sign-in?again=yes`);
    expect(walker.page().html).toContain('Continue with Apple');
    expect(walker.page().html).not.toContain('Continue with GitHub');
  });

  test('promise 21: it is charged like any other sign-in: a registration, then sign-ins', async () => {
    lab.seat('google', '42', 'charged@example.com');
    await signInWith('google', 'charged@example.com');
    await signInWith('google', 'charged@example.com');
    const events = await lab.service.db.select().from(usageEvents);
    const [first] = events.toSorted((a, b) => b.occurredAt.getTime() - a.occurredAt.getTime());
    const mine = events.filter(({ sub }) => sub === first?.sub).map(({ kind }) => kind);
    expect(mine.toSorted()).toEqual(['registration', 'sign_in']);
  });

  test('a provider that tells no name leads to the page that asks for one', async () => {
    lab.google.person = { sub: 'nameless', claims: { email: 'nameless@example.com', email_verified: true } };
    const walker = await lab.walker('nameless@example.com');
    await walker.begin();
    await walker.come('google');
    expect(walker.page().html).toContain('name="name"');
    expect(walker.page().html).toContain('nameless@example.com');
    const [form] = walker.page().forms.filter(({ fields }) => fields.some(({ name }) => name === 'name'));
    if (!form) throw new Error('no form');
    walker.arrival = await walker.browser.submit(walker.page(), form, { name: 'Nemo' });
    expect((await walker.finish()).searchParams.get('code')).toBeTruthy();
  });

  test('whoever cancels at the provider is back on the sign-in page, with the other ways open', async () => {
    for (const provider of providerIds) {
      lab.seat(provider, '77', 'cancels@example.com');
      const walker = await lab.walker('cancels@example.com');
      await walker.begin();
      await walker.come(provider, 'no');
      expect(walker.page().html).toMatch(/You didn’t finish signing in with/);
      expect(await walker.finish().catch(String)).toBeTruthy();
    }
  });
});

describe('an address that has an account already (threat 51)', () => {
  test.each(providerIds)(
    '%s: one proof by code, then the two are linked and the owner is told',
    async (provider) => {
      const email = `owner.${provider}@example.com`;
      const attempt = startAttempt(lab.service, lab.application);
      await signInAs({ authorizationUrl: attempt.url, email, name: 'The Owner' });
      lab.seat(provider, '9000', email);

      const walker = await lab.walker(email);
      await walker.begin();
      await walker.come(provider);
      expect(walker.page().url).toContain('/social-proof');
      expect(walker.page().html).toContain('An account with this address already exists');
      await walker.finish();
      await until('a mail tells of the link', () => inbox(email), {
        isIt: (mails) => mails.some(({ text }) => text.includes('was just linked to')),
      });

      // From now on the provider is enough.
      const mails = (await inbox(email)).length;
      const again = await signInWith(provider, email);
      expect(again).toMatchObject({ email, name: 'The Owner' });
      expect(await inbox(email)).toHaveLength(mails);
    },
  );

  test('whoever cannot prove the account gets nothing of it', async () => {
    const email = 'victim@example.com';
    await signInAs({ authorizationUrl: startAttempt(lab.service, lab.application).url, email });
    lab.seat('google', 'attacker', email);
    const walker = await lab.walker(email);
    await walker.begin();
    await walker.come('google');
    for (const step of ['welcome', 'code', 'consent']) {
      const skipped = await walker.browser.open(walker.page().url.replace(/[^/]+$/, step));
      expect('page' in skipped && skipped.page.url).not.toContain(`/${step}`);
    }
    const mine = eq(socialIdentities.subject, 'attacker');
    expect(await lab.service.db.select().from(socialIdentities).where(mine)).toEqual([]);
  });
});

describe('an address that nobody vouches for (threat 50)', () => {
  test.each(providerIds)('%s: it is no key to anything; our own code proves it first', async (provider) => {
    const email = `unverified.${provider}@example.com`;
    lab.seat(provider, '31337', email, { verified: false });
    const walker = await lab.walker(email);
    await walker.begin();
    await walker.come(provider);
    expect(walker.page().html).toContain('didn’t confirm your email address');
    expect(await findAccountByEmail(lab.service.db, email)).toBeUndefined();
    const [form] = walker.page().forms.filter(({ fields }) => fields.some(({ name }) => name === 'email'));
    if (!form) throw new Error('no form');
    walker.arrival = await walker.browser.submit(walker.page(), form, { email });
    await walker.finish();
    await until('there are two mails', () => inbox(email), { isIt: (mails) => mails.length === 2 });
    // Proven once, the identity is enough.
    const claims = await signInWith(provider, email);
    expect(claims).toMatchObject({ email, email_verified: true });
    expect(await inbox(email)).toHaveLength(2);
  });

  test('"true" as a string is Apple\'s way only: from Google it vouches for nothing', async () => {
    lab.google.person = {
      sub: 'stringly',
      claims: { email: 'stringly@example.com', email_verified: 'true', name: 'S' },
    };
    const walker = await lab.walker('stringly@example.com');
    await walker.begin();
    await walker.come('google');
    expect(walker.page().url).toContain('/social-proof');
  });

  test('another address typed there is the one that counts, and its account the one that is linked', async () => {
    lab.google.person = { sub: 'two-addresses', claims: { email: 'one@example.com', name: 'Two' } };
    const walker = await lab.walker('two@example.com');
    await walker.begin();
    await walker.come('google');
    const [form] = walker.page().forms.filter(({ fields }) => fields.some(({ name }) => name === 'email'));
    if (!form) throw new Error('no form');
    walker.arrival = await walker.browser.submit(walker.page(), form, { email: 'two@example.com' });
    await walker.finish();
    expect(await signInWith('google', 'two@example.com')).toMatchObject({ email: 'two@example.com' });
    expect(await inbox('one@example.com')).toEqual([]);
  });
});
