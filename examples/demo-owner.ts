// Who owns the demo company: a person with an account, who came as everybody comes, by an invitation, a code from the
// inbox and the button that joins. It walks our own pages without a browser.
import { z } from 'zod';
import type { Tollgate } from '../src/tollgate.ts';
import { goesOnTo } from '../test/account-page/account-walk.ts';
import { type Arrival, createBrowser, type Page } from '../test/harness/browserless-browser.ts';
import { chooseForm, inboxReader } from '../test/harness/browserless-person.ts';

export const OWNER = 'owner@example.com';

const MOST_PAGES = 16;

type Demo = { operator: Tollgate['operator']; issuer: string; workspaceId: string };

/** Nothing to do at the second start. */
export async function joinAsOwner({ operator, issuer, workspaceId }: Demo): Promise<void> {
  const { data } = await operator('member list', { workspace: workspaceId });
  if (z.array(z.unknown()).parse(data).length > 0) return;
  const added = await operator('member add', { workspace: workspaceId, email: OWNER });
  if (added.member === true) return;
  const invitation = z.url().parse(added.invitation);
  const browser = createBrowser();
  const readCode = await inboxReader(`${issuer}/dev/inbox.json`, OWNER);
  let page = shown(await browser.open(`${invitation}/sign-in`));
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { pathname } = new URL(page.url);
    if (pathname.startsWith(`/settings/${workspaceId}`)) return;
    const on = goesOnTo(page);
    if (on) {
      page = shown(await browser.open(new URL(on, issuer).href));
      continue;
    }
    const step = chooseForm(page, {});
    if (!step) break;
    const typed: Record<string, string> = {};
    for (const { name, type } of step.form.fields) {
      if (name === 'code') typed.code = await readCode(OWNER);
      else if (type === 'email') typed[name] = OWNER;
      else if (name === 'name') typed.name = 'Olivia Owner';
    }
    page = shown(await browser.submit(page, step.form, typed, step.button));
  }
  throw new Error(`${OWNER} did not get into the demo company: ${page.status} ${page.url}`);
}

function shown(arrival: Arrival): Page {
  if ('page' in arrival) return arrival.page;
  throw new Error(`the way into the settings leads away, to ${arrival.leftTo}`);
}
