// The hosted pages under attack: other people's pages, skipped steps, forged forms, hostile names, and what a
// stranger could learn from an answer (threats 10, 30, 41, 42, 44, and promise 46).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rowsOf } from '../../src/database/connection.ts';
import { createBrowser, type Page } from '../harness/browserless-browser.ts';
import { expectOracles } from '../harness/oracles.ts';
import { rawRequest } from '../harness/raw-request.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { headersOf, mailbox, mails, post, registerPerson, startWalk, type Walker } from './walk.ts';

const PASSWORD = 'quartz lantern meadow 77 bicycle';

describe('hosted pages under attack', () => {
  let service: TestTollgate;
  let application: RegisteredApplication;

  beforeAll(async () => {
    service = await startTollgate();
    application = await service.register();
  });
  afterAll(async () => {
    await expectOracles(service, { canaries: [PASSWORD] });
    await service.stop();
  });

  const countOf = async (table: string) => {
    const [row] = rowsOf(await service.db.execute(`select count(*)::int as count from ${table}`));
    return Number(row?.count);
  };

  test('threat 10: an interaction opened in another browser or already finished is a page with status 400', async () => {
    const walker = await startWalk(service, application);
    const { url } = walker.page;
    const stranger = await createBrowser().open(url);
    expect('page' in stranger && stranger.page.status).toBe(400);
    expect('page' in stranger && stranger.page.html).toContain('didn’t send our cookie');
    const done = await registerPerson(service, application, { email: 'done@example.com' });
    const page = await done.open(done.page.url);
    expect(page.status).toBe(400);
    expect(page.html).toContain('Already finished');
    const unknown = await walker.open(
      walker.path('sign-in').replace(/interaction\/[^/]+/, 'interaction/unknown-unknown-12'),
    );
    expect(unknown.status).toBe(400);
  });

  test('threat 10: a session id from before the sign-in is replaced by it', async () => {
    const email = 'fixed@example.com';
    const readCode = await mailbox(service, email);
    const walker = await startWalk(service, application, { parameters: { prompt: 'create' } });
    const start = walker.page.url;
    const session = () =>
      walker.browser.cookies().find(({ name }) => name.endsWith('tollgate_session'))?.value;
    await walker.open('/oauth/logout');
    const planted = session();
    expect(planted).toBeDefined();
    await walker.open(start);
    await walker.submit('register', { email, name: 'Fixed' });
    await walker.submit('code', { code: await readCode() });
    expect(session()).toBeDefined();
    expect(session()).not.toBe(planted);
  });

  test('threat 10: every form is answered with 303, never 307', async () => {
    const walker = await startWalk(service, application);
    const [form] = walker.page.forms;
    for (const email of ['nobody', 'somebody@example.com']) {
      const fields = form?.fields.map(({ name, value }) => [name, value]) ?? [];
      const body = new URLSearchParams({ ...Object.fromEntries(fields), email });
      expect((await post(form?.action ?? '', headersOf(walker), body)).status).toBe(303);
    }
  });

  /** Status, headers and body as a stranger sees them; ids, tokens and the typed address are struck out. */
  function visible({ status, headers, html }: Page, email: string) {
    const struck = html
      .replaceAll(email, '(address)')
      .replaceAll(/interaction\/[\w-]+/g, '(uid)')
      .replaceAll(/name="csrf_token" value="[\w-]+"/g, '(token)')
      // Counts down from the mail to the page, in whole seconds.
      .replaceAll(/in (5\d|60) seconds/g, '(wait)');
    const names = Object.keys(headers).sort();
    return { status, struck, names, length: headers['content-length'] };
  }

  test('threat 30: nothing in answers, cookies or mails tells a known address from an unknown one', async () => {
    const known = 'known-person@example.com';
    const unknown = 'other-person@example.com';
    await registerPerson(service, application, { email: known, password: PASSWORD });
    service.clock.aheadMilliseconds += 61_000;
    const walks: [string, (walker: Walker, email: string) => Promise<Page>][] = [
      ['sign-in', (walker, email) => walker.submit('sign-in', { email })],
      [
        'register',
        async (walker, email) => {
          await walker.open(walker.path('register'));
          return walker.submit('register', { email, name: 'Somebody', password: PASSWORD });
        },
      ],
      [
        'password',
        async (walker, email) => {
          await walker.open(walker.path('password'));
          return walker.submit('password', { email, password: 'not the right password' }, 'password');
        },
      ],
      [
        'recover',
        async (walker, email) => {
          await walker.open(walker.path('recover'));
          return walker.submit('recover', { email });
        },
      ],
    ];
    for (const [name, walk] of walks) {
      const seen = [];
      for (const email of [known, unknown]) {
        const mailsBefore = (await mails(service, email)).length;
        const walker = await startWalk(service, application);
        const page = await walk(walker, email);
        await new Promise((resolve) => setTimeout(resolve, 200));
        const cookies = walker.browser.cookies().map((cookie) => `${cookie.name} ${cookie.value.length}`);
        const mailCount = (await mails(service, email)).length - mailsBefore;
        const [newest] = mailCount > 0 ? await mails(service, email) : [];
        const mail = [newest?.subject, newest?.text.replace(/: .* UTC/, ': then')].map((text) =>
          text?.replace(/\d{6}/, 'the code'),
        );
        seen.push({ name, ...visible(page, email), cookies: cookies.sort(), mailCount, mail });
      }
      expect({ ...seen[0], length: 0 }).toEqual({ ...seen[1], length: 0 });
    }
  });

  test('threat 41: no step can be skipped, and an account in the form means nothing', async () => {
    const walker = await startWalk(service, application);
    const csrf = walker.page.forms[0]?.fields.find(({ name }) => name === 'csrf_token')?.value ?? '';
    for (const step of ['welcome', 'new-password', 'code']) {
      const page = await walker.open(walker.path(step));
      expect(page.url).toMatch(/\/(sign-in|recover)$/);
    }
    await walker.open(walker.path('sign-in'));
    const headers = headersOf(walker);
    const fields = {
      csrf_token: csrf,
      decision: 'allow',
      accountId: 'acc_1',
      name: 'Eve',
      password: PASSWORD,
    };
    for (const step of ['consent', 'welcome', 'new-password', 'other-account']) {
      const response = await post(walker.path(step), headers, new URLSearchParams(fields));
      expect([400, 403]).toContain(response.status);
    }
    expect((await walker.open(walker.path('consent'))).url).toMatch(/sign-in$/);
  });

  test('threat 41: 20 parallel registrations of one address make one account', async () => {
    const email = 'crowd@example.com';
    const accounts = await countOf('accounts');
    const walkers = await Promise.all(
      Array.from({ length: 5 }, () => startWalk(service, application, { parameters: { prompt: 'create' } })),
    );
    const ready: { walker: Walker; code: string }[] = [];
    for (const walker of walkers) {
      const readCode = await mailbox(service, email);
      await walker.submit('register', { email, name: 'Crowd' });
      ready.push({ walker, code: await readCode() });
    }
    // Each code four times at once: 20 posts, as by impatient people.
    await Promise.all(
      ready.flatMap(({ walker, code }) => {
        const { page } = walker;
        const form = page.forms.find(({ action }) => action.endsWith('/code'));
        if (!form) throw new Error('no form');
        return [1, 2, 3, 4].map(() => walker.browser.submit(page, form, { code }));
      }),
    );
    expect(await countOf('accounts')).toBe(accounts + 1);
  });

  test('threat 44: hostile names are text in page and mail, and never end a header line', async () => {
    const name = '<img src=x onerror=alert(1)> "&\' {{7*7}}';
    const hostile = await service.register({ name });
    const email = "o'hara+<b>@example.com".replace('<b>', 'b');
    const readCode = await mailbox(service, email);
    const walker = await startWalk(service, hostile, {
      parameters: { login_hint: '"><script>alert(1)</script>', ui_locales: '"><b>' },
    });
    expect(walker.page.html).not.toContain('<script>');
    expect(walker.page.html).not.toContain('<img src=x');
    await walker.submit('sign-in', { email });
    await walker.submit('code', { code: await readCode() });
    const rejected = await walker.submit('welcome', { name: 'Eve\r\nBcc: eve@example.com' });
    expect(rejected.html).toContain('Enter your name.');
    await walker.open(walker.path('welcome'));
    await walker.submit('welcome', { name: '<b>Eve</b> \u202egnp' });
    await walker.open(walker.path('welcome'));
    const consent = await walker.submit('welcome', { name: '<b>Eve</b>' });
    expect(consent.html).toContain('&lt;b>Eve&lt;/b>');
    const [mail] = await mails(service, email);
    expect(mail?.subject.slice(6)).toBe(` is your ${name} code`);
    expect(mail?.html).not.toContain('<img');
  });

  test('a form may end at the callback, at the application’s other addresses and beside the callback, nowhere else', async () => {
    const policyFor = async (redirectUris: string[]) => {
      const walker = await startWalk(service, await service.register({ redirectUris }));
      return String(walker.page.headers['content-security-policy']).replace(/.*form-action /, '');
    };
    expect(await policyFor(['https://api.shop.example/cb', 'https://other.example:8443/cb'])).toBe(
      "'self' https://api.shop.example https://other.example:8443 https://shop.example https://*.shop.example",
    );
    expect(await policyFor(['https://intranet/cb'])).toBe("'self' https://intranet");
  });

  test('the development inbox answers to no name that leads here from elsewhere (DNS rebinding)', async () => {
    const { port } = service.tollgate.config;
    const statusFor = async (host: string) =>
      (await rawRequest(port, { path: '/dev/inbox.json', host, headers: ['X-Forwarded-Host', 'localhost'] }))
        .status;
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect([host, await statusFor(host)]).toEqual([host, 200]);
    for (const host of [
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      'localhost@evil.example',
      'x y',
    ])
      expect([host, await statusFor(host)]).toEqual([host, 421]);
  });

  test.each([
    ['shop.co.uk', 'https://shop.co.uk https://*.shop.co.uk'],
    ['api.shop.co.uk', 'https://api.shop.co.uk https://shop.co.uk https://*.shop.co.uk'],
    ['acme.github.io', 'https://acme.github.io https://*.acme.github.io'],
    ['kobe.jp', 'https://kobe.jp'],
  ])('a form for %s never may end at all names below a public suffix', async (host, targets) => {
    const application = await service.register({ redirectUris: [`https://${host}/cb`] });
    const { page } = await startWalk(service, application);
    expect(String(page.headers['content-security-policy']).replace(/.*form-action /, '')).toBe(
      `'self' ${targets}`,
    );
  });

  test('promise 46: too many posts from one address get 429 with an integer Retry-After, as a page with the time left', async () => {
    const limited = await startTollgate({ RATE_LIMIT_FACTOR: '0.05' });
    try {
      const shop = await limited.register();
      const walker = await startWalk(limited, shop);
      const start = walker.page;
      let page = start;
      for (let attempt = 0; attempt < 8; attempt += 1) {
        walker.page = start;
        page = await walker.submit('sign-in', { email: 'nobody' });
      }
      expect(page.status).toBe(429);
      expect(page.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(page.html).toContain('Too many attempts');
      expect(page.html).toMatch(/Try again in \d+ (second|minute)/);
    } finally {
      await limited.stop();
    }
  });
});
