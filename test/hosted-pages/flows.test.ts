// The hosted pages in real Chromium: every way through them, with nothing red in the console.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { hasChromium } from '../harness/chromium.ts';
import { exchange, refresh } from '../harness/client.ts';
import { expectOracles } from '../harness/oracles.ts';
import { type Lab, openLab, type Person, watchPeople } from './lab.ts';

const PASSWORD = 'quartz lantern meadow 77 bicycle';

((await hasChromium()) ? describe : describe.skip)('promise 9: hosted pages in Chromium', () => {
  let lab: Lab;
  const watch = watchPeople();

  beforeAll(async () => {
    lab = await openLab();
  });
  afterEach(async () => {
    await watch.end();
    await expectOracles(lab.service, { canaries: [PASSWORD] });
  });
  afterAll(() => lab?.stop());

  async function newPerson(...options: Parameters<Lab['person']>): Promise<Person> {
    return watch.add(await lab.person(...options));
  }

  /** Registers on the pages and arrives at the callback. */
  async function register(person: Person, email: string, password = ''): Promise<void> {
    const readCode = await lab.mailbox(email);
    await person.page.goto(lab.request({ prompt: 'create' }).url);
    await person.answer({ email, name: 'Anna Lindqvist', password });
    await person.answer({ code: await readCode() });
    await person.answer({}, 'button[value="allow"]');
    await person.arrive();
  }

  test('a person registers with address, name and password, proves the address, consents and arrives with a code', async () => {
    const anna = await newPerson();
    const readCode = await lab.mailbox('anna@example.com');
    const request = lab.request();
    await anna.page.goto(request.url);
    expect(await anna.heading()).toBe('Sign in');
    await anna.page.click('a[href$="/register"]');
    await anna.answer({ email: 'Anna@Example.com', name: ' Anna  Lindqvist ', password: PASSWORD });
    expect(await anna.heading()).toBe('Check your email');
    await anna.answer({ code: await readCode() });
    expect(await anna.heading()).toBe('Continue to Nordlicht Notes?');
    const shown = await anna.page.innerText('main');
    expect(shown).toContain('anna@example.com');
    expect(shown).toContain('Anna Lindqvist');
    await anna.answer({}, 'button[value="allow"]');
    const query = await anna.arrive();
    expect(query.get('state')).toBe(request.state);
    const { status } = await exchange(lab.service, lab.application, {
      code: query.get('code') ?? '',
      verifier: request.verifier,
    });
    expect(status).toBe(200);
  });

  test('on a return visit nothing is asked while the session lasts; prompt=login asks for a code or the password', async () => {
    const bea = await newPerson();
    await register(bea, 'bea@example.com', PASSWORD);
    await bea.page.goto(lab.request().url);
    expect((await bea.arrive()).has('code')).toBe(true);

    const readCode = await lab.mailbox('bea@example.com');
    await bea.page.goto(lab.request({ prompt: 'login' }).url);
    await bea.answer({ email: 'bea@example.com' });
    await bea.answer({ code: await readCode() });
    expect((await bea.arrive()).has('code')).toBe(true);

    await bea.page.goto(lab.request({ prompt: 'login', login_hint: 'bea@example.com' }).url);
    await bea.page.click('button[value="password"]');
    expect(await bea.page.inputValue('[name="email"]')).toBe('bea@example.com');
    await bea.answer({ password: PASSWORD });
    expect((await bea.arrive()).has('code')).toBe(true);
  });

  test('a code for an address without an account leads to a name and a new account', async () => {
    const cleo = await newPerson();
    const readCode = await lab.mailbox('cleo@example.com');
    await cleo.page.goto(lab.request().url);
    await cleo.answer({ email: 'cleo@example.com' });
    await cleo.answer({ code: await readCode() });
    expect(await cleo.heading()).toBe('Nice to meet you');
    await cleo.answer({ name: 'Cleo' });
    await cleo.answer({}, 'button[value="allow"]');
    expect((await cleo.arrive()).has('code')).toBe(true);
  });

  test('threat 39: recovery ends sessions and refresh tokens, sends a notice, and signs in whoever presses the button', async () => {
    const dora = await newPerson();
    await register(dora, 'dora@example.com', PASSWORD);
    const offline = lab.request({ scope: 'openid email profile offline_access' });
    await dora.page.goto(offline.url);
    await dora.answer({}, 'button[value="allow"]');
    const code = (await dora.arrive()).get('code') ?? '';
    const { body } = await exchange(lab.service, lab.application, { code, verifier: offline.verifier });

    const elsewhere = await newPerson();
    const readCode = await lab.mailbox('dora@example.com');
    await elsewhere.page.goto(lab.request().url);
    await elsewhere.page.click('button[value="password"]');
    await elsewhere.page.fill('[name="email"]', 'dora@example.com');
    await elsewhere.page.click('button[value="recover"]');
    await elsewhere.answer({});
    await elsewhere.answer({ code: await readCode() });
    expect(await elsewhere.heading()).toBe('Choose a new password');
    await elsewhere.answer({ password: 'short' });
    expect(await elsewhere.page.innerText('.field-problem')).toContain('at least 15');
    await elsewhere.answer({ password: 'another quartz lantern 9 rivers' });
    expect(await elsewhere.heading()).toBe('Your new password is set');
    const otherTab = await elsewhere.page.context().newPage();
    await otherTab.goto(lab.request().url);
    expect(await otherTab.innerText('h1')).toBe('Sign in');

    const refreshed = await refresh(lab.service, lab.application, String(body.refresh_token));
    expect(refreshed.status).toBe(400);
    await dora.page.goto(lab.request().url);
    expect(await dora.heading()).toBe('Sign in');
    const inbox = await fetch(`${lab.service.url}/dev/inbox.json?to=dora@example.com`);
    const subjects = ((await inbox.json()) as { subject: string }[]).map(({ subject }) => subject);
    expect(subjects).toContain('Your password was changed');

    await elsewhere.answer({});
    expect((await elsewhere.arrive()).has('code')).toBe(true);
  });

  test('a refused consent and a change of mind at every step bring access_denied to the application', async () => {
    const emil = await newPerson();
    const readCode = await lab.mailbox('emil@example.com');
    const expectDenied = async (button: string) => {
      await emil.answer({}, button);
      expect((await emil.arrive()).get('error')).toBe('access_denied');
    };
    const cancel = 'form[action$="/cancel"] button';
    await emil.page.goto(lab.request().url);
    await expectDenied(cancel);
    for (const step of ['register', 'password', 'recover']) {
      await emil.page.goto(lab.request().url);
      await emil.page.goto(emil.page.url().replace('sign-in', step));
      await expectDenied(cancel);
    }
    await emil.page.goto(lab.request().url);
    await emil.answer({ email: 'emil@example.com' });
    const code = await readCode();
    await expectDenied(cancel);
    await emil.page.goto(lab.request({ prompt: 'create' }).url);
    await emil.answer({ email: 'emil@example.com', name: 'Emil' });
    await emil.answer({ code: await readCode() });
    expect(code).not.toBe('');
    await expectDenied('button[value="cancel"]');
    await emil.page.goto(lab.request().url);
    expect(await emil.heading()).toBe('Continue to Nordlicht Notes?');
  });

  test('"Use another account" on the consent page starts the same request again for somebody else', async () => {
    const first = await newPerson();
    const readCode = await lab.mailbox('finn@example.com');
    await first.page.goto(lab.request({ prompt: 'create' }).url);
    await first.answer({ email: 'finn@example.com', name: 'Finn' });
    await first.answer({ code: await readCode() });
    await first.answer({}, 'form[action$="/other-account"] button');
    expect(await first.heading()).toBe('Sign in');
    const readOther = await lab.mailbox('gesa@example.com');
    await first.answer({ email: 'gesa@example.com' });
    await first.answer({ code: await readOther() });
    await first.answer({ name: 'Gesa' });
    expect(await first.page.innerText('main')).toContain('gesa@example.com');
    await first.answer({}, 'button[value="allow"]');
    expect((await first.arrive()).has('code')).toBe(true);
  });

  test('two tabs of one sign-in: the second one says that it is finished, and a second request works beside it', async () => {
    const hugo = await newPerson();
    const readCode = await lab.mailbox('hugo@example.com');
    await hugo.page.goto(lab.request({ prompt: 'create' }).url);
    const otherTab = await hugo.page.context().newPage();
    await otherTab.goto(hugo.page.url());
    const otherRequest = await hugo.page.context().newPage();
    await otherRequest.goto(lab.request().url);
    await hugo.answer({ email: 'hugo@example.com', name: 'Hugo' });
    await hugo.answer({ code: await readCode() });
    await hugo.answer({}, 'button[value="allow"]');
    await hugo.arrive();
    await otherTab.fill('[name="email"]', 'hugo@example.com');
    await otherTab.fill('[name="name"]', 'Hugo');
    await otherTab.click('main form .button-primary');
    expect(await otherTab.innerText('h1')).toBe('Already finished');
    const readSecond = await lab.mailbox('hugo@example.com');
    await otherRequest.fill('[name="email"]', 'hugo@example.com');
    await otherRequest.click('main form .button-primary');
    await otherRequest.fill('[name="code"]', await readSecond());
    await otherRequest.click('main form .button-primary');
    await otherRequest.waitForURL((url) => url.href.startsWith(lab.callback));
  });

  test('reload, back button and a double click post nothing twice and lose nothing', async () => {
    const ida = await newPerson();
    const readCode = await lab.mailbox('ida@example.com');
    await ida.page.goto(lab.request({ prompt: 'create' }).url);
    await ida.page.fill('[name="email"]', 'ida@example.com');
    await ida.page.fill('[name="name"]', 'Ida');
    await ida.page.dblclick('main form .button-primary');
    await ida.page.waitForSelector('[name="code"]');
    await ida.page.reload();
    expect(await ida.heading()).toBe('Check your email');
    await ida.page.goBack();
    expect(await ida.heading()).toBe('Create your account');
    expect(await ida.page.inputValue('[name="email"]')).toBe('ida@example.com');
    await ida.page.goForward();
    const code = await readCode();
    await ida.page.fill('[name="code"]', ` ${code.slice(0, 3)} ${code.slice(3)} `);
    await ida.page.dblclick('main form .button-primary');
    await ida.page.waitForSelector('button[value="allow"]');
    await ida.page.dblclick('button[value="allow"]');
    expect((await ida.arrive()).has('code')).toBe(true);
    const mails = await fetch(`${lab.service.url}/dev/inbox.json?to=ida@example.com`);
    expect(await mails.json()).toHaveLength(1);
  });

  test('logout asks, ends the session and leads to the registered address; without a session it asks nothing', async () => {
    const lea = await newPerson();
    await register(lea, 'lea@example.com');
    const bye = lab.application.postLogoutRedirectUris[0] ?? '';
    const logout = new URL(`${lab.service.url}/oauth/logout`);
    logout.search = new URLSearchParams({
      client_id: lab.application.clientId,
      post_logout_redirect_uri: bye,
    }).toString();
    await lea.page.goto(logout.href);
    expect(await lea.heading()).toBe('Sign out?');
    await lea.page.click('button[value="yes"]');
    await lea.page.waitForURL((url) => url.href.startsWith(bye));
    await lea.page.goto(lab.request().url);
    expect(await lea.heading()).toBe('Sign in');
    await lea.page.goto(`${lab.service.url}/oauth/logout`);
    expect(await lea.heading()).toBe('You are signed out');
  });
});
