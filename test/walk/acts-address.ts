// The address of an account: changed with a code, and taken back by the link in the mail to the old one.

import { inside, ownForm } from './account-form.ts';
import { type Act, on, submitStep } from './act-parts.ts';
import { awaitAddressCode, takeBackLink } from './mail-links.ts';
import { renameAccount, revoke, showsAuthority } from './model.ts';
import { findForm } from './surf.ts';

export const addressActs: Act[] = [
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
          // Its mailbox has proven this address: the account is nobody's word any more.
          const account = story.model.accounts.get(address);
          if (account) account.onlyVouched = false;
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
