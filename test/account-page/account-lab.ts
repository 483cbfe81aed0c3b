// For tests of the account page in several browsers at once: a person signs in to it (account-walk.ts), and beside it to
// an application, whose tokens are tried.
import { createHash, randomBytes } from 'node:crypto';
import { type Browser, createBrowser, type Page } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { CALLBACK, type RegisteredApplication, type TestTollgate } from '../harness/tollgate.ts';
import { type AccountPerson, accountPerson, enterAccount, sameOrigin } from './account-walk.ts';

/** Every navigation is one within the site; what comes from elsewhere is for the tests of company settings. */
export function ours(userAgent?: string): Browser {
  const agent = userAgent === undefined ? {} : { 'user-agent': userAgent };
  return createBrowser({ headers: { ...sameOrigin, ...agent } });
}

/** Nobody's browser: a link in a mail is opened there. */
export const stranger = () => createBrowser();

/** Signs in to the account page with codes, and registers on the way if need be. */
export async function enter(
  service: TestTollgate,
  email: string,
  browser: Browser = ours(),
): Promise<AccountPerson> {
  return enterAccount(service, email, '/account', browser);
}

export function inboxOf(service: Pick<TestTollgate, 'url'>): string {
  return `${service.url}/dev/inbox.json`;
}

export async function open(service: TestTollgate, browser: Browser, path: string): Promise<Page> {
  const arrival = await browser.open(new URL(path, service.url).href);
  if (!('page' in arrival)) throw new Error(`left to ${arrival.leftTo}`);
  return arrival.page;
}

/** The form for an address; `like` tells several of them apart by the value of one of their fields. */
export async function send(
  browser: Browser,
  page: Page,
  action: string,
  typed: Record<string, string> = {},
  like: Record<string, string> = {},
): Promise<Page> {
  const form = page.forms.find(
    (each) =>
      new URL(each.action).pathname === action &&
      Object.entries(like).every(([name, value]) =>
        each.fields.some((field) => field.name === name && field.value === value),
      ),
  );
  if (!form) throw new Error(`no form for ${action} on ${page.url}: ${page.html}`);
  const arrival = await browser.submit(page, form, typed);
  if (!('page' in arrival)) throw new Error(`left to ${arrival.leftTo}`);
  return arrival.page;
}

/** The newest mail to the address that says `words`. */
export async function mailThatSays(service: TestTollgate, email: string, words: string): Promise<string> {
  return accountPerson(service, email, stranger()).mail(words);
}

export type Tokens = { access: string; refresh: string; id: string };

/** In the same browser: whoever is signed in there is only asked for consent. */
export async function signInToApplication(
  service: TestTollgate,
  application: RegisteredApplication,
  who: { email: string; browser: Browser; pages?: string[] },
): Promise<Tokens> {
  const verifier = randomBytes(32).toString('base64url');
  const request = new URLSearchParams({
    client_id: application.clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid email profile offline_access',
    state: randomBytes(24).toString('base64url'),
    nonce: randomBytes(24).toString('base64url'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const callback = await signInAs({
    authorizationUrl: `${service.url}/oauth/authorize?${request}`,
    email: who.email,
    browser: who.browser,
    onPage: ({ url }) => who.pages?.push(new URL(url).pathname.split('/').at(-1) ?? ''),
  });
  const code = new URL(callback).searchParams.get('code') ?? '';
  const answer = await token(service, application, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const { access_token, refresh_token, id_token } = answer.body;
  return { access: String(access_token), refresh: String(refresh_token), id: String(id_token) };
}

export async function token(
  service: TestTollgate,
  { clientId, clientSecret = '' }: RegisteredApplication,
  parameters: Record<string, string>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...parameters });
  const response = await fetch(`${service.url}/oauth/token`, { method: 'POST', body });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

export async function userInfo(
  service: TestTollgate,
  access: string,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${service.url}/oauth/userinfo`, {
    headers: { authorization: `Bearer ${access}` },
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** What is left of them: the answers of UserInfo and of a refresh. */
export async function tryTokens(
  service: TestTollgate,
  application: RegisteredApplication,
  { access, refresh }: Tokens,
): Promise<{ userInfo: number; refresh: string }> {
  const info = await userInfo(service, access);
  const refreshed = await token(service, application, {
    grant_type: 'refresh_token',
    refresh_token: refresh,
  });
  return { userInfo: info.status, refresh: String(refreshed.body.error ?? refreshed.status) };
}
