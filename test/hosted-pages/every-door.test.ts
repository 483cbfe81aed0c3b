// One sign-in through every door, in one service: each way in of the hosted pages with its tokens and its charge, the
// account page, company settings, and the API that shows it all. Breadth only; what may go wrong is in the other files.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { customerPageSchema, eventPageSchema } from '../../src/api/schemas.ts';
import { createApiKey } from '../../src/applications/api-key.ts';
import { enterAccount, sameOrigin } from '../account-page/account-walk.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, startAttempt, userinfo } from '../harness/client.ts';
import { walkIn } from '../settings/walk.ts';
import { openSocialLab, providerIds, type SocialLab } from './social-lab.ts';

const PASSWORD = 'a long walk along the canal';
let lab: SocialLab;
beforeAll(async () => {
  lab = await openSocialLab();
});
afterAll(() => lab.stop());

/** To tokens that UserInfo accepts, by the `way` from the authorization address to the callback. */
async function signsIn(email: string, way: (authorizationUrl: string) => Promise<string>, parameters = {}) {
  const { service, application } = lab;
  const attempt = startAttempt(service, application, parameters);
  const { code } = readCallback(await way(attempt.url));
  const answer = await exchange(service, application, { code: code ?? '', verifier: attempt.verifier });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  expect(decodeJwt(String(answer.body.id_token))).toMatchObject({ email, email_verified: true });
  expect((await userinfo(service, String(answer.body.access_token))).body).toMatchObject({ email });
}

describe('promises 9 and 10: each way in ends with tokens', () => {
  test('a code by mail', async () => {
    const email = 'code@example.com';
    await signsIn(email, (authorizationUrl) => signInAs({ authorizationUrl, email, name: 'Ada Lovelace' }));
  });

  test('a password, set at the registration and used at the next sign-in', async () => {
    const person = { email: 'password@example.com', name: 'Ada Lovelace', password: PASSWORD };
    const way = (authorizationUrl: string) => signInAs({ authorizationUrl, ...person });
    await signsIn(person.email, way, { prompt: 'create' });
    await signsIn(person.email, way);
  });

  test.each(providerIds)('%s', async (provider) => {
    const email = `${provider}@example.com`;
    lab.seat(provider, '42', email);
    await signsIn(email, async (authorizationUrl) => {
      const walker = await lab.walker(email);
      walker.arrival = await walker.browser.open(authorizationUrl);
      await walker.come(provider);
      return (await walker.finish()).href;
    });
  });
});

test("the account page and company settings let a person in, and charge nobody's balance", async () => {
  const before = await lab.service.db.select().from(usageEvents);
  const { open } = await enterAccount(lab.service, 'own@example.com');
  expect((await open('/account')).html).toContain('own@example.com');
  const browser = createBrowser({ headers: sameOrigin });
  await walkIn(lab.service, browser, { email: 'company@example.com' });
  const settings = await browser.open(`${lab.service.url}/settings`);
  expect('page' in settings && settings.page.html).toContain('Create your workspace');
  expect(await lab.service.db.select().from(usageEvents)).toEqual(before);
});

test('promises 29 and 30: the API lists each of these people as a customer, and each session as an event', async () => {
  const { db, url, workspace } = lab.service;
  const wanted = { workspaceId: workspace.id, name: 'Backend', scopes: ['identity:read'], now: new Date() };
  const { key } = await createApiKey(db, wanted);
  const read = async (list: string) => {
    const headers = { Authorization: `Bearer ${key}` };
    return (await fetch(`${url}/v1/applications/${lab.application.id}/${list}`, { headers })).json();
  };
  const customers = customerPageSchema.parse(await read('customers')).data;
  const people = ['code', 'password', ...providerIds].map((name) => `${name}@example.com`);
  expect(customers.map(({ email }) => email).sort()).toEqual(people.sort());
  const events = eventPageSchema.parse(await read('events')).data;
  expect(events.map(({ kind }) => kind).sort()).toEqual([...people.map(() => 'registration'), 'sign_in']);
});
