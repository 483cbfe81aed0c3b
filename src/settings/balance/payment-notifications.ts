// Where Stripe tells what became of a payment: {base_url}/payments/stripe. The status says whether it makes sense to
// tell it again (docs/decisions/0502): 2xx for whatever we have understood, even if it credits nothing; 400 for what
// Stripe has not signed; 409 for what comes too early; 503 while the database is away.
import type { Context, Middleware } from 'koa';
import { TollgateError } from '../../errors.ts';
import { readBody } from '../../http/form.ts';
import { ipAddressKey, type RateLimiter } from '../../http/rate-limit.ts';
import { about } from '../../http/routing.ts';
import { type Bookkeeping, recordPayment, recordRefund } from '../../ledger/payment-outcome.ts';
import { stripeEventBytes } from '../../limits/payments.ts';
import type { Notification, PaymentProvider } from '../../payments/provider.ts';

const NOTIFICATIONS_PATH = '/payments/stripe';

export function receivePaymentNotifications(
  bookkeeping: Bookkeeping & { rateLimiter: RateLimiter },
  provider: PaymentProvider | undefined,
): Middleware {
  return about([NOTIFICATIONS_PATH], async (ctx, next) => {
    if (!provider) return next();
    if (ctx.method !== 'POST')
      throw new TollgateError('method_not_allowed', 'This address takes notifications of Stripe.');
    await bookkeeping.rateLimiter.consume('payment_notifications', ipAddressKey(ctx.state.ipAddress));
    const notification = await readNotification(ctx, bookkeeping, provider);
    const result = await record(bookkeeping, provider, notification);
    ctx.type = 'application/json';
    ctx.body = JSON.stringify({ received: true, result });
  });
}

async function readNotification(
  ctx: Context,
  { log }: Bookkeeping,
  provider: PaymentProvider,
): Promise<Notification> {
  const body = await readBody(ctx, stripeEventBytes);
  try {
    return await provider.readNotification(body.toString('utf8'), ctx.get('stripe-signature'));
  } catch (error) {
    log.warn({ err: error, provider: provider.name }, 'payment notification refused');
    throw error;
  }
}

async function record(
  bookkeeping: Bookkeeping,
  provider: PaymentProvider,
  notification: Notification,
): Promise<string> {
  if (notification.about === 'nothing') return 'ignored';
  if (notification.about === 'payment')
    return recordPayment(bookkeeping, provider.name, notification.payment);
  const result = await recordRefund(bookkeeping, provider.name, notification.refund);
  // The payment itself was not told of yet; its notification is on the way.
  if (result === 'pending') throw new TollgateError('conflict', 'This payment is not credited yet.');
  return result;
}
