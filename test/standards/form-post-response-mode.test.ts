// OAuth 2.0 Form Post Response Mode (threat 133): the answer as a form of ours that posts itself, in a browser that
// lets nothing else into the page, and by a button in one without scripts.
import { createServer } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeCertificate } from '../../examples/certificate.ts';
import { listRecentEvents } from '../../src/ledger/usage-recent.ts';
import { type Arrival, createBrowser, type Page } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { hasChromium, launchChromium, signInOnPages, watchConsole } from '../harness/chromium.ts';
import { exchange, startAttempt } from '../harness/client.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

let service: TestTollgate;
let application: RegisteredApplication;
const email = 'grace@example.test';
const browser = createBrowser();

beforeAll(async () => {
  service = await startTollgate();
  application = await service.register();
  await signInAs({ authorizationUrl: startAttempt(service, application).url, email, browser });
});
afterAll(() => service.stop());

function pageOf(arrival: Arrival): Page {
  if (!('page' in arrival)) throw new Error(`left to ${arrival.leftTo}`);
  return arrival.page;
}

async function answerTo(changed: Record<string, string | null> = {}) {
  const attempt = startAttempt(service, application, { response_mode: 'form_post', ...changed });
  const page = pageOf(await browser.open(attempt.url));
  const [form] = page.forms;
  if (!form) throw new Error(page.html);
  return {
    attempt,
    page,
    form,
    fields: Object.fromEntries(form.fields.map((field) => [field.name, field.value])),
  };
}

describe('the page', () => {
  test('§2: code, state and issuer stand in a form that posts to the callback, and the code is good', async () => {
    const { attempt, page, form, fields } = await answerTo();
    expect(page.status).toBe(200);
    expect([form.method.toLowerCase(), form.action]).toEqual(['post', application.redirectUris[0]]);
    expect(fields).toEqual({ code: expect.any(String), state: attempt.state, iss: service.url });
    expect(form.buttons).toHaveLength(1);
    const given = { code: fields.code ?? '', verifier: attempt.verifier };
    expect((await exchange(service, application, given)).status).toBe(200);
    // Charged once, like every session; the page itself costs nothing.
    const events = await listRecentEvents(service.db, { applicationIds: [application.id], limit: 9 });
    expect(events).toHaveLength(1);
  });

  test('its policy lets in one script by its hash, posts to one origin, and nothing keeps the page', async () => {
    const { page } = await answerTo();
    const policy = String(page.headers['content-security-policy']).split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('form-action https://app.example.test');
    expect(policy.filter((rule) => rule.startsWith('script-src'))).toEqual([
      expect.stringMatching(/^script-src 'sha256-[\w+/]{43}='$/),
    ]);
    expect(policy.join()).not.toContain('unsafe');
    expect(page.headers['cache-control']).toBe('no-store');
  });

  test('where a company has named what its callback goes on to, the form may end there', async () => {
    const onward = await service.register({ allowedOrigins: ['https://www.example.test'] });
    await signInAs({ authorizationUrl: startAttempt(service, onward).url, email, browser });
    const { url } = startAttempt(service, onward, { response_mode: 'form_post' });
    const { headers } = pageOf(await browser.open(url));
    expect(headers['content-security-policy']).toContain(
      'form-action https://app.example.test https://www.example.test',
    );
  });

  test('a hostile state is text', async () => {
    const { page, fields } = await answerTo({ state: '"><script>alert(1)</script>' });
    expect(fields.state).toBeDefined();
    expect(page.html).not.toContain('<script>alert');
  });
});

describe('errors', () => {
  test('are posted as well, with everything that was missing', async () => {
    const { fields } = await answerTo({ nonce: null, state: null });
    expect(fields).toMatchObject({ error: 'invalid_request', iss: service.url });
    expect(fields.error_description).toContain('missing required parameters: state, nonce');
  });

  test('prompt=none without a session', async () => {
    const { url } = startAttempt(service, application, { response_mode: 'form_post', prompt: 'none' });
    expect(pageOf(await createBrowser().open(url)).html).toContain('login_required');
  });

  test('nothing is ever posted to an address that is not registered', async () => {
    const changed = { response_mode: 'form_post', redirect_uri: 'https://evil.example/callback' };
    const page = pageOf(await browser.open(startAttempt(service, application, changed).url));
    expect(page.status).toBe(400);
    expect(page.html).not.toContain('evil.example');
  });

  test('our own name for it is nobody else’s, and never told', async () => {
    const discovery = await (await fetch(`${service.url}/.well-known/openid-configuration`)).json();
    expect(discovery.response_modes_supported).toEqual(['query', 'form_post']);
  });
});

test('“Use another account” keeps the way of answering', async () => {
  const attempt = startAttempt(service, application, {
    response_mode: 'form_post',
    prompt: 'select_account',
  });
  const choice = pageOf(await browser.open(attempt.url));
  expect(choice.html).toContain(`Continue as ${email}`);
  const other = choice.forms.find(({ action }) => action.endsWith('/other-account'));
  const keep = choice.forms.find(({ action }) => action.endsWith('/account-choice'));
  if (!other || !keep) throw new Error(choice.html);
  expect(pageOf(await browser.submit(choice, other)).html).toContain('Sign in');
  const again = pageOf(await browser.open(attempt.url));
  const form = again.forms.find(({ action }) => action.endsWith('/account-choice'));
  if (!form) throw new Error(again.html);
  const answer = pageOf(await browser.submit(again, form));
  expect(answer.forms[0]?.fields.map(({ name }) => name)).toContain('code');
});

test('a posted request that carries a hint keeps its hint through “Use another account” out of addresses', async () => {
  const { url } = startAttempt(service, application, { login_hint: email });
  const [, query = ''] = url.split('?');
  const posted = await fetch(`${service.url}/oauth/authorize`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: query,
  });
  expect(posted.headers.get('location')).not.toContain('grace');
});

((await hasChromium()) ? describe : describe.skip)('in Chromium', () => {
  test.each([true, false])('with scripts: %s', async (javaScriptEnabled) => {
    const posted: string[] = [];
    const receiver = createServer(await makeCertificate(), (request, response) => {
      request.on('data', (chunk) => posted.push(`${request.method} ${request.headers.origin} ${chunk}`));
      request.on('end', () => response.setHeader('content-type', 'text/html').end('<h1>Arrived</h1>'));
    });
    await new Promise<void>((resolve) => receiver.listen(0, 'localhost', resolve));
    const address = receiver.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const shop = await service.register({ redirectUris: [`https://localhost:${port}/callback`] });
    const chromium = await launchChromium();
    try {
      const context = await chromium.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled });
      const complaints = watchConsole(context);
      const page = await context.newPage();
      const { url, state } = startAttempt(service, shop, { response_mode: 'form_post' });
      await page.goto(url);
      await signInOnPages(page, { issuer: service.url, email: `${javaScriptEnabled}@example.test` });
      await page.getByRole('heading', { name: 'Arrived' }).waitFor();
      expect(posted.join()).toMatch(new RegExp(`^POST \\S+ code=.*state=${state}`));
      expect(complaints).toEqual([]);
    } finally {
      await chromium.close();
      receiver.closeAllConnections();
      receiver.close();
    }
  });
});
