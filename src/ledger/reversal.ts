// Taking a charge back when its tokens never left the service: a new transfer in the other direction. The usage
// event stays and reads `reversed`; the customer's registration stays the registration.
import { eq } from 'drizzle-orm';
import { transfers, usageEvents } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { changeBalance } from './balance-change.ts';
import { applicationAccount, usageAccount } from './ledger-accounts.ts';

export type Reversal = { eventId: string; reason: string; now: Date };

/** UNIQUE (reverses) makes a second reversal of the same charge impossible. @throws TollgateError not_found */
export async function reverseCharge(tx: Database, input: Reversal): Promise<void> {
  const [event] = await tx.select().from(usageEvents).where(eq(usageEvents.id, input.eventId));
  if (!event) throw new TollgateError('not_found', 'There is no such event.');
  await tx.insert(transfers).values({
    id: newId('trf'),
    applicationId: event.applicationId,
    code: 'reversal',
    debitAccount: usageAccount(event.applicationId),
    creditAccount: applicationAccount(event.applicationId),
    amount: event.amount,
    currency: event.currency,
    reference: `reversal:${event.transferId}`,
    reverses: event.transferId,
    reason: input.reason,
    createdAt: input.now,
  });
  const { applicationId, amount: change, currency } = event;
  await changeBalance(tx, { applicationId, change, currency, at: input.now });
}
