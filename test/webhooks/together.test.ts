// Deliveries of one moment share their database work. Nothing that was promised about one of them may
// depend on its company: each is settled once, and what is wrong with one is nobody else's trouble.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { asc, eq, sql } from 'drizzle-orm';
import { webhookAttempts, webhookDeliveries } from '../../drizzle/schema/webhooks.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import type { SendWebhook, WebhookAnswer } from '../../src/webhooks/sender.ts';
import { disableSubscription, pauseSubscription } from '../../src/webhooks/subscription.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { measure } from '../harness/stopwatch.ts';
import { chosenStores } from '../harness/stores.ts';
import { until } from '../harness/until.ts';
import {
  type Company,
  createCompany,
  createTestWorker,
  createTimetable,
  DAY,
  deleteSubscription,
  emit,
  eventOf,
  finishWork,
  forgetPending,
  nextDue,
  START,
  subscribe,
  subscriptionRow,
  type Timetable,
} from './company.ts';

/** On the embedded database one transaction waits for the other in any case. */
const betweenTransactions = chosenStores() === 'servers' ? test : test.skip;
const LEASE_MILLISECONDS = 30_000;

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.connection.db;
});
afterEach(() => forgetPending(db));
afterAll(() => database.remove());

type Endpoint = { company: Company; subscriptionId: string; url: string };

/** A company with an endpoint that answers as its address says. */
async function endpointAt(path: string): Promise<Endpoint> {
  const url = `https://localhost:4003/${path}`;
  const company = await createCompany(db);
  const { id } = await subscribe(db, company, url);
  return { company, subscriptionId: id, url };
}

/** Sends without a network; a moment passes, in which others catch up. */
function sendTo(answers: (path: string, eventId: string) => Partial<WebhookAnswer>) {
  const sent: string[] = [];
  // Whoever was asked in one moment answers in one moment, on a quick machine and on a slow one.
  let answering: Promise<void> | undefined;
  const send: SendWebhook = async ({ url, headers }) => {
    const eventId = headers['x-service-webhook-id'] ?? '';
    sent.push(eventId);
    answering ??= new Promise<void>((resolve) => setTimeout(resolve, 10)).finally(() => {
      answering = undefined;
    });
    await answering;
    return { durationMs: 1, ...answers(new URL(url).pathname.slice(1), eventId) };
  };
  return { sent, send };
}

function emitMany(timetable: Timetable, endpoint: Endpoint, count: number) {
  const now = timetable.now;
  return transaction(db, async (tx) => {
    const ids: string[] = [];
    while (ids.length < count) ids.push(await emit(tx, eventOf(endpoint.company, { createdAt: now }), now));
    return ids;
  });
}

function deliveriesTo({ subscriptionId }: Endpoint) {
  return db.select().from(webhookDeliveries).where(eq(webhookDeliveries.subscriptionId, subscriptionId));
}

function attemptsAt({ subscriptionId }: Endpoint) {
  return db
    .select({
      deliveryId: webhookAttempts.deliveryId,
      number: webhookAttempts.number,
      status: webhookAttempts.responseStatus,
      headers: webhookAttempts.requestHeaders,
      startedAt: webhookAttempts.startedAt,
      excerpt: webhookAttempts.responseBody,
    })
    .from(webhookAttempts)
    .innerJoin(webhookDeliveries, eq(webhookDeliveries.id, webhookAttempts.deliveryId))
    .where(eq(webhookDeliveries.subscriptionId, subscriptionId))
    .orderBy(asc(webhookAttempts.id));
}

