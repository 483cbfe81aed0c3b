// What all acts on the account page begin with: its form, and whose account it is.
import type { Browser, Landed, Tab } from './cast.ts';
import type { Story } from './story.ts';
import { filled, findForm, formsOf, send } from './surf.ts';

export const inside = (_story: Story, browser: Browser) =>
  browser.proofs.length > 0 ? [{ tab: 'third' }] : [];
export const says = (landed: Landed, words: string) => landed.page?.html.includes(words) === true;

/** Whose account page this is. */
function ownerOn(tab: Tab): string | undefined {
  return /Signed in as(?:\s|<[^>]*>)*([^<\s]+@[^<\s]+)/.exec(tab.page?.html ?? '')?.[1];
}

export async function ownForm(story: Story, browser: Browser, tab: Tab, path: string, action = path) {
  const form = await findForm(story, browser, tab, { page: path, action, like: { reload: true } });
  if (tab.page?.path === CONFIRM) await confirm(story, browser, tab);
  const email = ownerOn(tab);
  return form && email ? { form, email } : undefined;
}

const CONFIRM = '/account/confirm';

/** On to the sign-in that the page asks for, which other acts may finish. */
async function confirm(story: Story, browser: Browser, tab: Tab): Promise<void> {
  const form = formsOf(tab.page).find(({ action }) => new URL(action).pathname === CONFIRM);
  if (!form) throw new Error('the page that asks for a newer sign-in has no way to it');
  await send(story, browser, { what: 'confirm', tab, sent: filled(form, {}), park: false, after: () => {} });
}
