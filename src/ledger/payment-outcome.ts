// What a provider tells of a payment, put into the books and said in the log: for its notifications and for its answers
// when it is asked. Each call is a transaction of its own, and any number of them for one payment credit it once.
import type { Clock } from '../clock.ts';
import { type Database, transaction } from '../database/connection.ts';
import type { Place } from '../database/pagination.ts';
import { paymentsPerRound } from '../limits/payments.ts';
import type { Log } from '../log.ts';
import { formatAmount } from '../money.ts';
import type { PaymentProvider, ProviderPayment, ProviderRefund } from '../payments/provider.ts';
import {
  abandonPayment,
  listDoubtfulPayments,
  type Payment,
  type Settled,
  settlePayment,
} from './payment.ts';
import { type PaymentRefunded, refundPayment } from './refund.ts';

export type Bookkeeping = { db: Database; clock: Clock; log: Log };

export async function recordPayment(
  { db, clock, log }: Bookkeeping,
  provider: string,
  told: ProviderPayment,
): Promise<Settled | 'under_way'> {
  const { outcome, ...rest } = told;
  if (outcome === 'under_way') return 'under_way';
  const result = await transaction(db, (tx) => settlePayment(tx, { provider, outcome, ...rest, clock }));
  const line = { provider, payment: told.paymentId, at: told.providerReference, outcome };
  const amount = { amount: formatAmount(told.amount), currency: told.currency };
  if (result === 'credited') log.info({ ...line, ...amount }, 'payment credited');
  if (result === 'closed') log.info(line, 'payment not made');
  if (result === 'unknown')
    log.warn({ ...line, ...amount }, 'a payment that is not in our books; not credited');
  if (result === 'wrong_amount' && outcome === 'paid')
    log.error({ ...line, ...amount }, 'paid in another amount or currency than agreed; not credited');
  if (result === 'other_reference')
    log.error({ ...line, ...amount }, 'a payment under the name of another one; not credited');
  return result;
}

export async function recordRefund(
  { db, clock, log }: Bookkeeping,
  provider: string,
  told: ProviderRefund,
): Promise<PaymentRefunded['result']> {
  const refunded = await transaction(db, (tx) => refundPayment(tx, { provider, ...told, now: clock() }));
  const { result } = refunded;
  const line = { provider, payment: told.paymentId, refundedInAll: formatAmount(told.refundedInAll) };
  if (result === 'refunded') {
    const { amount, missing } = refunded;
    log.info({ ...line, amount: formatAmount(amount) }, 'payment returned');
    if (missing > 0n)
      log.error({ ...line, missing: formatAmount(missing) }, 'more was returned than the balance still had');
    return result;
  }
  if (result === 'unknown') log.warn(line, 'a returned payment that is not in our books');
  if (result === 'wrong_amount') log.error(line, 'more, or another currency, was returned than was paid');
  return result;
}

/** @returns what became of it, or undefined when the provider knows nothing of it either. */
export async function askAboutPayment(
  bookkeeping: Bookkeeping,
  provider: PaymentProvider,
  payment: Payment,
): Promise<Settled | 'under_way' | undefined> {
  // The provider never answered, so nobody was sent to it.
  if (payment.providerReference === null) {
    await abandonPayment(bookkeeping.db, { paymentId: payment.id, now: bookkeeping.clock() });
    return 'closed';
  }
  const told = await provider.lookUp(payment.providerReference);
  return told && recordPayment(bookkeeping, provider.name, told);
}

/**
 * For notifications that were lost, a bite of them, oldest first; one that cannot be asked about does not hold up the
 * others. @returns where the next bite begins; undefined: with the oldest again.
 */
export async function askAboutDoubtfulPayments(
  bookkeeping: Bookkeeping,
  provider: PaymentProvider,
  after?: Place,
): Promise<Place | undefined> {
  const bite = await listDoubtfulPayments(bookkeeping.db, { now: bookkeeping.clock(), after });
  for (const payment of bite) {
    if (payment.provider !== provider.name) continue;
    try {
      await askAboutPayment(bookkeeping, provider, payment);
    } catch (error) {
      bookkeeping.log.warn({ err: error, payment: payment.id }, 'a payment could not be asked about');
    }
  }
  const last = bite.length === paymentsPerRound ? bite.at(-1) : undefined;
  return last && { time: last.createdAt, id: last.id };
}
