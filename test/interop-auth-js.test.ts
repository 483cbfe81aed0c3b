// §1.1 with Auth.js (@auth/express): a provider of type `oidc` and one line more than its defaults.
import { ExpressAuth, type ExpressAuthConfig, getSession } from '@auth/express';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { createBrowser } from './browserless-browser.ts';
import { freePort } from './harness/free-port.ts';
import { startTollgate, type TestTollgate } from './harness/tollgate.ts';
import { applicationBrowser, finishSignIn, serve } from './web-application.ts';

let service: TestTollgate;
beforeAll(async () => {
  service = await startTollgate();
});
afterAll(() => service.stop());

const email = 'ada.auth-js@example.com';

async function startApplication() {
  const port = await freePort();
  const { clientId, clientSecret } = await service.register({
    redirectUris: [`https://localhost:${port}/auth/callback/tollgate`],
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
        checks: ['pkce', 'state', 'nonce'],
      },
    ],
  };
  const app = express();
  app.use('/auth', ExpressAuth(config));
  app.get('/', async (request, response) => {
    response.json(await getSession(request, config));
  });
  return serve(app, port);
}

describe('Auth.js', () => {
  test('§1.1: signs a person in, reads the profile from the ID Token, signs out', async () => {
    const application = await startApplication();
    const browser = applicationBrowser();
    const signInPage = await browser.open(`${application.url}/auth/signin`);
    if (!('page' in signInPage)) throw new Error('Auth.js shows a page with its providers');
    const form = signInPage.page.forms.find(({ action }) => action.endsWith('/auth/signin/tollgate'));
    if (!form) throw new Error('Auth.js offers the provider');
    const start = await browser.submit(signInPage.page, form);
    const landed = await finishSignIn(start, { browser, hosted: createBrowser(), email });
    expect(landed.url).toBe(`${application.url}/`);
    expect(JSON.parse(landed.html)).toMatchObject({ user: { email, name: 'Ada Lovelace' } });

    const signOutPage = await browser.open(`${application.url}/auth/signout`);
    if (!('page' in signOutPage)) throw new Error('Auth.js asks before signing out');
    const [signOut] = signOutPage.page.forms;
    if (!signOut) throw new Error('Auth.js has a form for it');
    await browser.submit(signOutPage.page, signOut);
    const after = await browser.open(`${application.url}/`);
    expect('page' in after && JSON.parse(after.page.html)).toBeNull();
    await application.close();
  });
});
