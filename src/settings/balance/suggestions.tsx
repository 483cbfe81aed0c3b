// Amounts to top up with, each a button, and what each covers at the workspace's prices and the application's pace.
import type { Forecast } from '../../ledger/forecast.ts';
import type { UsageKind } from '../../ledger/price-and-balance.ts';
import { topUpSuggestions } from '../../limits/payments.ts';
import { formatAmount, parseAmount, showMoney } from '../../money.ts';
import { Form } from '../../page/button.tsx';
import { plainNumber } from '../shell/figures.tsx';

export type SuggestionsProps = {
  action: string;
  token: string;
  currency: string;
  prices: ReadonlyMap<UsageKind, bigint>;
  forecast: Forecast;
  /** What the payment provider does not take is not offered. */
  isTaken(amount: bigint): boolean;
};

export function Suggestions({ action, token, currency, prices, forecast, isTaken }: SuggestionsProps) {
  const amounts = topUpSuggestions.map((units) => parseAmount(String(units)) ?? 0n).filter(isTaken);
  return (
    <Form action={action} token={token} label="Suggested amounts">
      <div class="offers">
        {amounts.map((amount) => (
          <button
            key={String(amount)}
            type="submit"
            class="offer"
            name="amount"
            value={formatAmount(amount).replace(/0{4}$/, '')}
          >
            <strong>{showMoney(amount, currency)}</strong>
            <span>{coverage(amount, prices, forecast)}</span>
          </button>
        ))}
      </div>
    </Form>
  );
}

/** "About 2,500 sign-ins, or 31 days at the present pace" */
function coverage(amount: bigint, prices: SuggestionsProps['prices'], forecast: Forecast): string {
  const price = prices.get('sign_in') ?? 0n;
  const signIns = price > 0n ? `${plainNumber(Number(amount / price))} sign-ins` : 'Any number of sign-ins';
  if (forecast.kind === 'idle' || forecast.spentPerDay === 0n) return signIns;
  const days = Number(amount / forecast.spentPerDay);
  if (days < 1) return signIns;
  return `${signIns}, or about ${plainNumber(days)} ${days === 1 ? 'day' : 'days'} at the present pace`;
}
