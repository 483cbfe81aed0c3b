// What is asked of every answer, whatever led to it: no failure of the service, no dead end, and nobody shown as signed in
// who is not.
import { unescapeHtml } from '../harness/browserless-browser.ts';
import type { Browser } from './cast.ts';
import { showsAuthority, violate } from './model.ts';
import type { Story } from './story.ts';
import type { Page } from './surf.ts';

/** Pages after which there is nothing to do here: the application is where to go on. */
const ends = [
  'You are signed out',
  'You are still signed in',
  'Already finished',
  'This link has expired',
  'Your browser didn’t send our cookie',
  'This request can’t be completed',
];

const SIGNED_IN_AS = /(?:Signed in|Continue) as(?:\s|<!--.*?-->)*([^<\s]+@[^<\s]+)/;
const GOES_ON = /http-equiv="refresh" content="0; url=([^"]+)"/;

/** @returns where the page goes on to by itself. */
export function inspectAnswer(story: Story, browser: Browser, page: Page): string | undefined {
  const { status, html, path } = page;
  if (status >= 500) {
    const heading = /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? html.slice(0, 200);
    violate(story.model, `status ${status}`, `${path} answered ${status}: ${heading}`);
  }
  if (status < 300 || status > 399) {
    const goesOn = GOES_ON.exec(html)?.[1];
    if (goesOn) return unescapeHtml(goesOn);
    const email = SIGNED_IN_AS.exec(html)?.[1];
    if (email) showsAuthority(story.model, browser, unescapeHtml(email), placeOf(path));
    const heading = /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? '';
    if (
      !/<form\b|<a\b[^>]*href=/.test(html) &&
      html.includes('<html') &&
      !ends.some((each) => heading.includes(each))
    )
      violate(story.model, 'dead end', `${path} (${status}, "${heading}") has no link and no form`);
  }
  return undefined;
}

function placeOf(path: string): string {
  if (path.startsWith('/account')) return 'the account page opened';
  if (path.endsWith('/account-choice')) return 'the choice of an account was shown';
  return path.endsWith('/consent') ? 'the question for consent was shown' : 'a page was shown';
}
