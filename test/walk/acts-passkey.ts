// Passkeys: added on the account page or where a sign-in offers one, refused, and used.

import { inside } from './account-form.ts';
import { type Act, interactionForm, isShown, leadsOn, on, submitStep, tabParams } from './act-parts.ts';
import { createKey, useKey } from './authenticator.ts';
import { prove } from './model.ts';
import { findForm, passkeyOptions } from './surf.ts';
import type { Answer } from './wire.ts';

export const passkeyActs: Act[] = [
  {
    name: 'add-passkey',
    offers: (story, browser) => [
      ...inside(story, browser).map((tab) => ({ ...tab, where: 'account' })),
      ...tabParams(browser, isShown('consent', 'passkey-offer')).map((tab) => ({ ...tab, where: 'offer' })),
    ],
    async run(story, browser, { tab: name, where }) {
      const tab = on(browser, name);
      const path = where === 'offer' ? `/interaction/${tab.uid}/passkey-offer` : '/account/passkeys';
      const form = await findForm(story, browser, tab, {
        page: path,
        like: { field: 'response', reload: true },
      });
      const options = passkeyOptions(tab.page, 'create');
      if (!form || !isCreation(options)) return false;
      const { key, response } = createKey(options, story.world.url);
      const email = options.user.name;
      story.model.keys.push({ ...key, email, browser: browser.name, dead: false });
      return submitStep(story, browser, {
        what: 'adds a passkey',
        tab,
        form,
        typed: { response, name: 'A key' },
      });
    },
    tell: ({ tab, where }) =>
      where === 'offer'
        ? `takes the offer of a passkey in the ${tab} tab`
        : 'adds a passkey on the account page',
  },
  {
    name: 'decline-passkey',
    offers: (_story, browser) => tabParams(browser, isShown('passkey-offer')),
    async run(story, browser, { tab: name }) {
      const tab = on(browser, name);
      const form = await interactionForm(story, browser, tab, 'passkey-offer');
      if (!form) return false;
      return submitStep(story, browser, {
        what: 'wants no passkey',
        tab,
        form,
        typed: { response: '', ticket: '' },
      });
    },
    tell: ({ tab }) => `wants no passkey in the ${tab} tab`,
  },
  {
    name: 'use-passkey',
    offers: (story, browser) =>
      story.model.keys.some((key) => key.browser === browser.name)
        ? tabParams(browser, isShown('sign-in')).flatMap((tab) => [tab, { ...tab, park: 'yes' }])
        : [],
    async run(story, browser, { tab: name, park }) {
      const tab = on(browser, name);
      const key = story.model.keys.findLast((each) => each.browser === browser.name);
      const form = await findForm(story, browser, tab, {
        page: `/interaction/${tab.uid}/sign-in`,
        action: `/interaction/${tab.uid}/passkey`,
      });
      const options = passkeyOptions(tab.page, 'get');
      if (!form || !key || !hasChallenge(options)) return false;
      const response = useKey(key, { challenge: options.challenge, origin: story.world.url });
      const uid = tab.uid ?? '';
      const judge = (answer: Answer, at: number) => {
        if (!key.dead && leadsOn(answer, 'sign-in'))
          prove(browser, { email: key.email, amr: 'pop', at, milliseconds: story.world.clock.now(), uid });
      };
      return submitStep(story, browser, {
        what: 'uses a passkey',
        tab,
        form,
        typed: { response },
        park: park === 'yes',
        judge,
      });
    },
    tell: ({ tab, park }) =>
      `signs in with a passkey in the ${tab} tab${park ? ', and does not follow the redirect' : ''}`,
  },
];

function isCreation(
  options: unknown,
): options is { challenge: string; rp: { id: string }; user: { id: string; name: string } } {
  return typeof options === 'object' && options !== null && 'user' in options && 'challenge' in options;
}

function hasChallenge(options: unknown): options is { challenge: string } {
  return typeof options === 'object' && options !== null && 'challenge' in options;
}
