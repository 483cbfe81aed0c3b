// The charge for one session (sections 1.6, 1.7 and 3): what it costs, the transfer, the usage event and the
// guarded debit, in the caller's transaction. If anything here fails, nothing of it happened.
import { and, eq, gte, sql } from 'drizzle-orm';
import { applications, balances, prices, transfers, usageEvents } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { applicationAccount, usageAccount } from './ledger-accounts.ts';

export type UsageKind = 'registration' | 'sign_in';
export type UsageEvent = typeof usageEvents.$inferSelect;

export type Charge = {
  applicationId: string;
  sub: string;
  kind: UsageKind;
  /** SHA-256 of the authorization code: UNIQUE, so that no code is ever charged twice. */
  codeHash: string;
  now: Date;
  /**
   * What must commit together with the charge (the webhooks). It runs before the application's balance is
   * touched: that row is the one that all of its sign-ins share, and its lock is held until the commit.
   */
  alongside: (event: UsageEvent) => Promise<void>;
};

/** @throws TollgateError temporarily_unavailable when the balance is too low; the caller must roll back. */
export async function charge(tx: Database, input: Charge): Promise<UsageEvent> {
  const { price, currency, balance } = await priceOf(tx, input.applicationId, input.kind);
  // Only a hint that saves work: the decision is the guarded debit below.
  if (balance < price) throw balanceTooLow(input.applicationId);
  const transferId = newId('trf');
  await tx.insert(transfers).values({
    id: transferId,
    applicationId: input.applicationId,
    code: 'charge',
    debitAccount: applicationAccount(input.applicationId),
    creditAccount: usageAccount(input.applicationId),
    amount: price,
    currency,
    reference: `charge:${input.codeHash}`,
    createdAt: input.now,
  });
  const event: UsageEvent = {
    id: newId('evt'),
    applicationId: input.applicationId,
    sub: input.sub,
    kind: input.kind,
    amount: price,
    currency,
    transferId,
    codeHash: input.codeHash,
    occurredAt: input.now,
  };
  await tx.insert(usageEvents).values(event);
  await input.alongside(event);
  await debit(tx, input.applicationId, price);
  return event;
}

async function priceOf(tx: Database, applicationId: string, kind: UsageKind) {
  const [row] = await tx
    .select({ price: prices.amount, currency: balances.currency, balance: balances.amount })
    .from(applications)
    .innerJoin(balances, eq(balances.applicationId, applications.id))
    .innerJoin(prices, and(eq(prices.workspaceId, applications.workspaceId), eq(prices.kind, kind)))
    .where(eq(applications.id, applicationId));
  if (!row)
    throw new TollgateError('server_error', 'Something went wrong on our side.', {
      detail: `no price for ${applicationId}`,
    });
  return row;
}

/** One statement decides: any number of charges at once can spend the balance down to zero and never below. */
async function debit(tx: Database, applicationId: string, amount: bigint): Promise<void> {
  const debited = await tx
    .update(balances)
    .set({ amount: sql`${balances.amount} - ${amount}` })
    .where(and(eq(balances.applicationId, applicationId), gte(balances.amount, amount)))
    .returning({ amount: balances.amount });
  if (debited.length === 0) throw balanceTooLow(applicationId);
}

function balanceTooLow(applicationId: string): TollgateError {
  return new TollgateError(
    'temporarily_unavailable',
    'The application cannot complete sign-ins at the moment.',
    {
      detail: `balance of ${applicationId} too low`,
    },
  );
}
