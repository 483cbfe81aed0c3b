// For the tests of social sign-in: the whole service with all three providers switched on, each a stand-in on another
// host of this machine, and people who walk from our pages to theirs and back.
import { generateKeyPairSync } from 'node:crypto';
import {
  type Arrival,
  type Browser,
  type BrowserOptions,
  createBrowser,
  type Page,
} from '../harness/browserless-browser.ts';
import { chooseForm, inboxReader, type ReadCode } from '../harness/browserless-person.ts';
import { startAttempt } from '../harness/client.ts';
import { freePort } from '../harness/free-port.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { type GitHubStandIn, startGitHubStandIn } from './social-stand-ins/github.ts';
import { type OpenIdStandIn, startOpenIdStandIn } from './social-stand-ins/openid.ts';

export type ProviderId = 'google' | 'apple' | 'github';
export const providerIds: ProviderId[] = ['google', 'apple', 'github'];

export type Walker = {
  browser: Browser;
  /** The page that the person sees, or where they left to. */
  arrival: Arrival;
  page(): Page;
  /** From the application to the sign-in page. */
  begin(parameters?: Record<string, string>): Promise<void>;
  /** Presses the provider's button and answers there; ends where our callback would be opened. */
  visit(provider: ProviderId, answer?: 'yes' | 'no'): Promise<string | { page: Page }>;
  /** `visit`, and on to what our service shows then. */
  come(provider: ProviderId, answer?: 'yes' | 'no'): Promise<void>;
  /** Opens what `visit` returned. */
  open(back: string | { page: Page }): Promise<void>;
  /** Goes on with codes and consents until the application has its code. */
  finish(): Promise<URL>;
};

export type SocialLab = {
  service: TestTollgate;
  application: RegisteredApplication;
  google: OpenIdStandIn;
  apple: OpenIdStandIn;
  github: GitHubStandIn;
  /** Seats a person with this address in front of a provider; `verified: false` as each of them says it. */
  seat(provider: ProviderId, subject: string, email: string, options?: { verified?: boolean }): void;
  /** A new browser of a person whose codes are mailed to this address. */
  walker(email: string, options?: BrowserOptions): Promise<Walker>;
  stop(): Promise<void>;
};

export async function openSocialLab(environment: Record<string, string> = {}): Promise<SocialLab> {
  const port = await freePort();
  const callback = (id: ProviderId) => `http://localhost:${port}/social/${id}/callback`;
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [google, apple, github] = await Promise.all([
    startOpenIdStandIn({
      dialect: 'google',
      clientId: 'g-client',
      clientSecret: 'g-secret',
      redirectUri: callback('google'),
    }),
    startOpenIdStandIn({
      dialect: 'apple',
      clientId: 'a-client',
      clientKey: key.publicKey,
      redirectUri: callback('apple'),
    }),
    startGitHubStandIn({ clientId: 'h-client', clientSecret: 'h-secret', redirectUri: callback('github') }),
  ]);
  const service = await startTollgate({
    PORT: String(port),
    GOOGLE_CLIENT_ID: 'g-client',
    GOOGLE_CLIENT_SECRET: 'g-secret',
    GOOGLE_ISSUER: google.issuer,
    APPLE_CLIENT_ID: 'a-client',
    APPLE_TEAM_ID: 'TEAM',
    APPLE_KEY_ID: 'KEY',
    APPLE_PRIVATE_KEY: String(key.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    APPLE_ISSUER: apple.issuer,
    GITHUB_CLIENT_ID: 'h-client',
    GITHUB_CLIENT_SECRET: 'h-secret',
    GITHUB_URL: github.url,
    GITHUB_API_URL: github.url,
    ...environment,
  });
  const application = await service.register();
  return {
    service,
    application,
    google,
    apple,
    github,
    seat(provider, subject, email, { verified = true } = {}) {
      if (provider === 'github') {
        github.user = { id: Number(subject), login: `user${subject}`, name: 'Grace Hopper' };
        github.emails = [{ email, primary: true, verified, visibility: 'private' }];
        return;
      }
      const standIn = provider === 'google' ? google : apple;
      // Apple documents the claim as a string or a boolean; it has sent both.
      const emailVerified = provider === 'apple' ? String(verified) : verified;
      const name = provider === 'google' ? { name: 'Grace Hopper' } : {};
      standIn.person = { sub: subject, claims: { email, email_verified: emailVerified, ...name } };
      if (provider === 'apple') standIn.person.appleName = { firstName: 'Grace', lastName: 'Hopper' };
    },
    walker: async (email, options = {}) =>
      createWalker({
        browser: createBrowser(options),
        service,
        application,
        email,
        readCode: await inboxReader(`${service.url}/dev/inbox.json`, email),
      }),
    async stop() {
      await service.stop();
      await Promise.all([google.stop(), apple.stop(), github.stop()]);
    },
  };
}

type WalkerOptions = {
  browser: Browser;
  service: TestTollgate;
  application: RegisteredApplication;
  email: string;
  readCode: ReadCode;
};

function createWalker({ browser, service, application, email, readCode }: WalkerOptions): Walker {
  const walker: Walker = {
    browser,
    arrival: { leftTo: '' },
    page() {
      if ('page' in walker.arrival) return walker.arrival.page;
      throw new Error(`left to ${walker.arrival.leftTo}`);
    },
    async begin(parameters = {}) {
      walker.arrival = await browser.open(startAttempt(service, application, parameters).url);
    },
    async visit(provider, answer = 'yes') {
      const link = /href="([^"]*\/social\?provider=([a-z]+))"/g;
      const found = [...walker.page().html.matchAll(link)].find(([, , id]) => id === provider);
      if (!found?.[1]) throw new Error(`no button for ${provider}`);
      const away = await browser.open(new URL(found[1], service.url).href);
      walker.arrival = away;
      if (!('leftTo' in away)) throw new Error('did not leave for the provider');
      const there = await browser.open(away.leftTo);
      if (!('page' in there)) throw new Error('the provider has no page');
      const [form] = there.page.forms;
      if (!form) throw new Error(`the provider's page has no form: ${there.page.html.slice(0, 300)}`);
      const button = form.buttons.find(({ value }) => value === answer);
      const back = await browser.submit(there.page, form, {}, button);
      return 'leftTo' in back ? back.leftTo : back;
    },
    async open(back) {
      if (typeof back === 'string') {
        walker.arrival = await browser.open(back);
        return;
      }
      const [form] = back.page.forms;
      if (!form) throw new Error('nothing to post back');
      const posted = await browser.submit(back.page, form);
      walker.arrival =
        'leftTo' in posted ? await browser.open(new URL(posted.leftTo, service.url).href) : posted;
    },
    async come(provider, answer = 'yes') {
      await walker.open(await walker.visit(provider, answer));
    },
    async finish() {
      for (let pages = 0; pages < 8; pages += 1) {
        if ('leftTo' in walker.arrival) return new URL(walker.arrival.leftTo);
        const { page } = walker.arrival;
        const step = chooseForm(page, {});
        if (!step) throw new Error(`no way on from ${page.url}`);
        const code = step.form.fields.find(({ name }) => name === 'code');
        walker.arrival = await browser.submit(
          page,
          step.form,
          code ? { code: await readCode(email) } : {},
          step.button,
        );
      }
      throw new Error('still on hosted pages');
    },
  };
  return walker;
}
