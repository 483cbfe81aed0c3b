// What an owner changes about a subscription (section 2): where it goes, what it hears, and its end.
import { and, eq, inArray } from 'drizzle-orm';
import { webhookAttempts, webhookDeliveries, webhookSubscriptions } from '../../drizzle/schema.ts';
import { type Database, transaction } from '../database.ts';
import { webhookBatchRows } from '../limits-webhooks.ts';
import { type AddressRules, parseEndpointUrl } from './address.ts';
import { disableSubscription, lockSubscription, requireTypes } from './subscription.ts';

type Which = { workspaceId: string; subscriptionId: string };

type Change = AddressRules & {
  url: string;
  /** Already known to belong to the workspace; null: all of its applications, later ones too. */
  applicationIds: string[] | null;
  types: string[];
};

/** What waits goes to the new endpoint; a new endpoint has not failed yet. */
export async function changeSubscription(tx: Database, options: Which & Change): Promise<void> {
  const { subscriptionId, applicationIds } = options;
  const url = parseEndpointUrl(options.url, options).href;
  const types = requireTypes(options.types);
  const before = await lockSubscription(tx, options);
  await tx
    .update(webhookSubscriptions)
    .set({ url, applicationIds, types, ...(url === before.url ? {} : { failingSince: null }) })
    .where(eq(webhookSubscriptions.id, subscriptionId));
}

/** The first half of a deletion, which decides it: nothing is sent from here on. */
export async function stopSubscription(tx: Database, options: Which & { now: Date }): Promise<void> {
  await lockSubscription(tx, options);
  await disableSubscription(tx, { ...options, reason: 'It is being deleted.' });
}

/**
 * The second half, of one that was stopped: its deliveries and attempts, a few rows at a time, because a history may be
 * long, and the subscription last. A process that dies in between leaves it disabled, to be deleted again.
 */
export async function clearSubscription(
  db: Database,
  { subscriptionId }: Pick<Which, 'subscriptionId'>,
): Promise<void> {
  while ((await transaction(db, (tx) => deleteSomeDeliveries(tx, subscriptionId))) === webhookBatchRows);
  await transaction(db, async (tx) => {
    // A charge that found the subscription before it was disabled may have added one more.
    await tx
      .select({ id: webhookSubscriptions.id })
      .from(webhookSubscriptions)
      .where(eq(webhookSubscriptions.id, subscriptionId))
      .for('update');
    await deleteSomeDeliveries(tx, subscriptionId);
    await tx.delete(webhookSubscriptions).where(eq(webhookSubscriptions.id, subscriptionId));
  });
}

async function deleteSomeDeliveries(tx: Database, subscriptionId: string): Promise<number> {
  const some = await tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.subscriptionId, subscriptionId))
    .limit(webhookBatchRows)
    .for('update');
  if (some.length === 0) return 0;
  const ids = some.map(({ id }) => id);
  await tx.delete(webhookAttempts).where(inArray(webhookAttempts.deliveryId, ids));
  await tx
    .delete(webhookDeliveries)
    .where(and(inArray(webhookDeliveries.id, ids), eq(webhookDeliveries.subscriptionId, subscriptionId)));
  return some.length;
}
