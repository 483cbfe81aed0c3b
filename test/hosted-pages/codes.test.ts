// One-time codes and recovery as a person and an attacker meet them on the pages (threats 33, 34, 36, 37, 39).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectOracles } from '../harness/oracles.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
import { mailbox, mails, registerPerson, startWalk } from './walk.ts';

const NEW_PASSWORD = 'another quartz lantern 9 rivers';

describe('promise 9: one-time codes and recovery', () => {
  let service: TestTollgate;
  let application: RegisteredApplication;
  let people = 0;
  let email = '';

  beforeAll(async () => {
    service = await startTollgate();
    application = await service.register();
  });
  beforeEach(() => {
    people += 1;
    email = `person${people}@example.com`;
  });
  afterAll(async () => {
    await expectOracles(service, { canaries: [NEW_PASSWORD] });
    await service.stop();
  });

  const pass = (seconds: number) => {
    service.clock.aheadMilliseconds += seconds * 1000;
  };

  test('threat 33: spaces in a code are ignored, other scripts and other lengths are wrong, and cost no attempt', async () => {
    const readCode = await mailbox(service, email);
    const walker = await startWalk(service, application);
    await walker.submit('sign-in', { email });
    const code = await readCode();
    const fullWidth = [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('');
    for (const typed of ['', code.slice(1), `${code}0`, fullWidth, `${code.slice(0, 3)}-${code.slice(3)}`]) {
      const page = await walker.submit('code', { code: typed });
      expect(page.html).toContain('That code is incorrect. You have 5 attempts left.');
    }
    const page = await walker.submit('code', { code: `\u00a0${code.slice(0, 3)} ${code.slice(3)} ` });
    expect(page.html).toContain('Nice to meet you');
  });

  test('threat 33: five wrong codes use a code up, and the right one is refused afterwards', async () => {
    const readCode = await mailbox(service, email);
    const walker = await startWalk(service, application);
    await walker.submit('sign-in', { email });
    const code = await readCode();
    const wrong = code === '111111' ? '222222' : '111111';
    for (const left of ['4 attempts', '3 attempts', '2 attempts', 'one attempt']) {
      expect((await walker.submit('code', { code: wrong })).html).toContain(left);
    }
    const stale = walker.page;
    await walker.submit('code', { code: wrong });
    expect(walker.page.html).toContain('Too many wrong codes');
    walker.page = stale;
    expect((await walker.submit('code', { code })).html).toContain('Too many wrong codes');
  });

  test('threat 33: a code is refused in another interaction, after a newer one, and after ten minutes', async () => {
    const readCode = await mailbox(service, email);
    const walker = await startWalk(service, application);
    await walker.submit('sign-in', { email });
    const first = await readCode();
    const other = await startWalk(service, application);
    await other.submit('sign-in', { email });
    const others = await readCode();
    if (first !== others) {
      expect((await other.submit('code', { code: first })).html).toContain('That code is incorrect');
    }
    pass(61);
    await walker.submit('resend');
    expect(walker.page.html).toContain('A new code is on its way');
    const second = await readCode();
    if (first !== second) {
      expect((await walker.submit('code', { code: first })).html).toContain('That code is incorrect');
    }
    pass(601);
    expect((await walker.submit('code', { code: second })).html).toContain('That code has expired');
  });

  test('threat 33: a code used a second time, in a finished interaction, is refused', async () => {
    const walker = await registerPerson(service, application, { email });
    const readCode = await mailbox(service, email);
    await startAgain();
    async function startAgain() {
      const again = await startWalk(service, application);
      await again.submit('sign-in', { email });
      const form = again.page;
      const code = await readCode();
      await again.submit('code', { code });
      expect(again.left).toContain('code=');
      again.page = form;
      const page = await again.submit('code', { code });
      expect(page.status).toBe(400);
      expect(page.html).toContain('Already finished');
    }
    expect(walker.left).toContain('code=');
  });

  test('promise 9: a registration names all mistakes at once and keeps what was typed', async () => {
    const walker = await startWalk(service, application);
    await walker.open(walker.page.url.replace(/[^/]+$/, 'register'));
    const page = await walker.submit('register', { email: 'nobody@nowhere', name: ' ', password: 'short' });
    for (const text of ['Enter a complete email address', 'Enter your name.', 'Use at least'])
      expect(page.html).toContain(text);
    expect(page.html).toContain('value="nobody@nowhere"');
  });

  test('threat 34: a resend within a minute and a sixth mail in an hour get 429 with Retry-After, as a page', async () => {
    const walker = await startWalk(service, application);
    await walker.submit('sign-in', { email });
    const codePage = walker.page;
    const early = await walker.submit('resend');
    expect(early.status).toBe(429);
    expect(Number(early.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(early.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(early.html).toMatch(/new code in <span[^>]*>\d+ seconds/);
    expect(early.html).toContain('Check your email');
    expect(early.html).toContain('name="code"');
    for (let mail = 2; mail <= 5; mail += 1) {
      pass(61);
      walker.page = codePage;
      expect((await walker.submit('resend')).status).toBe(200);
    }
    pass(61);
    walker.page = codePage;
    const sixth = await walker.submit('resend');
    expect(sixth.status).toBe(429);
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(60);
    for (const way of ['/password', '/sign-in', '/cancel']) expect(sixth.html).toContain(`${way}"`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await mails(service, email)).toHaveLength(5);
  });

  test('a second post of the same address within a minute sends no second mail and keeps the first code', async () => {
    const readCode = await mailbox(service, email);
    const walker = await startWalk(service, application);
    const start = walker.page;
    await walker.submit('sign-in', { email });
    walker.page = start;
    await walker.submit('sign-in', { email });
    expect(walker.page.url).toMatch(/\/code$/);
    await walker.submit('code', { code: await readCode() });
    expect(walker.page.html).toContain('Nice to meet you');
    expect(await mails(service, email)).toHaveLength(1);
  });

  test('whoever typed a code for a new password and would rather sign in gets the next code at once', async () => {
    const readCode = await mailbox(service, email);
    const walker = await startWalk(service, application);
    await walker.open(walker.path('recover'));
    await walker.submit('recover', { email });
    const code = await readCode();
    await walker.submit('code', { code });
    await walker.open(walker.path('sign-in'));
    const page = await walker.submit('sign-in', { email });
    expect(page.status).toBe(200);
    expect(page.url).toMatch(/\/code$/);
    expect(await mails(service, email)).toHaveLength(2);
  });

  test('threat 36: forged Host and forwarding headers leave no trace in page or mail', async () => {
    const evil = 'evil.example';
    const headers = {
      'x-forwarded-host': evil,
      forwarded: `host=${evil}`,
      referer: `https://${evil}/`,
      'x-forwarded-for': evil,
    };
    const walker = await startWalk(service, application, { headers });
    await walker.open(walker.path('recover'));
    const readCode = await mailbox(service, email);
    await walker.submit('recover', { email });
    await readCode();
    expect(walker.page.html).not.toContain(evil);
    expect(JSON.stringify(await mails(service, email))).not.toContain(evil);
  });

  async function recoverToNewPassword(email: string) {
    const readCode = await mailbox(service, email);
    const walker = await startWalk(service, application);
    await walker.open(walker.path('recover'));
    await walker.submit('recover', { email });
    const code = await readCode();
    await walker.submit('code', { code });
    return { walker, code };
  }

  test('threat 37: a proof is good for one new password, also of two in parallel, and never spent by GET or HEAD', async () => {
    await registerPerson(service, application, { email, password: 'quartz lantern meadow 77 bicycle' });
    pass(61);
    const { walker } = await recoverToNewPassword(email);
    expect(walker.page.html).toContain('Choose a new password');
    const { url } = walker.page;
    for (const path of [url, url, walker.path('code')]) await walker.open(path);
    await walker.open(url);
    const form = walker.page;
    const [newPassword] = form.forms.filter(({ action }) => action.endsWith('/new-password'));
    if (!newPassword) throw new Error('no form');
    const answers = await Promise.all(
      [1, 2].map(() => walker.browser.submit(form, newPassword, { password: NEW_PASSWORD })),
    );
    const notices = async () =>
      (await mails(service, email)).filter(({ subject }) => subject.includes('was changed')).length;
    // The mail goes out after the answers.
    expect(await until('there is a notice', notices, { isIt: (count) => count > 0 })).toBe(1);
    expect(answers.every((answer) => 'page' in answer)).toBe(true);
    walker.page = form;
    await walker.submit('new-password', { password: 'third quartz lantern of the day' });
    expect(walker.page.html).toContain('Reset your password');
  });

  test('threat 37: a new password ends the proof and the code of every other interaction', async () => {
    await registerPerson(service, application, { email, password: 'quartz lantern meadow 77 bicycle' });
    pass(61);
    const first = await recoverToNewPassword(email);
    pass(61);
    const second = await recoverToNewPassword(email);
    await second.walker.submit('new-password', { password: NEW_PASSWORD });
    expect(second.walker.page.html).toContain('Your new password is set');
    await first.walker.submit('new-password', { password: 'third quartz lantern of the day' });
    expect(first.walker.page.html).toContain('Reset your password');
  });

  test('threat 184: going on after a recovery takes its own interaction, and ends with the next recovery', async () => {
    await registerPerson(service, application, { email, password: 'quartz lantern meadow 77 bicycle' });
    pass(61);
    const first = await recoverToNewPassword(email);
    await first.walker.submit('new-password', { password: NEW_PASSWORD });
    expect(first.walker.page.html).toContain('Your new password is set');
    const goOn = first.walker.page;
    const elsewhere = await startWalk(service, application, { browser: first.walker.browser });
    expect((await elsewhere.open(elsewhere.path('recovered'))).html).toContain('Reset your password');
    pass(61);
    const second = await recoverToNewPassword(email);
    await second.walker.submit('new-password', { password: 'third quartz lantern of the day' });
    first.walker.page = goOn;
    await first.walker.submit('recovered', {});
    expect(first.walker.page.html).toContain('Reset your password');
    await second.walker.submit('recovered');
    expect(new URL(second.walker.left ?? 'https://nowhere.example').searchParams.has('code')).toBe(true);
  });

  test('threat 37: neither code nor password is stored in the clear', async () => {
    await registerPerson(service, application, { email });
    pass(61);
    const { walker, code } = await recoverToNewPassword(email);
    await walker.submit('new-password', { password: NEW_PASSWORD });
    const tables = ['flows', 'accounts', 'engine_records', 'attempt_counters'];
    for (const table of tables) {
      const rows = JSON.stringify(await service.db.execute(`select * from ${table}`));
      expect(rows).not.toContain(NEW_PASSWORD);
      expect(rows).not.toMatch(new RegExp(`"${code}"`));
    }
  });

  test('recovery for an address without an account offers to create one', async () => {
    const { walker } = await recoverToNewPassword(email);
    expect(walker.page.html).toContain('Create an account for');
  });
});
