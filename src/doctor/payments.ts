// The doctor's look at payments: whether Stripe takes the key, and what has to be set there by hand.
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { createPaymentProvider } from '../payments/providers.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

type Settings = Pick<Config, 'stripe' | 'isLoopback' | 'baseUrl'>;

export async function inspectPayments(config: Settings, clock: Clock): Promise<Finding[]> {
  const provider = createPaymentProvider(config, clock);
  if (!config.stripe || !provider)
    return [ok('payments', 'credited by hand with `tollgate credit` (STRIPE_SECRET_KEY is not set)')];
  const failure = await provider.tryKey();
  if (failure !== undefined) {
    const change =
      'Check STRIPE_SECRET_KEY. A restricted key needs write access to Checkout Sessions; see docs/operations.md.';
    return [problem('payments', `Stripe rejects the key (${failure})`, change)];
  }
  const endpoint = `webhook endpoint ${config.baseUrl}/payments/stripe`;
  if (isTest(config.stripe.secretKey) && !config.isLoopback)
    return [
      warning(
        'payments',
        `Stripe accepts the key, in test mode; ${endpoint}`,
        'Use a live key to take real payments.',
      ),
    ];
  return [ok('payments', `Stripe accepts the key; ${endpoint}`)];
}

function isTest(key: string): boolean {
  return /^[a-z]+_test_/.test(key);
}
