// The hosted pages without a browser engine, step by step, for tests that need many people or forged requests.
import { type Arrival, type Browser, createBrowser, type Page } from '../harness/browserless-browser.ts';
import { inboxReader } from '../harness/browserless-person.ts';
import { startAttempt } from '../harness/client.ts';
import type { RegisteredApplication, TestTollgate } from '../harness/tollgate.ts';

export type Walker = {
  browser: Browser;
  /** The page where the last step ended; fails when the browser has left the service. */
  page: Page;
  /** Set when the last step led to the callback. */
  left: string | undefined;
  open(url: string): Promise<Page>;
  /** Fills the form of a step on the current page and presses the button with this value, or the first one. */
  submit(step: string, typed?: Record<string, string>, button?: string): Promise<Page>;
  /** The path of another step of the same interaction. */
  path(step: string): string;
};

export async function startWalk(
  service: TestTollgate,
  application: RegisteredApplication,
  options: { headers?: Record<string, string>; parameters?: Record<string, string>; browser?: Browser } = {},
): Promise<Walker> {
  const browser = options.browser ?? createBrowser(options.headers ? { headers: options.headers } : {});
  const walker: Walker = {
    browser,
    page: { url: '', status: 0, headers: {}, html: '', forms: [] },
    left: undefined,
    open: async (url) => keep(await browser.open(new URL(url, service.url).href)),
    async submit(step, typed = {}, value) {
      const form = walker.page.forms.find(({ action }) => action.endsWith(`/${step}`));
      if (!form) throw new Error(`no form "${step}" on ${walker.page.url}: ${walker.page.html}`);
      const button = value === undefined ? form.buttons[0] : form.buttons.find((one) => one.value === value);
      return keep(await browser.submit(walker.page, form, typed, button));
    },
    path: (step) => walker.page.url.replace(/[^/]+$/, step),
  };
  function keep(arrival: Arrival): Page {
    if ('page' in arrival) walker.page = arrival.page;
    else walker.left = arrival.leftTo;
    return walker.page;
  }
  await walker.open(startAttempt(service, application, options.parameters ?? {}).url);
  return walker;
}

export async function mailbox(service: TestTollgate, email: string): Promise<() => Promise<string>> {
  const read = await inboxReader(`${service.url}/dev/inbox.json`, email);
  return () => read(email);
}

export async function mails(
  service: TestTollgate,
  email: string,
): Promise<{ subject: string; text: string; html: string }[]> {
  const response = await fetch(`${service.url}/dev/inbox.json?to=${encodeURIComponent(email)}`);
  return response.json() as Promise<{ subject: string; text: string; html: string }[]>;
}

/** Registers and gets as far as the callback. @returns the walker, signed in. */
export async function registerPerson(
  service: TestTollgate,
  application: RegisteredApplication,
  person: { email: string; name?: string; password?: string },
): Promise<Walker> {
  const { email, name = 'Ada Lovelace', password = '' } = person;
  const readCode = await mailbox(service, email);
  const walker = await startWalk(service, application, { parameters: { prompt: 'create' } });
  await walker.submit('register', { email, name, password });
  await walker.submit('code', { code: await readCode() });
  await walker.submit('consent', {}, 'allow');
  if (!walker.left) throw new Error(`still on ${walker.page.url}`);
  return walker;
}

// ── Raw posts, as no browser would send them ────────────────────────────────────────────────────────────────

/** What a browser would send with a form of this page. */
export function headersOf(walker: Walker): Record<string, string> {
  const { pathname, origin } = new URL(walker.page.url);
  const cookie = walker.browser
    .cookies()
    .filter(({ path }) => pathname.startsWith(path))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
  return { cookie, accept: 'text/html', origin, 'sec-fetch-site': 'same-origin' };
}

export function post(
  url: string,
  headers: Record<string, string>,
  body: URLSearchParams | string,
): Promise<Response> {
  return fetch(url, { method: 'POST', redirect: 'manual', headers, body });
}
