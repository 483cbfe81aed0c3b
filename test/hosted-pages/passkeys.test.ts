// Passkeys in Chromium, with virtual authenticators behind the browser's real WebAuthn: create, sign in by button and by
// suggestion, cancel, clone, remove, wrong origin; and what the tokens say about it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { CDPSession } from 'playwright-core';
import { passkeys } from '../../drizzle/schema/accounts.ts';
import { hasChromium } from '../harness/chromium.ts';
import { exchange, startAttempt } from '../harness/client.ts';
import { type Lab, openLab, type Person } from './lab.ts';

const inChromium = (await hasChromium()) ? describe : describe.skip;

inChromium('passkeys', () => {
  let lab: Lab;
  let person: Person;
  let devtools: CDPSession;
  let authenticatorId: string;
  beforeAll(async () => {
    lab = await openLab();
  });
  afterAll(() => lab.stop());
  beforeEach(async () => {
    person = await lab.person();
    ({ devtools, authenticatorId } = await addAuthenticator(person));
  });
  afterEach(() => person.close());

  /** Registers by code, agrees, and creates the passkey that is offered then. */
  async function registerWithPasskey(email: string) {
    const readCode = await lab.mailbox(email);
    await person.page.goto(lab.request().url);
    await person.answer({ email });
    await person.answer({ code: await readCode() });
    await person.answer({ name: 'Ada Lovelace' });
    await person.page.click('button[value=allow]');
    await person.page.waitForURL(/passkey-offer/);
    expect(await person.heading()).toBe('Faster next time?');
    expect(await person.findings()).toEqual([]);
    await person.page.click('[data-passkey-button]');
    await person.arrive();
  }

  const forgetSession = () => person.page.context().clearCookies();
  const storedPasskeys = () => lab.service.db.select().from(passkeys);

  async function claimsAfter(signIn: () => Promise<void>, parameters: Record<string, string> = {}) {
    const attempt = startAttempt(lab.service, lab.application, parameters);
    await person.page.goto(attempt.url);
    await signIn();
    const query = await person.arrive();
    const answer = await exchange(lab.service, lab.application, {
      code: query.get('code') ?? '',
      verifier: attempt.verifier,
    });
    return decodeJwt(String(answer.body.id_token));
  }

  const pressPasskey = () => person.page.click('[data-passkey-button]');

  test('offered after the first sign-in, created, and used by its button: no code, no password', async () => {
    await registerWithPasskey('ada.passkey@example.com');
    expect(await storedPasskeys()).toEqual([
      expect.objectContaining({ name: expect.stringContaining('Linux'), lastUsedAt: null }),
    ]);
    await forgetSession();
    await turnOffSuggestions(devtools, authenticatorId);
    const claims = await claimsAfter(pressPasskey);
    expect(claims).toMatchObject({ email: 'ada.passkey@example.com', amr: ['pop', 'mfa'], acr: 'phr' });
    expect((await storedPasskeys())[0]?.lastUsedAt).toBeInstanceOf(Date);
    expect(person.complaints).toEqual([]);
  });

  test('the browser suggests it in the address field, and taking the suggestion is the whole sign-in', async () => {
    await registerWithPasskey('grace.autofill@example.com');
    await forgetSession();
    // The virtual authenticator picks the suggestion as soon as the page asks for one.
    const claims = await claimsAfter(async () => undefined);
    expect(claims).toMatchObject({ email: 'grace.autofill@example.com', acr: 'phr' });
  });

  test('a cancelled dialogue says so, and the other ways stay open', async () => {
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await person.page.goto(lab.request().url);
    await pressPasskey();
    await person.page.waitForSelector('[data-passkey-problem]:not([hidden])');
    expect(await person.page.innerText('[data-passkey-problem]')).toContain('No passkey was chosen.');
    expect(await person.page.isVisible('input[type=email]')).toBe(true);
  });

  test('"Not now" goes on without one, and nobody is asked on a device that cannot', async () => {
    const readCode = await lab.mailbox('later@example.com');
    await person.page.goto(lab.request().url);
    await person.answer({ email: 'later@example.com' });
    await person.answer({ code: await readCode() });
    await person.answer({ name: 'Later' });
    await person.page.click('button[value=allow]');
    await person.page.waitForURL(/passkey-offer/);
    await person.page.click('text=Not now');
    expect((await person.arrive()).get('code')).toBeTruthy();
    await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    await forgetSession();
    const again = await lab.mailbox('cannot@example.com');
    await person.page.goto(lab.request().url);
    await person.answer({ email: 'cannot@example.com' });
    await person.answer({ code: await again() });
    await person.answer({ name: 'Cannot' });
    await person.page.click('button[value=allow]');
    expect((await person.arrive()).get('code')).toBeTruthy();
  });

  test('a removed passkey and a cloned one sign nobody in', async () => {
    await registerWithPasskey('cloned@example.com');
    await forgetSession();
    await turnOffSuggestions(devtools, authenticatorId);
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    await claimsAfter(pressPasskey);
    // The copy was made before that sign-in: its counter lags behind.
    const [credential] = credentials;
    if (!credential) throw new Error('no credential');
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
    await devtools.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...credential, signCount: 0 },
    });
    await forgetSession();
    await person.page.goto(lab.request().url);
    await pressPasskey();
    await person.page.waitForSelector('.notice-problem');
    expect(await person.page.innerText('.notice-problem')).toContain('That passkey doesn’t work here.');
    await lab.service.db.delete(passkeys);
    await person.page.reload();
    await pressPasskey();
    await person.page.waitForSelector('.notice-problem');
  });

  test('acr_values=phr asks whoever signed in with a code once more; max_age asks everybody', async () => {
    await registerWithPasskey('stronger@example.com');
    await turnOffSuggestions(devtools, authenticatorId);
    // The session of the registration was opened by a code.
    const claims = await claimsAfter(pressPasskey, { acr_values: 'phr' });
    expect(claims).toMatchObject({ acr: 'phr' });
    // Now it is strong enough.
    await person.page.goto(lab.request({ acr_values: 'phr' }).url);
    expect((await person.arrive()).get('code')).toBeTruthy();
    await person.page.goto(lab.request({ max_age: '0' }).url);
    expect(await person.heading()).toBe('Sign in');
  });

  test('an answer for another interaction, another origin or sent twice is refused', async () => {
    await registerWithPasskey('origin@example.com');
    await forgetSession();
    await turnOffSuggestions(devtools, authenticatorId);
    await person.page.goto(lab.request().url);
    const first = await person.page.evaluate(readForm);
    await person.page.goto(lab.request().url);
    // The other interaction's ticket with this interaction's form.
    await person.page.evaluate(
      (ticket) =>
        document
          .querySelector<HTMLInputElement>('form[data-passkey] [name=ticket]')
          ?.setAttribute('value', ticket),
      first.ticket,
    );
    await pressPasskey();
    await person.page.waitForSelector('.notice-problem');

    const { response, ticket, csrf, action } = await answerByHand();
    const forged = JSON.parse(response);
    const client = JSON.parse(Buffer.from(forged.response.clientDataJSON, 'base64url').toString());
    client.origin = 'https://evil.example';
    forged.response.clientDataJSON = Buffer.from(JSON.stringify(client)).toString('base64url');
    const posted = await person.page.request.post(action, {
      form: { ticket, response: JSON.stringify(forged), csrf_token: csrf },
      headers: { 'sec-fetch-site': 'same-origin' },
      maxRedirects: 0,
    });
    expect(posted.headers().location).toMatch(/\/sign-in$/);
    // The true answer comes too late: its challenge is spent.
    const replayed = await person.page.request.post(action, {
      form: { ticket, response, csrf_token: csrf },
      headers: { 'sec-fetch-site': 'same-origin' },
      maxRedirects: 0,
    });
    expect(replayed.headers().location).toMatch(/\/sign-in$/);
  });

  async function answerByHand() {
    await person.page.goto(lab.request().url);
    return person.page.evaluate(async () => {
      const form = document.querySelector<HTMLFormElement>('form[data-passkey]');
      if (!form) throw new Error('no form');
      const options = JSON.parse(form.dataset.options ?? '');
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const credential = await navigator.credentials.get({ publicKey });
      if (!(credential instanceof PublicKeyCredential)) throw new Error('no credential');
      const value = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '';
      return {
        response: JSON.stringify(credential.toJSON()),
        ticket: value('ticket'),
        csrf: value('csrf_token'),
        action: form.action,
      };
    });
  }
});

function readForm() {
  return {
    ticket: document.querySelector<HTMLInputElement>('form[data-passkey] [name=ticket]')?.value ?? '',
  };
}

async function addAuthenticator(person: Person): Promise<{ devtools: CDPSession; authenticatorId: string }> {
  const devtools = await person.page.context().newCDPSession(person.page);
  await devtools.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { devtools, authenticatorId };
}

/** Otherwise the virtual person takes the suggestion before anybody can press the button. */
async function turnOffSuggestions(devtools: CDPSession, _authenticatorId: string): Promise<void> {
  await devtools.send('Page.enable');
  await devtools.send('Page.addScriptToEvaluateOnNewDocument', {
    source: 'PublicKeyCredential.isConditionalMediationAvailable = async () => false;',
  });
}
