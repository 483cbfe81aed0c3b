// Taking a charge back when its tokens never left the service: a new transfer in the other direction. The usage event
// stays and reads `reversed`.
import { and, eq, sql } from 'drizzle-orm';
import { testTransfers, transfers } from '../../drizzle/schema/transfers.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { changeBalance } from './balance-change.ts';
import { chargeAccounts, tablesOf, writeTestReversal } from './books.ts';
import { findEvent, type UsageEvent } from './charge.ts';
import { writeTransfer } from './transfer.ts';

export type Reversal = {
  event: UsageEvent;
  reason: string;
  /** Whether the customer's session was taken back with the money (applications/customer.ts). */
  undoesSession: boolean;
  now: Date;
};

/** UNIQUE (reverses) makes a second reversal of the same charge impossible. @throws TollgateError conflict */
export async function reverseCharge(tx: Database, { event, ...reversal }: Reversal): Promise<void> {
  const { applicationId, amount, currency, transferId, book } = event;
  const charged = chargeAccounts(book, applicationId);
  const entry = {
    id: newId('trf'),
    applicationId,
    debitAccount: charged.creditAccount,
    creditAccount: charged.debitAccount,
    amount,
    currency,
    reference: `reversal:${transferId}`,
    reverses: transferId,
    undoesSession: reversal.undoesSession,
    reason: reversal.reason,
    createdAt: reversal.now,
  };
  const isFirst =
    book === 'live'
      ? await writeTransfer(tx, { ...entry, code: 'reversal' })
      : await writeTestReversal(tx, entry);
  if (!isFirst) throw new TollgateError('conflict', 'This event was taken back before.');
  if (book === 'test') return;
  await changeBalance(tx, { applicationId, change: amount, currency, at: reversal.now });
}

/** @returns the event of a charge that stands: neither reversed nor refunded. */
export async function findStandingEvent(tx: Database, eventId: string): Promise<UsageEvent | undefined> {
  const event = await findEvent(tx, eventId);
  if (!event) return undefined;
  const book = event.book === 'live' ? transfers : testTransfers;
  const [back] = await tx
    .select({ id: book.id })
    .from(book)
    .where(and(eq(book.applicationId, event.applicationId), eq(book.reverses, event.transferId)));
  return back ? undefined : event;
}

/** When the customer of this event was last here, if this session had not been. */
export async function findSessionBefore(tx: Database, event: UsageEvent): Promise<Date | undefined> {
  const { events, transfers: entries } = tablesOf[event.book];
  const [row] = rowsOf(
    await tx.execute(sql`
      select to_char(other.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from ${events} other left join ${entries} back on back.reverses = other.transfer_id and back.undoes_session
      where other.application_id = ${event.applicationId} and other.sub = ${event.sub} and other.id <> ${event.id}
        and back.id is null
      order by other.occurred_at desc limit 1`),
  );
  return row ? new Date(String(row.at)) : undefined;
}
