// Doors that were a little wide: where a form may end, who may read the development inbox, and which provider can prove
// somebody anew.
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/config/config.ts';
import { open, ours, send } from '../account-page/account-lab.ts';
import { openSocialLab, type SocialLab } from '../hosted-pages/social-lab.ts';
import {
  begin,
  enterOwnPages,
  outcomeOf,
  PASSWORD,
  type Place,
  registerWithPassword,
} from './identity-lab.ts';

let lab: SocialLab;
let place: Place;
beforeAll(async () => {
  lab = await openSocialLab();
  place = { service: lab.service, application: lab.application };
});
afterAll(() => lab.stop());

/** As a page of another site would ask whose name was made to point at this machine. */
function askAs(url: string, host: string): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const asked = get(url, { headers: { host }, agent: false }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
    );
  });
  asked.on('error', reject);
  return promise;
}

describe('where the form of a sign-in page may end', () => {
  test.each([
    ['https://shop.co.uk/callback', 'co.uk'],
    ['https://shop.com.au/callback', 'com.au'],
    ['https://somebody.github.io/callback', 'github.io'],
    ['https://shop.herokuapp.com/callback', 'herokuapp.com'],
  ])('%s: not at everybody below %s', async (callback, suffix) => {
    const application = await lab.service.register({ redirectUris: [callback] });
    const { page } = await begin({ service: lab.service, application }, ours());
    const policy = String(page.headers['content-security-policy']);
    const targets = /form-action ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
    expect(targets).toContain(new URL(callback).origin);
    expect(targets).not.toContain(`https://*.${suffix}`);
    expect(targets).not.toContain(`https://${suffix}`);
  });
});

describe('the development inbox', () => {
  test.each(['/dev/inbox', '/dev/inbox.json'])('%s refuses a host that is not this machine', async (path) => {
    expect((await askAs(lab.service.url + path, 'evil.example')).status).toBe(421);
    expect(
      (await askAs(lab.service.url + path, `evil.example:${new URL(lab.service.url).port}`)).status,
    ).toBe(421);
    expect((await askAs(lab.service.url + path, new URL(lab.service.url).host)).status).toBe(200);
  });

  test('is not there when the service listens to other machines: it wants a mail server', () => {
    expect(() => readConfig({ HOST: '0.0.0.0' })).toThrow('SMTP_URL is required');
  });
});

describe('an application that asks for a new proof', () => {
  const offered = (html: string) => [...html.matchAll(/social\?provider=([a-z]+)"/g)].map(([, id]) => id);

  test('is not offered GitHub, which never asks anybody twice', async () => {
    const usual = await begin(place, ours());
    expect(offered(usual.page.html).toSorted()).toEqual(['apple', 'github', 'google']);
    const again = await begin(place, ours(), { prompt: 'login' });
    expect(offered(again.page.html)).not.toContain('github');
  });

  test('is not led to GitHub by an address that somebody typed', async () => {
    const browser = ours();
    const { path } = await begin(place, browser, { prompt: 'login' });
    const arrival = await browser.open(`${lab.service.url}${path('social')}?provider=github`);
    expect(outcomeOf(arrival)).toBe('sign-in');
  });

  test('nor are our own pages, before what weakens the account', async () => {
    const email = 'asked.again@example.com';
    await registerWithPassword(place, { email });
    const { browser } = await enterOwnPages(place, '/account', { email, password: PASSWORD });
    lab.service.clock.aheadMilliseconds = 600_000;
    const asked = await open(lab.service, browser, '/account/password');
    const page = await send(browser, asked, '/account/confirm');
    lab.service.clock.aheadMilliseconds = 0;
    expect(outcomeOf({ page })).toBe('sign-in');
    expect(offered(page.html)).not.toContain('github');
  });
});
