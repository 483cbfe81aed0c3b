// How a balance changes: never below zero, and never in a month whose statement is sealed, whatever was under way
// (docs/decisions/0804). Asked in the statement that changes it, with its row held, as sealing holds it.
import { and, eq, gte, type SQL, sql } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { balances } from '../../drizzle/schema/balances.ts';
import type { Database } from '../database/connection.ts';
import { serviceUnavailable, TollgateError } from '../errors.ts';
import { showMoney } from '../money.ts';

/** Of a row of balances. */
export function isOpen(time: Date): SQL {
  return sql`(${balances.sealedUntil} is null or ${balances.sealedUntil} <= ${sql.param(time, balances.sealedUntil)}::timestamptz)`;
}

export type BalanceChange = {
  applicationId: string;
  /** Micro-units: what the balance gains (more than zero) or loses (less than zero). */
  change: bigint;
  currency: string;
  /** Of the transfer. */
  at: Date;
};

/** One statement decides, as for a charge. @throws TollgateError conflict, service_unavailable; the caller must roll back. */
export async function changeBalance(tx: Database, input: BalanceChange): Promise<void> {
  const { applicationId, change, currency, at } = input;
  const changed = await tx
    .update(balances)
    .set({ amount: sql`${balances.amount} + ${change}` })
    .where(
      and(eq(balances.applicationId, applicationId), gte(balances.amount, -change), isOpen(at), isLive()),
    )
    .returning({ amount: balances.amount });
  if (changed.length === 1) return;
  const [row] = await tx
    .select({ sealedUntil: balances.sealedUntil, isTest: applications.isTest })
    .from(balances)
    .innerJoin(applications, eq(applications.id, balances.applicationId))
    .where(eq(balances.applicationId, applicationId));
  if (row?.isTest)
    throw new TollgateError(
      'conflict',
      'This application is in test mode and takes no money. Go live first.',
    );
  if (row?.sealedUntil && at < row.sealedUntil)
    throw serviceUnavailable(new Error(`the month of ${at.toISOString()} is sealed for ${applicationId}`));
  throw new TollgateError(
    'conflict',
    `The balance is less than ${showMoney(-change, currency)}, and it never goes below zero.`,
  );
}

/** Money never comes near an application in test mode (docs/decisions/1101). */
function isLive(): SQL {
  return sql`not exists (select 1 from ${applications} where ${applications.id} = ${balances.applicationId} and ${applications.isTest})`;
}
