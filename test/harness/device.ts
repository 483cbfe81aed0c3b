// A device that signs in by a code (RFC 8628), as plain requests, and the person who types the code in a browser.
import { type Arrival, type Browser, createBrowser, type Page } from './browserless-browser.ts';
import { chooseForm, inboxReader } from './browserless-person.ts';
import { type Answer, type Client, type Parameters, postForm, type Service } from './client.ts';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export type DeviceCodes = { deviceCode: string; userCode: string };

export function askForCode(service: Service, client: Client, changed: Parameters = {}): Promise<Answer> {
  return postForm(service, '/oauth/device_authorization', {
    client_id: client.clientId,
    client_secret: client.clientSecret ?? null,
    scope: 'openid email profile',
    ...changed,
  });
}

export async function beginDevice(
  service: Service,
  client: Client,
  changed: Parameters = {},
): Promise<DeviceCodes> {
  const { status, body } = await askForCode(service, client, changed);
  if (status !== 200) throw new Error(`no device code: ${JSON.stringify(body)}`);
  return { deviceCode: String(body.device_code), userCode: String(body.user_code) };
}

export function poll(
  service: Service,
  client: Client,
  { deviceCode }: Pick<DeviceCodes, 'deviceCode'>,
  changed: Parameters = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const form = {
    grant_type: DEVICE_GRANT,
    client_id: client.clientId,
    client_secret: client.clientSecret ?? null,
    device_code: deviceCode,
    ...changed,
  };
  return postForm(service, '/oauth/token', form, headers);
}

/** @returns the page after the code: of the flow, or this one again. */
export async function typeCode(service: Service, browser: Browser, userCode: string): Promise<Page> {
  const page = pageOf(await browser.open(`${service.url}/device`));
  const form = page.forms.find(({ action }) => action.endsWith('/device'));
  if (!form) throw new Error(`no form for a code on ${page.url}: ${page.html}`);
  return pageOf(await browser.submit(page, form, { user_code: userCode }));
}

/** By whoever is signed in to this browser. */
export async function letIn(service: Service, browser: Browser, userCode: string): Promise<void> {
  const page = await typeCode(service, browser, userCode);
  const form = page.forms.find(({ action }) => action.endsWith('/device'));
  const button = form?.buttons.find(({ value }) => value === 'allow');
  if (!form || !button) throw new Error(`no question on ${page.url}: ${page.html}`);
  await browser.submit(page, form, {}, button);
}

type Answers = {
  email: string;
  decision?: 'allow' | 'deny';
  browser?: Browser;
  onPage?: (page: Page) => void;
};

/** From the code to the page that says how it went, signing in where that is asked. */
export async function confirmDevice(
  service: Service,
  { userCode }: Pick<DeviceCodes, 'userCode'>,
  answers: Answers,
): Promise<Page> {
  const { browser = createBrowser() } = answers;
  return answerPages(service, await typeCode(service, browser, userCode), { ...answers, browser });
}

/** On from a page of the flow. */
export async function answerPages(
  service: Service,
  first: Page,
  answers: Answers & { browser: Browser },
): Promise<Page> {
  const { browser } = answers;
  const readCode = await inboxReader(`${service.url}/dev/inbox.json`, answers.email);
  let page = first;
  for (let pages = 0; pages < 8; pages += 1) {
    answers.onPage?.(page);
    const step = chooseForm(page, { consent: answers.decision ?? 'allow' });
    if (!step || new URL(page.url).pathname === '/device') return page;
    const typed: Record<string, string> = {};
    for (const { name } of step.form.fields) {
      if (name === 'code') typed.code = await readCode(answers.email);
      if (name === 'email') typed.email = answers.email;
      if (name === 'name') typed.name = 'Ada Lovelace';
    }
    page = pageOf(await browser.submit(page, step.form, typed, step.button));
  }
  throw new Error(`still on ${page.url}`);
}

function pageOf(arrival: Arrival): Page {
  if ('page' in arrival) return arrival.page;
  throw new Error(`left to ${arrival.leftTo}`);
}
