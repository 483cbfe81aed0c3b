// The OAuth balance of an application: reading it, and topping it up exactly once per reference.
import { eq } from 'drizzle-orm';
import { balances } from '../../drizzle/schema/balances.ts';
import { transfers } from '../../drizzle/schema/transfers.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { changeBalance } from './balance-change.ts';
import { applicationAccount, fundingAccount } from './ledger-accounts.ts';
import { writeTransfer } from './transfer.ts';

export type Balance = { amount: bigint; currency: string };

/** `forUpdate` holds it as it is until the transaction ends. @throws TollgateError not_found */
export async function readBalance(
  db: Database,
  applicationId: string,
  { forUpdate = false } = {},
): Promise<Balance> {
  const query = db.select().from(balances).where(eq(balances.applicationId, applicationId));
  const [balance] = await (forUpdate ? query.for('update') : query);
  if (!balance) throw new TollgateError('not_found', 'There is no such application.');
  return { amount: balance.amount, currency: balance.currency };
}

/** By application. */
export async function readBalances(db: Database, applicationIds: string[]): Promise<Map<string, Balance>> {
  const { applicationId, amount, currency } = balances;
  const rows = await db
    .select({ applicationId, amount, currency })
    .from(balances)
    .where(isOneOf(applicationId, applicationIds));
  return new Map(rows.map((row) => [row.applicationId, { amount: row.amount, currency: row.currency }]));
}

export type TopUp = {
  applicationId: string;
  /** Micro-units, more than zero. */
  amount: bigint;
  /** The payment's own name, for example an invoice number: the same one is credited once, however often it is sent. */
  reference: string;
  reason?: string;
  /** An account's id, or `operator`. */
  actor?: string;
  now: Date;
};

/**
 * @returns whether money moved: false when this reference was credited before with the same amount.
 * @throws TollgateError conflict when it was credited with another amount or to another application.
 */
export async function topUp(tx: Database, input: TopUp): Promise<{ credited: boolean; balance: Balance }> {
  if (input.amount <= 0n) throw new TollgateError('invalid_request', 'The amount must be more than zero.');
  if (!/^[\x21-\x7e]{1,200}$/.test(input.reference)) {
    throw new TollgateError(
      'invalid_request',
      'The reference has 1 to 200 printable characters without spaces.',
    );
  }
  const { currency } = await readBalance(tx, input.applicationId);
  const reference = `top_up:${input.reference}`;
  const isFirst = await writeTransfer(tx, {
    id: newId('trf'),
    applicationId: input.applicationId,
    code: 'top_up',
    debitAccount: fundingAccount(input.applicationId),
    creditAccount: applicationAccount(input.applicationId),
    amount: input.amount,
    currency,
    reference,
    reason: input.reason ?? null,
    actor: input.actor ?? null,
    createdAt: input.now,
  });
  if (!isFirst) {
    await requireSameTopUp(tx, reference, input);
    return { credited: false, balance: await readBalance(tx, input.applicationId) };
  }
  await changeBalance(tx, { ...input, change: input.amount, currency, at: input.now });
  return { credited: true, balance: await readBalance(tx, input.applicationId) };
}

async function requireSameTopUp(tx: Database, reference: string, input: TopUp): Promise<void> {
  const [earlier] = await tx.select().from(transfers).where(eq(transfers.reference, reference));
  if (earlier?.applicationId === input.applicationId && earlier.amount === input.amount) return;
  throw new TollgateError(
    'conflict',
    'This reference was already credited with another amount or to another application.',
  );
}
