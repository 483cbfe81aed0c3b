// What people do on the hosted pages: begin, ask for a code, type it, type a password, register, name themselves, agree.
import { type Act, interactionForm, isShown, leadsOn, on, submitStep, tabParams } from './act-parts.ts';
import { begin } from './application.ts';
import { awaitCode, countAsk } from './mailbox.ts';
import { prove } from './model.ts';
import { claimIfFirst } from './model-events.ts';
import { holds } from './story.ts';
import type { Answer } from './wire.ts';

const mailboxChoices = ['victim', 'attacker', 'victim-2', 'attacker-2', 'bystander'];

export const hostedActs: Act[] = [
  {
    name: 'begin',
    offers: (_story, browser) =>
      tabParams(browser, () => true).flatMap((tab) => ['shop', 'forum'].map((app) => ({ ...tab, app }))),
    async run(story, browser, { tab, app = 'shop', wish = '' }) {
      await begin(story, browser, on(browser, tab), app === 'forum' ? 'forum' : 'shop', wish);
      return true;
    },
    tell: ({ tab, app, wish }) =>
      `begins a sign-in at the ${app} in the ${tab} tab${wish ? ` (${wish})` : ''}`,
  },
  {
    name: 'ask-code',
    offers: (_story, browser) =>
      tabParams(browser, isShown('sign-in')).flatMap((tab) =>
        mailboxChoices.map((email) => ({ ...tab, email })),
      ),
    async run(story, browser, { tab: name, email = '' }) {
      const tab = on(browser, name);
      const address = story.addressOf(email);
      const form = await interactionForm(story, browser, tab, 'sign-in');
      if (!form) return false;
      return submitStep(
        story,
        browser,
        { what: `asks for a code for ${email}`, tab, form, typed: { email: address, method: 'code' } },
        async (landed) => {
          countAsk(story, browser, address, landed);
          await awaitCode(story, browser, tab, address, landed);
        },
      );
    },
    tell: ({ tab, email }) => `asks for a code for the mailbox "${email}" in the ${tab} tab`,
  },
  {
    name: 'type-code',
    offers: (_story, browser) =>
      tabParams(browser, (tab) => tab.code !== undefined && tab.page?.step === 'code').flatMap((tab) => [
        tab,
        { ...tab, park: 'yes' },
      ]),
    async run(story, browser, { tab: name, park }) {
      const tab = on(browser, name);
      const { code, asked = '', uid = '' } = tab;
      if (!code || !holds(browser.operator, story, asked)) return false;
      const form = await interactionForm(story, browser, tab, 'code');
      if (!form) return false;
      const isRecovery = tab.recovers === true;
      const judge = (answer: Answer, at: number) => {
        if (!leadsOn(answer, 'code')) return;
        tab.code = undefined;
        story.model.confirmed.add(asked);
        // Something else made the code worthless at this very moment: the person is to prove it anew.
        if (!leadsOn(answer, 'sign-in')) return;
        prove(browser, { email: asked, amr: 'otp', at, milliseconds: story.world.clock.now(), uid });
        if (!isRecovery) claimIfFirst(story, browser, asked, uid, at);
      };
      return submitStep(story, browser, {
        what: 'types the code',
        tab,
        form,
        typed: { code },
        park: park === 'yes',
        judge,
      });
    },
    tell: ({ tab, park }) => `types the code from the mail in the ${tab} tab${parked(park)}`,
  },
  {
    name: 'password',
    offers: (_story, browser) =>
      tabParams(browser, isShown('sign-in', 'password')).flatMap((tab) =>
        browser.operator.passwords.flatMap((password) => [
          { ...tab, password },
          { ...tab, password, park: 'yes' },
        ]),
      ),
    async run(story, browser, { tab: name, password = '', park, email = 'victim' }) {
      const tab = on(browser, name);
      const address = story.addressOf(email);
      const form = await interactionForm(story, browser, tab, 'password');
      const uid = tab.uid ?? '';
      if (!form) return false;
      let isRight = false;
      const goes = () => {
        isRight = story.model.passwords.get(address)?.has(password) === true;
      };
      const typed = { email: address, password: story.passwordOf(password), method: 'password' };
      const judge = (answer: Answer, at: number) => {
        if (isRight && leadsOn(answer, 'password'))
          prove(browser, { email: address, amr: 'pwd', at, milliseconds: story.world.clock.now(), uid });
      };
      return submitStep(story, browser, {
        what: 'types a password',
        tab,
        form,
        typed,
        park: park === 'yes',
        goes,
        judge,
      });
    },
    tell: ({ tab, password, park }) =>
      `signs in as the victim with the password "${password}" in the ${tab} tab${parked(park)}`,
  },
  {
    name: 'register',
    offers: (_story, browser) =>
      tabParams(browser, isShown('sign-in', 'register')).flatMap((tab) =>
        browser.operator.mailboxes.flatMap((email) => [
          { ...tab, email },
          { ...tab, email, password: browser.operator.passwords[0] ?? '' },
        ]),
      ),
    async run(story, browser, { tab: name, email = '', password }) {
      const tab = on(browser, name);
      const address = story.addressOf(email);
      const form = await interactionForm(story, browser, tab, 'register');
      if (!form) return false;
      const typed = {
        email: address,
        name: 'Ada Lovelace',
        ...(password && { password: story.passwordOf(password) }),
      };
      return submitStep(story, browser, { what: `registers ${email}`, tab, form, typed }, async (landed) => {
        countAsk(story, browser, address, landed);
        await awaitCode(story, browser, tab, address, landed);
        tab.registers = password ? { email: address, password } : undefined;
      });
    },
    tell: ({ tab, email, password }) =>
      `fills in the registration for "${email}"${password ? ` with the password "${password}"` : ''} in the ${tab} tab`,
  },
  {
    name: 'welcome',
    // Also out of turn.
    offers: (_story, browser) => tabParams(browser, ({ uid }) => uid !== undefined),
    async run(story, browser, { tab: name, park }) {
      const tab = on(browser, name);
      const form = await interactionForm(story, browser, tab, 'welcome');
      if (!form) return false;
      return submitStep(story, browser, {
        what: 'says their name',
        tab,
        form,
        typed: { name: 'Ada Lovelace' },
        park: park === 'yes',
      });
    },
    tell: ({ tab }) => `opens the welcome page in the ${tab} tab and says a name`,
  },
];

const parked = (park: string | undefined) => (park === 'yes' ? ', and does not follow the redirect' : '');
