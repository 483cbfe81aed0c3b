// Stripe Checkout through Stripe's own library, as a payment provider (src/payments/provider.ts). What arrives from Stripe is
// checked twice: its signature by the library, its shape here. The library is loaded at its first use: a service
// without Stripe does not pay for it.
import type Stripe from 'stripe';
import { type Clock, secondsAfter } from '../clock.ts';
import type { StripeConfig } from '../config/payments.ts';
import { TollgateError } from '../errors.ts';
import { checkoutSeconds, stripeRequestMilliseconds, stripeSignatureSeconds } from '../limits/payments.ts';
import type { PaymentProvider, PaymentToStart } from './provider.ts';
import { refusalOf, toStripeAmount } from './stripe-amount.ts';
import { notificationOf, PAYMENT_ID, paymentOf } from './stripe-notification.ts';

export function createStripePayments(options: StripeConfig & { clock: Clock }): PaymentProvider {
  const { clock, webhookSecret } = options;
  let loaded: Promise<Stripe> | undefined;
  const client = () => {
    loaded ??= load(options);
    return loaded;
  };
  return {
    name: 'stripe',
    title: 'Stripe',
    pagesOrigin: options.apiUrl ? new URL(options.apiUrl).origin : 'https://checkout.stripe.com',
    refusalOf,
    async start(payment) {
      const stripe = await client();
      const session = await answerOf(
        stripe.checkout.sessions.create(checkoutOf(payment), { idempotencyKey: payment.paymentId }),
      );
      if (session.url) return { providerReference: session.id, url: session.url };
      throw new TollgateError('server_error', 'Something went wrong on our side.', {
        detail: 'Stripe gave no address to pay at',
      });
    },
    async lookUp(providerReference) {
      const stripe = await client();
      const session = await answerOf(
        stripe.checkout.sessions.retrieve(providerReference, { expand: ['payment_intent'] }),
      );
      return paymentOf(session);
    },
    async readNotification(body, signature) {
      const stripe = await client();
      const now = clock().getTime();
      const event = await stripe.webhooks
        .constructEventAsync(body, signature, webhookSecret, stripeSignatureSeconds, undefined, now)
        .catch((error: unknown) => {
          throw new TollgateError('invalid_request', 'The signature is missing, old or wrong.', {
            detail: error instanceof Error ? error.message.split('\n')[0] : undefined,
          });
        });
      return notificationOf(event);
    },
    async tryKey() {
      const stripe = await client();
      try {
        await stripe.checkout.sessions.list({ limit: 1 });
        return undefined;
      } catch (error) {
        return reasonOf(error);
      }
    },
  };
}

async function load({ secretKey, apiUrl }: StripeConfig): Promise<Stripe> {
  const { default: StripeClient } = await import('stripe');
  const url = apiUrl === undefined ? undefined : new URL(apiUrl);
  return new StripeClient(secretKey, {
    timeout: stripeRequestMilliseconds,
    maxNetworkRetries: 1,
    telemetry: false,
    appInfo: { name: 'Tollgate' },
    ...(url && {
      host: url.hostname,
      port: url.port || (url.protocol === 'http:' ? '80' : '443'),
      protocol: url.protocol === 'http:' ? ('http' as const) : ('https' as const),
    }),
  });
}

function checkoutOf(payment: PaymentToStart): Stripe.Checkout.SessionCreateParams {
  const { paymentId, amount, currency } = payment;
  const unit_amount = toStripeAmount(amount, currency);
  if (unit_amount === undefined)
    throw new TollgateError('invalid_request', 'Stripe cannot take this amount.');
  const metadata = { [PAYMENT_ID]: paymentId };
  return {
    mode: 'payment',
    client_reference_id: paymentId,
    metadata,
    // Stripe copies it to the charge, so that a refund names the payment too.
    payment_intent_data: { metadata, description: payment.description },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount,
          product_data: { name: payment.description },
        },
      },
    ],
    customer_email: payment.email,
    // What is paid must be what is credited, to the last digit.
    adaptive_pricing: { enabled: false },
    success_url: payment.successUrl,
    cancel_url: payment.cancelUrl,
    expires_at: Math.floor(secondsAfter(payment.createdAt, checkoutSeconds).getTime() / 1000),
  };
}

/** Refusals that a person can do something about. */
const CORRECTABLE = new Set(['amount_too_small', 'amount_too_large']);

/** What a person may read of Stripe's answer; everything else only reaches the log, without the request. */
async function answerOf<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const { code } = failureOf(error);
    if (error instanceof Error && code !== undefined && CORRECTABLE.has(code))
      throw new TollgateError('invalid_request', `Stripe refuses this amount: ${error.message}`);
    throw new TollgateError(
      'service_unavailable',
      'Stripe is not responding correctly. Nothing was paid. Try again shortly.',
      { detail: reasonOf(error), retryAfterSeconds: 10 },
    );
  }
}

function failureOf(error: unknown): {
  type?: string;
  code?: string;
  statusCode?: number;
  requestId?: string;
} {
  if (typeof error !== 'object' || error === null) return {};
  return {
    ...('type' in error && typeof error.type === 'string' && { type: error.type }),
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...('statusCode' in error && typeof error.statusCode === 'number' && { statusCode: error.statusCode }),
    ...('requestId' in error && typeof error.requestId === 'string' && { requestId: error.requestId }),
  };
}

/** Classes, codes and Stripe's own reference: its sentences may quote a part of the key. */
function reasonOf(error: unknown): string {
  const { type, code, statusCode, requestId } = failureOf(error);
  return [type, code, statusCode, requestId].filter((part) => part !== undefined).join(' ') || 'no answer';
}
