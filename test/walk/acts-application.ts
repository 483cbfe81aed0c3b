// What applications do with what came back, and the ways out.

import { CALLBACK } from '../harness/tollgate.ts';
import { type Act, on, submitStep, tabParams } from './act-parts.ts';
import { exchange } from './application.ts';
import type { Browser } from './cast.ts';
import type { Story } from './story.ts';
import { filled, formsOf, open } from './surf.ts';
import { refresh, userInfo } from './token-use.ts';

const isSignedOut = (html: string | undefined) => html?.includes('You are signed out') === true;

export const applicationActs: Act[] = [
  {
    name: 'exchange',
    offers: (_story, browser) =>
      tabParams(browser, (tab) => tab.callback !== undefined).flatMap((tab) => [
        tab,
        tab,
        { ...tab, bound: 'yes' },
      ]),
    run: (story, browser, { tab, bound }) => exchange(story, browser, on(browser, tab), bound === 'yes'),
    tell: ({ tab, bound }) =>
      `is back at the application in the ${tab} tab, which exchanges its code${bound ? ' for bound tokens' : ''}`,
  },
  {
    name: 'refresh',
    offers: (story, browser) => (tokensOf(story, browser).length > 0 ? [{}] : []),
    async run(story, browser) {
      const tokens = tokensOf(story, browser);
      for (const each of tokens) await refresh(story, each);
      return tokens.length > 0;
    },
    tell: () => 'lets the applications use their refresh tokens',
  },
  {
    name: 'userinfo',
    offers: (story, browser) => (tokensOf(story, browser).length > 0 ? [{}] : []),
    async run(story, browser) {
      const tokens = tokensOf(story, browser).at(-1);
      if (tokens) await userInfo(story, tokens);
      return tokens !== undefined;
    },
    tell: () => 'lets the application ask UserInfo',
  },
  {
    name: 'sign-out',
    offers: (_story, browser) => (browser.proofs.length > 0 ? [{ tab: 'third' }] : []),
    async run(story, browser, { tab: name }) {
      const tab = on(browser, name);
      const request = new URLSearchParams({
        client_id: story.world.applications.shop.clientId,
        post_logout_redirect_uri: new URL('/', CALLBACK).href,
      });
      const { page } = await open(story, browser, tab, `/oauth/logout?${request}`);
      return confirm(story, browser, name, page !== undefined);
    },
    tell: () => 'signs out at the application and confirms it',
  },
  {
    name: 'sign-out-own',
    offers: (_story, browser) =>
      browser.proofs.length > 0 ? ['account', 'settings'].map((area) => ({ tab: 'third', area })) : [],
    async run(story, browser, { tab: name, area = 'account' }) {
      const tab = on(browser, name);
      const { page } = await open(
        story,
        browser,
        tab,
        area === 'account' ? '/account' : '/settings/workspaces/new',
      );
      const form = formsOf(page).find(({ action }) => new URL(action).pathname === `/${area}/sign-out`);
      if (!form) return false;
      const at = story.model.ticks;
      await submitStep(
        story,
        browser,
        { what: `signs out of /${area}`, tab, form, typed: {} },
        async (landed) => {
          const [question] = formsOf(landed.page).filter(({ buttons }) =>
            buttons.some((each) => each.name === 'logout'),
          );
          if (question) await confirm(story, browser, name, true);
          else if (isSignedOut(landed.page?.html)) browser.signedOutAt = at;
        },
      );
      return true;
    },
    tell: ({ area }) => `signs out of /${area} and confirms it`,
  },
];

/** "Yes" on the engine's question. */
async function confirm(
  story: Story,
  browser: Browser,
  name: string | undefined,
  isAsked: boolean,
): Promise<boolean> {
  const tab = on(browser, name);
  const form = formsOf(tab.page).find(({ buttons }) => buttons.some((each) => each.name === 'logout'));
  if (!isAsked || !form) return false;
  const at = story.model.ticks;
  const typed = { logout: 'yes' };
  const sent = filled(form, typed);
  await submitStep(
    story,
    browser,
    { what: 'confirms the sign-out', tab, form, typed: Object.fromEntries(new URLSearchParams(sent.body)) },
    (landed) => {
      if (landed.leftTo || isSignedOut(landed.page?.html)) browser.signedOutAt = at;
    },
  );
  return true;
}

function tokensOf(story: Story, browser: Browser) {
  return story.tokens.filter((each) => each.browser === browser.name);
}
