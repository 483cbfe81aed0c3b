// Payments that a company begins on its balance page: each is written down before its provider hears of
// it, and whatever the provider says about it later, however often and in whatever order, credits it at most once.
import { and, desc, eq, gt, lt, or } from 'drizzle-orm';
import { payments } from '../../drizzle/schema/balances.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import type { Database } from '../database/connection.ts';
import { type Place, paginationBy } from '../database/pagination.ts';
import { newId } from '../id.ts';
import { paymentAskedAfterSeconds, paymentAskedUntilSeconds, paymentsPerRound } from '../limits/payments.ts';
import { topUp } from './balance.ts';

export type Payment = typeof payments.$inferSelect;

export type NewPayment = {
  applicationId: string;
  provider: string;
  /** Micro-units, more than zero. */
  amount: bigint;
  currency: string;
  /** The account of the member who pays. */
  startedBy: string;
  now: Date;
};

export async function startPayment(tx: Database, { now, ...input }: NewPayment): Promise<Payment> {
  const payment: Payment = {
    id: newId('pay'),
    ...input,
    providerReference: null,
    status: 'pending',
    createdAt: now,
    settledAt: null,
  };
  await tx.insert(payments).values(payment);
  return payment;
}

/** The provider has answered; a notification may have come before its answer. */
export async function notePaymentReference(
  db: Database,
  { paymentId, providerReference }: { paymentId: string; providerReference: string },
): Promise<void> {
  await db.update(payments).set({ providerReference }).where(eq(payments.id, paymentId));
}

/** Nobody was sent to the provider, so nobody can pay it. */
export async function abandonPayment(
  db: Database,
  { paymentId, now }: { paymentId: string; now: Date },
): Promise<void> {
  await db
    .update(payments)
    .set({ status: 'failed', settledAt: now })
    .where(and(eq(payments.id, paymentId), eq(payments.status, 'pending')));
}

export async function findPayment(
  db: Database,
  { applicationId, id }: { applicationId: string; id: string },
): Promise<Payment | undefined> {
  const [payment] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.id, id), eq(payments.applicationId, applicationId)));
  return payment;
}

/** Newest first. */
export function listPayments(
  db: Database,
  { applicationId, limit }: { applicationId: string; limit: number },
): Promise<Payment[]> {
  return db
    .select()
    .from(payments)
    .where(eq(payments.applicationId, applicationId))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(limit);
}

const byAge = paginationBy(payments.createdAt, payments.id);

/** Pending for so long that a notification may have been lost, and not so long that asking is of no use. Oldest first. */
export function listDoubtfulPayments(
  db: Database,
  { now, after }: { now: Date; after: Place | undefined },
): Promise<Payment[]> {
  return db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.status, 'pending'),
        lt(payments.createdAt, secondsAfter(now, -paymentAskedAfterSeconds)),
        gt(payments.createdAt, secondsAfter(now, -paymentAskedUntilSeconds)),
        byAge.newerThan(after),
      ),
    )
    .orderBy(...byAge.oldestFirst)
    .limit(paymentsPerRound);
}

/** What a provider says has become of a payment. */
export type Settlement = {
  provider: string;
  /** Our id, as the provider got it from us. */
  paymentId: string;
  providerReference: string;
  outcome: 'paid' | 'failed' | 'expired';
  /** Micro-units. */
  amount: bigint;
  currency: string;
  clock: Clock;
};

/** Everything but `credited` leaves the balance as it is. */
export type Settled = 'credited' | 'known' | 'closed' | 'unknown' | 'other_reference' | 'wrong_amount';

/** The payment's row is held until the commit; the ledger's UNIQUE reference would refuse a second credit anyway. */
export async function settlePayment(tx: Database, settlement: Settlement): Promise<Settled> {
  const { provider, paymentId, providerReference, outcome } = settlement;
  const now = settlement.clock();
  const candidates = await tx
    .select()
    .from(payments)
    .where(or(eq(payments.id, paymentId), eq(payments.providerReference, providerReference)))
    .for('update');
  const payment = candidates.find(({ id }) => id === paymentId);
  if (!payment || payment.provider !== provider) return 'unknown';
  const isOther = payment.providerReference !== null && payment.providerReference !== providerReference;
  if (isOther || candidates.length > 1) return 'other_reference';
  if (payment.status === 'paid') return 'known';
  const close = (status: Payment['status']) =>
    tx.update(payments).set({ status, providerReference, settledAt: now }).where(eq(payments.id, paymentId));
  if (outcome !== 'paid') {
    if (payment.status !== 'pending') return 'known';
    await close(outcome);
    return 'closed';
  }
  if (payment.amount !== settlement.amount || payment.currency !== settlement.currency) {
    await close('failed');
    return 'wrong_amount';
  }
  await topUp(tx, {
    applicationId: payment.applicationId,
    amount: payment.amount,
    reference: topUpReference(payment),
    reason: `Payment ${payment.id}`,
    actor: payment.startedBy,
    now,
  });
  await close('paid');
  return 'credited';
}

function topUpReference({ provider, id }: Pick<Payment, 'provider' | 'id'>): string {
  return `${provider}:${id}`;
}
