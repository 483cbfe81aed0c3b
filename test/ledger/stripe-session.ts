// How the stand-in of Stripe makes a Checkout Session: the parameters it knows, the refusals of Stripe, and the object
// with the fields that Stripe gives it.
import { randomBytes } from 'node:crypto';

export type Params = { [name: string]: string | Params };

export class CheckoutError extends Error {
  readonly status: number;
  readonly body: { type?: string; code?: string; message: string; param?: string };

  constructor(status: number, body: CheckoutError['body']) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

export type Session = {
  id: string;
  object: 'checkout.session';
  amount_subtotal: number;
  amount_total: number;
  cancel_url: string;
  success_url: string;
  client_reference_id: string | null;
  created: number;
  currency: string;
  customer: null;
  customer_email: string | null;
  expires_at: number;
  livemode: false;
  metadata: Record<string, string>;
  mode: 'payment';
  payment_intent: string | null;
  payment_status: 'paid' | 'unpaid';
  status: 'open' | 'complete' | 'expired';
  url: string;
  /** Not shown: what the payment behind it carries, how it stands, and what of it was returned. */
  intentMetadata: Record<string, string>;
  intentStatus: 'requires_payment_method' | 'processing' | 'succeeded';
  refunded: number;
};

const KNOWN = [
  'mode',
  'client_reference_id',
  'metadata',
  'payment_intent_data',
  'line_items',
  'customer_email',
  'adaptive_pricing',
  'success_url',
  'cancel_url',
  'expires_at',
];
const MINIMUM: Record<string, number> = { eur: 50, usd: 50, jpy: 50, kwd: 200 };
const HALF_AN_HOUR = 1_800;
const DAY = 86_400;

export function createCheckoutSession(params: Params, origin: string): Session {
  const unknown = Object.keys(params).find((name) => !KNOWN.includes(name));
  if (unknown) throw invalid('parameter_unknown', `Received unknown parameter: ${unknown}`, unknown);
  if (params.mode !== 'payment') throw invalid('parameter_missing', 'Missing required param: mode.', 'mode');
  const item = at(at(params, 'line_items'), '0');
  const price = at(item, 'price_data');
  const currency = text(price, 'currency');
  const amount = whole(text(price, 'unit_amount')) * whole(text(item, 'quantity'));
  text(at(price, 'product_data'), 'name');
  if (currency !== currency.toLowerCase() || currency.length !== 3)
    throw invalid('parameter_invalid', `Invalid currency: ${currency}`, 'currency');
  if (amount < (MINIMUM[currency] ?? 1))
    throw invalid(
      'amount_too_small',
      "The Checkout Session's total amount due must add up to at least €0.50 eur",
    );
  if (amount > 99_999_999)
    throw invalid('amount_too_large', "The Checkout Session's total amount must be no more than €999,999.99");
  const created = Math.floor(Date.now() / 1000);
  const expires = whole(text(params, 'expires_at'));
  // A minute's grace, as clocks differ.
  if (expires < created + HALF_AN_HOUR - 60 || expires > created + DAY)
    throw invalid(
      'parameter_invalid',
      'The `expires_at` timestamp must be between 30 minutes and 24 hours',
      'expires_at',
    );
  const id = `cs_test_${randomBytes(24).toString('hex')}`;
  return {
    id,
    object: 'checkout.session',
    amount_subtotal: amount,
    amount_total: amount,
    cancel_url: address(params, 'cancel_url'),
    success_url: address(params, 'success_url'),
    client_reference_id: text(params, 'client_reference_id'),
    created,
    currency,
    customer: null,
    customer_email: text(params, 'customer_email'),
    expires_at: expires,
    livemode: false,
    metadata: strings(at(params, 'metadata')),
    mode: 'payment',
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    url: `${origin}/c/pay/${id}`,
    intentMetadata: strings(at(at(params, 'payment_intent_data'), 'metadata')),
    intentStatus: 'requires_payment_method',
    refunded: 0,
  };
}

function invalid(code: string, message: string, param?: string): CheckoutError {
  return new CheckoutError(400, { code, message, ...(param !== undefined && { param }) });
}

function at(params: Params, name: string): Params {
  const value = params[name];
  if (typeof value === 'object') return value;
  throw invalid('parameter_missing', `Missing required param: ${name}.`, name);
}

function text(params: Params, name: string): string {
  const value = params[name];
  if (typeof value === 'string' && value !== '') return value;
  throw invalid('parameter_missing', `Missing required param: ${name}.`, name);
}

function whole(value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  throw invalid('parameter_invalid_integer', `Invalid integer: ${value}`);
}

function address(params: Params, name: string): string {
  const value = text(params, name);
  if (URL.canParse(value)) return value;
  throw invalid('url_invalid', 'Not a valid URL', name);
}

function strings(params: Params): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
}
