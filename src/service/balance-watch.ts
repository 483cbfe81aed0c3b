// What is looked after around the balances, beside the charges and never in them: owners are told of low balances
// within a minute, and Stripe is asked about payments whose notification may be lost.
import { findAccount } from '../accounts/account.ts';
import { listMembers } from '../applications/membership.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { type Database, transaction } from '../database/connection.ts';
import type { Place } from '../database/pagination.ts';
import { type Crossing, takeCrossings } from '../ledger/low-balance-warning.ts';
import { askAboutDoubtfulPayments } from '../ledger/payment-outcome.ts';
import { balanceWatchSeconds, lowBalanceMailSeconds, paymentAskedEverySeconds } from '../limits/payments.ts';
import type { Log } from '../log.ts';
import { formatAmount, showMoney } from '../money.ts';
import type { PaymentProvider } from '../payments/provider.ts';
import type { Mailer } from '../queue/mail.ts';
import { composeNotice } from '../queue/notice-mail.ts';

export type MoneyWatch = {
  config: Pick<Config, 'baseUrl'>;
  db: Database;
  clock: Clock;
  log: Log;
  mailer: Pick<Mailer, 'queue'>;
  payments: PaymentProvider | undefined;
};

/** @returns a function that ends it and waits for the rounds under way. */
export function watchMoney(watch: MoneyWatch): () => Promise<void> {
  const { payments } = watch;
  const stops = [every(balanceWatchSeconds, watch, 'low balances', () => tellOfLowBalances(watch))];
  if (payments) {
    let after: Place | undefined;
    const ask = async () => {
      after = await askAboutDoubtfulPayments(watch, payments, after);
    };
    stops.push(every(paymentAskedEverySeconds, watch, 'payments', ask));
  }
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}

function every(seconds: number, { log }: MoneyWatch, about: string, look: () => Promise<void>) {
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(look).catch((error: unknown) => {
      log.warn({ err: error, about }, 'housekeeping of money failed; it is tried again at the next interval');
    });
  }, seconds * 1000);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await round;
  };
}

/** The mail and the mark that it was sent commit together: exactly one for each crossing, in whatever process. */
export async function tellOfLowBalances(watch: MoneyWatch): Promise<void> {
  const { db, clock, log, mailer } = watch;
  await transaction(db, async (tx) => {
    const now = clock();
    for (const crossing of await takeCrossings(tx, now)) {
      const owners = (await listMembers(tx, crossing.workspaceId)).filter(({ role }) => role === 'owner');
      for (const { accountId } of owners) {
        const account = await findAccount(tx, accountId);
        if (account) await mailer.queue(tx, lowBalanceMail(watch, crossing, account.email, now));
      }
      const { applicationId, threshold } = crossing;
      log.info(
        { application: applicationId, threshold: formatAmount(threshold) },
        'balance below a threshold',
      );
    }
  });
}

function lowBalanceMail({ config }: MoneyWatch, crossing: Crossing, to: string, now: Date) {
  const { applicationName, workspaceId, applicationId, currency } = crossing;
  const balance = showMoney(crossing.balance, currency);
  return composeNotice({
    to,
    subject: `Low balance: ${applicationName}`,
    paragraphs: [
      `The balance of ${applicationName} is ${balance}. It has just fallen below ${showMoney(crossing.threshold, currency)}, the amount you set for this warning.`,
      'When it can no longer pay for a sign-in, sign-ins to this application fail until you top it up.',
    ],
    link: {
      label: 'View balance',
      url: `${config.baseUrl}/settings/${workspaceId}/applications/${applicationId}/balance`,
    },
    expiresAt: secondsAfter(now, lowBalanceMailSeconds),
  });
}
