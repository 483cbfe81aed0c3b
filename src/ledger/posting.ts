// Writing a transfer other than a charge: once per reference, together with the balance that it changes, and never
// below zero. In the caller's transaction.
import type { Database } from '../database/connection.ts';
import { newId } from '../id.ts';
import { changeBalance } from './balance-change.ts';
import { applicationAccount } from './ledger-accounts.ts';
import { writeTransfer } from './transfer.ts';

export type Posting = {
  applicationId: string;
  code: 'refund' | 'correction';
  /** Micro-units: what the balance gains (more than zero) or loses (less than zero). */
  change: bigint;
  currency: string;
  /** Where the money comes from or goes to. */
  otherAccount: string;
  reference: string;
  reverses?: string;
  reason: string;
  actor: string;
  now: Date;
};

/**
 * @returns the transfer's id, or undefined when this reference, or another transfer back, was there before.
 * @throws TollgateError conflict when the balance does not allow it; the caller must roll back.
 */
export async function post(tx: Database, posting: Posting): Promise<string | undefined> {
  const { applicationId, change, otherAccount } = posting;
  const isGain = change > 0n;
  const own = applicationAccount(applicationId);
  const id = newId('trf');
  const isFirst = await writeTransfer(tx, {
    id,
    applicationId,
    code: posting.code,
    debitAccount: isGain ? otherAccount : own,
    creditAccount: isGain ? own : otherAccount,
    amount: isGain ? change : -change,
    currency: posting.currency,
    reference: posting.reference,
    reverses: posting.reverses ?? null,
    reason: posting.reason,
    actor: posting.actor,
    createdAt: posting.now,
  });
  if (!isFirst) return undefined;
  await changeBalance(tx, { ...posting, at: posting.now });
  return id;
}
