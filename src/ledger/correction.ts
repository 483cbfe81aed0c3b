// What an operator changes by hand, as an entry of its own with a reason and an actor: nothing in the books is ever
// edited (threat 75).
import { eq } from 'drizzle-orm';
import { transfers } from '../../drizzle/schema/transfers.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { type Balance, readBalance } from './balance.ts';
import { fundingAccount } from './ledger-accounts.ts';
import { post } from './posting.ts';

export type Correction = {
  applicationId: string;
  /** Micro-units, not zero: what the balance gains, or loses when it is less than zero. */
  change: bigint;
  /** Without one, each call is a correction of its own. */
  reference?: string | undefined;
  reason: string;
  /** An account's id, or `operator`. */
  actor: string;
  now: Date;
};

/**
 * @returns whether money moved: false when this reference was used before for the same correction.
 * @throws TollgateError invalid_request, or conflict when the balance would go below zero.
 */
export async function correctBalance(
  tx: Database,
  input: Correction,
): Promise<{ corrected: boolean; balance: Balance }> {
  if (input.change === 0n)
    throw new TollgateError('invalid_request', 'A correction of zero changes nothing.');
  const reason = requireReason(input.reason);
  const { applicationId, change, actor, now } = input;
  const { currency } = await readBalance(tx, applicationId);
  const reference = `correction:${requireReference(input.reference ?? newId('trf'))}`;
  const posted = await post(tx, {
    applicationId,
    code: 'correction',
    change,
    currency,
    otherAccount: fundingAccount(applicationId),
    reference,
    reason,
    actor,
    now,
  });
  if (!posted) await requireSameCorrection(tx, reference, input);
  return { corrected: posted !== undefined, balance: await readBalance(tx, applicationId) };
}

export function requireReason(text: string): string {
  const reason = text.trim();
  if (reason !== '' && reason.length <= 500 && !/\p{Cc}/u.test(reason)) return reason;
  throw new TollgateError('invalid_request', 'The reason is one line of 1 to 500 characters.');
}

function requireReference(reference: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(reference)) return reference;
  throw new TollgateError(
    'invalid_request',
    'The reference has 1 to 200 printable characters without spaces.',
  );
}

async function requireSameCorrection(tx: Database, reference: string, input: Correction): Promise<void> {
  const [earlier] = await tx.select().from(transfers).where(eq(transfers.reference, reference));
  const isLoss = earlier?.creditAccount === fundingAccount(input.applicationId);
  const change = isLoss ? -(earlier?.amount ?? 0n) : earlier?.amount;
  if (earlier?.applicationId === input.applicationId && change === input.change) return;
  throw new TollgateError(
    'conflict',
    'This reference was already used for another amount or another application.',
  );
}
