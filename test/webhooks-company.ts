// A company with an application, for webhook tests: its events, its subscriptions, and a worker whose queue is
// either the real one or a list that the test empties at a time of its choice.
import { randomUUID } from 'node:crypto';
import { asc, eq } from 'drizzle-orm';
import { webhookAttempts, webhookDeliveries, webhookSubscriptions } from '../drizzle/schema.ts';
import { createApplication } from '../src/applications/application.ts';
import { createWorkspace } from '../src/applications/workspace.ts';
import { type Database, transaction } from '../src/database.ts';
import type { Jobs } from '../src/jobs.ts';
import { createKeys, randomSecret } from '../src/secrets.ts';
import {
  createDeliveryWorker,
  type DeliveryWorker,
  type DisabledSubscription,
} from '../src/webhooks/delivery.ts';
import type { DeliveryJob } from '../src/webhooks/delivery-job.ts';
import { enqueueAll, findSubscribers, type WebhookEvent } from '../src/webhooks/enqueue.ts';
import { createWebhookSender, type SendWebhook } from '../src/webhooks/sender.ts';
import { createSubscription } from '../src/webhooks/subscription.ts';
import { clearSubscription, stopSubscription } from '../src/webhooks/subscription-change.ts';

export const keys = createKeys(randomSecret());
export const START = new Date('2026-11-21T10:00:00.000Z');
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export type Company = { workspaceId: string; applicationId: string };

/** As company settings do it, in its two halves. */
export async function deleteSubscription(
  db: Database,
  which: { workspaceId: string; subscriptionId: string },
): Promise<void> {
  await transaction(db, (tx) => stopSubscription(tx, { ...which, now: START }));
  await clearSubscription(db, which);
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

/** Jobs in a list, in the order of their times; the test says how late it is. */
export type Timetable = Pick<Jobs, 'send'> & {
  now: Date;
  pending: { job: DeliveryJob; startAfter: Date; queue: string }[];
};

export function createTimetable(now = START): Timetable {
  const timetable: Timetable = {
    now,
    pending: [],
    async send(_tx, queue, jobs) {
      for (const { data, startAfter = timetable.now } of jobs) {
        timetable.pending.push({ job: data as DeliveryJob, startAfter, queue });
      }
    },
  };
  return timetable;
}

export type WorkerOverrides = Partial<DeliveryWorker> & { caCert?: string };

export function createTestWorker(db: Database, timetable: Timetable, overrides: WorkerOverrides) {
  const told: DisabledSubscription[] = [];
  const worker = createDeliveryWorker({
    db,
    keys,
    jobs: timetable,
    clock: () => timetable.now,
    send: createLoopbackSender(overrides.caCert),
    onDisabled: async (_tx, disabled) => void told.push(disabled),
    ...overrides,
  });
  return {
    told,
    worker,
    /** Moves the clock to each job that is due before `until`, and runs it. */
    async runUntil(until: Date) {
      for (;;) {
        timetable.pending.sort((a, b) => a.startAfter.getTime() - b.startAfter.getTime());
        const next = timetable.pending[0];
        if (!next || next.startAfter > until) break;
        timetable.pending.shift();
        if (next.startAfter > timetable.now) timetable.now = next.startAfter;
        await worker(next.job);
      }
      timetable.now = until;
    },
  };
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
  { jobs, event, now }: { jobs: Pick<Jobs, 'send'>; event: WebhookEvent; now: Date },
): Promise<void> {
  const subscribers = await findSubscribers(tx, [event.applicationId]);
  await enqueueAll(tx, { jobs, events: [event], subscribers, now });
}

export async function emit(
  db: Database,
  jobs: Pick<Jobs, 'send'>,
  event: WebhookEvent,
  now = START,
): Promise<string> {
  await transaction(db, (tx) => enqueue(tx, { jobs, event, now }));
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
