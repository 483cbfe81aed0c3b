// The payment provider that the configuration switches on. The other way to pay needs no code here: the operator credits
// with `tollgate credit`.
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { PaymentProvider } from './provider.ts';
import { createStripePayments } from './stripe.ts';

/** undefined: the operator credits. */
export function createPaymentProvider(
  config: Pick<Config, 'stripe'>,
  clock: Clock,
): PaymentProvider | undefined {
  return config.stripe && createStripePayments({ ...config.stripe, clock });
}
