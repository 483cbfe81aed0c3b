// What ought to be true: who has proven which address, when and in which browser, and which events made earlier proofs
// worthless. It knows the rules and nothing of the code.
import type { Browser, HeldKey, Proof } from './cast.ts';

export type RevocationKind =
  | 'recovery'
  | 'password change'
  | 'end all others'
  | 'claim'
  | 'deletion'
  | 'creation'
  | 'address taken back';

/** From `at` on, what was proven before is worth nothing, except in the browser (`root`) that asked for it. */
export type Revocation = {
  kind: RevocationKind;
  email: string;
  at: number;
  except: string[];
  step?: number;
  /** Two at once: which of them made the account shows only in what is proven after this tick. */
  unsureUntil?: number;
};

export type Violation = { rule: string; detail: string };

export type Ask = { email: string; milliseconds: number; browser: string; isIn: boolean };

export type Model = {
  /** Counts up with each request. */
  ticks: number;
  /** The step under way, the tick at which it began, and whether it is two at once whose order nobody knows. */
  step: { number: number; began: number; isRace: boolean };
  revocations: Revocation[];
  /** Addresses whose mailbox its reader proved with a code, or a provider vouched for. */
  confirmed: Set<string>;
  /** Accounts by address: made by a provider's word alone, and not yet claimed by the mailbox. */
  accounts: Map<string, { onlyVouched: boolean }>;
  /** The password in force, by address. */
  passwords: Map<string, Set<string>>;
  keys: HeldKey[];
  /** The owner of each linked identity, by subject. */
  links: Map<string, string>;
  /** Where each address went that an account gave up. */
  moved: Map<string, string>;
  asks: Ask[];
  recovered?: { email: string; step: number };
  /** Mails that must have arrived in the end. */
  owed: { email: string; says: RegExp; why: string }[];
  violations: Violation[];
};

export function createModel(): Model {
  return {
    ticks: 0,
    step: { number: 0, began: 0, isRace: false },
    revocations: [],
    confirmed: new Set(),
    accounts: new Map(),
    passwords: new Map(),
    keys: [],
    links: new Map(),
    moved: new Map(),
    asks: [],
    owed: [],
    violations: [],
  };
}

export function tick(model: Model): number {
  model.ticks += 1;
  return model.ticks;
}

export function violate(model: Model, rule: string, detail: string): void {
  model.violations.push({ rule, detail });
}

/**
 * Whoever copied a browser's cookies in the middle of a sign-in can finish that sign-in in its place, and the other way;
 * so can two thieves of the same cookies for each other.
 */
export function prove(browser: Browser, proof: Proof): void {
  const sharers = new Set([browser]);
  for (const sharer of sharers) {
    sharer.proofs.push({ ...proof });
    for (const { browser: twin, uids } of sharer.twins) if (uids.includes(proof.uid)) sharers.add(twin);
  }
}

export function revoke(model: Model, revocation: Revocation): void {
  const { step } = model;
  // What was proven at the same moment may have been proven after it.
  model.revocations.push({ ...revocation, step: step.number, at: step.isRace ? step.began : revocation.at });
}

/** The proof that this browser may stand on, or why it has none. */
export function standing(model: Model, browser: Browser, email: string): { proof: Proof } | { why: string } {
  const proofs = browser.proofs.filter((proof) => proof.email === email);
  if (proofs.length === 0) return { why: 'without any proof' };
  let why = '';
  for (const proof of proofs.toReversed()) {
    const ended = model.revocations.find(
      (each) =>
        each.email === email &&
        each.at > proof.at &&
        !each.except.includes(browser.root) &&
        // Two at once: nobody knows which came first, until the next step.
        !(model.step.isRace && each.step === model.step.number),
    );
    const isSignedOut = proof.resumedAt !== undefined && proof.resumedAt < browser.signedOutAt;
    if (!ended && !isSignedOut) return { proof };
    why ||= ended ? `on a proof from before: ${ended.kind}` : 'after the sign-out of this browser';
  }
  return { why };
}

/** Somebody is treated as the owner of this account. */
export function showsAuthority(model: Model, browser: Browser, email: string, by: string): Proof | undefined {
  const found = standing(model, browser, email);
  if ('proof' in found) return found.proof;
  violate(model, `${by} ${found.why}`, `${browser.name} was treated as the owner of ${email}`);
  return undefined;
}

export function renameAccount(model: Model, browsers: Iterable<Browser>, from: string, to: string): void {
  for (const browser of browsers)
    browser.proofs = browser.proofs
      .filter(({ email }) => email !== to)
      .map((proof) => (proof.email === from ? { ...proof, email: to } : proof));
  model.revocations = model.revocations
    .filter(({ email }) => email !== to)
    .map((each) => (each.email === from ? { ...each, email: to } : each));
  for (const key of model.keys) if (key.email === from) key.email = to;
  for (const [subject, owner] of model.links) if (owner === from) model.links.set(subject, to);
  model.passwords.set(to, model.passwords.get(from) ?? new Set());
  model.passwords.delete(from);
  const account = model.accounts.get(from);
  model.accounts.delete(from);
  if (account) model.accounts.set(to, account);
}

export function forgetAccount(model: Model, email: string): void {
  model.accounts.delete(email);
  model.passwords.delete(email);
  for (const key of model.keys) if (key.email === email) key.dead = true;
  for (const [subject, owner] of model.links) if (owner === email) model.links.delete(subject);
}

export function beginStep(model: Model, isRace: boolean): void {
  model.ticks += 1;
  model.step = { number: model.step.number + 1, began: model.ticks, isRace };
}

/** Of two at once: an old password is worth nothing beside a new one, and two that threw each other out may both stay. */
export function settleRace(model: Model, browsers: Browser[]): void {
  const fresh = model.revocations.filter(({ step }) => step === model.step.number);
  for (const { email, kind } of fresh) {
    if (kind !== 'recovery' && kind !== 'password change') continue;
    for (const browser of browsers)
      for (const proof of browser.proofs)
        if (proof.email === email && proof.amr === 'pwd' && !proof.isOfReset && proof.at >= model.step.began)
          proof.at = model.step.began - 0.5;
  }
  const mutual = fresh.filter(({ kind }) => kind === 'password change' || kind === 'end all others');
  for (const each of mutual)
    each.except = mutual.filter(({ email }) => email === each.email).flatMap(({ except }) => except);
  for (const each of fresh) if (each.kind === 'creation') each.unsureUntil = model.ticks;
  model.step.isRace = false;
}

/**
 * Whether this browser is known to the account: a sign-in in it went on, and it is not only one of two that may have made
 * the account. Who has typed a code and left the page after it is a stranger still.
 */
export function isSurelyIn(model: Model, browser: Browser, email: string): boolean {
  const proofs = browser.proofs.filter(({ resumedAt }) => resumedAt !== undefined);
  const found = standing(model, { ...browser, proofs }, email);
  if (!model.accounts.has(email) || !('proof' in found)) return false;
  const creation = model.revocations.findLast((each) => each.email === email && each.kind === 'creation');
  return found.proof.at > (creation?.unsureUntil ?? 0);
}
