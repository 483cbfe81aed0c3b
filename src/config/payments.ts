// The variables that switch payments by Stripe on: both secrets or none, because a payment whose
// notification cannot be proven would never be credited.
import { z } from 'zod';

const optional = z.preprocess((value) => (value === '' ? undefined : value), z.string().optional());
const secret = (prefix: RegExp, says: string) =>
  z.preprocess((value) => (value === '' ? undefined : value), z.string().regex(prefix, says).optional());

export const paymentEnvironment = {
  STRIPE_SECRET_KEY: secret(
    /^(sk|rk)_(test|live)_\w+$/,
    'must be a key such as sk_live_… or rk_test_…',
  ).describe(
    'Secret or restricted key of a Stripe account, for top-ups by Stripe Checkout (docs/operations.md). Default: no payments; credit balances with `tollgate credit`.',
  ),
  STRIPE_WEBHOOK_SECRET: secret(/^whsec_\S+$/, 'must be a signing secret such as whsec_…').describe(
    'Signing secret of the Stripe webhook endpoint BASE_URL/payments/stripe; required with STRIPE_SECRET_KEY. Default: no payments.',
  ),
  STRIPE_API_URL: optional.describe(
    "URL of Stripe's API, for tests against a mock. Default https://api.stripe.com.",
  ),
};

export type PaymentSettings = z.infer<z.ZodObject<typeof paymentEnvironment>>;

export type StripeConfig = {
  secretKey: string;
  webhookSecret: string;
  /** Another address than Stripe's own, for a stand-in. */
  apiUrl: string | undefined;
};

/** @throws Error with a sentence that says what is missing or wrong. */
export function readPaymentConfig(settings: PaymentSettings): StripeConfig | undefined {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: apiUrl,
  } = settings;
  if (secretKey === undefined && webhookSecret === undefined) return undefined;
  if (secretKey === undefined || webhookSecret === undefined)
    throw new Error('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together: set both, or neither.');
  if (apiUrl !== undefined && !isSafe(apiUrl))
    throw new Error('STRIPE_API_URL must be an https:// origin (http:// on a loopback address only).');
  return { secretKey, webhookSecret, apiUrl };
}

function isSafe(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const isLoopback = url.hostname === 'localhost' || url.hostname === '127.0.0.1' || url.hostname === '[::1]';
  return url.pathname === '/' && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback));
}
