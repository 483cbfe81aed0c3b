// Deliveries over time (promise 35, threats 82–84, 87): a real endpoint, a real database, and a clock that
// the test turns.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { type Database, rowsOf, transaction } from '../../src/database/connection.ts';
import { replayFailedDeliveries } from '../../src/webhooks/replay.ts';
import { tidyWebhooks } from '../../src/webhooks/retention.ts';
import { resumeSubscription } from '../../src/webhooks/subscription.ts';
import {
  attemptsOf,
  type Company,
  createTestWorker,
  DAY,
  deliveriesOf,
  deliveryOf,
  emit,
  eventOf,
  finishWork,
  nextDue,
  START,
  subscriptionRow,
} from './company.ts';
import { at, type DeliveryLab, isValid, openDeliveryLab } from './delivery-lab.ts';
import { answerOk, answerStatus, type Sink } from './sink.ts';

let lab: DeliveryLab;
let db: Database;
let sink: Sink;
let company: Company;

beforeAll(async () => {
  lab = await openDeliveryLab();
  ({ db, sink } = lab);
});
afterAll(() => lab.close());
afterEach(() => lab.forget());

async function start() {
  const started = await lab.start();
  company = started.company;
  return started;
}

async function pendingOf(subscriptionId: string): Promise<number> {
  const which = sql`subscription_id = ${subscriptionId} and status = 'pending'`;
  const rows = rowsOf(await db.execute(sql`select 1 from webhook_deliveries where ${which}`));
  return rows.length;
}

