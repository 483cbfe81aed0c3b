// What the table of docs/clients.md does not tell of Apache with mod_auth_openidc: whom the page behind it sees, and that
// people who log out, here or elsewhere, are logged out in both places.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changeBackchannelLogout } from '../../src/applications/application-change.ts';
import { transaction } from '../../src/database/connection.ts';
import { type Apache, findApache } from '../harness/apache.ts';
import { type Browser, createBrowser, type Page } from '../harness/browserless-browser.ts';
import { signOutAs } from '../harness/browserless-person.ts';
import { freePort } from '../harness/free-port.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
import { applicationBrowser, certificate, finishSignIn } from '../harness/web-application.ts';
import { apacheAsDocumented, callbackAt } from './clients/apache.ts';

const version = await findApache();
const describeApache = version ? describe : describe.skip;
const name = version
  ? `mod_auth_openidc ${version}`
  : 'mod_auth_openidc is not installed: npm run servers -- languages brings it';

let folder: string;
let service: TestTollgate;
let apache: Apache;
let application: RegisteredApplication;
let url: string;
let people = 0;

beforeAll(async () => {
  if (!version) return;
  folder = await mkdtemp(join(tmpdir(), 'tollgate-authority-'));
  const authority = join(folder, 'ca.pem');
  await writeFile(authority, certificate.ca);
  service = await startTollgate({ WEBHOOK_ALLOW_LOOPBACK: 'on', WEBHOOK_CA_FILE: authority });
  const port = await freePort();
  url = `https://localhost:${port}`;
  const postLogoutRedirectUris = [`${url}/goodbye`];
  application = await service.register({ redirectUris: [callbackAt(port)], postLogoutRedirectUris });
  const { id, workspaceId } = application;
  const uri = `${callbackAt(port)}?logout=backchannel`;
  await transaction(service.db, (tx) =>
    changeBackchannelLogout(tx, { id, workspaceId }, { uri, sessionRequired: true }),
  );
  apache = await apacheAsDocumented({ issuer: service.url, port, application });
});
afterAll(async () => {
  await apache?.stop();
  await service?.stop();
  if (folder) await rm(folder, { recursive: true });
});

type Visitor = {
  browser: Browser;
  hosted: Browser;
  email: string;
  page: Page;
  account: Record<string, string>;
};

async function arrive(): Promise<Visitor> {
  people += 1;
  const email = `visitor${people}@example.test`;
  const [browser, hosted] = [applicationBrowser(), createBrowser()];
  const page = await finishSignIn(await browser.open(`${url}/members/account`), { browser, hosted, email });
  expect(page.url).toBe(`${url}/members/account`);
  return { browser, hosted, email, page, account: JSON.parse(page.html) };
}

/** Whoever is known sees the page, and whoever is not goes to the service. */
async function isKnown({ browser }: Visitor): Promise<boolean> {
  return 'page' in (await browser.open(`${url}/members/account`));
}

describeApache(name, () => {
  test('lets nobody in without a sign-in, and leaves other pages alone', async () => {
    const start = await applicationBrowser().open(`${url}/members/account`);
    if (!('leftTo' in start)) throw new Error(`it lets strangers in: ${start.page.html}`);
    const asked = Object.fromEntries(new URL(start.leftTo).searchParams);
    expect(asked).toMatchObject({ scope: 'openid email profile', code_challenge_method: 'S256' });
    for (const parameter of ['state', 'nonce']) expect(asked[parameter]?.length).toBeGreaterThan(15);
    const goodbye = await applicationBrowser().open(`${url}/goodbye`);
    expect('page' in goodbye && goodbye.page.html).toBe('Goodbye');
  });

  test('tells the page behind it the address, by variable and header, and as user sub and issuer together', async () => {
    const { account, email, page } = await arrive();
    const sub = expect.stringMatching(/^[\w-]{20,}$/);
    const user = `${account.sub}@${service.url}`;
    expect(account).toEqual({ email, sub, user });
    expect(page.headers['heard-email']).toBe(email);
  });

  test('logs out in both places, and leads to the page after it', async () => {
    const visitor = await arrive();
    const leaving = `${url}/members/signed-in?${new URLSearchParams({ logout: `${url}/goodbye` })}`;
    const left = await visitor.browser.open(leaving);
    if (!('leftTo' in left)) throw new Error(`it does not go to the service: ${left.page.html}`);
    expect(await signOutAs(visitor.hosted, left.leftTo)).toBe(`${url}/goodbye`);

    const again = await visitor.browser.open(`${url}/members/account`);
    if (!('leftTo' in again)) throw new Error(`it still knows the person: ${again.page.html}`);
    const asked = await visitor.hosted.open(again.leftTo);
    expect('page' in asked && asked.page.html).toContain('type="email"');
  });

  test('hears by back-channel logout who signed out at the service, and still knows the others', async () => {
    const [leaver, other] = [await arrive(), await arrive()];
    await signOutAs(leaver.hosted, `${service.url}/oauth/logout`);
    await until('Apache has forgotten the person', async () => !(await isKnown(leaver)));
    expect(await isKnown(other)).toBe(true);
  });
});
