// Things done by half: a sign-in that stops on one of its pages or before its last redirect, and a form whose last byte
// waits.
import { type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { ours } from '../account-page/account-lab.ts';
import type { Browser, Form, Page } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { startAttempt } from '../harness/client.ts';
import { outcomeOf, PASSWORD, type Place, type Who } from './identity-lab.ts';

/** Signs in up to the moment in which the engine would hear of it. @returns where the browser would have gone. */
export async function parkSignIn(place: Place, who: Who): Promise<string> {
  return parkAt(startAttempt(place.service, place.application).url, who);
}

/** The same from any address that leads to the sign-in page, and before any redirect. */
export async function parkAt(
  authorizationUrl: string,
  who: Who,
  stopsBefore = '/oauth/authorize/',
): Promise<string> {
  const { email, password = PASSWORD, browser = ours() } = who;
  browser.stopsBefore = stopsBefore;
  const parked = await signInAs({ authorizationUrl, email, password, browser });
  browser.stopsBefore = undefined;
  expect(parked).toContain(stopsBefore);
  return new URL(parked, authorizationUrl).href;
}

/** Signs in or registers up to the page of this name, and leaves it open. */
export async function stopAt(step: string, authorizationUrl: string, who: Who): Promise<Page> {
  const { email, password, browser = ours() } = who;
  let reached: Page | undefined;
  const stopped = signInAs({
    authorizationUrl,
    email,
    browser,
    ...(password === undefined ? {} : { password }),
    onPage(page) {
      if (outcomeOf({ page }) !== step) return;
      reached = page;
      throw new Error('stopped here');
    },
  });
  await expect(stopped).rejects.toThrow('stopped here');
  if (!reached) throw new Error(`never came to ${step}`);
  return reached;
}

/** Says yes to an application. */
export async function agree(browser: Browser, page: Page) {
  const form = page.forms.find(({ buttons }) => buttons.some(({ value }) => value === 'allow'));
  const allow = form?.buttons.find(({ value }) => value === 'allow');
  if (!form || !allow) throw new Error(`nothing to agree to on ${page.url}`);
  return browser.submit(page, form, {}, allow);
}

export type HeldAnswer = { status: number; headers: IncomingHttpHeaders; text: string };

/** Sends a form but for its last byte, and leaves the service the time to see who sends it. */
export async function holdForm(
  browser: Browser,
  form: Form,
  typed: Record<string, string> = {},
  millisecondsToBeSeen = 500,
): Promise<{ finish(): Promise<HeldAnswer> }> {
  const values = new URLSearchParams(form.fields.map(({ name, value }) => [name, value]));
  for (const [name, value] of Object.entries(typed)) values.set(name, value);
  const body = values.toString();
  const sent = request(form.action, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      'sec-fetch-site': 'same-origin',
      origin: new URL(form.action).origin,
      cookie: browser.cookiesFor(form.action),
    },
  });
  const answer = new Promise<HeldAnswer>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
  });
  sent.write(body.slice(0, -1));
  await sleep(millisecondsToBeSeen);
  return {
    finish() {
      sent.end(body.slice(-1));
      return answer;
    },
  };
}
