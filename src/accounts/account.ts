// A person's account: one verified e-mail address, global to the service (design 2.4). An account exists only after a
// one-time code proved its address, or a social provider vouched for it, so nobody can prepare one for somebody else
// (attack 40); ownership.ts is about providers that were wrong.
import { eq, sql } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema.ts';
import { type Database, isOneOf, oncePerDatabase } from '../database.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { personNameCharacters } from '../limits.ts';
import { endPendingChanges, isReserved } from './email-return.ts';
import { endFlowsOfAddress } from './flow.ts';

export type Account = typeof accounts.$inferSelect;

export async function findAccount(db: Database, id: string): Promise<Account | undefined> {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, id));
  return account;
}

/** By id; who does not exist is missing. */
export function findAccounts(db: Database, ids: string[]): Promise<Map<string, Account>> {
  return accountsFinder(db)(ids);
}

/** The same, and none of them ends before the transaction does. */
export function holdAccounts(tx: Database, ids: string[]): Promise<Map<string, Account>> {
  return accountsHolder(tx)(ids);
}

const accountsById = (db: Database) =>
  db
    .select()
    .from(accounts)
    .where(isOneOf(accounts.id, sql.placeholder('ids')));

/** The same for whoever asks all the time. */
export const accountsFinder = oncePerDatabase((db) => asked(accountsById(db).prepare('accounts')));
const accountsHolder = oncePerDatabase((db) =>
  asked(accountsById(db).for('key share').prepare('held_accounts')),
);

function asked(query: { execute(values: { ids: string[] }): Promise<Account[]> }) {
  return async (ids: string[]): Promise<Map<string, Account>> =>
    new Map((await query.execute({ ids })).map((account) => [account.id, account]));
}

/** `email` as parseEmailAddress spells it. */
export async function findAccountByEmail(db: Database, email: string): Promise<Account | undefined> {
  const [account] = await db.select().from(accounts).where(eq(accounts.email, email));
  return account;
}

export type NewAccount = {
  /** Proven a moment ago: the caller's flow has `verifiedAt`, or a provider vouches for it. */
  email: string;
  name?: string | null | undefined;
  passwordHash?: string | null | undefined;
  /** The social provider that vouched for the address, instead of a proof of ours (ownership.ts). */
  vouchedBy?: string | null | undefined;
  locale: string;
  now: Date;
};

/**
 * The account of this address: a new one, or the existing one when a parallel registration was faster (attack 41).
 * Whoever asks has proven the address, so that account is theirs; the name and password given here are then dropped.
 */
export async function createAccount(tx: Database, account: NewAccount): Promise<Account> {
  const { email, name = null, passwordHash = null, vouchedBy = null, locale, now } = account;
  const row = { id: newId('acc'), email, emailVerified: true, name, locale, passwordHash, vouchedBy };
  const [created] = await tx
    .insert(accounts)
    .values({ ...row, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: accounts.email })
    .returning();
  // After the write: whoever gave the address up at the same moment has committed by now (docs/decisions/0602).
  if (created && (await isReserved(tx, { email, now })))
    throw new TollgateError('address_reserved', 'This address was given up and can still be taken back.');
  const found = created ?? (await findAccountByEmail(tx, email));
  if (!found) throw new TollgateError('conflict', 'This account was just removed. Please start again.');
  return found;
}

/**
 * Ends what the old password may have let in: every pending code and proof of this address (attacks 37, 39), except
 * in the flow `uid`, which is setting the password. The caller ends sessions and tokens and sends the notice.
 */
export async function setPassword(
  tx: Database,
  change: { accountId: string; passwordHash: string; uid?: string; now: Date },
): Promise<void> {
  const { accountId, passwordHash, uid, now } = change;
  const [account] = await tx
    .update(accounts)
    .set({ passwordHash, updatedAt: now })
    .where(eq(accounts.id, accountId))
    .returning({ email: accounts.email });
  if (!account) throw new TollgateError('not_found', 'This account no longer exists.');
  await endFlowsOfAddress(tx, { email: account.email, exceptUid: uid, now });
  await endPendingChanges(tx, { accountId, now });
}

/** A code by mail, a passkey or a linked provider remain; the caller ends sessions and sends the notice. */
export async function removePassword(tx: Database, change: { accountId: string; now: Date }): Promise<void> {
  const { accountId, now } = change;
  await tx.update(accounts).set({ passwordHash: null, updatedAt: now }).where(eq(accounts.id, accountId));
}

export async function setName(
  tx: Database,
  change: { accountId: string; name: string | null; now: Date },
): Promise<void> {
  const { accountId, name, now } = change;
  await tx.update(accounts).set({ name, updatedAt: now }).where(eq(accounts.id, accountId));
}

/** Control characters end mail headers and log lines; the others turn the rest of a line around. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** A name as stored: trimmed, one space between words, at most 100 characters; undefined when it is none. */
export function parsePersonName(input: unknown): string | undefined {
  if (typeof input !== 'string') return undefined;
  const name = input
    .normalize('NFC')
    .trim()
    .replaceAll(/\p{Zs}+/gu, ' ');
  if (name === '' || UNPRINTABLE.test(name) || !name.isWellFormed()) return undefined;
  return [...name].length <= personNameCharacters ? name : undefined;
}
