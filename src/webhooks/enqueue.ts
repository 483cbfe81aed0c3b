// Puts events into the hands of their subscribers, inside the transaction that committed the events to the ledger
// (promise 34): a webhook exists exactly when its event does.
import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import { type Database, isOneOf, oncePerDatabase } from '../database/connection.ts';
import { newId } from '../id.ts';
import { notify } from '../queue/jobs.ts';
import { type WebhookEvent, webhookBody } from './event-body.ts';

/** A delivery is there; whoever hears of it looks for work (delivery-loop.ts). */
export const DELIVERIES = 'webhooks';

/** As many events as there are, in one statement. */
export async function enqueueAll(tx: Database, options: Announcement): Promise<void> {
  const deliveries = deliveriesOf(options);
  if (deliveries.length > 0) await tx.execute(statementOf(deliveries, { now: options.now, isHeld: false }));
}

/** The same, but nobody sends them before they are released (release.ts). undefined: nobody listens. */
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

/** Messages, deliveries and the word that they are there in one statement whose text never changes: a charge waits for it. */
function statementOf(deliveries: NewDelivery[], { now, isHeld }: { now: Date; isHeld: boolean }): SQL {
  const events = [...new Set(deliveries.map(({ event }) => event))];
  const messageRows = events.map((event) => ({
    eventId: event.id,
    applicationId: event.applicationId,
    type: event.type,
    body: webhookBody(event),
    isTest: !event.livemode,
    createdAt: event.createdAt,
  }));
  const deliveryRows = deliveries.map(({ id, event, subscriber }) => ({
    id,
    subscriptionId: subscriber.id,
    eventId: event.id,
  }));
  return sql`
    with written as (
      insert into webhook_messages (event_id, application_id, type, body, is_test, created_at)
      select * from jsonb_to_recordset(${JSON.stringify(messageRows)}::jsonb) as message(
        "eventId" text, "applicationId" text, type text, body text, "isTest" boolean, "createdAt" timestamptz
      )
    ), queued as (
      insert into webhook_deliveries
        (id, subscription_id, event_id, status, attempt_count, next_attempt_at, created_at)
      select id, "subscriptionId", "eventId", 'pending', 0,
        ${isHeld ? sql`null::timestamptz` : dueAt(now)}, ${now.toISOString()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(deliveryRows)}::jsonb) as delivery(
        id text, "subscriptionId" text, "eventId" text
      )
    )
    select ${isHeld ? sql`1` : notify(DELIVERIES)}`;
}

/** At once, by the clock that decides, which is the database's: also when this process is ahead of it. */
export function dueAt(now: Date): SQL<Date> {
  return sql<Date>`least(${now.toISOString()}::timestamptz, clock_timestamp())`;
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
  const all = await freeSubscribers(tx).execute({ applicationIds });
  const held = all.filter(({ freeId }) => freeId === null);
  return {
    subscribers: all.filter(({ freeId }) => freeId !== null),
    heldWorkspaces: new Set(held.map(({ workspaceId }) => workspaceId)),
  };
}

const waitForSubscribers = oncePerDatabase((db) => subscribersOf(db).for('key share').prepare('subscribers'));
const freeSubscribers = oncePerDatabase((db) => {
  const lockable = db.select({ id: webhookSubscriptions.id }).from(webhookSubscriptions).where(listens(db));
  const free = db.$with('free').as(lockable.for('key share', { skipLocked: true }));
  return db
    .with(free)
    .select({ ...subscriber, freeId: free.id })
    .from(webhookSubscriptions)
    .leftJoin(free, eq(free.id, webhookSubscriptions.id))
    .where(listens(db))
    .prepare('free_subscribers');
});

const subscriber = {
  id: webhookSubscriptions.id,
  workspaceId: webhookSubscriptions.workspaceId,
  applicationIds: webhookSubscriptions.applicationIds,
  types: webhookSubscriptions.types,
};

function subscribersOf(db: Database) {
  return db.select(subscriber).from(webhookSubscriptions).where(listens(db));
}

function listens(db: Database) {
  const workspaceIds = db
    .select({ id: applications.workspaceId })
    .from(applications)
    .where(isOneOf(applications.id, sql.placeholder('applicationIds')));
  return and(
    inArray(webhookSubscriptions.workspaceId, workspaceIds),
    ne(webhookSubscriptions.status, 'disabled'),
  );
}

function wants({ workspaceId, types, applicationIds }: Subscriber, event: WebhookEvent): boolean {
  if (workspaceId !== event.workspaceId || !types.includes(event.type)) return false;
  return applicationIds === null || applicationIds.includes(event.applicationId);
}
