// For the tests of the hosted pages: the whole service, an application with an HTTPS callback that is really there,
// and people with a real browser whose every complaint is kept.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { makeCertificate } from '../../examples/certificate.ts';
import { inboxReader, type ReadCode } from '../harness/browserless-person.ts';
import { launchChromium, watchConsole } from '../harness/chromium.ts';
import { type Attempt, startAttempt } from '../harness/client.ts';
import { freePort } from '../harness/free-port.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

export type Person = {
  page: Page;
  /** Console errors, exceptions and policy violations; refused documents (4xx) are the tests' own doing. */
  complaints: string[];
  /** Every address that the browser asked for. */
  requests: string[];
  /** Fills what the current page asks for, by the fields' names, and presses the button. */
  answer(fields: Record<string, string>, button?: string): Promise<void>;
  heading(): Promise<string>;
  /** Waits for the callback; its query. */
  arrive(): Promise<URLSearchParams>;
  /** axe-core's findings on the current page. */
  findings(): Promise<string[]>;
  /** Wider than the window: something would have to be scrolled sideways. */
  overflows(): Promise<boolean>;
  close(): Promise<void>;
};

export type Lab = {
  service: TestTollgate;
  application: RegisteredApplication;
  callback: string;
  request(parameters?: Record<string, string>): Attempt;
  person(options?: BrowserContextOptions): Promise<Person>;
  /** Reads the codes that are mailed to an address from now on. */
  mailbox(email: string): Promise<() => Promise<string>>;
  stop(): Promise<void>;
};

export async function openLab(...options: Parameters<typeof startTollgate>): Promise<Lab> {
  const service = await startTollgate(...options);
  const company = await startCompany();
  const callback = `${company.origin}/callback`;
  const application = await service.register({
    name: 'Nordlicht Notes',
    redirectUris: [callback],
    postLogoutRedirectUris: [`${company.origin}/bye`],
  });
  const browser = await launchChromium();
  const axe = await readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
  return {
    service,
    application,
    callback,
    request: (parameters = {}) => startAttempt(service, application, parameters),
    person: (options = {}) => newPerson({ browser, axe, callback, options }),
    async mailbox(email) {
      const read: ReadCode = await inboxReader(`${service.url}/dev/inbox.json`, email);
      return () => read(email);
    },
    async stop() {
      await browser.close();
      await company.close();
      await service.stop();
    },
  };
}

async function startCompany(): Promise<{ origin: string; close(): Promise<void> }> {
  const port = await freePort();
  const server = createServer(await makeCertificate(), (_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(
      '<!doctype html><html lang="en"><title>Notes</title><link rel="icon" href="data:,"><h1>Notes</h1>',
    );
  });
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  return {
    origin: `https://localhost:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type NewPerson = { browser: Browser; axe: string; callback: string; options: BrowserContextOptions };

export async function newPerson({ browser, axe, callback, options }: NewPerson): Promise<Person> {
  const context = await browser.newContext({ locale: 'en-GB', ignoreHTTPSErrors: true, ...options });
  const seen = watchConsole(context);
  const requests: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  const page = await context.newPage();
  const inspector = await context.newCDPSession(page);
  return {
    page,
    get complaints() {
      return seen.filter((line) => !line.includes('the server responded with a status of 4'));
    },
    requests,
    async answer(fields, button = 'main form .button-primary') {
      for (const [name, value] of Object.entries(fields)) await page.fill(`main [name="${name}"]`, value);
      await page.click(button);
    },
    async heading() {
      await page.waitForLoadState();
      return page.innerText('h1');
    },
    async arrive() {
      const isThere = (url: URL) => url.href.startsWith(callback);
      // A double click starts a navigation that the second one cuts off; the one that counts comes after it.
      await page.waitForURL(isThere).catch(() => page.waitForURL(isThere));
      return new URL(page.url()).searchParams;
    },
    async findings() {
      await page.waitForLoadState();
      return runAxe(inspector, axe);
    },
    async overflows() {
      await page.waitForLoadState();
      const expression = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      const { result } = await inspector.send('Runtime.evaluate', { expression, returnByValue: true });
      return result.value === true;
    },
    close: () => context.close(),
  };
}

/** axe-core's findings on any page. */
export async function runAxeOn(page: Page): Promise<string[]> {
  const axe = await readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
  return runAxe(await page.context().newCDPSession(page), axe);
}

/** Through the debugger: the pages' policy rightly refuses any script in them. */
async function runAxe(inspector: CDPSession, axe: string): Promise<string[]> {
  // Waits in the page itself: a page that is on its way when the debugger asks has half of its landmarks.
  const { result } = await inspector.send('Runtime.evaluate', {
    expression: `(async () => {
      if (document.readyState !== 'complete') await new Promise((done) => addEventListener('load', done));
      ${axe}
      const { violations } = await window.axe.run();
      return JSON.stringify(violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => id + ' ' + html + ' ' + failureSummary)));
    })()`,
    awaitPromise: true,
    returnByValue: true,
  });
  return JSON.parse(String(result.value)) as string[];
}

/** The browsers of a test: each is closed after it, and none may have complained. */
export function watchPeople() {
  let people: Person[] = [];
  return {
    add(person: Person): Person {
      people.push(person);
      return person;
    },
    /** After each test. */
    async end(): Promise<void> {
      const complaints = people.flatMap((person) => person.complaints);
      await Promise.all(people.map((person) => person.close()));
      people = [];
      // The contact sheets use this lab as well, and have no `expect`.
      if (complaints.length > 0) throw new Error(`the browser complained: ${complaints.join('\n')}`);
    },
  };
}
