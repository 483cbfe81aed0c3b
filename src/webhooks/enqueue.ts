// Puts events into the hands of their subscribers, inside the transaction that committed the events to the ledger
// (section 6: "completed and was committed"): a webhook exists exactly when its event does.
import { and, ne } from 'drizzle-orm';
import { webhookDeliveries, webhookMessages, webhookSubscriptions } from '../../drizzle/schema.ts';
import { type Database, isOneOf } from '../database.ts';
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

type EnqueueOptions = { jobs: Pick<Jobs, 'send'>; now: Date };

export async function enqueueWebhooks(
  tx: Database,
  { event, ...options }: EnqueueOptions & { event: WebhookEvent },
): Promise<void> {
  const subscribers = await findSubscribers(tx, [event.workspaceId]);
  await enqueueAll(tx, { ...options, events: [event], subscribers });
}

/** As many events as there are, in as many statements as one event needs. */
export async function enqueueAll(
  tx: Database,
  options: EnqueueOptions & { events: WebhookEvent[]; subscribers: Subscriber[] },
): Promise<void> {
  const { jobs, events, subscribers, now } = options;
  const deliveries = events.flatMap((event) =>
    subscribers
      .filter((subscriber) => wants(subscriber, event))
      .map((subscriber) => ({ id: newId('dlv'), event, subscriber })),
  );
  if (deliveries.length === 0) return;
  const messages = [...new Set(deliveries.map(({ event }) => event))];
  await tx.insert(webhookMessages).values(
    messages.map((event) => ({
      eventId: event.id,
      applicationId: event.applicationId,
      type: event.type,
      body: webhookBody(event),
      createdAt: event.createdAt,
    })),
  );
  await tx.insert(webhookDeliveries).values(
    deliveries.map(({ id, event, subscriber }) => ({
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

export type Subscriber = Awaited<ReturnType<typeof findSubscribers>>[number];

/** Everybody in these workspaces who hears anything; `wants` knows what. */
export function findSubscribers(tx: Database, workspaceIds: string[]) {
  return tx
    .select({
      id: webhookSubscriptions.id,
      workspaceId: webhookSubscriptions.workspaceId,
      applicationIds: webhookSubscriptions.applicationIds,
      types: webhookSubscriptions.types,
      status: webhookSubscriptions.status,
      failingSince: webhookSubscriptions.failingSince,
    })
    .from(webhookSubscriptions)
    .where(
      and(
        isOneOf(webhookSubscriptions.workspaceId, workspaceIds),
        ne(webhookSubscriptions.status, 'disabled'),
      ),
    );
}

function wants({ workspaceId, types, applicationIds }: Subscriber, event: WebhookEvent): boolean {
  if (workspaceId !== event.workspaceId || !types.includes(event.type)) return false;
  return applicationIds === null || applicationIds.includes(event.applicationId);
}

function laneOf({ failingSince }: { failingSince: Date | null }): Lane {
  return failingSince ? 'patient' : 'prompt';
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
