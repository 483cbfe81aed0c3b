// The way into company settings and out of it (promise 43): through the service's own pages, never charged, with
// a code that nobody else can use (threats 54 and 59).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { revokeAccount } from '../../adapters/revoke.ts';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { workspaces } from '../../drizzle/schema/workspaces.ts';
import { findPageSession } from '../../src/accounts/page-session.ts';
import { openAccount } from '../../src/accounts/proof.ts';
import { sessionsFinder } from '../../src/accounts/session.ts';
import { transaction } from '../../src/database/connection.ts';
import { createRedeemCode } from '../../src/oidc/tokens/first-party-sign-in.ts';
import { randomSecret, sha256 } from '../../src/secrets.ts';
import { type Browser, createBrowser } from '../harness/browserless-browser.ts';
import { proveMailbox, signInToPages } from '../harness/identity.ts';
import { openSettingsLab, type SettingsLab } from './lab.ts';
import { walkIn } from './walk.ts';

const MINUTE = 60_000;

describe('the way into company settings', () => {
  let lab: SettingsLab;

  beforeAll(async () => {
    lab = await openSettingsLab();
  });
  afterAll(() => lab?.stop());

  /** With the headers of a browser whose person clicked on a page of ours. */
  const newBrowser = () => createBrowser({ headers: { 'sec-fetch-site': 'same-origin' } });
  const sessionOf = (browser: Browser) =>
    browser.cookies().find(({ name }) => name === 'tollgate_settings')?.value ?? '';

  async function opens(token: string, path = '/settings/workspaces/new'): Promise<boolean> {
    const { status } = await lab.visitor({ cookie: `tollgate_settings=${token}` }).get(path);
    return status === 200;
  }

  test('a person registers on the hosted pages, is not asked for consent, and is not charged', async () => {
    const { service } = lab;
    const browser = newBrowser();
    const arrival = await walkIn(service, browser, { email: 'grace@example.com' });
    expect(arrival.url).toContain('/settings/callback');
    expect(arrival.html).toContain('http-equiv="refresh" content="0; url=/settings"');
    const home = await browser.open(`${service.url}/settings`);
    expect('page' in home && home.page.html).toContain('Create your workspace');
    expect(await service.db.select().from(usageEvents)).toEqual([]);
    expect(browser.cookies()).toContainEqual(
      expect.objectContaining({ name: 'tollgate_settings', path: '/' }),
    );
  });

  test('whoever has no workspace makes one and owns it; nothing but the name is taken from the form', async () => {
    const visitor = lab.visitor(await lab.signIn('ada@example.com'));
    expect((await visitor.get('/settings')).location).toBe('/settings/workspaces/new');
    const empty = await visitor.post('/settings/workspaces/new', { name: '\u202e' });
    expect(empty.status).toBe(400);
    expect(empty.html).toContain('invisible characters');
    const made = await visitor.post('/settings/workspaces/new', {
      name: 'Ada & Co',
      id: lab.other.workspace.id,
      currency: 'USD',
      balance: '1000000',
      registrationPrice: '0',
      ['__proto__']: 'x',
    });
    expect(made.status).toBe(303);
    const overview = await visitor.follow(made);
    expect(overview.html).toContain('Ada &amp; Co is ready');
    expect((await visitor.get(made.location ?? '')).html).not.toContain('is ready');
    const rows = await lab.service.db.select().from(workspaces);
    expect(rows.find(({ name }) => name === 'Ada & Co')).toMatchObject({ currency: 'EUR' });
    expect(rows.find(({ id }) => id === lab.other.workspace.id)?.name).toBe('Other & Sons');
  });

  test('of several workspaces, one is chosen', async () => {
    const { acme } = lab;
    const visitor = lab.visitor(acme.owner);
    expect((await visitor.get('/settings')).location).toBe(`/settings/${acme.workspace.id}`);
    await visitor.post('/settings/workspaces/new', { name: 'Second home' });
    const choice = await visitor.get('/settings');
    expect(choice.status).toBe(200);
    expect(choice.html).toContain('Acme Outdoor');
    expect(choice.html).toContain('Second home');
  });

  describe('the code that comes back', () => {
    type Request = { code: string; redirectUri: string; verifier: string; nonce: string };
    let browser: Browser;

    beforeAll(async () => {
      browser = newBrowser();
      await walkIn(lab.service, browser, { email: 'code@example.com' });
    });

    /** Asked for by hand: the settings know nothing of it and leave the code alone. */
    async function newCode(): Promise<Request> {
      const { url } = lab.service;
      const [verifier, nonce] = [randomSecret(), randomSecret()];
      const redirectUri = `${url}/settings/callback`;
      const request = new URLSearchParams({
        client_id: 'tollgate-settings',
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid',
        state: randomSecret(),
        nonce,
        code_challenge: sha256(verifier),
        code_challenge_method: 'S256',
      });
      const arrival = await browser.open(`${url}/oauth/authorize?${request}`);
      if (!('page' in arrival)) throw new Error(`left to ${arrival.leftTo}`);
      expect(arrival.page.status).toBe(400);
      return {
        code: new URL(arrival.page.url).searchParams.get('code') ?? '',
        redirectUri,
        verifier,
        nonce,
      };
    }

    test('is refused by the token endpoint, with any secret or none, and never charged', async () => {
      const { code, redirectUri, verifier } = await newCode();
      const before = (await lab.service.db.select().from(usageEvents)).length;
      for (const secret of [undefined, '', 'kept as hashes', 'x']) {
        const body = new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: 'tollgate-settings',
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
          ...(secret === undefined ? {} : { client_secret: secret }),
        });
        const answer = await fetch(`${lab.service.url}/oauth/token`, { method: 'POST', body });
        expect([400, 401]).toContain(answer.status);
        expect(await answer.json()).not.toHaveProperty('access_token');
      }
      expect(await lab.service.db.select().from(usageEvents)).toHaveLength(before);
    });

    test('is worth nothing to another area, another verifier, nonce or address, and works once', async () => {
      const { provider } = lab.service.tollgate;
      const redeem = createRedeemCode({ provider });
      const request = await newCode();
      expect(await redeem('account', request)).toBeUndefined();
      expect(await redeem('settings', { ...request, verifier: randomSecret() })).toBeUndefined();
      expect(await redeem('settings', { ...request, nonce: randomSecret() })).toBeUndefined();
      expect(await redeem('settings', { ...request, redirectUri: 'https://evil.example/' })).toBeUndefined();
      const answers = await Promise.all(Array.from({ length: 5 }, () => redeem('settings', request)));
      expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1);
      expect(await redeem('settings', request)).toBeUndefined();
    });

    test('of somebody else signs nobody in (login CSRF)', async () => {
      const { code } = await newCode();
      const victim = newBrowser();
      const query = new URLSearchParams({ code, state: 'anything' });
      const arrival = await victim.open(`${lab.service.url}/settings/callback?${query}`);
      expect('page' in arrival && arrival.page.status).toBe(400);
      expect(sessionOf(victim)).toBe('');
    });

    test('finds its own way in among four that this browser began, whoever began the others', async () => {
      const visitor = lab.visitor();
      const begin = async (path: string) => {
        const { location = '' } = await visitor.get(path);
        return new URL(location, lab.service.url).searchParams.get('state') ?? '';
      };
      const longest = `/settings?${'a'.repeat(990)}`;
      const states: string[] = [];
      for (const path of ['/settings', '/settings', '/settings/sign-in', longest, '/settings'])
        states.push(await begin(path));
      const comeBack = async (state: string) => {
        const { html } = await visitor.get(`/settings/callback?state=${state}&error=access_denied`);
        return html.includes('Sign-in cancelled');
      };
      const [tooOld = '', first = '', ...others] = states;
      expect(await comeBack(tooOld)).toBe(false);
      expect(await comeBack(randomSecret())).toBe(false);
      expect(await comeBack(first)).toBe(true);
      expect(await comeBack(first)).toBe(false);
      for (const state of others) expect(await comeBack(state)).toBe(true);
      const { html } = await visitor.get(`/settings/callback?state=${first}&error=access_denied`);
      expect(html).toContain('This sign-in can’t be completed here');
    });

    test('does not come at all when more is asked than who the person is', async () => {
      const answer = await fetch(
        `${lab.service.url}/oauth/authorize?client_id=tollgate-settings&scope=openid%20email&response_type=code` +
          `&redirect_uri=${encodeURIComponent(`${lab.service.url}/settings/callback`)}&state=s&nonce=n` +
          `&code_challenge=${sha256('x')}&code_challenge_method=S256`,
        { redirect: 'manual' },
      );
      expect(answer.headers.get('location')).toContain('error=invalid_scope');
    });
  });

  describe('threat 59: a session', () => {
    test('ends after 30 minutes without use, and after 12 hours in any case', async () => {
      const { clock } = lab.service;
      const idle = await lab.signIn('idle@example.com');
      const busy = await lab.signIn('busy@example.com');
      const opensAfter = async (minutes: number, token: string) => {
        clock.aheadMilliseconds = minutes * MINUTE;
        return opens(token);
      };
      try {
        expect(await opensAfter(29, idle.token)).toBe(true);
        for (let minutes = 25; minutes < 12 * 60; minutes += 25)
          expect(await opensAfter(minutes, busy.token)).toBe(true);
        expect(await opensAfter(29 + 31, idle.token)).toBe(false);
        expect(await opensAfter(12 * 60 + 1, busy.token)).toBe(false);
      } finally {
        clock.aheadMilliseconds = 0;
      }
    });

    test('gets a new cookie at each sign-in, and the one before is worth nothing (fixation)', async () => {
      const browser = newBrowser();
      await walkIn(lab.service, browser, { email: 'twice@example.com' });
      const before = sessionOf(browser);
      expect(await opens(before)).toBe(true);
      await walkIn(lab.service, browser, { email: 'twice@example.com', path: '/settings/sign-in?again=yes' });
      expect(sessionOf(browser)).not.toBe(before);
      expect(await opens(before)).toBe(false);
      expect(await opens(sessionOf(browser))).toBe(true);
    });

    test('ends at sign-out, which then asks the service to let go of the browser as well', async () => {
      const member = await lab.signIn('leaving@example.com');
      const out = await lab.visitor(member).post('/settings/workspaces/new', {}, '/settings/sign-out');
      expect(out.location).toMatch(/^\/oauth\/logout\?client_id=tollgate-settings&/);
      expect(await opens(member.token)).toBe(false);
    });

    test('ends with a new password, with "sign out everywhere" and with the account', async () => {
      const member = await lab.signIn('changed@example.com');
      await transaction(lab.service.db, (tx) =>
        revokeAccount(tx, { accountId: member.account.id, now: new Date() }),
      );
      expect(await opens(member.token)).toBe(false);
      const deleted = await lab.signIn('deleted@example.com');
      await lab.service.tollgate.operator('account delete', { account: 'deleted@example.com' });
      expect(await opens(deleted.token)).toBe(false);
    });

    test('is listed for its person, who ends one or all others', async () => {
      const path = `/settings/${lab.acme.workspace.id}/sessions`;
      const { email } = lab.acme.developer.account;
      const [here, phone, desk] = [await lab.signIn(email), await lab.signIn(email), await lab.signIn(email)];
      const visitor = lab.visitor(here);
      const { html } = await visitor.get(path);
      expect(html).toContain('Chrome on Linux');
      expect(html).toContain('this session');
      const [, id = ''] = /sessions\/(pgs_[0-9a-f]+)\/end/.exec(html) ?? [];
      await visitor.post(path, {}, `${path}/${id}/end`);
      expect(await opens(here.token)).toBe(true);
      await visitor.post(path, {}, `${path}/end-others`);
      expect(await opens(phone.token)).toBe(false);
      expect(await opens(desk.token)).toBe(false);
      expect(await opens(here.token)).toBe(true);
      const { token: stranger } = lab.acme.owner;
      expect(await opens(stranger)).toBe(true);
    });

    test('ends with "End all others" wherever the account was signed in or about to be, listed or not', async () => {
      const { db } = lab.service;
      const here = await lab.signIn('everywhere@example.com');
      const there = await lab.signIn('everywhere@example.com');
      const page = await signInToPages(db, { area: 'account', account: here.account });
      const waiting = await proveMailbox(db, { account: here.account });
      const home = lab.visitor(here);
      const { location = '' } = await home.post('/settings/workspaces/new', { name: 'Everywhere' });
      const answer = await home.post(`${location}/sessions`, {}, `${location}/sessions/end-others`);
      expect((await home.follow(answer)).html).toContain('You are signed out everywhere else');
      // Its browser stays one in which this person is known.
      expect(answer.headers.getSetCookie().join()).toContain('tollgate_device=');
      expect(await opens(there.token)).toBe(false);
      const clock = () => new Date();
      const account = { area: 'account', token: page.token, ipAddress: '', clock } as const;
      expect(await findPageSession(db, account)).toBeUndefined();
      const open = await transaction(db, (tx) => openAccount(tx, { proofId: waiting.id, clock }));
      expect(open).toBeUndefined();
      const uids = [here, there].map(({ sessionHash }) => sessionHash);
      expect([...(await sessionsFinder(db)(uids)).keys()]).toEqual([here.sessionHash]);
    });

    test('that is ended from the list ends with its whole browser', async () => {
      const { db } = lab.service;
      const [here, there] = [await lab.signIn('one@example.com'), await lab.signIn('one@example.com')];
      const home = lab.visitor(here);
      const { location = '' } = await home.post('/settings/workspaces/new', { name: 'One' });
      const path = `${location}/sessions`;
      const [, id = ''] = /sessions\/(pgs_[0-9a-f]+)\/end/.exec((await home.get(path)).html) ?? [];
      expect((await home.post(path, {}, `${path}/${id}/end`)).status).toBe(303);
      expect(await opens(there.token)).toBe(false);
      expect([...(await sessionsFinder(db)([there.sessionHash])).keys()]).toEqual([]);
      expect(await opens(here.token)).toBe(true);
    });
  });

  describe('fresh authentication', () => {
    test('a page that needs it leads through the sign-in and back', async () => {
      const path = `/settings/${lab.acme.workspace.id}/members/invite`;
      const stale = await lab.signIn(lab.acme.owner.account.email, { authenticatedSecondsAgo: 301 });
      const answer = await lab.visitor(stale).get(path);
      expect(answer.status).toBe(303);
      expect(answer.location).toMatch(/^\/oauth\/authorize\?client_id=tollgate-settings.*&prompt=login/);
      const fresh = await lab.signIn(lab.acme.owner.account.email, { authenticatedSecondsAgo: 295 });
      expect((await lab.visitor(fresh).get(path)).status).toBe(200);
    });

    test('a form that comes too late, or after the session, waits with everything that was typed', async () => {
      const path = `/settings/${lab.acme.workspace.id}/members/invite`;
      const { clock } = lab.service;
      const { email } = lab.acme.owner.account;
      const visitor = lab.visitor(await lab.signIn(email));
      const typed = { email: 'kept "as" typed@example.com', role: 'viewer' };
      await visitor.get(path);
      try {
        const page = await visitor.get(path);
        clock.aheadMilliseconds = 6 * MINUTE;
        const late = await visitor.send(path, page.html, typed);
        expect(late.status).toBe(403);
        expect(late.html).toContain('kept &quot;as&quot; typed@example.com');
        expect(late.html).toContain('name="csrf_token"');
        clock.aheadMilliseconds = 40 * MINUTE;
        const over = await visitor.send(path, page.html, typed);
        expect(over.status).toBe(401);
        expect(over.html).toContain('kept &quot;as&quot; typed@example.com');
        clock.aheadMilliseconds = 0;
        const sentAgain = await visitor.send(path, over.html, {});
        expect(sentAgain.status).toBe(400);
        expect(sentAgain.html).toContain('Enter a valid email address.');
      } finally {
        clock.aheadMilliseconds = 0;
      }
    });
  });
});
