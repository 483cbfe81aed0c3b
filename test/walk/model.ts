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
export type Revocation = { kind: RevocationKind; email: string; at: number; except: string[] };

export type Violation = { rule: string; detail: string };

export type Ask = { email: string; milliseconds: number; browser: string; isOwners: boolean };

export type Model = {
  /** Counts up with each request. */
  ticks: number;
  revocations: Revocation[];
  /** Addresses whose mailbox its reader proved with a code, or a provider vouched for. */
  confirmed: Set<string>;
  /** Accounts by address: made by a provider's word alone, and not yet claimed by the mailbox. */
  accounts: Map<string, { onlyVouched: boolean }>;
  /** The password in force, by address. */
  passwords: Map<string, string | undefined>;
  keys: HeldKey[];
  /** The owner of each linked identity, by subject. */
  links: Map<string, string>;
  /** Where each address went that an account gave up. */
  moved: Map<string, string>;
  asks: Ask[];
  recoveredBy?: { email: string; by: string };
  /** Mails that must have arrived in the end. */
  owed: { email: string; says: RegExp; why: string }[];
  violations: Violation[];
};

export function createModel(): Model {
  return {
    ticks: 0,
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

export function prove(browser: Browser, proof: Proof): void {
  browser.proofs.push(proof);
}

export function revoke(model: Model, revocation: Revocation): void {
  model.revocations.push(revocation);
}

/** The proof that this browser may stand on, or why it has none. */
export function standing(model: Model, browser: Browser, email: string): { proof: Proof } | { why: string } {
  const proofs = browser.proofs.filter((proof) => proof.email === email);
  if (proofs.length === 0) return { why: 'without any proof' };
  let why = '';
  for (const proof of proofs.toReversed()) {
    const ended = model.revocations.find(
      (each) => each.email === email && each.at > proof.at && !each.except.includes(browser.root),
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
  model.passwords.set(to, model.passwords.get(from));
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
