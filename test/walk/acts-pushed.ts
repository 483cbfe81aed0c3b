// Pushed requests: an application pushes one, and browsers bring it, once, twice, too late, or with more in the address.
import { type Act, on, tabParams } from './act-parts.ts';
import { additions, bringPushed, push } from './pushed.ts';

/** The latest ones: older ones are all alike. */
const REMEMBERED = 3;

const appOf = (name: string | undefined) => (name === 'forum' ? 'forum' : 'shop');

export const pushedActs: Act[] = [
  {
    name: 'push',
    offers: () => ['shop', 'forum'].flatMap((app) => ['', 'prompt=login'].map((wish) => ({ app, wish }))),
    run: (story, _browser, { app, wish }) => push(story, appOf(app), wish),
    tell: ({ app, wish }) => `lets the ${app} push a request${wish ? ` (${wish})` : ''}`,
  },
  {
    name: 'bring-pushed',
    offers: (story, browser) =>
      story.pushed
        .slice(-REMEMBERED)
        .flatMap(({ app }, place) =>
          tabParams(browser, () => true).flatMap((tab) => [
            ...additions.map((more) => ({ ...tab, pushed: String(place), as: app, more })),
            { ...tab, pushed: String(place), as: app === 'shop' ? 'forum' : 'shop', more: '' },
          ]),
        ),
    async run(story, browser, { tab, pushed: place = '0', as, more = '' }) {
      const pushed = story.pushed.slice(-REMEMBERED)[Number(place)];
      if (!pushed) return false;
      return bringPushed(story, browser, on(browser, tab), pushed, { as: appOf(as), more });
    },
    tell: ({ tab, pushed, as, more }) =>
      `brings the ${Number(pushed) + 1}. of the last ${REMEMBERED} pushed requests for the ${as} in the ${tab} tab${more ? ` (with ${more})` : ''}`,
  },
];