describe('a delivery', () => {
  test('is made once when the endpoint answers 2xx, and carries the event as it was committed', async () => {
    const { runUntil, subscription } = await start();
    sink.respond = answerStatus(204);
    const event = eventOf(company);
    await emit(db, event);
    await runUntil(at(10 * DAY));
    expect(sink.received).toHaveLength(1);
    expect(JSON.parse(String(sink.received[0]?.body))).toEqual({
      id: event.id,
      type: 'identity.registration.completed.v1',
      created_at: '2026-11-21T10:00:00.000Z',
      livemode: true,
      data: {
        application_id: company.applicationId,
        customer: { sub: 'sub-1', email: 'ada@example.test', email_verified: true, name: 'Ada Lovelace' },
        kind: 'registration',
        amount: '0.050000',
        currency: 'EUR',
        status: 'committed',
      },
    });
    expect(sink.received[0]?.head).toMatch(/^POST \/hooks HTTP\/1\.1\r\n/);
    expect(sink.received.every((received) => isValid(received, subscription.secret, START))).toBe(true);
    expect(await deliveryOf(db, event.id)).toMatchObject({
      status: 'delivered',
      attemptCount: 1,
      nextAttemptAt: null,
    });
    expect(await attemptsOf(db, event.id)).toMatchObject([{ number: 1, responseStatus: 204, failure: null }]);
  });

  test('threat 82: every attempt has the same id and bytes, its own timestamp, and a signature valid at that time', async () => {
    const { runUntil, timetable, subscription } = await start();
    const times: Date[] = [];
    sink.respond = (socket, received) => {
      times.push(new Date(timetable.now));
      answerStatus(500)(socket, received);
    };
    const id = await emit(db, eventOf(company));
    await runUntil(at(10 * DAY));
    expect(sink.received).toHaveLength(24);
    expect(new Set(sink.received.map(({ headers }) => headers['x-service-webhook-id']))).toEqual(
      new Set([id]),
    );
    expect(new Set(sink.received.map(({ body }) => body.toString('hex'))).size).toBe(1);
    expect(new Set(sink.received.map(({ headers }) => headers['x-service-webhook-timestamp'])).size).toBe(24);
    for (const [index, received] of sink.received.entries()) {
      expect(isValid(received, subscription.secret, times[index] ?? START)).toBe(true);
    }
    const [first, last] = [sink.received[0], sink.received[23]];
    expect(first && isValid(first, subscription.secret, times[23] ?? START)).toBe(false);
    expect(last?.headers['x-service-webhook-signature']).not.toBe(
      first?.headers['x-service-webhook-signature'],
    );
  });

  test('the pauses are 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h and 14 times 2 h, each ±20 %', async () => {
    const { runUntil } = await start();
    sink.respond = answerStatus(503);
    const id = await emit(db, eventOf(company));
    await runUntil(at(10 * DAY));
    const attempts = await attemptsOf(db, id);
    const pauses = attempts
      .slice(1)
      .map(
        ({ startedAt }, index) => (startedAt.getTime() - (attempts[index]?.startedAt.getTime() ?? 0)) / 1000,
      );
    const expected = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, ...Array(14).fill(7_200)];
    expect(pauses).toHaveLength(expected.length);
    for (const [index, pause] of pauses.entries()) {
      const seconds = expected[index] ?? 0;
      expect(pause).toBeGreaterThanOrEqual(seconds * 0.8 - 0.01);
      expect(pause).toBeLessThanOrEqual(seconds * 1.2 + 0.01);
    }
    expect(attempts.map(({ number }) => number)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
    expect(await deliveryOf(db, id)).toMatchObject({
      status: 'failed',
      attemptCount: 24,
      nextAttemptAt: null,
    });
  });

  test.each([301, 302, 307, 308, 400, 404, 429, 500])(
    'threat 83: %i is a failure and is tried again',
    async (status) => {
      const { runUntil } = await start();
      sink.respond = answerStatus(status, { location: sink.url });
      const id = await emit(db, eventOf(company));
      await runUntil(at(1_000));
      expect(sink.received).toHaveLength(1); // and no redirect was followed
      sink.respond = answerOk;
      await runUntil(at(60_000));
      expect(sink.received).toHaveLength(2);
      expect((await deliveryOf(db, id)).status).toBe('delivered');
      expect(await attemptsOf(db, id)).toMatchObject([{ responseStatus: status }, { responseStatus: 200 }]);
    },
  );

  test('threat 83: an endpoint that saved and then timed out gets a duplicate with the same id', async () => {
    const { runUntil } = await start();
    sink.respond = (socket) => socket.destroy();
    const id = await emit(db, eventOf(company));
    await runUntil(at(1_000));
    sink.respond = answerOk;
    await runUntil(at(60_000));
    expect(sink.received.map(({ headers }) => headers['x-service-webhook-id'])).toEqual([id, id]);
    expect(await attemptsOf(db, id)).toMatchObject([
      { failure: 'connection', responseStatus: null },
      { failure: null },
    ]);
  });

  test('threat 83: 410 disables the subscription, ends what is pending, and the owner is told once', async () => {
    const { runUntil, subscription, told } = await start();
    sink.respond = answerStatus(500);
    const earlier = await emit(db, eventOf(company));
    await runUntil(at(1_000));
    sink.respond = answerStatus(410);
    const last = await emit(db, eventOf(company));
    await runUntil(at(DAY));
    expect(sink.received).toHaveLength(2);
    expect(await subscriptionRow(db, subscription.id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'The endpoint responded with 410 Gone.',
    });
    expect([(await deliveryOf(db, earlier)).status, (await deliveryOf(db, last)).status]).toEqual([
      'failed',
      'failed',
    ]);
    expect(told).toMatchObject([
      { subscriptionId: subscription.id, workspaceId: company.workspaceId, url: sink.url },
    ]);
    const later = await emit(db, eventOf(company));
    expect(await deliveriesOf(db, later)).toEqual([]);
  });

  test.each([
    ['120', 120],
    ['Sat, 21 Nov 2026 10:02:00 GMT', 120],
    ['172800', 86_400],
    ['99999999999999999999', 86_400],
    ['-5', 4],
    ['soon', 4],
    ['Sat, 21 Nov 2020 10:02:00 GMT', 4],
  ])(
    'threat 83: Retry-After: %s is honoured up to a day, and never shortens the schedule',
    async (value, seconds) => {
      const { runUntil } = await start();
      sink.respond = answerStatus(429, { 'retry-after': value });
      await emit(db, eventOf(company));
      await runUntil(at(1_000));
      const pause = (((await nextDue(db))?.getTime() ?? 0) - START.getTime()) / 1000;
      expect(pause).toBeGreaterThanOrEqual(seconds);
      expect(pause).toBeLessThan(Math.max(seconds + 1, 7));
    },
  );
});

