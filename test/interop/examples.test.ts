// The examples are documentation that runs: the relying party's answers to every error, and the whole
// demo clicked through in Chromium (register, consent, claims, charge, verified webhook, sign in again, log out).
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeCertificate } from '../../examples/certificate.ts';
import { type Demo, startDemo } from '../../examples/demo.ts';
import { OWNER } from '../../examples/demo-owner.ts';
import { type RelyingParty, startRelyingParty } from '../../examples/relying-party.ts';
import { type Arrival, createBrowser, type Page } from '../harness/browserless-browser.ts';
import { signInAs, signOutAs } from '../harness/browserless-person.ts';
import { hasChromium, launchChromium, signInOnPages, watchConsole } from '../harness/chromium.ts';
import { freePort } from '../harness/free-port.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
import { enterOwnPages } from '../identity/identity-lab.ts';

const certificate = await makeCertificate();
const inChromium = (await hasChromium()) ? test : test.skip;

describe('the relying party', () => {
  let service: TestTollgate;
  const shops: RelyingParty[] = [];
  beforeAll(async () => {
    service = await startTollgate();
  });
  afterAll(async () => {
    for (const shop of shops) await shop.close();
    await service.stop();
  });

  async function openShop(balance?: bigint) {
    const port = await freePort();
    const { clientId, clientSecret } = await service.register({
      redirectUris: [`https://localhost:${port}/callback`],
      postLogoutRedirectUris: [`https://localhost:${port}/`],
      ...(balance !== undefined && { balance }),
    });
    const shop = await startRelyingParty({
      issuer: service.url,
      clientId,
      clientSecret: clientSecret ?? '',
      port,
      tls: certificate,
    });
    shops.push(shop);
    return { shop, browser: createBrowser({ ca: certificate.ca }), hosted: createBrowser() };
  }

  test('each attempt has its own verifier, state and nonce, of the sizes of the reference flow', async () => {
    const { shop, browser } = await openShop();
    const attempts = [await browser.open(`${shop.url}/sign-in`), await browser.open(`${shop.url}/sign-in`)];
    const values = attempts.map((arrival) => new URL(left(arrival)).searchParams);
    for (const parameters of values) {
      expect(Buffer.from(parameters.get('state') ?? '', 'base64url')).toHaveLength(24);
      expect(Buffer.from(parameters.get('nonce') ?? '', 'base64url')).toHaveLength(24);
      expect(parameters.get('code_challenge_method')).toBe('S256');
    }
    const all = values.flatMap((parameters) =>
      ['state', 'nonce', 'code_challenge'].map((name) => parameters.get(name)),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  test('two tabs sign in at the same time, and a callback works once', async () => {
    const { shop, browser, hosted } = await openShop();
    const email = 'tabs.examples@example.com';
    const first = left(await browser.open(`${shop.url}/sign-in`));
    const second = left(await browser.open(`${shop.url}/sign-in`));
    const callbacks = [
      await signInAs({ authorizationUrl: first, email, browser: hosted }),
      await signInAs({ authorizationUrl: second, email, browser: hosted }),
    ];
    const [signedIn] = callbacks;
    expect(shown(await browser.open(signedIn ?? '')).html).toContain(email);
    const again = shown(await browser.open(signedIn ?? ''));
    expect(again.status).toBe(400);
    expect(again.html).toContain('This sign-in is over');
  });

  test('another browser cannot finish the sign-in', async () => {
    const { shop, browser, hosted } = await openShop();
    const authorizationUrl = left(await browser.open(`${shop.url}/sign-in`));
    const callback = await signInAs({
      authorizationUrl,
      email: 'other.examples@example.com',
      browser: hosted,
    });
    const stranger = createBrowser({ ca: certificate.ca });
    expect(shown(await stranger.open(callback)).status).toBe(400);
  });

  test('access_denied and temporarily_unavailable become pages that a person understands', async () => {
    const { shop, browser, hosted } = await openShop(0n);
    const email = 'errors.examples@example.com';
    const refused = left(await browser.open(`${shop.url}/sign-in`));
    const refusal = await signInAs({ authorizationUrl: refused, email, browser: hosted, consent: 'deny' });
    expect(shown(await browser.open(refusal))).toMatchObject({
      status: 403,
      html: expect.stringContaining('You are not signed in'),
    });
    const broke = left(await browser.open(`${shop.url}/sign-in`));
    const callback = await signInAs({ authorizationUrl: broke, email, browser: hosted });
    expect(shown(await browser.open(callback))).toMatchObject({
      status: 503,
      html: expect.stringContaining('Signing in is paused'),
    });
  });

  test('promise 6: the browser holds an HttpOnly cookie that changes with the sign-in, and no token', async () => {
    const { shop, browser, hosted } = await openShop();
    const started = await browser.open(`${shop.url}/sign-in`);
    const [before] = browser.cookies();
    const callback = await signInAs({
      authorizationUrl: left(started),
      email: 'cookie.examples@example.com',
      browser: hosted,
    });
    const home = shown(await browser.open(callback));
    const [after] = browser.cookies();
    expect(before?.name).toBe('__Host-shop');
    expect(after?.value).not.toBe(before?.value);
    expect(browser.cookies()).toHaveLength(1);
    expect(home.html).not.toMatch(/eyJ|access_token|refresh_token/);

    const logOut = home.forms.find(({ action }) => action.endsWith('/log-out'));
    if (!logOut) throw new Error('the shop offers to log out');
    const endSessionUrl = left(await browser.submit(home, logOut));
    expect(await signOutAs(hosted, endSessionUrl)).toBe(`${shop.url}/`);
    expect(shown(await browser.open(shop.url)).html).toContain('Create an account');
  });
});

describe('the demo', () => {
  let directory: string;
  let demo: Demo;
  const printed: string[] = [];
  let ports: { shop: number; singlePage: number; receiver: number };

  const start = async () =>
    startDemo({ directory, port: await freePort(), ports, print: printed.push.bind(printed) });
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tollgate-demo-'));
    ports = { shop: await freePort(), singlePage: await freePort(), receiver: await freePort() };
    demo = await start();
  });
  afterAll(async () => {
    await demo.stop();
    await rm(directory, { recursive: true, force: true });
  });

  inChromium('register, consent, claims, charge, verified webhook, sign in again, log out', async () => {
    const chromium = await launchChromium();
    const context = await chromium.newContext({ ignoreHTTPSErrors: true });
    const complaints = watchConsole(context);
    const page = await context.newPage();
    const { issuer, shop } = demo;
    const email = 'ada.demo@example.com';

    await page.goto(shop);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.waitForURL(`${issuer}/**`);
    await signInOnPages(page, { issuer, email });
    await page.getByRole('heading', { name: 'Hello, Ada Lovelace' }).waitFor();
    expect(await page.textContent('dl')).toContain(email);
    const verified = page.getByText('✓ verified');
    await expectEventually(page, async () => (await verified.count()) === 1);
    expect(await page.textContent('tbody')).toMatch(/registration.*0\.050000 EUR.*committed/);

    await page.getByRole('link', { name: 'Sign in again' }).click();
    await page.waitForURL(`${shop}/`);
    await expectEventually(page, async () => (await verified.count()) === 2);
    expect(await page.textContent('tbody tr:first-child')).toMatch(/sign_in.*0\.020000 EUR.*committed/);
    expect(printed.filter((line) => line.includes('verified evt_'))).toHaveLength(2);

    await page.getByRole('button', { name: 'Log out' }).click();
    await page.click('button[name="logout"]');
    await page.waitForURL(`${shop}/`);
    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await page.locator('input[type="email"]').waitFor();
    expect(complaints).toEqual([]);
    await chromium.close();
  });

  test('stops whole, keeps its secrets to itself, and starts again with the same applications', async () => {
    const before = left(await createBrowser({ ca: await authority() }).open(`${demo.shop}/sign-in`));
    await demo.stop();
    for (const file of ['company.json', 'certificate/key.pem']) {
      expect((await stat(join(directory, file))).mode & 0o077).toBe(0);
    }
    demo = await start();
    const after = left(await createBrowser({ ca: await authority() }).open(`${demo.shop}/sign-in`));
    const clientId = (url: string) => new URL(url).searchParams.get('client_id');
    expect(clientId(after)).toBe(clientId(before));
  });

  test('the demo company has an owner already, who signs in to its settings and sees the applications', async () => {
    const { page } = await enterOwnPages({ service: { url: demo.issuer } }, new URL(demo.settings).pathname, {
      email: OWNER,
    });
    expect(page.url).toBe(demo.settings);
    expect(page.html).toContain('Demo company');
    expect(page.html).toContain('Demo shop');
  });

  const authority = () => readFile(join(directory, 'certificate/ca.pem'), 'utf8');
});

function left(arrival: Arrival): string {
  if ('leftTo' in arrival) return arrival.leftTo;
  throw new Error(`still at ${arrival.page.url}: ${arrival.page.html.slice(0, 500)}`);
}

function shown(arrival: Arrival): Page {
  if ('page' in arrival) return arrival.page;
  throw new Error(`left to ${arrival.leftTo}`);
}

/** Reloads until it is so; a webhook takes its second. */
async function expectEventually(
  page: { reload(): Promise<unknown> },
  isSo: () => Promise<boolean>,
): Promise<void> {
  const look = async () => {
    if (await isSo()) return true;
    await page.reload();
    return isSo();
  };
  await until('the page says so', look, { everyMilliseconds: 250 });
}