describe('deliveries of one moment', () => {
  test('300 to two endpoints, one of which answers 500: each is settled by its own answer, once', async () => {
    const [good, bad] = [await endpointAt('good'), await endpointAt('bad')];
    const timetable = createTimetable();
    const { send, sent } = sendTo((path) => ({
      status: path === 'good' ? 200 : 500,
      excerpt: `I am ${path}`,
    }));
    const { runDue } = createTestWorker(db, timetable, { send });
    const ids = [...(await emitMany(timetable, good, 150)), ...(await emitMany(timetable, bad, 150))];
    await runDue();

    expect(sent.toSorted()).toEqual(ids.toSorted());
    const delivered = await deliveriesTo(good);
    expect(delivered).toHaveLength(150);
    for (const delivery of delivered)
      expect(delivery).toMatchObject({
        status: 'delivered',
        attemptCount: 1,
        nextAttemptAt: null,
        finishedAt: START,
      });
    const failed = await deliveriesTo(bad);
    expect(failed).toHaveLength(150);
    for (const delivery of failed) {
      expect(delivery).toMatchObject({ status: 'pending', attemptCount: 1, finishedAt: null });
      const pause = (delivery.nextAttemptAt?.getTime() ?? 0) - START.getTime();
      // From the moment of the record on, which is a little later.
      expect(pause).toBeGreaterThanOrEqual(4_000);
      expect(pause).toBeLessThanOrEqual(7_000);
    }
    for (const [endpoint, status] of [
      [good, 200],
      [bad, 500],
    ] as const) {
      const attempts = await attemptsAt(endpoint);
      expect(new Set(attempts.map(({ deliveryId }) => deliveryId)).size).toBe(150);
      expect(attempts).toHaveLength(150);
      for (const attempt of attempts) {
        expect(attempt).toMatchObject({ number: 1, status, startedAt: START });
        expect(attempt.excerpt).toBe(`I am ${status === 200 ? 'good' : 'bad'}`);
        expect(attempt.headers?.['x-service-webhook-signature']).toMatch(/^v1=[0-9a-f]{64}$/);
      }
    }
    expect((await subscriptionRow(db, good.subscriptionId)).failingSince).toBeNull();
    expect((await subscriptionRow(db, bad.subscriptionId)).failingSince).toEqual(START);
  });

  test('share their transactions', async () => {
    const endpoint = await endpointAt('good');
    const timetable = createTimetable();
    let transactions = 0;
    const counted = Object.assign(Object.create(db), {
      transaction: (...given: Parameters<Database['transaction']>) => {
        transactions += 1;
        return db.transaction(...given);
      },
      execute: (...given: Parameters<Database['execute']>) => {
        transactions += 1;
        return db.execute(...given);
      },
    });
    const { runDue } = createTestWorker(counted, timetable, { send: sendTo(() => ({ status: 200 })).send });
    await emitMany(timetable, endpoint, 256);
    await runDue();
    expect((await deliveriesTo(endpoint)).every(({ status }) => status === 'delivered')).toBe(true);
    expect(transactions).toBeLessThan(64);
  });

  test('threat 87: two workers that look again and again at once make and record every attempt once', async () => {
    const endpoint = await endpointAt('good');
    const timetable = createTimetable();
    const { send, sent } = sendTo(() => ({ status: 200 }));
    const [first, second] = [
      createTestWorker(db, timetable, { send }),
      createTestWorker(db, timetable, { send }),
    ];
    const ids = await emitMany(timetable, endpoint, 100);
    await Promise.all([first.runDue(), second.runDue(), first.runDue(), second.runDue()]);
    await second.runUntil(new Date(START.getTime() + DAY));
    expect(sent.toSorted()).toEqual(ids.toSorted());
    expect(await attemptsAt(endpoint)).toHaveLength(100);
    expect((await deliveriesTo(endpoint)).every(({ status }) => status === 'delivered')).toBe(true);
  });

  test('one whose record fails does not fail the others', async () => {
    const endpoint = await endpointAt('poison');
    const timetable = createTimetable();
    let poisoned = '';
    // No real answer has a NUL (sender.ts); PostgreSQL refuses it.
    const { send } = sendTo((_, eventId) => ({
      status: eventId.endsWith('7') ? 500 : 200,
      ...(eventId === poisoned && { excerpt: 'a\0b' }),
    }));
    const { runDue } = createTestWorker(db, timetable, { send });
    poisoned = (await emitMany(timetable, endpoint, 90))[40] ?? '';
    const outcomes = await runDue();
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    const deliveries = await deliveriesTo(endpoint);
    for (const { eventId, status, attemptCount } of deliveries) {
      const isSettled = eventId !== poisoned;
      const isFailed = !isSettled || eventId.endsWith('7');
      expect({ eventId, status, attemptCount }).toEqual({
        eventId,
        status: isFailed ? 'pending' : 'delivered',
        attemptCount: isSettled ? 1 : 0,
      });
    }
    expect(await attemptsAt(endpoint)).toHaveLength(89);
  });

  test('410 from one endpoint disables it alone, and tells its owner once', async () => {
    const [good, gone] = [await endpointAt('good'), await endpointAt('gone')];
    const timetable = createTimetable();
    const { send } = sendTo((path) => ({ status: path === 'good' ? 200 : 410 }));
    const { runDue, told } = createTestWorker(db, timetable, { send });
    await emitMany(timetable, good, 40);
    await emitMany(timetable, gone, 40);
    await runDue();
    expect(told).toMatchObject([{ subscriptionId: gone.subscriptionId, url: gone.url }]);
    expect((await deliveriesTo(good)).every(({ status }) => status === 'delivered')).toBe(true);
    expect((await deliveriesTo(gone)).every(({ status }) => status === 'failed')).toBe(true);
    expect((await subscriptionRow(db, good.subscriptionId)).status).toBe('active');
  });

  test('paused, disabled and deleted subscriptions among them hear nothing', async () => {
    const [good, paused, disabled, deleted] = [
      await endpointAt('good'),
      await endpointAt('paused'),
      await endpointAt('disabled'),
      await endpointAt('deleted'),
    ];
    const timetable = createTimetable();
    const { send, sent } = sendTo(() => ({ status: 200 }));
    const { runDue } = createTestWorker(db, timetable, { send });
    const wanted = await emitMany(timetable, good, 20);
    for (const endpoint of [paused, disabled, deleted]) await emitMany(timetable, endpoint, 20);
    const which = ({ company, subscriptionId }: Endpoint) => ({
      workspaceId: company.workspaceId,
      subscriptionId,
    });
    await transaction(db, (tx) => pauseSubscription(tx, which(paused)));
    await transaction(db, (tx) =>
      disableSubscription(tx, { ...which(disabled), reason: 'x', now: timetable.now }),
    );
    await deleteSubscription(db, which(deleted));
    await runDue();
    expect(sent.toSorted()).toEqual(wanted.toSorted());
    for (const delivery of await deliveriesTo(paused))
      expect(delivery).toMatchObject({ status: 'pending', attemptCount: 0, claimedBy: null });
    for (const delivery of await deliveriesTo(disabled))
      expect(delivery).toMatchObject({ status: 'failed', attemptCount: 0, finishedAt: START });
    expect(await deliveriesTo(deleted)).toEqual([]);
  });
});