describe('a receiver that is down', () => {
  test('threat 84: three days, then up: everything is delivered', async () => {
    const { runUntil, subscription } = await start();
    sink.respond = answerStatus(500);
    const ids = await Promise.all([1, 2, 3].map(() => emit(db, eventOf(company))));
    await runUntil(at(3 * DAY));
    expect((await subscriptionRow(db, subscription.id)).failingSince).toEqual(START);
    sink.respond = answerOk;
    await runUntil(at(4.5 * DAY));
    for (const id of ids) expect((await deliveryOf(db, id)).status).toBe('delivered');
    expect(await subscriptionRow(db, subscription.id)).toMatchObject({
      status: 'active',
      failingSince: null,
    });
  });

  test('threat 84: six days: disabled after five, the owner told once, everything visible and replayable', async () => {
    const { runUntil, timetable, subscription, told } = await start();
    sink.respond = answerStatus(500);
    const ids: string[] = [];
    for (let day = 0; day < 6; day += 1) {
      ids.push(await emit(db, eventOf(company, { createdAt: at(day * DAY) }), timetable.now));
      await runUntil(at((day + 1) * DAY));
    }
    const { status, disabledReason } = await subscriptionRow(db, subscription.id);
    expect({ status, disabledReason }).toEqual({
      status: 'disabled',
      disabledReason: 'The endpoint did not accept a webhook for five days.',
    });
    expect(told).toHaveLength(1);
    const disabledAt = (told[0]?.now.getTime() ?? 0) - START.getTime();
    expect(disabledAt).toBeGreaterThanOrEqual(5 * DAY);
    expect(disabledAt).toBeLessThan(6 * DAY);
    const sent = ids.filter((id, index) => index < 5 || id);
    const deliveries = (await Promise.all(sent.map((id) => deliveriesOf(db, id)))).flat();
    expect(new Set(deliveries.map((delivery) => delivery.status))).toEqual(new Set(['failed']));

    sink.respond = answerOk;
    sink.received.length = 0;
    const options = { workspaceId: company.workspaceId, now: timetable.now };
    const replay = () =>
      transaction(db, (tx) =>
        replayFailedDeliveries(tx, { ...options, subscriptionId: subscription.id, since: START }),
      );
    await expect(replay()).rejects.toThrow('disabled');
    await transaction(db, (tx) => resumeSubscription(tx, { ...options, subscriptionId: subscription.id }));
    expect(await replay()).toBe(true);
    await expect(replay()).rejects.toThrow('in progress');
    await finishWork(db, timetable.now);
    expect((await Promise.all(sent.map((id) => deliveriesOf(db, id)))).flat()).toHaveLength(
      deliveries.length,
    );
    expect(await pendingOf(subscription.id)).toBe(deliveries.length);
    await runUntil(at(7 * DAY));
    expect(new Set(sink.received.map(({ headers }) => headers['x-service-webhook-id']))).toEqual(
      new Set(deliveries.map(({ eventId }) => eventId)),
    );
    for (const { eventId } of deliveries) expect((await deliveryOf(db, eventId)).status).toBe('delivered');
  });

  test('threat 84: an endpoint that failed for five days is disabled even when nothing new is sent to it', async () => {
    const { runUntil, subscription } = await start();
    sink.respond = answerStatus(500);
    await emit(db, eventOf(company));
    await runUntil(at(4.9 * DAY));
    const told: string[] = [];
    const options = {
      onDisabled: async (_: Database, { subscriptionId }: { subscriptionId: string }) =>
        void told.push(subscriptionId),
    };
    await tidyWebhooks(db, { ...options, now: at(4.9 * DAY) });
    expect(told).not.toContain(subscription.id);
    await tidyWebhooks(db, { ...options, now: at(5 * DAY) });
    await tidyWebhooks(db, { ...options, now: at(5 * DAY) });
    expect(told.filter((id) => id === subscription.id)).toHaveLength(1);
  });
});

describe('threat 87: what was not committed', () => {
  test('a ledger transaction that is rolled back leaves no message, no delivery and no job', async () => {
    const { runUntil } = await start();
    const event = eventOf(company);
    const refused = transaction(db, async (tx) => {
      await emit(tx, event);
      throw new Error('balance too low');
    });
    await expect(refused).rejects.toThrow('balance too low');
    expect(await deliveriesOf(db, event.id)).toEqual([]);
    await runUntil(at(DAY)); // even if the job had survived
    expect(sink.received).toEqual([]);
  });

  test('two workers that look at the same time make one delivery', async () => {
    const { timetable, runDue } = await start();
    const second = createTestWorker(db, timetable, lab);
    const ids = await Promise.all(Array.from({ length: 20 }, () => emit(db, eventOf(company))));
    await Promise.all([runDue(), second.runDue(), runDue()]);
    await second.runUntil(at(DAY));
    expect(sink.received.map(({ headers }) => headers['x-service-webhook-id']).sort()).toEqual(
      [...ids].sort(),
    );
  });
});
