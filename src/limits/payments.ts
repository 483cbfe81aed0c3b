// Numbers of balance, payments and statements.
import { DAY, HOUR, KIBIBYTE, MINUTE } from './units.ts';

// ── Payments ────────────────────────────────────────────────────────────────────────────────────────────────

/** How long somebody may take to pay at Stripe; it allows 30 minutes to 24 hours. */
export const checkoutSeconds = HOUR;
/** Digits of an amount in a currency's smallest unit: what Stripe takes at most. */
export const paymentDigits = 8;
/** A notification that has not come by then may be lost: Stripe is asked. */
export const paymentAskedAfterSeconds = 10 * MINUTE;
/** How often Stripe is asked about a payment that stays pending; some bank transfers take two weeks. */
export const paymentAskedEverySeconds = 10 * MINUTE;
/** A bank transfer may be under way this long; after that a person has to look. */
export const paymentAskedUntilSeconds = 30 * DAY;
/** Payments that one round asks about, oldest first; the next round goes on behind them. */
export const paymentsPerRound = 50;
/** Partial returns of one payment that one query looks for; nobody has ever needed ten. */
export const refundsPerRead = 100;
/** One request to Stripe; a person waits for it. The library repeats it once. */
export const stripeRequestMilliseconds = 10_000;
/** Stripe's own tolerance: an older notification is a replay. */
export const stripeSignatureSeconds = 5 * MINUTE;
/** Its largest events carry a list of line items and stay far below. */
export const stripeEventBytes = 256 * KIBIBYTE;
/** Offered on the top-up page, in whole units of the workspace's currency. */
export const topUpSuggestions = [20n, 50n, 100n, 250n] as const;
/** On the balance page. */
export const paymentsShown = 10;

// ── Balance ─────────────────────────────────────────────────────────────────────────────────────────────────

/** How late a low balance is noticed at most: it is looked for beside the charges, not in them. */
export const balanceWatchSeconds = MINUTE;
export const thresholdsPerApplication = 5;
/** What the forecast calls the present pace. */
export const forecastDays = 7;
/** Beyond this a date would pretend to know something. */
export const forecastMaximumDays = 2 * 365;
/** A warning about yesterday's balance helps nobody. */
export const lowBalanceMailSeconds = DAY;

// ── Statements ──────────────────────────────────────────────────────────────────────────────────────────────

/** Lines of a download that one query reads. */
export const statementBatchRows = 1_000;
/** Top-ups, refunds and corrections listed on a page; charges are summed per day. */
export const statementLinesShown = 500;
/**
 * After the end of a month, until its statement is sealed: a charge that was under way is long over by then, and a
 * reversal of the last minute as well. Longer than housekeeping takes to come round.
 */
export const statementSettlingSeconds = HOUR;
/** Months of applications that one round of housekeeping seals: the history of an older release takes some rounds. */
export const statementsSealedPerRound = 500;
