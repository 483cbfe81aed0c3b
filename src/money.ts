// Amounts: whole micro-units (10⁻⁶ of the workspace's currency) inside, decimal strings outside. Never floats.

const MICRO_DIGITS = 6;
const MICRO_UNITS = 10n ** BigInt(MICRO_DIGITS);
/** Nine digits before the point: far above any top-up, far below what a bigint column holds. */
const AMOUNT = /^(\d{1,9})(?:\.(\d{1,6}))?$/;

/** '0.02' → 20000n; undefined for signs, exponents, more than six decimals and everything else. */
export function parseAmount(text: string): bigint | undefined {
  const match = AMOUNT.exec(text);
  if (!match) return undefined;
  const [, whole = '0', fraction = ''] = match;
  return BigInt(whole) * MICRO_UNITS + BigInt(fraction.padEnd(MICRO_DIGITS, '0'));
}

/** 20000n → '0.020000': always six decimals, so that receivers may compare strings. */
export function formatAmount(amount: bigint): string {
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(MICRO_DIGITS + 1, '0');
  return `${sign}${digits.slice(0, -MICRO_DIGITS)}.${digits.slice(-MICRO_DIGITS)}`;
}

/** For people: 20000n EUR → '€0.02', -930000n EUR → '−€0.93'; as many decimals as the currency has, and more only where they say something. */
export function showMoney(amount: bigint, currency: string): string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    maximumFractionDigits: MICRO_DIGITS,
  });
  // A string keeps every digit, where a number would round.
  const text = format.format(formatAmount(amount) as Intl.StringNumericLiteral);
  return text.replace('-', '−');
}
