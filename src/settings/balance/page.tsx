// The page of src/settings/balance/balance.tsx: the figure first, then what it means.
import type { Application } from '../../applications/application.ts';
import { isAtLeast } from '../../applications/member.ts';
import type { Forecast } from '../../ledger/forecast.ts';
import type { Threshold } from '../../ledger/low-balance-warning.ts';
import type { Payment } from '../../ledger/payment.ts';
import type { UsageKind } from '../../ledger/price-and-balance.ts';
import { forecastDays } from '../../limits/payments.ts';
import { formatAmount, showMoney } from '../../money.ts';
import { Badge } from '../../page/badge.tsx';
import { Button, ButtonLink, Form } from '../../page/button.tsx';
import { NumberField } from '../../page/field.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { ApplicationFrame, applicationPath, applicationRest } from '../applications/frame.tsx';
import { NarrowTable, NumberHead } from '../shell/money-table.tsx';
import type { MemberVisit } from '../shell/visit.ts';
import { type LowBalance, LowBalanceNotices } from './notice.tsx';
import { OperatorCredit } from './operator-credit.tsx';
import { PaymentBadge } from './payment-page.tsx';

export type Warnings = { all: Threshold[]; typed?: string; problem?: string | undefined };

export type BalancePageProps = {
  visit: MemberVisit;
  application: Application;
  balance: bigint;
  currency: string;
  now: Date;
  forecast: Forecast;
  prices: ReadonlyMap<UsageKind, bigint>;
  low: LowBalance[];
  warnings: Warnings;
  /** Who takes payments; undefined: the operator credits. */
  provider: string | undefined;
  payments: Payment[];
};

export function BalancePage(props: BalancePageProps) {
  const { visit, application, low, warnings, provider, payments } = props;
  const isKept = application.deletedAt === null;
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="balance"
      problem={warnings.problem && 'The warning was not added. Check the problem below.'}
    >
      <LowBalanceNotices balances={low} />
      <BalancePanel {...props} />
      {isKept && provider === undefined && (
        <Panel
          heading="Top up"
          lead="Online payments are not available here. The operator of this service credits your payment."
        >
          <OperatorCredit application={application} />
        </Panel>
      )}
      {isKept && <WarningsPanel {...props} />}
      <PricesPanel {...props} />
      {payments.length > 0 && <PaymentsPanel {...props} />}
    </ApplicationFrame>
  );
}

function BalancePanel({ visit, application, balance, currency, forecast, now, provider }: BalancePageProps) {
  const canPay = application.deletedAt === null && provider !== undefined;
  return (
    <Panel
      heading="OAuth balance"
      actions={
        <>
          <ButtonLink href={applicationPath(visit, application, '/statement')}>Statements</ButtonLink>
          {canPay && isAtLeast(visit.member.role, 'owner') && (
            <ButtonLink kind="primary" href={applicationPath(visit, application, '/top-up')}>
              Top up
            </ButtonLink>
          )}
        </>
      }
    >
      <p class="money-figure">{showMoney(balance, currency)}</p>
      <p class="fine">{forecastSentence(forecast, { balance, currency, now })}</p>
      {canPay && !isAtLeast(visit.member.role, 'owner') && (
        <p class="fine">A workspace owner can top it up.</p>
      )}
    </Panel>
  );
}

function forecastSentence(
  forecast: Forecast,
  { balance, currency, now }: { balance: bigint; currency: string; now: Date },
): string {
  if (forecast.kind === 'idle') return `No charged sign-ins in the last ${forecastDays} days.`;
  const pace = `${showMoney(roundedUp(forecast.spentPerDay), currency)} a day over the last ${forecastDays} days`;
  if (balance === 0n) return `Used up, at ${pace}.`;
  if (forecast.kind === 'long') return `Lasts more than two years at the current rate (${pace}).`;
  return `Lasts until about ${readableDay(forecast.at, now)} at the current rate (${pace}).`;
}