describe('an answer that comes late', () => {
  test.each([
    { late: 500, next: 200, outcome: { status: 'delivered', attemptCount: 2 } },
    { late: 200, next: 500, outcome: { status: 'delivered', attemptCount: 2 } },
    { late: 500, next: 500, outcome: { status: 'pending', attemptCount: 2 } },
  ])(
    'after its claim ran out does not overwrite its successor: late $late, meanwhile $next',
    async ({ late, next, outcome }) => {
      const endpoint = await endpointAt('late');
      const timetable = createTimetable();
      const { promise: answered, resolve: answer } = Promise.withResolvers<WebhookAnswer>();
      const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
      const slow = createTestWorker(db, timetable, {
        send() {
          isAsked();
          return answered;
        },
      });
      const quick = createTestWorker(db, timetable, {
        send: sendTo(() => ({ status: timetable.now < at(LEASE_MILLISECONDS + 4_500) ? 503 : next })).send,
      });
      await emitMany(timetable, endpoint, 1);
      const [slowly] = await slow.claim();
      await asked;
      timetable.now = at(LEASE_MILLISECONDS + 1_000);
      await quick.runDue();
      await quick.runUntil(at(LEASE_MILLISECONDS + 10_000));
      const before = await deliveriesTo(endpoint);
      expect(before[0]?.attemptCount).toBe(2);
      answer({ status: late, durationMs: 1 });
      await slowly;
      expect(await deliveriesTo(endpoint)).toMatchObject([outcome]);
      const { failingSince } = await subscriptionRow(db, endpoint.subscriptionId);
      expect(failingSince === null).toBe(late === 200);
      // Both were sent, so the log shows both.
      expect((await attemptsAt(endpoint)).map(({ number }) => number)).toEqual([1, 2, 1]);
      expect((await nextDue(db)) !== undefined).toBe(outcome.status === 'pending');
    },
  );

  test('after the subscription was deleted has nothing to settle', async () => {
    const endpoint = await endpointAt('late');
    const timetable = createTimetable();
    const { runDue } = createTestWorker(db, timetable, {
      async send() {
        const { workspaceId } = endpoint.company;
        const { subscriptionId } = endpoint;
        await deleteSubscription(db, { workspaceId, subscriptionId });
        return { status: 200, durationMs: 1 };
      },
    });
    await emitMany(timetable, endpoint, 1);
    await runDue();
    expect(await deliveriesTo(endpoint)).toEqual([]);
  });
});

