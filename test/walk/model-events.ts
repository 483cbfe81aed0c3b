// Events that change what counts: a claim, a recovery, a new password, the end of other sessions, an account that came or
// went. Each is told to the model once, when the service has said that it happened.
import type { Browser } from './cast.ts';
import { forgetAccount, type Model, prove, revoke, showsAuthority, violate } from './model.ts';
import type { Story } from './story.ts';

type Event = { email: string; at: number };

/** The first code for an account that a provider's word made: whoever was there before goes. */
export function claimIfFirst(story: Story, browser: Browser, email: string, uid: string, at: number): void {
  const account = story.model.accounts.get(email);
  if (!account?.onlyVouched) return;
  account.onlyVouched = false;
  revoke(story.model, { kind: 'claim', email, at, except: [] });
  story.model.passwords.delete(email);
  for (const key of story.model.keys) if (key.email === email) key.dead = true;
  const own = browser.identities.filter((each) => each.uid === uid).map(({ identity }) => identity.subject);
  for (const [subject, owner] of story.model.links)
    if (owner === email && !own.includes(subject)) story.model.links.delete(subject);
}

export function recovered(
  story: Story,
  browser: Browser,
  { email, password, uid, at }: Event & { password: string; uid: string },
): void {
  const { model } = story;
  showsAuthority(model, browser, email, 'a new password was set');
  claimIfFirst(story, browser, email, uid, at);
  // Whatever was under way with the old password is older than the new one.
  revoke(model, { kind: 'recovery', email, at: model.ticks + 1, except: [] });
  model.ticks += 1;
  model.passwords.set(email, new Set([password]));
  model.recovered = { email, step: model.step.number };
  model.owed.push({ email, says: /Your password was changed|Your address is confirmed/, why: 'recovery' });
}

/** On the account page; the browser that asked stays signed in. */
export function passwordChanged(
  story: Story,
  browser: Browser,
  { email: known, password }: { email: string; password: string | undefined },
): void {
  const { model } = story;
  const email = addressNow(model, known);
  showsAuthority(model, browser, email, 'a password was changed on the account page');
  model.owed.push({ email, says: /Your password was (set|removed)/, why: 'password change' });
  const { recovered, step } = model;
  // The owner's recovery of the same moment has the last word.
  if (recovered?.email === email && recovered.step === step.number) return;
  const before = step.isRace ? (model.passwords.get(email) ?? []) : [];
  model.passwords.set(email, new Set([...before, ...(password ? [password] : [])]));
  revoke(model, { kind: 'password change', email, at: model.ticks + 1, except: [browser.root] });
  model.ticks += 1;
}

export function othersEnded(story: Story, browser: Browser, event: Event): void {
  const { at } = event;
  const email = addressNow(story.model, event.email);
  if (showsAuthority(story.model, browser, email, 'all other sessions were ended'))
    revoke(story.model, { kind: 'end all others', email, at, except: [browser.root] });
}

export function accountDeleted(story: Story, browser: Browser, { email: known, at }: Event): void {
  const { model } = story;
  const email = addressNow(model, known);
  showsAuthority(model, browser, email, 'the account was deleted');
  revoke(model, { kind: 'deletion', email, at, except: [] });
  forgetAccount(model, email);
  // Its mails go with it.
  model.owed = model.owed.filter((each) => each.email !== email);
}

/** A form that is sent again may be of a page from before its account changed the address. */
function addressNow({ accounts, moved }: Model, email: string): string {
  return accounts.has(email) ? email : (moved.get(email) ?? email);
}

/** Compared with the tables after each step: accounts that are there now and were not before. */
export function accountAppeared(story: Story, email: string): void {
  const { model } = story;
  const makers = story.acting;
  const isProven = makers.some((each) =>
    each.proofs.some((proof) => proof.email === email && proof.amr === 'otp'),
  );
  const vouched = makers.flatMap((each) =>
    each.identities
      .filter(({ identity }) => identity.verified && identity.email === email)
      .map((found) => ({ each, found })),
  );
  model.accounts.set(email, { onlyVouched: !isProven && vouched.length > 0 });
  revoke(model, { kind: 'creation', email, at: model.ticks, except: makers.map(({ root }) => root) });
  // GitHub's answer may have been held back while an account of this address was deleted: this one came after that.
  const deletion = model.revocations.findLast((each) => each.email === email && each.kind === 'deletion');
  for (const { each, found } of vouched) {
    model.confirmed.add(email);
    prove(each, {
      email,
      amr: 'fed',
      at: Math.max(found.at, deletion?.at ?? 0),
      milliseconds: story.world.clock.now(),
      uid: found.uid,
    });
  }
  if (!isProven && vouched.length === 0)
    violate(model, 'an account was made without a proof of its address', `the account ${email} appeared`);
  for (const each of makers)
    for (const tab of each.tabs)
      if (tab.registers?.email === email) {
        model.passwords.set(email, new Set([tab.registers.password]));
        tab.registers = undefined;
      }
}
