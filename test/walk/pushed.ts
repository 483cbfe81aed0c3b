// Requests that an application pushed (RFC 9126), and what the model expects of whoever brings one: it opens a sign-in for
// its minute, at the application that pushed it, with what was pushed and nothing else, and it gives one code.
import { askAs, newRequest } from './backend.ts';
import type { Browser, Landed, Tab } from './cast.ts';
import { violate } from './model.ts';
import { SMUGGLED } from './pushed-codes.ts';
import type { Pushed, Story } from './story.ts';
import { open } from './surf.ts';
import type { AppName } from './world.ts';

/** `expires_in` of the answer; near the end nobody knows whose clock is ahead. */
const MINUTE_MILLISECONDS = 60_000;
const UNSURE_MILLISECONDS = 5_000;

export async function push(story: Story, app: AppName, wish = ''): Promise<true> {
  const request = newRequest(story, app, wish);
  const at = story.world.clock.now();
  const { status, body } = await askAs(story, app, '/oauth/par', Object.fromEntries(request));
  if (status !== 201)
    violate(
      story.model,
      'a push was refused',
      `${status} ${String(body.error)} ${String(body.error_description)}`,
    );
  else
    story.pushed.push({
      app,
      at,
      uri: String(body.request_uri),
      state: request.get('state') ?? '',
      codes: new Set(),
    });
  return true;
}

/** `as`: the application whose Client ID the address has. `more`: what somebody wrote into the address besides. */
export type Bringing = { as: AppName; more: string };

export async function bringPushed(
  story: Story,
  browser: Browser,
  tab: Tab,
  pushed: Pushed,
  { as, more }: Bringing,
): Promise<true> {
  const { clientId } = story.world.applications[as];
  const address = new URLSearchParams({ client_id: clientId, request_uri: pushed.uri });
  for (const [name, value] of new URLSearchParams(more)) address.set(name, value);
  const isUsed = pushed.codes.size > 0;
  const age = story.world.clock.now() - pushed.at;
  const landed = await open(story, browser, tab, `/oauth/authorize?${address}`);
  const where = `${browser.name}, ${Math.round(age / 1000)} seconds after the push`;
  if (hasBegun(landed)) {
    if (as !== pushed.app) violate(story.model, 'a pushed request worked for another application', where);
    if (isUsed) violate(story.model, 'a pushed request worked after its code', where);
    if (age > MINUTE_MILLISECONDS + UNSURE_MILLISECONDS)
      violate(story.model, 'a pushed request worked after its end', where);
    return true;
  }
  const isFresh =
    age < MINUTE_MILLISECONDS - UNSURE_MILLISECONDS && !isUsed && as === pushed.app && more === '';
  // Of two who bring it at once, one may come after the other's code.
  if (isFresh && !story.model.step.isRace)
    violate(story.model, 'a fresh pushed request was refused', `${where}: ${heading(landed)}`);
  return true;
}

/** A page of a sign-in, or back with a code at once. */
function hasBegun({ page, leftTo }: Landed): boolean {
  return page?.step !== undefined || (leftTo !== undefined && new URL(leftTo).searchParams.has('code'));
}

function heading({ page, leftTo }: Landed): string {
  return leftTo ?? /<h1[^>]*>(.*?)<\/h1>/s.exec(page?.html ?? '')?.[1] ?? String(page?.status);
}

/** Written into the address beside `request_uri`: what was pushed counts. */
export const additions = [
  '',
  '',
  '',
  `state=${SMUGGLED}`,
  `redirect_uri=${encodeURIComponent(`https://evil.example/callback`)}`,
];
