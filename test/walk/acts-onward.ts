// The hosted pages further on: a new password, consent, and the redirect that waited.
import { type Act, interactionForm, isShown, on, submitStep, tabParams } from './act-parts.ts';
import { awaitCode, countAsk } from './mailbox.ts';
import { prove } from './model.ts';
import { recovered } from './model-events.ts';
import { markResumed, open } from './surf.ts';

const recoverable = ['victim', 'attacker'];

export const onwardActs: Act[] = [
  {
    name: 'recover',
    offers: (_story, browser) =>
      tabParams(browser, isShown('sign-in', 'password')).flatMap((tab) =>
        recoverable.map((email) => ({ ...tab, email })),
      ),
    async run(story, browser, { tab: name, email = '' }) {
      const tab = on(browser, name);
      const address = story.addressOf(email);
      const form = await interactionForm(story, browser, tab, 'recover');
      if (!form) return false;
      return submitStep(
        story,
        browser,
        { what: 'asks to reset the password', tab, form, typed: { email: address } },
        async (landed) => {
          countAsk(story, browser, address, landed);
          await awaitCode(story, browser, tab, address, landed);
          tab.recovers = true;
        },
      );
    },
    tell: ({ tab, email }) => `asks to reset the password of "${email}" in the ${tab} tab`,
  },
  {
    name: 'new-password',
    offers: (_story, browser) =>
      tabParams(browser, ({ uid }) => uid !== undefined).map((tab) => ({
        ...tab,
        password: browser.operator.passwords[1] ?? '',
      })),
    async run(story, browser, { tab: name, password = '' }) {
      const tab = on(browser, name);
      const form = await interactionForm(story, browser, tab, 'new-password');
      if (!form) return false;
      const email = tab.asked ?? '';
      const uid = tab.uid ?? '';
      return submitStep(
        story,
        browser,
        { what: 'sets a new password', tab, form, typed: { password: story.passwordOf(password) } },
        (landed, at) => {
          if (!landed.page?.html.includes('Your new password is set')) return;
          recovered(story, browser, { email, password, uid, at });
          // What was typed is what the next button signs in with.
          const { model, world } = story;
          const milliseconds = world.clock.now();
          prove(browser, { email, amr: 'pwd', at: model.ticks, milliseconds, uid, isOfReset: true });
        },
      );
    },
    tell: ({ tab, password }) => `sets the new password "${password}" in the ${tab} tab (recovery)`,
  },
  {
    name: 'go-on',
    offers: (_story, browser) => tabParams(browser, isShown('recovered')),
    async run(story, browser, { tab: name }) {
      const tab = on(browser, name);
      const form = await interactionForm(story, browser, tab, 'recovered');
      if (!form) return false;
      return submitStep(story, browser, { what: 'goes on after the recovery', tab, form, typed: {} });
    },
    tell: ({ tab }) => `goes on after the recovery in the ${tab} tab`,
  },
  {
    name: 'consent',
    offers: (_story, browser) => tabParams(browser, isShown('consent')),
    async run(story, browser, { tab: name, offer = '' }) {
      const tab = on(browser, name);
      const form = await interactionForm(story, browser, tab, 'consent');
      if (!form) return false;
      return submitStep(story, browser, {
        what: 'allows',
        tab,
        form,
        typed: { decision: 'allow', passkeys: offer },
      });
    },
    tell: ({ tab }) => `allows the application in the ${tab} tab`,
  },
  {
    name: 'keep-account',
    offers: (_story, browser) => tabParams(browser, isShown('account-choice')),
    async run(story, browser, { tab: name }) {
      const tab = on(browser, name);
      const form = await interactionForm(story, browser, tab, 'account-choice');
      if (!form) return false;
      return submitStep(story, browser, { what: 'keeps the account', tab, form, typed: {} });
    },
    tell: ({ tab }) => `goes on as whoever is signed in, in the ${tab} tab`,
  },
  {
    name: 'follow-parked',
    offers: (_story, browser) => tabParams(browser, (tab) => tab.parked !== undefined),
    async run(story, browser, { tab: name }) {
      const tab = on(browser, name);
      const { parked: url, uid = '' } = tab;
      if (!url) return false;
      tab.parked = undefined;
      markResumed(story, browser, uid);
      await open(story, browser, tab, url);
      return true;
    },
    tell: ({ tab }) => `follows the redirect that waited in the ${tab} tab`,
  },
];
