// What only somebody with bad intentions, bad luck or a bad connection does: stolen cookies, forms sent again, bodies held
// back, somebody else's budget of codes used up; and the time that passes.
import { type Act, on, submitStep } from './act-parts.ts';
import { begin } from './application.ts';
import { stealJar } from './cast.ts';
import { countAsk } from './mailbox.ts';
import { showsAuthority } from './model.ts';
import { filled, findForm, post, send } from './surf.ts';

const waits: Record<string, number> = {
  'two seconds': 2,
  'six minutes': 360,
  'twenty minutes': 1_200,
  'two hours': 7_200,
};
/** More than the budget of an address. */
const PESTERING = 6;

export const malice: Act[] = [
  {
    name: 'wait',
    offers: () => Object.keys(waits).map((time) => ({ time })),
    async run(story, _browser, { time = '' }) {
      story.world.clock.move(waits[time] ?? 0);
      return true;
    },
    tell: ({ time }) => `waits ${time}`,
  },
  {
    name: 'steal-cookies',
    offers: (story, browser) =>
      browser.operator.name === 'attacker' && browser.proofs.length === 0
        ? [...story.browsers.values()]
            .filter((each) => each.operator.name === 'victim' && each.proofs.length > 0)
            .map(({ name: from }) => ({ from }))
        : [],
    async run(story, browser, { from = '' }) {
      const source = story.browsers.get(from);
      if (!source || source === browser) return false;
      stealJar(browser, source);
      return true;
    },
    tell: ({ from }) => `has the cookies of ${from} copied`,
  },
  {
    name: 'replay',
    offers: (_story, browser) => browser.posts.slice(-6).map((_post, place) => ({ post: String(place) })),
    async run(story, browser, { post: place = '0' }) {
      const found = browser.posts.slice(-6)[Number(place)];
      if (!found) return false;
      await send(story, browser, found);
      return true;
    },
    tell: ({ post: place }) => `sends an earlier form again (the ${Number(place) + 1}. of the last six)`,
  },
  {
    name: 'hold-next',
    offers: (_story, browser) => (browser.holdsNext || browser.held.length > 0 ? [] : [{}]),
    async run(_story, browser) {
      browser.holdsNext = true;
      return true;
    },
    tell: () => 'will hold back the body of the next form after its headers',
  },
  {
    name: 'release',
    offers: (_story, browser) => (browser.held.length > 0 ? [{}] : []),
    async run(_story, browser) {
      browser.holdsNext = false;
      const held = browser.held.shift();
      await held?.release();
      return held !== undefined;
    },
    tell: () => 'sends the body that was held back',
  },
  {
    name: 'pester',
    offers: (_story, browser) => (browser.operator.name === 'attacker' ? [{ tab: 'second' }] : []),
    async run(story, browser, { tab: name }) {
      const tab = on(browser, name);
      const email = story.addressOf('victim');
      for (let times = 0; times < PESTERING; times += 1) {
        await begin(story, browser, tab, 'forum', 'prompt=login');
        const form =
          tab.uid && (await findForm(story, browser, tab, { page: `/interaction/${tab.uid}/sign-in` }));
        if (!form) return times > 0;
        const sent = filled(form, { email, method: 'code' });
        const after = (landed: Parameters<typeof countAsk>[3]) => countAsk(story, browser, email, landed);
        await post(story, browser, { what: 'asks for a code', tab, park: false, sent, after });
      }
      return true;
    },
    tell: () => `asks for a code for the victim's address in ${PESTERING} sign-ins, one after another`,
  },
  {
    name: 'new-workspace',
    offers: (_story, browser) => (browser.proofs.length > 0 ? [{ tab: 'third' }] : []),
    async run(story, browser, { tab: name }) {
      const tab = on(browser, name);
      const form = await findForm(story, browser, tab, {
        page: '/settings/workspaces/new',
        like: { field: 'name', reload: true },
      });
      if (!form) return false;
      const [proof] = browser.proofs.toReversed();
      return submitStep(
        story,
        browser,
        { what: 'makes a workspace', tab, form, typed: { name: 'Works' } },
        (landed) => {
          if (proof && landed.page?.status === 200 && /^\/settings\/wsp_/.test(landed.page.path))
            showsAuthority(story.model, browser, proof.email, 'a workspace was made');
        },
      );
    },
    tell: () => 'makes a workspace in company settings',
  },
  {
    name: 'hand-over',
    offers: (story, browser) =>
      browser.operator.name === 'victim' && browser.signedOutAt > 0 && story.people.attacker ? [{}] : [],
    async run(story, browser) {
      if (browser.signedOutAt < 0) return false;
      browser.operator = story.people.attacker;
      return true;
    },
    tell: () => 'is left to the attacker, who sits down there',
  },
];
