// A person's account: one verified e-mail address, global to the service. An account is made only from the
// proof of its address, by a one-time code or a social provider's word, so nobody can prepare one for somebody else
// (threat 40); ownership.ts is about providers that were wrong.
import { and, eq, isNull, sql } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { type Database, isOneOf, oncePerDatabase } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { personNameCharacters } from '../limits/requests.ts';
import { endPendingChanges, isReserved } from './email-return.ts';
import { FIRST_GENERATION, holdProof, type Proof, useProof } from './proof.ts';

export type Account = typeof accounts.$inferSelect;

export async function findAccount(db: Database, id: string): Promise<Account | undefined> {
  const [account] = await db.select().from(accounts).where(isThere(id));
  return account;
}

/** By id; who does not exist is missing. */
export function findAccounts(db: Database, ids: string[]): Promise<Map<string, Account>> {
  return accountsFinder(db)(ids);
}

/** The same, and none of them ends before the transaction does. Who does not wait misses whom somebody else holds. */
export function lockAccounts(
  tx: Database,
  ids: string[],
  { waits = true } = {},
): Promise<Map<string, Account>> {
  return (waits ? accountsHolder : accountsHolderNow)(tx)(ids);
}

const accountsById = (db: Database) =>
  db
    .select()
    .from(accounts)
    .where(and(isOneOf(accounts.id, sql.placeholder('ids')), isNull(accounts.deletedAt)));

/** The same for whoever asks all the time. */
export const accountsFinder = oncePerDatabase((db) => asked(accountsById(db).prepare('accounts')));
const accountsHolder = oncePerDatabase((db) =>
  asked(accountsById(db).for('key share').prepare('held_accounts')),
);
const accountsHolderNow = oncePerDatabase((db) =>
  asked(accountsById(db).for('key share', { skipLocked: true }).prepare('held_accounts_now')),
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
  /** Of a mailbox that nobody had. */
  proof: Proof;
  name?: string | null | undefined;
  passwordHash?: string | null | undefined;
  locale: string;
  now: Date;
};

/**
 * The account that this proof may make, made by the first call; later ones find it. undefined when the address was
 * registered elsewhere in the meantime: a proof older than an account does not open it.
 */
export async function createAccount(tx: Database, account: NewAccount): Promise<Account | undefined> {
  const { proof, name = null, passwordHash = null, locale, now } = account;
  const { accountId: id, mailbox: email } = proof;
  if (!proof.isNewAccount || !id || !email) throw new Error('a proof that may not make an account');
  if (!(await holdProof(tx, proof.id))) return undefined;
  if (!(await useProof(tx, { proofId: proof.id, use: 'create_account', now }))) return findAccount(tx, id);
  const [created] = await tx
    .insert(accounts)
    .values({
      id,
      email,
      emailVerified: true,
      vouchedBy: proof.provider,
      mailboxProofId: proof.id,
      generation: FIRST_GENERATION,
      name,
      locale,
      passwordHash,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: accounts.email })
    .returning();
  // After the write: whoever gave the address up at the same moment has committed by now (docs/decisions/0602).
  if (created && (await isReserved(tx, { email, now })))
    throw new TollgateError('address_reserved', 'This address was given up and can still be taken back.');
  return created;
}

/** Whose owner has ended it is nobody's any more, until what belonged to it is gone. */
function isThere(id: string) {
  return and(eq(accounts.id, id), isNull(accounts.deletedAt));
}

/** The caller raises the generation and sends the notice. */
export async function setPassword(
  tx: Database,
  change: { accountId: string; passwordHash: string; now: Date },
): Promise<void> {
  const { accountId, passwordHash, now } = change;
  await tx.update(accounts).set({ passwordHash, updatedAt: now }).where(eq(accounts.id, accountId));
  await endPendingChanges(tx, { accountId, now });
}

/** A code by mail, a passkey or a linked provider remain. The caller raises the generation and sends the notice. */
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
