// What the operator gives a company to begin with (WELCOME_CREDIT): once per workspace, to the first application of it that
// is live. A transfer of its own kind, so that a statement never takes it for money that somebody paid.
import { eq } from 'drizzle-orm';
import { transfers } from '../../drizzle/schema/transfers.ts';
import type { Database } from '../database/connection.ts';
import { newId } from '../id.ts';
import { readBalance } from './balance.ts';
import { changeBalance } from './balance-change.ts';
import { applicationAccount, fundingAccount } from './ledger-accounts.ts';
import { writeTransfer } from './transfer.ts';

export type WelcomeCredit = {
  applicationId: string;
  workspaceId: string;
  /** Micro-units; 0 gives nothing, and leaves the workspace's credit for later. */
  amount: bigint;
  now: Date;
};

/**
 * UNIQUE (reference) makes a second one for the same workspace impossible, whichever of its applications asks, and after that
 * application's end too. @returns whether it was given.
 */
export async function giveWelcomeCredit(tx: Database, input: WelcomeCredit): Promise<boolean> {
  const { applicationId, workspaceId, amount, now } = input;
  if (amount <= 0n) return false;
  const { currency } = await readBalance(tx, applicationId);
  const isFirst = await writeTransfer(tx, {
    id: newId('trf'),
    applicationId,
    code: 'welcome_credit',
    debitAccount: fundingAccount(applicationId),
    creditAccount: applicationAccount(applicationId),
    amount,
    currency,
    reference: referenceOf(workspaceId),
    reason: 'Welcome credit',
    createdAt: now,
  });
  if (isFirst) await changeBalance(tx, { applicationId, change: amount, currency, at: now });
  return isFirst;
}

/** Whether there is one to be had: for the page that says what going live brings. */
export async function hasWelcomeCredit(db: Database, workspaceId: string): Promise<boolean> {
  const [given] = await db
    .select({ id: transfers.id })
    .from(transfers)
    .where(eq(transfers.reference, referenceOf(workspaceId)));
  return given === undefined;
}

function referenceOf(workspaceId: string): string {
  return `welcome_credit:${workspaceId}`;
}
