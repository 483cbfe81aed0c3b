// Operations on money (specification §1.6, §1.7): credit an application, prove the books.
import { z } from 'zod';
import { transaction } from './database.ts';
import { TollgateError } from './errors.ts';
import { topUp } from './ledger/balance.ts';
import { formatAmount, parseAmount } from './ledger/money.ts';
import { verifyAtOneMoment } from './ledger/schedule.ts';
import { chooseApplication, type Operation, operation } from './operation.ts';

export const moneyOperations: Record<string, Operation> = {
  credit: operation(
    z.strictObject({
      application: z.string(),
      amount: z.string(),
      reference: z.string(),
      reason: z.string().max(500).optional(),
    }),
    async ({ db, clock }, input) => {
      const amount = requireAmount(input.amount);
      return transaction(db, async (tx) => {
        const { id } = await chooseApplication(tx, input.application);
        const { reference, reason } = input;
        const { credited, balance } = await topUp(tx, {
          applicationId: id,
          amount,
          reference,
          ...(reason !== undefined && { reason }),
          now: clock(),
        });
        return {
          applicationId: id,
          reference,
          amount: formatAmount(amount),
          credited,
          balance: formatAmount(balance.amount),
          currency: balance.currency,
        };
      });
    },
  ),

  'ledger verify': operation(z.strictObject({}), async ({ db }) =>
    transaction(db, async (tx) => {
      const { ok, checks } = await verifyAtOneMoment(tx);
      const plain = checks.map(({ rule, violations }) => ({
        rule,
        violations: z.array(z.json()).parse(JSON.parse(JSON.stringify(violations))),
      }));
      return { ok, checks: plain };
    }),
  ),
};

export function requireAmount(text: string): bigint {
  const amount = parseAmount(text);
  if (amount !== undefined) return amount;
  throw new TollgateError(
    'invalid_request',
    `"${text}" is not an amount; write it like 25 or 0.02, with at most six decimals.`,
  );
}
