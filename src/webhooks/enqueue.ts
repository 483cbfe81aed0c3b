// Puts events into the hands of their subscribers, inside the transaction that committed the events to the ledger
// (section 6: "completed and was committed"): a webhook exists exactly when its event does.
import { and, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { applications, webhookSubscriptions } from '../../drizzle/schema.ts';
import { type Database, isOneOf, oncePerDatabase } from '../database.ts';
import { newId } from '../id.ts';
import type { Jobs } from '../jobs.ts';
import { together } from '../together.ts';
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
    /** Only in a test event (test-event.ts). */
    test?: true;
    customer: { sub: string; email: string; email_verified: boolean; name: string | null };
    kind: 'registration' | 'sign_in';
    /** Decimal string in the currency, for example "0.020000". */
    amount: string;
    currency: string;
    status: 'committed';
  };
};

/** As many events as there are, in as many statements as one event needs. */
export async function enqueueAll(
  tx: Database,
  options: { jobs: Pick<Jobs, 'send'>; events: WebhookEvent[]; subscribers: Subscriber[]; now: Date },
): Promise<void> {
  const { jobs, now } = options;
  const deliveries = deliveriesOf(options);
  if (deliveries.length === 0) return;
  const attemptsOf = (lane: Lane) =>
    deliveries
      .filter(({ subscriber }) => subscriber.status === 'active' && laneOf(subscriber) === lane)
      .map(({ id, subscriber }) => ({ deliveryId: id, subscriptionId: subscriber.id, number: 1 }));
  await together([
    tx.execute(statementOf(deliveries, { now, isHeld: false })),
    sendDeliveryJobs(tx, { jobs, lane: 'prompt', attempts: attemptsOf('prompt') }),
    sendDeliveryJobs(tx, { jobs, lane: 'patient', attempts: attemptsOf('patient') }),
  ]);
}

/** The same without a job: they wait for release.ts. undefined: nobody listens. */
export function enqueueHeld(options: Announcement): SQL | undefined {
  const deliveries = deliveriesOf(options);
  return deliveries.length === 0 ? undefined : statementOf(deliveries, { now: options.now, isHeld: true });
}

type Announcement = { events: WebhookEvent[]; subscribers: Subscriber[]; now: Date };

function deliveriesOf({ events, subscribers }: Announcement): NewDelivery[] {
  return events.flatMap((event) =>
    subscribers
      .filter((subscriber) => wants(subscriber, event))
      .map((subscriber) => ({ id: newId('dlv'), event, subscriber })),
  );
}

type NewDelivery = { id: string; event: WebhookEvent; subscriber: Subscriber };

/** Messages and deliveries in one statement whose text never changes: a charge waits for it. */
function statementOf(deliveries: NewDelivery[], { now, isHeld }: { now: Date; isHeld: boolean }): SQL {
  const events = [...new Set(deliveries.map(({ event }) => event))];
  const messageRows = events.map((event) => ({
    eventId: event.id,
    applicationId: event.applicationId,
    type: event.type,
    body: webhookBody(event),
    createdAt: event.createdAt,
  }));
  const deliveryRows = deliveries.map(({ id, event, subscriber }) => ({
    id,
    subscriptionId: subscriber.id,
    eventId: event.id,
    // A paused subscription's delivery waits for the resumption, which gives it a job.
    nextAttemptAt: subscriber.status === 'active' && !isHeld ? now : null,
  }));
  return sql`
    with written as (
      insert into webhook_messages (event_id, application_id, type, body, created_at)
      select * from jsonb_to_recordset(${JSON.stringify(messageRows)}::jsonb) as message(
        "eventId" text, "applicationId" text, type text, body text, "createdAt" timestamptz
      )
    )
    insert into webhook_deliveries
      (id, subscription_id, event_id, status, attempt_count, next_attempt_at, created_at)
    select id, "subscriptionId", "eventId", 'pending', 0, "nextAttemptAt", ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(deliveryRows)}::jsonb) as delivery(
      id text, "subscriptionId" text, "eventId" text, "nextAttemptAt" timestamptz
    )`;
}

export type Subscriber = Awaited<ReturnType<typeof findSubscribers>>[number];

/**
 * Everybody in these applications' workspaces who hears anything; `wants` knows what. The lock is the one that the
 * deliveries' foreign key takes anyway: a subscription that is deleted at this moment must not fail a charge.
 */
export function findSubscribers(tx: Database, applicationIds: string[]) {
  return waitForSubscribers(tx).execute({ applicationIds });
}

/** The same without waiting, and the workspaces of which somebody else holds a subscription: nobody knows who listens. */
export async function findFreeSubscribers(tx: Database, applicationIds: string[]) {
  const [subscribers, all] = await together([
    freeSubscribers(tx).execute({ applicationIds }),
    allSubscribers(tx).execute({ applicationIds }),
  ]);
  const free = new Set(subscribers.map(({ id }) => id));
  const heldWorkspaces = new Set(all.flatMap(({ id, workspaceId }) => (free.has(id) ? [] : [workspaceId])));
  return { subscribers, heldWorkspaces };
}

const waitForSubscribers = oncePerDatabase((db) => subscribersOf(db).for('key share').prepare('subscribers'));
const freeSubscribers = oncePerDatabase((db) =>
  subscribersOf(db).for('key share', { skipLocked: true }).prepare('free_subscribers'),
);
const allSubscribers = oncePerDatabase((db) => subscribersOf(db).prepare('all_subscribers'));

function subscribersOf(db: Database) {
  const workspaceIds = db
    .select({ id: applications.workspaceId })
    .from(applications)
    .where(isOneOf(applications.id, sql.placeholder('applicationIds')));
  return db
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
        inArray(webhookSubscriptions.workspaceId, workspaceIds),
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
