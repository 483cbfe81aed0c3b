// Promise 1 with express-openid-connect: the code flow has to be asked for, everything else is its default.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { auth } from 'express-openid-connect';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signOutAs } from '../harness/browserless-person.ts';
import { freePort } from '../harness/free-port.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { applicationBrowser, finishSignIn, serve } from '../harness/web-application.ts';

let service: TestTollgate;
beforeAll(async () => {
  service = await startTollgate();
});
afterAll(() => service.stop());

const email = 'ada.express@example.com';

async function startApplication() {
  const port = await freePort();
  const baseURL = `https://localhost:${port}`;
  const { clientId, clientSecret } = await service.register({
    redirectUris: [`${baseURL}/callback`],
    postLogoutRedirectUris: [baseURL],
  });
  const app = express();
  app.use(
    auth({
      issuerBaseURL: service.url,
      baseURL,
      clientID: clientId,
      clientSecret: clientSecret ?? '',
      secret: 'a secret of the application, at least 32 characters',
      authRequired: false,
      idpLogout: true,
      authorizationParams: { response_type: 'code', scope: 'openid profile email offline_access' },
    }),
  );
  app.get('/', (request, response) => {
    response.json(request.oidc.user ?? null);
  });
  app.get('/userinfo', async (request, response) => {
    response.json(await request.oidc.fetchUserInfo());
  });
  app.get('/refresh', async (request, response) => {
    const before = request.oidc.accessToken?.access_token;
    const after = await request.oidc.accessToken?.refresh();
    response.json({ renewed: Boolean(after?.access_token) && after?.access_token !== before });
  });
  return serve(app, port);
}

describe('express-openid-connect', () => {
  test('signs a person in, calls UserInfo, refreshes, and logs out here and there', async () => {
    const application = await startApplication();
    const browser = applicationBrowser();
    const hosted = createBrowser();
    const read = async (path: string): Promise<unknown> => {
      const arrival = await browser.open(`${application.url}${path}`);
      return 'page' in arrival ? JSON.parse(arrival.page.html) : undefined;
    };
    const start = await browser.open(`${application.url}/login`);
    const landed = await finishSignIn(start, { browser, hosted, email });
    expect(JSON.parse(landed.html)).toMatchObject({ email, email_verified: true, name: 'Ada Lovelace' });
    expect(await read('/userinfo')).toMatchObject({ email, name: 'Ada Lovelace' });
    expect(await read('/refresh')).toEqual({ renewed: true });

    const logout = await browser.open(`${application.url}/logout`);
    if (!('leftTo' in logout)) throw new Error('logging out goes through Tollgate');
    expect(await signOutAs(hosted, logout.leftTo)).toBe(`${application.url}/`);
    expect(await read('/')).toBeNull();
    await application.close();
  });
});
