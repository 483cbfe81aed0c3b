// The account page: passwords, sessions, GitHub, passkeys, the address, the end of the account. Each act opens its page as a
// person does; who is asked to sign in again is left on that page, and may go on from there.
import { type Act, interactionForm, isShown, leadsOn, on, submitStep, tabParams } from './act-parts.ts';
import { createKey, useKey } from './authenticator.ts';
import type { Browser, Landed, Tab } from './cast.ts';
import { awaitAddressCode, takeBackLink } from './mail-links.ts';
import { prove, renameAccount, revoke, showsAuthority } from './model.ts';
import { accountDeleted, othersEnded, passwordChanged } from './model-events.ts';
import type { Story } from './story.ts';
import { findForm, open, passkeyOptions } from './surf.ts';
import type { Answer } from './wire.ts';

const inside = (_story: Story, browser: Browser) => (browser.proofs.length > 0 ? [{ tab: 'third' }] : []);
const says = (landed: Landed, words: string) => landed.page?.html.includes(words) === true;

/** Whose account page this is. */
function ownerOn(tab: Tab): string | undefined {
  return /Signed in as(?:\s|<!--.*?-->)*([^<\s]+@[^<\s]+)/.exec(tab.page?.html ?? '')?.[1];
}

async function ownForm(story: Story, browser: Browser, tab: Tab, path: string, action = path) {
  const form = await findForm(story, browser, tab, { page: path, action, like: { reload: true } });
  const email = ownerOn(tab);
  return form && email ? { form, email } : undefined;
}

