// Amounts at Stripe: whole numbers of a currency's smallest unit, which is a hundredth of some, a thousandth of others
// and the whole of yet others (docs.stripe.com/currencies).

import { TollgateError } from '../errors.ts';
import { paymentDigits } from '../limits/payments.ts';

const ZERO_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
/** Stripe wants the last digit to be 0: no network moves a thousandth. */
const THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '));
/** Have lost their hundredths, but Stripe still counts in them and wants both digits to be 0. */
const WHOLE_ONLY = new Set(['ISK', 'UGX']);

const MICRO_UNITS = 1_000_000n;

/** Micro-units of one smallest unit. */
function unitOf(currency: string): bigint {
  if (ZERO_DECIMALS.has(currency)) return MICRO_UNITS;
  return THREE_DECIMALS.has(currency) ? MICRO_UNITS / 1000n : MICRO_UNITS / 100n;
}

/** Micro-units that every payable amount is a multiple of. */
function payableStep(currency: string): bigint {
  if (WHOLE_ONLY.has(currency)) return MICRO_UNITS;
  return THREE_DECIMALS.has(currency) ? 10n * unitOf(currency) : unitOf(currency);
}

/** As a sentence. */
export function refusalOf(amount: bigint, currency: string): string | undefined {
  if (toStripeAmount(amount, currency) !== undefined) return undefined;
  const step = payableStep(currency);
  if (amount <= 0n) return 'The amount must be more than zero.';
  if (amount % step === 0n) return `Stripe takes at most ${paymentDigits} digits at once.`;
  return step === MICRO_UNITS
    ? `Stripe takes ${currency} without decimals.`
    : `Stripe takes ${currency} with at most two decimals.`;
}

/** undefined when Stripe could not take exactly this much. */
export function toStripeAmount(amount: bigint, currency: string): number | undefined {
  if (amount <= 0n || amount % payableStep(currency) !== 0n) return undefined;
  const units = amount / unitOf(currency);
  return units < 10n ** BigInt(paymentDigits) ? Number(units) : undefined;
}

/** @throws TollgateError invalid_request for a fraction, and for what JSON cannot hold exactly. */
export function fromStripeAmount(units: number, currency: string): bigint {
  if (Number.isSafeInteger(units)) return BigInt(units) * unitOf(currency);
  throw new TollgateError('invalid_request', 'The amount is not a whole number of the smallest unit.');
}
