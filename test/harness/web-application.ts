// Runs an Express application on https://localhost for the interop tests, and signs a person in to it the way a
// browser would: out to the hosted pages, back to the callback, cookies kept on both sides.
import { createServer } from 'node:https';
import type { Express } from 'express';
import { makeCertificate } from '../../examples/certificate.ts';
import { type Arrival, type Browser, createBrowser, type Page } from './browserless-browser.ts';
import { signInAs } from './browserless-person.ts';

/** Of https://localhost. */
export const certificate = await makeCertificate();

/** A browser that trusts the application's certificate. */
export const applicationBrowser = () => createBrowser({ ca: certificate.ca });

export async function serve(app: Express, port: number): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(certificate, app);
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  return {
    url: `https://localhost:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** `start` left the application for the hosted pages; the person comes back with a code and sees a page. */
export async function finishSignIn(
  start: Arrival,
  { browser, hosted, email }: { browser: Browser; hosted: Browser; email: string },
): Promise<Page> {
  if (!('leftTo' in start)) throw new Error(`the application did not start a sign-in: ${start.page.html}`);
  const callback = await signInAs({ authorizationUrl: start.leftTo, email, browser: hosted });
  const arrival = await browser.open(callback);
  if ('leftTo' in arrival) throw new Error(`the application left again, to ${arrival.leftTo}`);
  return arrival.page;
}
