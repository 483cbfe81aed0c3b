// What all acts on the account page begin with: its form, and whose account it is.
import type { Browser, Landed, Tab } from './cast.ts';
import type { Story } from './story.ts';
import { findForm } from './surf.ts';

export const inside = (_story: Story, browser: Browser) =>
  browser.proofs.length > 0 ? [{ tab: 'third' }] : [];
export const says = (landed: Landed, words: string) => landed.page?.html.includes(words) === true;

/** Whose account page this is. */
function ownerOn(tab: Tab): string | undefined {
  return /Signed in as(?:\s|<!--.*?-->)*([^<\s]+@[^<\s]+)/.exec(tab.page?.html ?? '')?.[1];
}

export async function ownForm(story: Story, browser: Browser, tab: Tab, path: string, action = path) {
  const form = await findForm(story, browser, tab, { page: path, action, like: { reload: true } });
  const email = ownerOn(tab);
  return form && email ? { form, email } : undefined;
}
