// After each step the tables are read, those that every version has, and compared with what was proven: accounts that came,
// identities that were linked, passkeys that were added, and whatever belongs to nobody.
import type { Browser } from './cast.ts';
import { standing, violate } from './model.ts';
import { accountAppeared } from './model-events.ts';
import { identityNames, mailboxes, type Story } from './story.ts';
import { readMails, readTables, type Tables } from './world.ts';

/** What adds a way in needs a sign-in of the last five minutes; one more for what takes time. */
const FRESH_MILLISECONDS = 6 * 60_000;

export async function compareTables(story: Story): Promise<void> {
  const { model } = story;
  const before = story.tables;
  const now = await readTables(story.world.db, {
    emails: mailboxes.map(story.addressOf),
    subjects: identityNames.map((name) => story.identityOf(name).subject),
    keys: model.keys.map(({ id }) => id),
  });
  story.tables = now;
  for (const { id, email, verified } of now.accounts) {
    if (verified && !model.confirmed.has(email) && !isVouched(story, email))
      violate(model, 'an address is called verified that nobody proved', `the account of ${email}`);
    if (!before.accounts.some((each) => each.id === id)) accountAppeared(story, email);
  }
  for (const { subject, owner } of now.identities) {
    if (!owner) {
      violate(model, 'an identity is linked to an account that is gone', `subject ${subject}`);
      continue;
    }
    const isNew = !before.identities.some(
      (each) => each.subject === subject && addressNow(each.owner, before, now) === owner,
    );
    if (isNew) identityAppeared(story, subject, owner);
    else if (!model.links.has(subject))
      violate(model, 'an identity is still linked that was taken away', `subject ${subject} of ${owner}`);
  }
  for (const [subject, owner] of model.links)
    if (!now.identities.some((each) => each.subject === subject && each.owner === owner))
      model.links.delete(subject);
  for (const { credentialId, owner } of now.passkeys) {
    if (!owner) violate(model, 'a passkey belongs to an account that is gone', credentialId);
    else if (!before.passkeys.some((each) => each.credentialId === credentialId))
      passkeyAppeared(story, credentialId, owner);
  }
}

/** The account's address after the step: an account that changed it did not get its identities anew. */
function addressNow(owner: string | undefined, before: Tables, now: Tables): string | undefined {
  const account = before.accounts.find(({ email }) => email === owner);
  return now.accounts.find(({ id }) => id === account?.id)?.email;
}

function isVouched(story: Story, email: string): boolean {
  return [...story.browsers.values()].some((browser) =>
    browser.identities.some(({ identity }) => identity.verified && identity.email === email),
  );
}

/** Whoever came back with it is the one who linked it. */
function identityAppeared(story: Story, subject: string, owner: string): void {
  const { model } = story;
  const linkers = story.acting.filter((browser) =>
    browser.identities.some(({ identity }) => identity.subject === subject),
  );
  if (linkers.length > 0 && !linkers.some((browser) => 'proof' in standing(model, browser, owner)))
    violate(
      model,
      `an identity was linked ${whyNot(story, linkers, owner)}`,
      `subject ${subject} to ${owner}`,
    );
  model.links.set(subject, owner);
  if (linkers.some((browser) => !isFounder(story, browser, owner)))
    model.owed.push({
      email: owner,
      says: /You can now sign in with GitHub|Your address is confirmed/,
      why: 'a linked identity',
    });
}

/** Nobody is told of the identity with which the account began. */
function isFounder(story: Story, browser: Browser, email: string): boolean {
  const creation = story.model.revocations.findLast(
    (each) => each.email === email && each.kind === 'creation',
  );
  return creation?.except.includes(browser.root) === true && creation.step === story.model.step.number;
}

function passkeyAppeared(story: Story, credentialId: string, owner: string): void {
  const { model } = story;
  const key = model.keys.find(({ id }) => id === credentialId);
  const maker = key && story.browsers.get(key.browser);
  if (!maker) return;
  model.owed.push({ email: owner, says: /A passkey was added/, why: 'a new passkey' });
  const proofs = maker.proofs.filter(({ email }) => email === owner);
  const found = standing(model, maker, owner);
  if ('why' in found) violate(model, `a passkey was added ${found.why}`, `by ${maker.name} to ${owner}`);
  const latest = Math.max(0, ...proofs.map(({ milliseconds }) => milliseconds));
  const age = story.world.clock.now() - latest;
  if (age > FRESH_MILLISECONDS)
    violate(
      model,
      'a passkey was added without a fresh sign-in',
      `${Math.round(age / 60_000)} minutes after it, by ${maker.name}`,
    );
}

function whyNot(story: Story, browsers: Browser[], email: string): string {
  const [first] = browsers.map((browser) => standing(story.model, browser, email));
  return first && 'why' in first ? first.why : '';
}

const LAST_MAILS_MILLISECONDS = 1_500;

/** At the end: each change that weakens an account was told to its owner. */
export async function compareMails(story: Story): Promise<void> {
  const { owed } = story.model;
  if (owed.length === 0) return;
  const deadline = performance.now() + LAST_MAILS_MILLISECONDS;
  for (;;) {
    const mails = await readMails(story.world.db, [...new Set(owed.map(({ email }) => email))]);
    const missing = owed.filter(
      (each) =>
        mails.filter((mail) => mail.to === each.email && each.says.test(`${mail.subject} ${mail.text}`))
          .length < owed.filter((other) => other.email === each.email && other.why === each.why).length,
    );
    if (missing.length === 0) return;
    if (performance.now() > deadline) {
      for (const { email, why } of missing) violate(story.model, `the owner was not told: ${why}`, email);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
