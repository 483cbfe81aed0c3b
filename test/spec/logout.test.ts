// RP-initiated logout and browser sessions (promises 13 and 22; threats 23, 39 and 45), and
// how long a session lasts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { form } from '../harness/client.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import {
  authorizationRequest,
  Browser,
  callbackOf,
  exchange,
  refresh,
  signIn,
  userinfo,
} from '../harness/protocol-client.ts';

let protocol: Protocol;
let application: ProtocolApplication;
beforeAll(async () => {
  protocol = await startProtocol();
  application = await protocol.register();
});
afterAll(() => protocol.stop());

const BYE = 'https://app.example.test/bye';
const offline = { scope: 'openid offline_access' };

async function confirm(browser: Browser, page: Response, pressed: Record<string, string>): Promise<Response> {
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  return browser.request('/oauth/logout/confirm', { method: 'POST', body: form({ xsrf, ...pressed }) });
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  const request = authorizationRequest(application, { prompt: 'none', scope: 'openid' });
  return 'code' in callbackOf(await browser.request(request.path));
}

describe('logout', () => {
  test('asks first, then ends the session and every token of it, refresh tokens included', async () => {
    const other = await protocol.register();
    const mine = await signIn(protocol, application, { changed: offline });
    const { body } = await exchange(protocol, application, mine);
    const second = await exchange(
      protocol,
      other,
      await signIn(protocol, other, { browser: mine.browser, changed: offline }),
    );
    const elsewhere = await exchange(
      protocol,
      application,
      await signIn(protocol, application, { changed: offline }),
    );
    const query = form({
      id_token_hint: String(body.id_token),
      post_logout_redirect_uri: BYE,
      state: 'so long',
    });
    const page = await mine.browser.request(`/oauth/logout?${query}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(
      /form-action 'self' https:\/\/app\.example\.test$/,
    );
    expect(await isSignedIn(mine.browser)).toBe(true);
    const fresh = await mine.browser.request(`/oauth/logout?${query}`);
    const left = await confirm(mine.browser, fresh, { logout: 'yes' });
    expect(left.headers.get('location')).toBe(`${BYE}?state=so+long`);
    expect(await isSignedIn(mine.browser)).toBe(false);
    for (const [client, tokens] of [
      [application, body],
      [other, second.body],
    ] as const) {
      expect((await userinfo(protocol, tokens.access_token)).status).toBe(401);
      expect((await refresh(protocol, client, tokens.refresh_token)).body.error).toBe('invalid_grant');
    }
    expect((await refresh(protocol, application, elsewhere.body.refresh_token)).status).toBe(200);
  });

  test('staying signed in still signs out of the application that asked', async () => {
    const { browser, ...signedIn } = await signIn(protocol, application, { changed: offline });
    const { body } = await exchange(protocol, application, signedIn);
    const page = await browser.request(`/oauth/logout?${form({ client_id: application.clientId })}`);
    await confirm(browser, page, {});
    expect(await isSignedIn(browser)).toBe(true);
    expect((await refresh(protocol, application, body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('without a session there is nothing to ask: straight on, by redirect and without a script', async () => {
    const query = form({ client_id: application.clientId, post_logout_redirect_uri: BYE, state: 's' });
    const gone = await new Browser(protocol).request(`/oauth/logout?${query}`);
    expect([gone.status, gone.headers.get('location')]).toEqual([303, `${BYE}?state=s`]);
    const page = await new Browser(protocol).follow('/oauth/logout');
    expect([page.status, await page.text()]).toEqual([200, '<h1>Signed out</h1>']);
  });

  test('threat 45: an unregistered address afterwards is refused on our own page', async () => {
    const { browser, ...signedIn } = await signIn(protocol, application);
    const { body } = await exchange(protocol, application, signedIn);
    for (const target of [
      'https://evil.test/',
      '//evil.test',
      'javascript:alert(1)',
      `${BYE}/`,
      `${BYE}#x`,
    ]) {
      for (const hint of [{ id_token_hint: String(body.id_token) }, { client_id: application.clientId }]) {
        const answer = await browser.request(
          `/oauth/logout?${form({ ...hint, post_logout_redirect_uri: target })}`,
        );
        expect(answer.status).toBe(400);
        expect(answer.headers.get('location')).toBeNull();
      }
    }
    // Without a client nobody could have registered it: it is ignored.
    const page = await browser.request(
      `/oauth/logout?${form({ post_logout_redirect_uri: 'https://evil.test/' })}`,
    );
    const left = await confirm(browser, page, { logout: 'yes' });
    expect(left.headers.get('location')).toBe(`${protocol.origin}/oauth/logout/success`);
  });

  test('threats 20 and 45: a forged id_token_hint is refused', async () => {
    const claims = new SignJWT({ sub: 'x' }).setIssuer(protocol.origin).setAudience(application.clientId);
    const { keys } = await (await fetch(`${protocol.origin}/oauth/jwks`)).json();
    const signedByPublicKey = await claims
      .setProtectedHeader({ alg: 'HS256', kid: keys[0].kid })
      .sign(new TextEncoder().encode(keys[0].n));
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${encode({ alg: 'none' })}.${encode({ iss: protocol.origin, aud: application.clientId, sub: 'x' })}.`;
    for (const hint of [signedByPublicKey, unsigned, 'x', 'a.b.c', encode({})]) {
      const { browser } = await signIn(protocol, application);
      const query = form({ id_token_hint: hint, post_logout_redirect_uri: BYE });
      const answer = await browser.request(`/oauth/logout?${query}`);
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
      const request = authorizationRequest(application, { id_token_hint: hint });
      expect(callbackOf(await browser.request(request.path)).error).toBe('invalid_request');
    }
  });

  test('a post without its form, from any site, ends nothing', async () => {
    const { browser } = await signIn(protocol, application);
    for (const xsrf of ['', 'guessed']) {
      const answer = await browser.request('/oauth/logout/confirm', {
        method: 'POST',
        body: form({ xsrf, logout: 'yes' }),
      });
      expect(answer.status).toBe(400);
    }
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('a query with a zero character is an invalid_request', async () => {
    const answer = await new Browser(protocol).request('/oauth/logout?state=%00');
    expect(answer.status).toBe(400);
  });
});

describe('sessions', () => {
  test('signing in as somebody else in the same browser ends the first session, without a page that needs scripts', async () => {
    const ada = protocol.person.account;
    const first = await signIn(protocol, application, { changed: offline });
    const adas = (await exchange(protocol, application, first)).body;
    protocol.person.account = await protocol.addAccount('grace@example.test');
    try {
      const second = await signIn(protocol, application, {
        browser: first.browser,
        changed: { ...offline, prompt: 'login' },
      });
      const graces = (await exchange(protocol, application, second)).body;
      const [mine, hers] = [
        await userinfo(protocol, adas.access_token),
        await userinfo(protocol, graces.access_token),
      ];
      expect([mine.status, hers.status]).toEqual([401, 200]);
      expect((await refresh(protocol, application, adas.refresh_token)).body.error).toBe('invalid_grant');
      expect(await isSignedIn(first.browser)).toBe(true);
    } finally {
      protocol.person.account = ada;
    }
  });

  test('an application that names a person by id_token_hint and gets another one is told login_required', async () => {
    const ada = protocol.person.account;
    const { body } = await exchange(protocol, application, await signIn(protocol, application));
    const hinted = authorizationRequest(application, { id_token_hint: String(body.id_token) });
    expect(callbackOf(await new Browser(protocol).follow(hinted.path))).toHaveProperty('code');
    protocol.person.account = await protocol.addAccount('somebody.else@example.test');
    try {
      const answer = callbackOf(await new Browser(protocol).follow(hinted.path));
      expect(answer).toMatchObject({ error: 'login_required', state: hinted.state });
    } finally {
      protocol.person.account = ada;
    }
  });

  test('a session ends after 24 hours without a visit, and 14 days after the sign-in in any case', async () => {
    const hour = 3_600_000;
    const { browser } = await signIn(protocol, application, { changed: { scope: 'openid' } });
    const expiry = async () => {
      const sessions = await protocol.records('Session');
      return Math.max(...sessions.map(({ exp }) => Number(exp) * 1000 - Date.now()));
    };
    // A minute for the sign-in itself, on a busy machine.
    expect(Math.abs((await expiry()) - 24 * hour)).toBeLessThan(60_000);
    try {
      await protocol.pass(25 * hour);
      expect(await isSignedIn(browser)).toBe(false);
    } finally {
      protocol.clock.now = () => new Date();
    }
  });

  test('the last day of a session is shorter than the idle time', async () => {
    const { tokenLifetimes } = await import('../../src/oidc/tokens/token-lifetimes.ts');
    const now = new Date('2026-11-21T10:00:00.000Z');
    const { Session } = tokenLifetimes(() => now);
    const seconds = now.getTime() / 1000;
    const left = (loginTs: number | undefined) =>
      typeof Session === 'function' ? Reflect.apply(Session, undefined, [undefined, { loginTs }]) : undefined;
    // Nobody has signed in to it: kept for the token of a form alone.
    expect(left(undefined)).toBe(600);
    expect(left(seconds)).toBe(86_400);
    expect(left(seconds - 13.5 * 86_400)).toBe(43_200);
    expect(left(seconds - 15 * 86_400)).toBe(1);
  });
});

describe('cookies', () => {
  test('under https they are Secure, HttpOnly, SameSite=Lax and carry the prefixes', async () => {
    const secure = await startProtocol({ baseUrl: 'https://id.example.test' });
    try {
      const client = await secure.register();
      const response = await fetch(secure.origin + authorizationRequest(client).path, { redirect: 'manual' });
      const cookies = response.headers.getSetCookie();
      expect(
        cookies
          .map((cookie) => cookie.split('=')[0])
          .filter((name) => !name?.endsWith('.sig'))
          .sort(),
      ).toEqual(['__Secure-tollgate_interaction', '__Secure-tollgate_resume']);
      for (const cookie of cookies) {
        expect(cookie).toMatch(/; secure/);
        expect(cookie).toMatch(/; httponly/);
        expect(cookie).toMatch(/; samesite=lax/);
      }
      expect(response.headers.get('location')).toMatch(/^\/interaction\//);
      const logout = await fetch(`${secure.origin}/oauth/logout`, { redirect: 'manual' });
      expect(logout.headers.get('location')).toBe('https://id.example.test/oauth/logout/success');
      expect(logout.headers.getSetCookie().join()).toContain('__Host-tollgate_session=');
    } finally {
      await secure.stop();
    }
  });
});