export const accountActs: Act[] = [
  {
    name: 'open-account',
    offers: () => [{ tab: 'third' }],
    async run(story, browser, { tab }) {
      await open(story, browser, on(browser, tab), '/account');
      return true;
    },
    tell: () => 'opens the account page in the third tab',
  },
  {
    name: 'set-password',
    offers: (story, browser) =>
      inside(story, browser).map((tab) => ({ ...tab, password: browser.operator.passwords[1] ?? '' })),
    async run(story, browser, { tab: name, password = '' }) {
      const tab = on(browser, name);
      const own = await ownForm(story, browser, tab, '/account/password');
      if (!own) return false;
      const { form, email } = own;
      const typed = { password: story.passwordOf(password) };
      return submitStep(story, browser, { what: 'sets a password', tab, form, typed }, (landed) => {
        if (says(landed, 'Your password is set.')) passwordChanged(story, browser, { email, password });
      });
    },
    tell: ({ password }) => `sets the password "${password}" on the account page`,
  },
  {
    name: 'remove-password',
    offers: inside,
    async run(story, browser, { tab: name }) {
      const tab = on(browser, name);
      const own = await ownForm(story, browser, tab, '/account/password', '/account/password/remove');
      if (!own) return false;
      const { form, email } = own;
      return submitStep(story, browser, { what: 'removes the password', tab, form, typed: {} }, (landed) => {
        if (says(landed, 'Your password is removed.'))
          passwordChanged(story, browser, { email, password: undefined });
      });
    },
    tell: () => 'removes the password on the account page',
  },
  {
    name: 'end-others',
    offers: inside,
    async run(story, browser, { tab: name }) {
      const tab = on(browser, name);
      const own = await ownForm(story, browser, tab, '/account/sessions', '/account/sessions/end-others');
      if (!own) return false;
      const { form, email } = own;
      return submitStep(
        story,
        browser,
        { what: 'ends all other sessions', tab, form, typed: {} },
        (landed, at) => {
          if (says(landed, 'All other sessions have ended')) othersEnded(story, browser, { email, at });
        },
      );
    },
    tell: () => 'ends all other sessions',
  },
  {
    name: 'link-github',
    offers: (story, browser) => (browser.operator.identities.length > 0 ? inside(story, browser) : []),
    async run(story, browser, { tab: name }) {
      const tab = on(browser, name);
      const own = await ownForm(story, browser, tab, '/account/social', '/account/social/link');
      if (!own) return false;
      tab.uid = undefined;
      return submitStep(story, browser, {
        what: 'links GitHub',
        tab,
        form: own.form,
        typed: { provider: 'github' },
      });
    },
    tell: () => 'begins to link an identity at GitHub on the account page, in the third tab',
  },
  {
    name: 'unlink-github',
    offers: inside,
    async run(story, browser, { tab: name }) {
      const tab = on(browser, name);
      const own = await ownForm(story, browser, tab, '/account/social', '/account/social/unlink');
      if (!own) return false;
      const { form, email } = own;
      return submitStep(story, browser, { what: 'unlinks GitHub', tab, form, typed: {} }, (landed) => {
        if (!says(landed, 'The account is unlinked')) return;
        showsAuthority(story.model, browser, email, 'a provider was unlinked');
        for (const [subject, owner] of story.model.links)
          if (owner === email) story.model.links.delete(subject);
        story.model.owed.push({ email, says: /A linked account was removed/, why: 'unlinking' });
      });
    },
    tell: () => 'unlinks GitHub on the account page',
  },
  {
    name: 'delete-account',
    offers: inside,
    async run(story, browser, { tab: name }) {
      const tab = on(browser, name);
      const own = await ownForm(story, browser, tab, '/account/delete');
      if (!own) return false;
      const { form, email } = own;
      return submitStep(
        story,
        browser,
        { what: 'deletes the account', tab, form, typed: { email } },
        (landed, at) => {
          if (landed.page?.path === '/account/deleted') accountDeleted(story, browser, { email, at });
        },
      );
    },
    tell: () => 'deletes the account',
  },
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
  {
    name: 'change-address',
    offers: (story, browser) =>
      inside(story, browser).flatMap((tab) => browser.operator.mailboxes.map((email) => ({ ...tab, email }))),
    async run(story, browser, { tab: name, email: to = '' }) {
      const tab = on(browser, name);
      const own = await ownForm(story, browser, tab, '/account/address');
      const address = story.addressOf(to);
      if (!own || own.email === address) return false;
      await submitStep(story, browser, {
        what: 'changes the address',
        tab,
        form: own.form,
        typed: { email: address },
      });
      const form = await findForm(story, browser, tab, { page: '/account/address/code' });
      const code = form && (await awaitAddressCode(story, address));
      if (!form || !code) return true;
      return submitStep(story, browser, {
        what: 'proves the new address',
        tab,
        form,
        typed: { code },
        judge: (answer) => {
          if (!String(answer.headers.location).endsWith('/account')) return;
          showsAuthority(story.model, browser, own.email, 'the address was changed');
          story.model.confirmed.add(address);
          story.model.owed.push({ email: own.email, says: /address/i, why: 'change of address' });
          renameAccount(story.model, story.browsers.values(), own.email, address);
          story.model.moved.set(own.email, address);
        },
      });
    },
    tell: ({ email }) => `changes the address of the account to "${email}" and types its code`,
  },
  {
    name: 'take-address-back',
    offers: (_story, browser) =>
      browser.operator.mailboxes.map((email) => ({ tab: 'third', email })).slice(0, 1),
    async run(story, browser, { tab: name, email = '' }) {
      const tab = on(browser, name);
      const address = story.addressOf(email);
      const link = await takeBackLink(story, address);
      const form = link && (await findForm(story, browser, tab, { page: link }));
      if (!form) return false;
      return submitStep(
        story,
        browser,
        { what: 'takes the address back', tab, form, typed: {} },
        (landed) => {
          if (landed.page?.path !== '/account/address/returned') return;
          const to = story.model.moved.get(address);
          if (to) renameAccount(story.model, story.browsers.values(), to, address);
          revoke(story.model, {
            kind: 'address taken back',
            email: address,
            at: story.model.ticks + 1,
            except: [],
          });
          story.model.ticks += 1;
          story.model.passwords.delete(address);
          for (const key of story.model.keys) if (key.email === address) key.dead = true;
          for (const [subject, owner] of story.model.links)
            if (owner === address) story.model.links.delete(subject);
        },
      );
    },
    tell: ({ email }) => `takes the address "${email}" back by the link in the mail`,
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