describe('somebody who holds on to rows', () => {
  betweenTransactions('delays only the deliveries that need them, before and after the request', async () => {
    const [held, free] = [await endpointAt('held'), await endpointAt('free')];
    const timetable = createTimetable();
    const { send, sent } = sendTo((path) => ({ status: path === 'held' ? 500 : 200 }));
    const { runDue } = createTestWorker(db, timetable, { send });
    await emitMany(timetable, held, 4);
    // As many as one turn takes.
    await emitMany(timetable, free, 12);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
    const [one] = await deliveriesTo(held);
    const holder = transaction(db, async (tx) => {
      await tx.execute(
        sql`select 1 from webhook_subscriptions where id = ${held.subscriptionId} for no key update`,
      );
      await tx.execute(sql`select 1 from webhook_deliveries where id = ${one?.id} for update`);
      isLocked();
      await released;
    });
    await locked;
    const all = runDue();
    const { milliseconds } = await measure(async () => {
      await until('the free endpoint has all of its own', () => deliveriesTo(free), {
        isIt: (deliveries) => deliveries.every(({ status }) => status === 'delivered'),
      });
    });
    expect(milliseconds).toBeLessThan(1_500);
    expect(await attemptsAt(held)).toEqual([]);
    release();
    await holder;
    await all;
    expect(sent).toHaveLength(16);
    for (const delivery of await deliveriesTo(held))
      expect(delivery).toMatchObject({ status: 'pending', attemptCount: 1 });
    expect(await attemptsAt(held)).toHaveLength(4);
  });

  betweenTransactions('and owners who disable while answers come in: no deadlock, nothing lost', async () => {
    const endpoint = await endpointAt('shared');
    const timetable = createTimetable();
    let number = 0;
    const { send } = sendTo(() => ({ status: (number++ % 3) * 150 + 200 }));
    const workers = [createTestWorker(db, timetable, { send }), createTestWorker(db, timetable, { send })];
    await emitMany(timetable, endpoint, 200);
    const delivering = Promise.all(workers.map(({ runDue }) => runDue()));
    const { workspaceId } = endpoint.company;
    const { subscriptionId } = endpoint;
    await new Promise((resolve) => setTimeout(resolve, 15));
    await transaction(db, (tx) =>
      disableSubscription(tx, { workspaceId, subscriptionId, reason: 'x', now: START }),
    );
    await delivering;
    await finishWork(db);
    const attempts = await attemptsAt(endpoint);
    const delivered = new Set(attempts.filter(({ status }) => status === 200).map((each) => each.deliveryId));
    for (const { id, status } of await deliveriesTo(endpoint))
      expect({ id, status }).toEqual({ id, status: delivered.has(id) ? 'delivered' : 'failed' });
  });
});

function at(milliseconds: number): Date {
  return new Date(START.getTime() + milliseconds);
}
