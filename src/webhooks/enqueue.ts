// Puts an event into the hands of its subscribers, inside the transaction that committed the event to the ledger
// (section 6: "completed and was committed"): a webhook exists exactly when its event does.
import { and, arrayContains, eq, isNull, ne, or } from 'drizzle-orm';
import { webhookDeliveries, webhookMessages, webhookSubscriptions } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';
import { newId } from '../id.ts';
import type { Jobs } from '../jobs.ts';
import { type Lane, sendDeliveryJobs } from './delivery-job.ts';
import type { WebhookType } from './subscription.ts';

export type WebhookEvent = {
  /** The id of the usage event; receivers deduplicate by it. */
  id: string;
  type: WebhookType;
  applicationId: string;
  workspaceId: string;
  createdAt: Date;
  data: {
    customer: { sub: string; email: string; email_verified: boolean; name: string | null };
    kind: 'registration' | 'sign_in';
    /** Decimal string in the currency, for example "0.020000". */
    amount: string;
    currency: string;
    status: 'committed';
  };
};

export async function enqueueWebhooks(
  tx: Database,
  options: { jobs: Pick<Jobs, 'send'>; event: WebhookEvent; now: Date },
): Promise<void> {
  const { jobs, event, now } = options;
  const subscribers = await subscribersOf(tx, event);
  if (subscribers.length === 0) return;
  await tx.insert(webhookMessages).values({
    eventId: event.id,
    applicationId: event.applicationId,
    type: event.type,
    body: webhookBody(event),
    createdAt: event.createdAt,
  });
  const deliveries = subscribers.map((subscriber) => ({ id: newId('dlv'), subscriber }));
  await tx.insert(webhookDeliveries).values(
    deliveries.map(({ id, subscriber }) => ({
      id,
      subscriptionId: subscriber.id,
      eventId: event.id,
      status: 'pending' as const,
      attemptCount: 0,
      // A paused subscription's delivery waits for the resumption, which gives it a job.
      nextAttemptAt: subscriber.status === 'active' ? now : null,
      createdAt: now,
    })),
  );
  for (const lane of ['prompt', 'patient'] satisfies Lane[]) {
    const attempts = deliveries
      .filter(({ subscriber }) => subscriber.status === 'active' && laneOf(subscriber) === lane)
      .map(({ id, subscriber }) => ({ deliveryId: id, subscriptionId: subscriber.id, number: 1 }));
    await sendDeliveryJobs(tx, { jobs, lane, attempts });
  }
}

function laneOf({ failingSince }: { failingSince: Date | null }): Lane {
  return failingSince ? 'patient' : 'prompt';
}

function subscribersOf(tx: Database, event: WebhookEvent) {
  return tx
    .select({
      id: webhookSubscriptions.id,
      status: webhookSubscriptions.status,
      failingSince: webhookSubscriptions.failingSince,
    })
    .from(webhookSubscriptions)
    .where(
      and(
        eq(webhookSubscriptions.workspaceId, event.workspaceId),
        ne(webhookSubscriptions.status, 'disabled'),
        arrayContains(webhookSubscriptions.types, [event.type]),
        or(
          isNull(webhookSubscriptions.applicationIds),
          arrayContains(webhookSubscriptions.applicationIds, [event.applicationId]),
        ),
      ),
    );
}

/** Serialised once: every attempt at every endpoint sends these bytes. */
function webhookBody({ id, type, createdAt, applicationId, data }: WebhookEvent): string {
  return JSON.stringify({
    id,
    type,
    created_at: createdAt.toISOString(),
    data: { application_id: applicationId, ...data },
  });
}
