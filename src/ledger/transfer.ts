// The only writer of `transfers`: every movement of money is a row that this file inserts, once per reference, and
// never changes (the triggers refuse that too). Whoever moves money also changes the balance, in the same transaction.
import { type SQL, sql } from 'drizzle-orm';
import { transfers } from '../../drizzle/schema/transfers.ts';
import type { Database } from '../database/connection.ts';
import { type Book, tablesOf } from './books.ts';

export type Transfer = typeof transfers.$inferInsert;

/** @returns false when this reference, or another transfer back of the same one, was there before. */
export async function writeTransfer(tx: Database, transfer: Transfer): Promise<boolean> {
  const inserted = await tx
    .insert(transfers)
    .values(transfer)
    .onConflictDoNothing()
    .returning({ id: transfers.id });
  return inserted.length === 1;
}

export type ChargeTransfer = Pick<
  Transfer,
  'id' | 'applicationId' | 'debitAccount' | 'creditAccount' | 'amount' | 'currency' | 'reference'
> & { createdAt: Date };

/** The charges of a batch. A reference that was there before fails all of them: UNIQUE. */
export function chargeTransfers(charges: ChargeTransfer[], book: Book): SQL {
  const rows = charges.map((charge) => ({ ...charge, amount: String(charge.amount) }));
  return sql`
    insert into ${tablesOf[book].transfers}
      (id, application_id, code, debit_account, credit_account, amount, currency, reference, created_at)
    select id, "applicationId", 'charge', "debitAccount", "creditAccount", amount, currency, reference, "createdAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as charge(
      id text, "applicationId" text, "debitAccount" text, "creditAccount" text, amount bigint, currency text,
      reference text, "createdAt" timestamptz
    )`;
}
