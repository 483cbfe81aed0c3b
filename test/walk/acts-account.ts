// The account page: passwords, sessions, GitHub, passkeys, the address, the end of the account. Each act opens its page as a
// person does; who is asked to sign in again is left on that page, and may go on from there.

import { inside, ownForm, says } from './account-form.ts';
import { type Act, on, submitStep } from './act-parts.ts';
import { showsAuthority } from './model.ts';
import { accountDeleted, othersEnded, passwordChanged } from './model-events.ts';
import { open } from './surf.ts';

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
        if (says(landed, 'Your password has been set.')) passwordChanged(story, browser, { email, password });
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
        if (says(landed, 'Your password has been removed.'))
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
          if (says(landed, 'All other sessions ended')) othersEnded(story, browser, { email, at });
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
        if (!says(landed, 'Account unlinked')) return;
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
];