/** To a hundredth: more would pretend to be exact. */
function roundedUp(amount: bigint): bigint {
  const hundredth = 10_000n;
  return ((amount + hundredth - 1n) / hundredth) * hundredth;
}

function readableDay(at: Date, now: Date): string {
  const isThisYear = at.getUTCFullYear() === now.getUTCFullYear();
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(at);
}

function PricesPanel({ prices, currency }: BalancePageProps) {
  const price = (kind: UsageKind) => showMoney(prices.get(kind) ?? 0n, currency);
  return (
    <Panel
      heading="Prices"
      lead="Charged when tokens are issued. Failed and cancelled attempts, token refreshes, UserInfo and logout are free."
    >
      <NarrowTable caption="Prices" head={['What', <NumberHead key="price">Price</NumberHead>]}>
        <tr>
          <td>Registration, a customer’s first session</td>
          <td class="number">{price('registration')}</td>
        </tr>
        <tr>
          <td>Sign-in, every later session</td>
          <td class="number">{price('sign_in')}</td>
        </tr>
      </NarrowTable>
    </Panel>
  );
}

function WarningsPanel({ visit, application, balance, currency, warnings }: BalancePageProps) {
  const rest = applicationRest(application, '/balance/warnings');
  const mayChange = isAtLeast(visit.member.role, 'developer');
  return (
    <Panel
      heading="Warnings"
      lead="When the balance falls below one of these amounts, we email every owner within about a minute and show a warning here and on the overview until you top it up."
    >
      {warnings.all.length > 0 && (
        <ul class="money-rows">
          {warnings.all.map(({ amount }) => (
            <li key={String(amount)}>
              <span>
                Below <strong>{showMoney(amount, currency)}</strong>{' '}
                {balance < amount ? <Badge kind="warning">Below now</Badge> : null}
              </span>
              {mayChange && (
                <RemoveWarning visit={visit} application={application} amount={amount} currency={currency} />
              )}
            </li>
          ))}
        </ul>
      )}
      {warnings.all.length === 0 && !mayChange && <p class="fine">No warnings yet.</p>}
      {mayChange && (
        <Form action={visit.path(rest)} token={visit.token(rest)} label="Add a warning">
          <NumberField
            name="amount"
            label={`Warn owners below (${currency})`}
            decimals
            required
            value={warnings.typed}
            problem={warnings.problem}
          />
          <Button kind="secondary">Add warning</Button>
        </Form>
      )}
    </Panel>
  );
}

type OneWarning = Pick<BalancePageProps, 'visit' | 'application' | 'currency'> & { amount: bigint };

function RemoveWarning({ visit, application, amount, currency }: OneWarning) {
  const rest = applicationRest(application, '/balance/warnings/remove');
  return (
    <Form
      action={visit.path(rest)}
      token={visit.token(rest)}
      label={`Remove the warning at ${showMoney(amount, currency)}`}
    >
      <Button kind="quiet" name="amount" value={formatAmount(amount)}>
        Remove <span class="unseen">the warning at {showMoney(amount, currency)}</span>
      </Button>
    </Form>
  );
}

function PaymentsPanel({ visit, application, payments }: BalancePageProps) {
  return (
    <Panel heading="Payments" lead="Payments started here, latest first. The statement lists every credit.">
      <DataTable
        caption="Payments"
        head={['Begun', <NumberHead key="amount">Amount</NumberHead>, 'State', '']}
      >
        {payments.map((payment) => (
          <tr key={payment.id}>
            <td>
              <Time at={payment.createdAt} />
            </td>
            <td class="number">{showMoney(payment.amount, payment.currency)}</td>
            <td>
              <PaymentBadge payment={payment} />
            </td>
            <td>
              <a href={applicationPath(visit, application, `/payments/${payment.id}`)}>
                Details<span class="unseen"> of the payment of {payment.createdAt.toISOString()}</span>
              </a>
            </td>
          </tr>
        ))}
      </DataTable>
    </Panel>
  );
}
