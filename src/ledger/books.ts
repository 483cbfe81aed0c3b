// The two books: `live` is money, `test` is what an application in test mode is charged (docs/decisions/1101). They share no
// table and no account, so whoever counts money reads the live one and cannot count the other by mistake.
import { type SQL, sql } from 'drizzle-orm';
import type { transfers } from '../../drizzle/schema/transfers.ts';
import { testTransfers } from '../../drizzle/schema/transfers.ts';
import type { usageEvents } from '../../drizzle/schema/usage.ts';
import { testUsageEvents } from '../../drizzle/schema/usage.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { sent } from '../database/settle-all.ts';
import { applicationAccount, usageAccount } from './ledger-accounts.ts';

export type Book = 'live' | 'test';

/** By these the statements of both books are written; their columns are called alike. */
export const tablesOf: Record<Book, { transfers: SQL; events: SQL }> = {
  live: { transfers: sql`transfers`, events: sql`usage_events` },
  test: { transfers: sql`test_transfers`, events: sql`test_usage_events` },
};

type Pair = { debitAccount: string; creditAccount: string };

/** What a charge takes from, and where it goes. The source of test money never runs dry, so nobody has to fill it. */
export function chargeAccounts(book: Book, applicationId: string): Pair {
  return book === 'live'
    ? { debitAccount: applicationAccount(applicationId), creditAccount: usageAccount(applicationId) }
    : { debitAccount: `test_credit:${applicationId}`, creditAccount: `test_usage:${applicationId}` };
}

type EventRow = typeof usageEvents.$inferSelect;
type ReversalRow = typeof transfers.$inferInsert;

export async function findTestEventsByCode(db: Database, codeHashes: string[]): Promise<EventRow[]> {
  return sent(db.select().from(testUsageEvents).where(isOneOf(testUsageEvents.codeHash, codeHashes)));
}

/** @returns false when the charge was taken back before. */
export async function writeTestReversal(
  tx: Database,
  reversal: Omit<ReversalRow, 'code' | 'actor'>,
): Promise<boolean> {
  const inserted = await tx
    .insert(testTransfers)
    .values({ ...reversal, code: 'reversal' })
    .onConflictDoNothing()
    .returning({ id: testTransfers.id });
  return inserted.length === 1;
}
