// What Stripe tells us, as our own words (src/payments/provider.ts). The library has proven who says it; here its shape is
// checked, so that a wrong kind of number never reaches the books (threat 74).
import { z } from 'zod';
import { TollgateError } from '../errors.ts';
import type { Notification, ProviderPayment } from './provider.ts';
import { fromStripeAmount } from './stripe-amount.ts';

/** Of a Checkout Session; Stripe sends many more. */
const sessionSchema = z.object({
  id: z.string().min(1).max(255),
  client_reference_id: z.string().nullable(),
  status: z.enum(['open', 'complete', 'expired']).nullable(),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  amount_total: z.int().positive(),
  currency: z.string().regex(/^[a-z]{3}$/),
  metadata: z.record(z.string(), z.string()).nullable(),
  /** Only an id, unless we asked for more. */
  payment_intent: z.union([z.string(), z.object({ status: z.string() })]).nullish(),
});
const chargeSchema = z.object({
  amount_refunded: z.int().nonnegative(),
  currency: z.string().regex(/^[a-z]{3}$/),
  metadata: z.record(z.string(), z.string()),
});
const eventSchema = z.object({
  id: z.string().min(1).max(255),
  type: z.string().max(255),
  data: z.object({ object: z.unknown() }),
});

/** How Stripe names our payment in its answers; only what carries it is ours. */
export const PAYMENT_ID = 'tollgate_payment';

/** @throws TollgateError invalid_request */
export function notificationOf(event: unknown): Notification {
  const { id, type, data } = parse(eventSchema, event);
  const nothing: Notification = { about: 'nothing', id, type };
  if (type === 'charge.refunded') {
    const charge = parse(chargeSchema, data.object);
    const paymentId = charge.metadata[PAYMENT_ID];
    if (paymentId === undefined) return nothing;
    const currency = charge.currency.toUpperCase();
    const refundedInAll = fromStripeAmount(charge.amount_refunded, currency);
    return { about: 'refund', id, refund: { paymentId, refundedInAll, currency } };
  }
  if (!type.startsWith('checkout.session.')) return nothing;
  const payment = paymentOf(data.object);
  if (!payment) return nothing;
  // The event says more than the session in it: "unpaid" may be on its way, or never come.
  const isFailure = type === 'checkout.session.async_payment_failed' && payment.outcome !== 'paid';
  return { about: 'payment', id, payment: isFailure ? { ...payment, outcome: 'failed' } : payment };
}

/** undefined: not one of ours. */
export function paymentOf(object: unknown): ProviderPayment | undefined {
  const isOurs = z.object({ metadata: z.object({ [PAYMENT_ID]: z.string() }) }).safeParse(object).success;
  if (!isOurs) return undefined;
  const session = parse(sessionSchema, object);
  const paymentId = session.metadata?.[PAYMENT_ID];
  if (paymentId === undefined || paymentId !== session.client_reference_id)
    throw refused('The session names two payments.');
  const currency = session.currency.toUpperCase();
  return {
    paymentId,
    providerReference: session.id,
    outcome: outcomeOf(session),
    amount: fromStripeAmount(session.amount_total, currency),
    currency,
  };
}

/** A transfer that bounced leaves the session complete, and its payment waiting for another way to pay. */
const FAILED_INTENTS = ['requires_payment_method', 'canceled'];

function outcomeOf(session: z.infer<typeof sessionSchema>): ProviderPayment['outcome'] {
  const { status, payment_status, payment_intent: intent } = session;
  if (payment_status === 'paid') return 'paid';
  if (status === 'expired') return 'expired';
  const hasFailed = typeof intent === 'object' && intent !== null && FAILED_INTENTS.includes(intent.status);
  return status === 'complete' && hasFailed ? 'failed' : 'under_way';
}

function parse<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refused(`The event cannot be used: ${issue?.path.join('.')}: ${issue?.message}.`);
}

function refused(description: string): TollgateError {
  return new TollgateError('invalid_request', description);
}
