// Promise 1 with Auth.js (@auth/express): a provider of type `oidc` and one line more than its defaults.
import { ExpressAuth, type ExpressAuthConfig, getSession } from '@auth/express';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { type Arrival, type Browser, createBrowser } from '../harness/browserless-browser.ts';
import { signOutAs } from '../harness/browserless-person.ts';
import { freePort } from '../harness/free-port.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { applicationBrowser, finishSignIn, serve } from '../harness/web-application.ts';

let service: TestTollgate;
beforeAll(async () => {
  service = await startTollgate();
});
afterAll(() => service.stop());

const email = 'ada.auth-js@example.com';

async function startApplication(checks: ('pkce' | 'state' | 'nonce')[]) {
  const port = await freePort();
  const { clientId, clientSecret } = await service.register({
    redirectUris: [`https://localhost:${port}/auth/callback/tollgate`],
    postLogoutRedirectUris: [`https://localhost:${port}/`],
  });
  const config: ExpressAuthConfig = {
    secret: 'a secret of the application, at least 32 characters',
    trustHost: true,
    providers: [
      {
        id: 'tollgate',
        name: 'Tollgate',
        type: 'oidc',
        issuer: service.url,
        clientId,
        clientSecret: clientSecret ?? '',
        checks,
      },
    ],
  };
  const app = express();
  app.use('/auth', ExpressAuth(config));
  app.get('/', async (request, response) => {
    response.json(await getSession(request, config));
  });
  return { ...(await serve(app, port)), clientId };
}

/** Its own page with a button per provider. */
async function pressSignIn(browser: Browser, url: string): Promise<Arrival> {
  const shown = await browser.open(`${url}/auth/signin`);
  if (!('page' in shown)) throw new Error('Auth.js shows a page with its providers');
  const form = shown.page.forms.find(({ action }) => action.endsWith('/auth/signin/tollgate'));
  if (!form) throw new Error('Auth.js offers the provider');
  return browser.submit(shown.page, form);
}

describe('Auth.js', () => {
  test('signs a person in, reads the profile from the ID Token, signs out here and there', async () => {
    const application = await startApplication(['pkce', 'state', 'nonce']);
    const browser = applicationBrowser();
    const hosted = createBrowser();
    const start = await pressSignIn(browser, application.url);
    const landed = await finishSignIn(start, { browser, hosted, email });
    expect(landed.url).toBe(`${application.url}/`);
    expect(JSON.parse(landed.html)).toMatchObject({ user: { email, name: 'Ada Lovelace' } });

    const signOutPage = await browser.open(`${application.url}/auth/signout`);
    if (!('page' in signOutPage)) throw new Error('Auth.js asks before signing out');
    const [signOut] = signOutPage.page.forms;
    if (!signOut) throw new Error('Auth.js has a form for it');
    await browser.submit(signOutPage.page, signOut);
    const after = await browser.open(`${application.url}/`);
    expect('page' in after && JSON.parse(after.page.html)).toBeNull();

    const endSessionUrl = new URL('/oauth/logout', service.url);
    endSessionUrl.searchParams.set('client_id', application.clientId);
    endSessionUrl.searchParams.set('post_logout_redirect_uri', `${application.url}/`);
    expect(await signOutAs(hosted, endSessionUrl.href)).toBe(`${application.url}/`);
    await application.close();
  });

  test('promise 5: with its default, PKCE alone, it gets invalid_request that names what is missing', async () => {
    const application = await startApplication(['pkce']);
    const start = await pressSignIn(applicationBrowser(), application.url);
    if (!('leftTo' in start)) throw new Error('Auth.js starts a sign-in');
    const refused = await createBrowser().open(start.leftTo);
    const callback = new URL('leftTo' in refused ? refused.leftTo : 'about:blank');
    expect(callback.searchParams.get('error')).toBe('invalid_request');
    expect(callback.searchParams.get('error_description')).toMatch(/state|nonce/);
    await application.close();
  });
});
