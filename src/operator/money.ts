// Operations on money: credit an application, correct and refund, prove the books.
import { z } from 'zod';
import { recordAudit } from '../applications/audit-log.ts';
import { transaction } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { type Balance, topUp } from '../ledger/balance.ts';
import { correctBalance } from '../ledger/correction.ts';
import { refundEvent } from '../ledger/refund.ts';
import { ledgerProof } from '../ledger/verify.ts';
import { formatAmount, parseAmount } from '../money.ts';
import {
  byOperator,
  chooseApplication,
  chooseKeptApplication,
  type Operation,
  operation,
  proof,
} from './operation.ts';

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
        const { id, workspaceId } = await chooseApplication(tx, input.application);
        const now = clock();
        const { reference, reason } = input;
        const { credited, balance } = await topUp(tx, {
          applicationId: id,
          amount,
          reference,
          ...(reason !== undefined && { reason }),
          actor: OPERATOR,
          now,
        });
        // The same reference once more moved nothing.
        if (credited) {
          const detail = { amount: formatAmount(amount), currency: balance.currency, reference };
          const audited = { action: 'balance.credited', target: id, detail };
          await recordAudit(tx, { ...byOperator(now), workspaceId, ...audited });
        }
        return {
          applicationId: id,
          reference,
          amount: formatAmount(amount),
          credited,
          ...shown(balance),
        };
      });
    },
  ),

  correct: operation(
    z.strictObject({
      application: z.string(),
      amount: z.string(),
      reason: z.string(),
      reference: z.string().optional(),
    }),
    async ({ db, clock }, { application: wanted, amount, reason, reference }) => {
      const change = requireSignedAmount(amount);
      return transaction(db, async (tx) => {
        const { id, workspaceId } = await chooseKeptApplication(tx, wanted);
        const now = clock();
        const entry = { applicationId: id, change, reference, reason, actor: OPERATOR, now };
        const { corrected, balance } = await correctBalance(tx, entry);
        if (corrected) {
          const detail = { amount: formatAmount(change), currency: balance.currency, reason };
          await recordAudit(tx, {
            ...byOperator(now),
            workspaceId,
            action: 'balance.corrected',
            target: id,
            detail,
          });
        }
        return { applicationId: id, amount: formatAmount(change), corrected, ...shown(balance) };
      });
    },
  ),

  refund: operation(
    z.strictObject({ event: z.string(), reason: z.string() }),
    async ({ db, clock }, { event: eventId, reason }) =>
      transaction(db, async (tx) => {
        const now = clock();
        const { applicationId, amount, balance } = await refundEvent(tx, {
          eventId,
          reason,
          actor: OPERATOR,
          now,
        });
        const { workspaceId } = await chooseKeptApplication(tx, applicationId);
        const detail = { event: eventId, amount: formatAmount(amount), currency: balance.currency, reason };
        const audited = { action: 'event.refunded', target: applicationId, detail };
        await recordAudit(tx, { ...byOperator(now), workspaceId, ...audited });
        return { applicationId, event: eventId, amount: formatAmount(amount), ...shown(balance) };
      }),
  ),

  'ledger verify': proof(ledgerProof),
};

const OPERATOR = 'operator';

function shown({ amount, currency }: Balance) {
  return { balance: formatAmount(amount), currency };
}

/** A correction may take as well as give. */
function requireSignedAmount(text: string): bigint {
  return text.startsWith('-') ? -requireAmount(text.slice(1)) : requireAmount(text);
}

export function requireAmount(text: string): bigint {
  const amount = parseAmount(text);
  if (amount !== undefined) return amount;
  throw new TollgateError(
    'invalid_request',
    `"${text}" is not an amount. Use a number such as 25 or 0.02, with at most six decimals.`,
  );
}
