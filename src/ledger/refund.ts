// Money back. To a company: the price of an event that it should not have paid. To whoever paid a top-up: what the
// payment's provider has returned leaves the balance again, as far as it is still there (docs/decisions/0502).
import { eq, inArray } from 'drizzle-orm';
import { payments } from '../../drizzle/schema/balances.ts';
import { transfers } from '../../drizzle/schema/transfers.ts';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { refundsPerRead } from '../limits/payments.ts';
import { type Balance, readBalance } from './balance.ts';
import { requireReason } from './correction.ts';
import { fundingAccount, usageAccount } from './ledger-accounts.ts';
import { post } from './posting.ts';

export type EventRefund = { eventId: string; reason: string; actor: string; now: Date };

/**
 * The whole price, once: UNIQUE (reverses) also excludes a refund of what was reversed. The event then reads
 * `reversed`. @throws TollgateError not_found, conflict
 */
export async function refundEvent(
  tx: Database,
  input: EventRefund,
): Promise<{ applicationId: string; amount: bigint; balance: Balance }> {
  const reason = requireReason(input.reason);
  const [event] = await tx.select().from(usageEvents).where(eq(usageEvents.id, input.eventId));
  if (!event) throw new TollgateError('not_found', `There is no event "${input.eventId}".`);
  const { applicationId, amount } = event;
  if (amount === 0n) throw new TollgateError('invalid_request', 'This event was free of charge.');
  const posted = await post(tx, {
    applicationId,
    code: 'refund',
    change: amount,
    currency: event.currency,
    otherAccount: usageAccount(applicationId),
    reference: `refund:${event.transferId}`,
    reverses: event.transferId,
    reason,
    actor: input.actor,
    now: input.now,
  });
  if (!posted) throw new TollgateError('conflict', 'The charge of this event was already taken back.');
  return { applicationId, amount, balance: await readBalance(tx, applicationId) };
}

export type PaymentRefund = {
  provider: string;
  paymentId: string;
  /** Micro-units: everything that the provider has returned of this payment so far. */
  refundedInAll: bigint;
  currency: string;
  now: Date;
};

export type PaymentRefunded =
  | { result: 'unknown' | 'not_credited' | 'pending' | 'wrong_amount' | 'nothing_new' }
  /** `missing`: returned by the provider, but the balance no longer had it. */
  | { result: 'refunded'; applicationId: string; amount: bigint; missing: bigint };

/** The provider says how much in all, so notifications may come twice, at once or in any order. */
export async function refundPayment(tx: Database, input: PaymentRefund): Promise<PaymentRefunded> {
  const [payment] = await tx.select().from(payments).where(eq(payments.id, input.paymentId)).for('update');
  if (!payment || payment.provider !== input.provider) return { result: 'unknown' };
  if (payment.status !== 'paid') return { result: payment.status === 'pending' ? 'pending' : 'not_credited' };
  if (payment.currency !== input.currency || input.refundedInAll > payment.amount)
    return { result: 'wrong_amount' };
  const { applicationId, currency } = payment;
  const earlier = await earlierRefunds(tx, payment);
  const due = input.refundedInAll - earlier.reduce((sum, { amount }) => sum + amount, 0n);
  if (due <= 0n) return { result: 'nothing_new' };
  const { amount: balance } = await readBalance(tx, applicationId, { forUpdate: true });
  const amount = due < balance ? due : balance;
  if (amount > 0n) {
    await post(tx, {
      applicationId,
      code: 'refund',
      change: -amount,
      currency,
      otherAccount: fundingAccount(applicationId),
      reference: paymentRefundReference(payment, earlier.length + 1),
      reason: `Payment ${payment.id} was returned at ${input.provider}.`,
      actor: input.provider,
      now: input.now,
    });
  }
  return { result: 'refunded', applicationId, amount, missing: due - amount };
}

/** Numbered without a gap, so that all of them are found by name, without a search through the application's transfers. */
async function earlierRefunds(tx: Database, payment: { id: string; provider: string }) {
  const found: { amount: bigint }[] = [];
  for (let isMore = true; isMore; ) {
    const names = Array.from({ length: refundsPerRead }, (_, index) =>
      paymentRefundReference(payment, found.length + index + 1),
    );
    const some = await tx
      .select({ amount: transfers.amount })
      .from(transfers)
      .where(inArray(transfers.reference, names));
    found.push(...some);
    isMore = some.length === refundsPerRead;
  }
  return found;
}

function paymentRefundReference({ id, provider }: { id: string; provider: string }, number: number): string {
  return `refund:${provider}:${id}:${number}`;
}
