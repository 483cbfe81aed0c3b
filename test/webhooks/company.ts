// A company with an application, for webhook tests: its events, its subscriptions, and a worker that takes its turns at
// times of the test's choice.
import { randomUUID } from 'node:crypto';
import { asc, eq, sql } from 'drizzle-orm';
import { webhookAttempts, webhookDeliveries, webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import { createApplication } from '../../src/applications/application.ts';
import { createWorkspace } from '../../src/applications/workspace.ts';
import { type Database, rowsOf, transaction } from '../../src/database/connection.ts';
import { newId } from '../../src/id.ts';
import { createWorkSizes, takeWorkBite } from '../../src/queue/long-work.ts';
import { createKeys, randomSecret } from '../../src/secrets.ts';
import { workKinds } from '../../src/service/long-work-kinds.ts';
import {
  createDeliveryWorker,
  type DeliveryWorker,
  type DisabledSubscription,
} from '../../src/webhooks/delivery.ts';
import { claimTurn } from '../../src/webhooks/delivery-claim.ts';
import { lookForWork } from '../../src/webhooks/delivery-look.ts';
import { enqueueAll, findSubscribers } from '../../src/webhooks/enqueue.ts';
import type { WebhookEvent } from '../../src/webhooks/event-body.ts';
import { createWebhookSender, type SendWebhook } from '../../src/webhooks/sender.ts';
import { createSubscription } from '../../src/webhooks/subscription.ts';
import { deleteSubscription as decideDeletion } from '../../src/webhooks/subscription-change.ts';

export const keys = createKeys(randomSecret());
export const START = new Date('2026-11-21T10:00:00.000Z');
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export type Company = { workspaceId: string; applicationId: string };

/** As company settings do it, and everything that follows. */
export async function deleteSubscription(
  db: Database,
  which: { workspaceId: string; subscriptionId: string },
): Promise<void> {
  await transaction(db, (tx) => decideDeletion(tx, { ...which, now: START }));
  await finishWork(db);
}

/** Every bite of long work that is due. */
export async function finishWork(db: Database, now = START): Promise<void> {
  const sizes = createWorkSizes(workKinds);
  for (;;) {
    const done = await takeWorkBite({ db, clock: () => now, kinds: workKinds }, sizes);
    if (!done) return;
    if ('error' in done) throw done.error;
  }
}

export async function createCompany(db: Database): Promise<Company> {
  return transaction(db, async (tx) => {
    const workspace = await createWorkspace(tx, {
      name: 'Acme',
      currency: 'EUR',
      registrationPrice: 50_000n,
      signInPrice: 20_000n,
      now: START,
    });
    const { application } = await createApplication(tx, {
      workspaceId: workspace.id,
      name: 'Shop',
      clientType: 'confidential',
      redirectUris: ['https://shop.example.test/callback'],
      now: START,
    });
    return { workspaceId: workspace.id, applicationId: application.id };
  });
}

export function eventOf(
  company: Company,
  changes: Partial<WebhookEvent> = {},
  name = 'Ada Lovelace',
): WebhookEvent {
  return {
    id: `evt_${randomUUID().replaceAll('-', '')}`,
    type: 'identity.registration.completed.v1',
    ...company,
    livemode: true,
    createdAt: START,
    data: {
      customer: { sub: 'sub-1', email: 'ada@example.test', email_verified: true, name },
      kind: 'registration',
      amount: '0.050000',
      currency: 'EUR',
      status: 'committed',
    },
    ...changes,
  };
}

/** The time, which the test moves. */
export type Timetable = { now: Date };

export function createTimetable(now = START): Timetable {
  return { now };
}

export type WorkerOverrides = Partial<DeliveryWorker> & { caCert?: string };

export function createTestWorker(db: Database, timetable: Timetable, overrides: WorkerOverrides) {
  const told: DisabledSubscription[] = [];
  const clock = () => timetable.now;
  const deliver = createDeliveryWorker({
    db,
    keys,
    clock,
    send: createLoopbackSender(overrides.caCert),
    onDisabled: async (_tx, disabled) => void told.push(disabled),
    ...overrides,
  });
  const owner = newId('wrk');
  /** Claims what is due, as far as there are places, and starts an attempt for each. */
  const claim = async () => {
    const { waiting } = await lookForWork(db, { ring: 'all', after: undefined, clock });
    const claimed = await claimTurn({ db, clock, owner, random: Math.random }, { waiting, free: 256 });
    return claimed.map((each) => deliver(each));
  };
  /** Turn after turn until nothing is due; then what follows from the answers. */
  const runDue = async () => {
    const outcomes: PromiseSettledResult<void>[] = [];
    for (;;) {
      const attempts = await claim();
      if (attempts.length === 0) break;
      outcomes.push(...(await Promise.allSettled(attempts)));
    }
    await finishWork(db, timetable.now);
    return outcomes;
  };
  return {
    told,
    claim,
    runDue,
    /** Moves the clock to each delivery that is due before `until`, and makes its attempt. */
    async runUntil(until: Date) {
      for (;;) {
        const next = await nextDue(db);
        if (!next || next > until) break;
        if (next > timetable.now) timetable.now = next;
        await runDue();
      }
      timetable.now = until;
    },
  };
}

/** When something is due at an endpoint that hears anything. */
export async function nextDue(db: Database): Promise<Date | undefined> {
  const [row] = rowsOf(
    await db.execute(sql`
      select extract(epoch from min(next_attempt_at))::float8 * 1000 as at from webhook_deliveries
      where status = 'pending' and subscription_id in (
        select id from webhook_subscriptions where status = 'active'
      )`),
  );
  return row?.at == null ? undefined : new Date(Math.ceil(Number(row.at)));
}

/** What another test left on its way is nobody's business any more. */
export async function forgetPending(db: Database): Promise<void> {
  const some = sql`(select id from webhook_deliveries where status = 'pending' limit 5000)`;
  for (;;) {
    const forgotten = await db
      .update(webhookDeliveries)
      .set({ status: 'failed', claimedBy: null, claimedUntil: null })
      .where(sql`${webhookDeliveries.id} in ${some}`)
      .returning({ id: webhookDeliveries.id });
    if (forgotten.length === 0) return;
  }
}

export function createLoopbackSender(extraCa?: string): SendWebhook {
  return createWebhookSender({ rules: { allowLoopback: true }, extraCa });
}

export function subscribe(
  db: Database,
  company: Company,
  url: string,
  changes: { types?: string[]; applicationIds?: string[] } = {},
) {
  const { workspaceId } = company;
  return transaction(db, (tx) =>
    createSubscription(tx, { keys, workspaceId, url, allowLoopback: true, now: START, ...changes }),
  );
}

/** As the charge does it for its events. */
export async function enqueue(
  tx: Database,
  { event, now }: { event: WebhookEvent; now: Date },
): Promise<void> {
  const subscribers = await findSubscribers(tx, [event.applicationId]);
  await enqueueAll(tx, { events: [event], subscribers, now });
}

export async function emit(db: Database, event: WebhookEvent, now = START): Promise<string> {
  await transaction(db, (tx) => enqueue(tx, { event, now }));
  return event.id;
}

export function deliveriesOf(db: Database, eventId: string) {
  return db.select().from(webhookDeliveries).where(eq(webhookDeliveries.eventId, eventId));
}

export async function deliveryOf(db: Database, eventId: string) {
  const [delivery] = await deliveriesOf(db, eventId);
  if (!delivery) throw new Error(`no delivery of ${eventId}`);
  return delivery;
}

export async function attemptsOf(db: Database, eventId: string) {
  const { id } = await deliveryOf(db, eventId);
  return db
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, id))
    .orderBy(asc(webhookAttempts.startedAt), asc(webhookAttempts.id));
}

export async function subscriptionRow(db: Database, id: string) {
  const [row] = await db.select().from(webhookSubscriptions).where(eq(webhookSubscriptions.id, id));
  if (!row) throw new Error(`no subscription ${id}`);
  return row;
}
