// The ways over GitHub: out in one step and back in another, so that anything may happen between; and the page that asks
// for the address that GitHub did not confirm.
import { type Act, interactionForm, isShown, on, submitStep, tabParams } from './act-parts.ts';
import type { Browser } from './cast.ts';
import { awaitCode, countAsk } from './mailbox.ts';
import { prove } from './model.ts';
import type { Story } from './story.ts';
import { open } from './surf.ts';

export const socialActs: Act[] = [
  {
    name: 'to-github',
    offers: (_story, browser) =>
      tabParams(browser, isShown('sign-in', 'social-proof', 'welcome', 'register', 'code')),
    async run(story, browser, { tab: name }) {
      const tab = on(browser, name);
      if (!tab.uid) return false;
      await open(story, browser, tab, `/interaction/${tab.uid}/social?provider=github`);
      return true;
    },
    tell: ({ tab }) => `leaves for GitHub in the ${tab} tab`,
  },
  {
    name: 'from-github',
    offers: (_story, browser) =>
      tabParams(browser, (tab) => tab.away !== undefined).flatMap((tab) =>
        browser.operator.identities.flatMap((identity) => [
          { ...tab, identity },
          { ...tab, identity, park: 'yes' },
        ]),
      ),
    async run(story, browser, { tab: name, identity = '', park }) {
      const tab = on(browser, name);
      const { away } = tab;
      if (!away) return false;
      tab.away = undefined;
      const who = story.identityOf(identity);
      const back = story.world.github.sayYes(away, who);
      comesBack(story, browser, tab.uid ?? '', identity);
      await open(story, browser, tab, back, park === 'yes');
      return true;
    },
    tell: ({ tab, identity, park }) =>
      `comes back from GitHub as "${identity}" in the ${tab} tab${park ? ', and does not follow the last redirect' : ''}`,
  },
  {
    name: 'social-proof',
    offers: (_story, browser) =>
      tabParams(browser, isShown('social-proof')).flatMap((tab) =>
        ['victim', ...browser.operator.mailboxes].map((email) => ({ ...tab, email })),
      ),
    async run(story, browser, { tab: name, email = '' }) {
      const tab = on(browser, name);
      const form = await interactionForm(story, browser, tab, 'social-proof');
      if (!form) return false;
      const isAsked = form.fields.some((field) => field.name === 'email' && field.type !== 'hidden');
      const own = tab.uid && browser.identities.findLast(({ uid }) => uid === tab.uid)?.identity.email;
      const address = isAsked || !own ? story.addressOf(email) : own;
      const typed: Record<string, string> = isAsked ? { email: address } : {};
      return submitStep(
        story,
        browser,
        { what: 'asks to prove an address', tab, form, typed },
        async (landed) => {
          countAsk(story, browser, address, landed);
          await awaitCode(story, browser, tab, address, landed);
        },
      );
    },
    tell: ({ tab, email }) =>
      `types the address of "${email}" where GitHub confirmed none, in the ${tab} tab`,
  },
];

/** GitHub's word opens the account that the identity is linked to, or a new one of an address that nobody has. */
function comesBack(story: Story, browser: Browser, uid: string, name: string): void {
  const { model } = story;
  const identity = story.identityOf(name);
  model.ticks += 1;
  const at = model.ticks;
  browser.identities.push({ uid, identity, at });
  const owner = model.links.get(identity.subject);
  const isFree = !owner && identity.verified && !model.accounts.has(identity.email);
  const email = owner ?? (isFree ? identity.email : undefined);
  if (email) prove(browser, { email, amr: 'fed', at, milliseconds: story.world.clock.now() + 1000, uid });
}
