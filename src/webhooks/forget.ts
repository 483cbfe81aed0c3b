// Removes the address and name of a deleted person from webhooks that are kept for replay. What is still on its way
// is left to arrive: the company was promised it (section 6), and the copy goes with the others after 30 days.
import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { webhookAttempts, webhookDeliveries, webhookMessages } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';

export async function forgetCustomerInWebhooks(
  tx: Database,
  customer: { applicationId: string; sub: string },
): Promise<void> {
  const pending = tx
    .select({ eventId: webhookDeliveries.eventId })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.status, 'pending'));
  const messages = await tx
    .select({ eventId: webhookMessages.eventId })
    .from(webhookMessages)
    .where(
      and(
        eq(webhookMessages.applicationId, customer.applicationId),
        sql`${webhookMessages.body}::jsonb #>> '{data,customer,sub}' = ${customer.sub}`,
        notInArray(webhookMessages.eventId, pending),
      ),
    );
  if (messages.length === 0) return;
  const eventIds = messages.map(({ eventId }) => eventId);
  const ofTheseEvents = inArray(webhookDeliveries.eventId, eventIds);
  const deliveries = tx.select({ id: webhookDeliveries.id }).from(webhookDeliveries).where(ofTheseEvents);
  await tx.delete(webhookAttempts).where(inArray(webhookAttempts.deliveryId, deliveries));
  await tx.delete(webhookDeliveries).where(ofTheseEvents);
  await tx.delete(webhookMessages).where(inArray(webhookMessages.eventId, eventIds));
}
