// Subscriptions over time (promise 38): deliveries that are sent again, a secret that is rotated, pauses, and what is kept; with
// a real endpoint, a real database, and a clock that the test turns.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { type Database, rowsOf, transaction } from '../../src/database/connection.ts';
import { releaseForgotten } from '../../src/webhooks/release.ts';
import { replayDelivery, replayFailedDeliveries } from '../../src/webhooks/replay.ts';
import { deleteOldMessages } from '../../src/webhooks/retention.ts';
import { rotateSecret } from '../../src/webhooks/signing-secret.ts';
import {
  disableSubscription,
  listSubscriptions,
  pauseSubscription,
  resumeSubscription,
} from '../../src/webhooks/subscription.ts';
import {
  type Company,
  createCompany,
  DAY,
  deliveriesOf,
  deliveryOf,
  emit,
  eventOf,
  HOUR,
  keys,
  nextDue,
  START,
  subscribe,
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

describe('replay', () => {
  test('sends one finished delivery again: same id, same bytes, fresh signature, a fresh schedule', async () => {
    const { runUntil, timetable, subscription } = await start();
    const id = await emit(db, eventOf(company));
    await runUntil(at(HOUR));
    const { id: deliveryId } = await deliveryOf(db, id);
    sink.respond = answerStatus(500);
    const options = { workspaceId: company.workspaceId, deliveryId };
    await transaction(db, (tx) => replayDelivery(tx, { ...options, now: timetable.now }));
    await runUntil(at(HOUR + 1_000));
    sink.respond = answerOk;
    await runUntil(at(2 * HOUR));
    expect(sink.received).toHaveLength(3);
    expect(new Set(sink.received.map(({ body }) => body.toString('hex'))).size).toBe(1);
    const last = sink.received[2];
    expect(last && isValid(last, subscription.secret, at(HOUR))).toBe(true);
    expect((await deliveryOf(db, id)).status).toBe('delivered');
  });

  test('hurries a pending delivery without starting its schedule again', async () => {
    const { runUntil, timetable } = await start();
    sink.respond = answerStatus(500);
    const id = await emit(db, eventOf(company));
    await runUntil(at(60_000));
    const delivery = await deliveryOf(db, id);
    expect(delivery.attemptCount).toBe(2);
    sink.respond = answerOk;
    const options = { workspaceId: company.workspaceId, deliveryId: delivery.id };
    await transaction(db, (tx) => replayDelivery(tx, { ...options, now: timetable.now }));
    await runUntil(at(61_000));
    expect(await deliveryOf(db, id)).toMatchObject({ status: 'delivered', attemptCount: 3 });
    await runUntil(at(DAY));
    expect(sink.received).toHaveLength(3);
  });

  test('refuses what is older than 30 days and what belongs to another company, alike', async () => {
    const { runUntil, subscription } = await start();
    const id = await emit(db, eventOf(company));
    await runUntil(at(HOUR));
    const { id: deliveryId } = await deliveryOf(db, id);
    const { workspaceId } = await createCompany(db);
    const attempt = (options: { workspaceId: string; now: Date }) =>
      transaction(db, (tx) => replayDelivery(tx, { deliveryId, ...options }));
    await expect(attempt({ workspaceId: company.workspaceId, now: at(30.1 * DAY) })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(attempt({ workspaceId, now: at(HOUR) })).rejects.toMatchObject({ code: 'not_found' });
    const all = {
      workspaceId,
      subscriptionId: subscription.id,
      since: START,
      now: at(HOUR),
    };
    await expect(transaction(db, (tx) => replayFailedDeliveries(tx, all))).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await nextDue(db)).toBeUndefined();
  });
});

describe('a rotation of the secret', () => {
  test('promise 38: both secrets sign for 24 hours, in headers of their own, then the new one takes over', async () => {
    const { runUntil, timetable, subscription } = await start();
    const { workspaceId } = company;
    const rotated = await transaction(db, (tx) =>
      rotateSecret(tx, { keys, workspaceId, subscriptionId: subscription.id, now: START }),
    );
    expect(rotated.secret).toMatch(/^whsec_[\w-]{43}$/);
    expect(rotated.takesOverAt).toEqual(at(DAY));
    await emit(db, eventOf(company));
    await runUntil(at(DAY - 1_000));
    await emit(db, eventOf(company), timetable.now);
    await runUntil(at(DAY + 1_000));
    await emit(db, eventOf(company), timetable.now);
    await runUntil(at(DAY + 2_000));
    const [during, almost, later] = sink.received;
    if (!during || !almost || !later) throw new Error('three webhooks were expected');
    for (const [received, now] of [
      [during, START],
      [almost, at(DAY)],
    ] as const) {
      expect(isValid(received, subscription.secret, now)).toBe(true);
      expect(isValid(received, rotated.secret, now, 'x-service-webhook-signature-next')).toBe(true);
      expect(received.headers['x-service-webhook-signature']).toMatch(/^v1=[0-9a-f]{64}$/);
    }
    expect(isValid(later, rotated.secret, at(DAY))).toBe(true);
    expect(later.headers['x-service-webhook-signature-next']).toBeUndefined();
    const shown = JSON.stringify([
      await listSubscriptions(db, workspaceId),
      await subscriptionRow(db, subscription.id),
    ]);
    expect(shown).not.toContain(rotated.secret.slice(6));
    expect(shown).not.toContain(subscription.secret.slice(6));
  });

  test('a second one during the first replaces the secret that had not taken over; a leaked one ends at once', async () => {
    const { runUntil, timetable, subscription } = await start();
    const rotate = (now: Date, overlapSeconds?: number) =>
      transaction(db, (tx) =>
        rotateSecret(tx, {
          keys,
          workspaceId: company.workspaceId,
          subscriptionId: subscription.id,
          now,
          ...(overlapSeconds !== undefined && { overlapSeconds }),
        }),
      );
    await rotate(START);
    const second = await rotate(at(HOUR));
    await emit(db, eventOf(company));
    await runUntil(at(2 * HOUR));
    const third = await rotate(at(2 * HOUR), 0);
    await emit(db, eventOf(company), timetable.now);
    await runUntil(at(3 * HOUR));
    const [first, last] = sink.received;
    expect(first && isValid(first, subscription.secret, START)).toBe(true);
    expect(first && isValid(first, second.secret, START, 'x-service-webhook-signature-next')).toBe(true);
    expect(last && isValid(last, third.secret, at(2 * HOUR))).toBe(true);
    await expect(rotate(START, -1)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('a subscription', () => {
  test('holds deliveries while it is paused and sends them when it is resumed', async () => {
    const { runUntil, timetable, subscription } = await start();
    const which = { workspaceId: company.workspaceId, subscriptionId: subscription.id };
    const before = await emit(db, eventOf(company));
    await transaction(db, (tx) => pauseSubscription(tx, which));
    const during = await emit(db, eventOf(company));
    await runUntil(at(10 * DAY));
    expect(sink.received).toEqual([]);
    expect([(await deliveryOf(db, before)).status, (await deliveryOf(db, during)).status]).toEqual([
      'pending',
      'pending',
    ]);
    await transaction(db, (tx) => resumeSubscription(tx, { ...which, now: timetable.now }));
    await runUntil(at(11 * DAY));
    expect(sink.received.map(({ headers }) => headers['x-service-webhook-id']).sort()).toEqual(
      [before, during].sort(),
    );
  });

  test('hears only the applications and types that it asked for', async () => {
    await start();
    const { workspaceId } = company;
    const other = await createCompany(db);
    await subscribe(db, company, sink.url, { types: ['identity.login.completed.v1'] });
    await subscribe(db, company, sink.url, { applicationIds: [company.applicationId] });
    await subscribe(db, company, sink.url, { applicationIds: ['app_other'] });
    const id = await emit(db, eventOf(company));
    expect(await deliveriesOf(db, id)).toHaveLength(2);
    const foreign = await emit(db, eventOf(other));
    expect(await deliveriesOf(db, foreign)).toEqual([]);
    await expect(
      subscribe(db, company, sink.url, { types: ['identity.everything.v1'] }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(subscribe(db, company, sink.url, { types: [] })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(subscribe(db, company, sink.url, { applicationIds: [] })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await listSubscriptions(db, workspaceId)).toHaveLength(4);
  });

  test('of another company does not exist', async () => {
    const { subscription } = await start();
    const { workspaceId } = await createCompany(db);
    const which = { workspaceId, subscriptionId: subscription.id };
    const unknown = { code: 'not_found' };
    await expect(transaction(db, (tx) => pauseSubscription(tx, which))).rejects.toMatchObject(unknown);
    await expect(
      transaction(db, (tx) => resumeSubscription(tx, { ...which, now: START })),
    ).rejects.toMatchObject(unknown);
    await expect(
      transaction(db, (tx) => rotateSecret(tx, { ...which, keys, now: START })),
    ).rejects.toMatchObject(unknown);
    expect(
      await transaction(db, (tx) => disableSubscription(tx, { ...which, reason: 'x', now: START })),
    ).toBe(false);
    expect((await subscriptionRow(db, subscription.id)).status).toBe('active');
  });
});

describe('housekeeping', () => {
  test('deletes messages, deliveries and attempts after 30 days, and nothing younger', async () => {
    const { runUntil, timetable } = await start();
    const old = await emit(db, eventOf(company));
    await runUntil(at(HOUR));
    const young = await emit(db, eventOf(company, { createdAt: at(20 * DAY) }), at(20 * DAY));
    await runUntil(at(30 * DAY + HOUR));
    expect((await deleteOldMessages(db, timetable.now)).rows).toBeGreaterThan(0);
    expect(await deliveriesOf(db, old)).toEqual([]);
    expect((await deliveryOf(db, young)).status).toBe('delivered');
    const orphans = await db.execute(
      sql`select 1 from webhook_attempts a left join webhook_deliveries d on d.id = a.delivery_id where d.id is null`,
    );
    expect(rowsOf(orphans)).toEqual([]);
  });

  test('takes up what an earlier release held back without a time', async () => {
    const { runUntil } = await start();
    const id = await emit(db, eventOf(company));
    await db.execute(sql`update webhook_deliveries set next_attempt_at = null where event_id = ${id}`);
    await runUntil(at(60_000));
    expect(sink.received).toEqual([]);
    const before = at(60_000);
    expect(await transaction(db, (tx) => releaseForgotten(tx, { before, rows: 10 }))).toBe(1);
    await runUntil(at(HOUR));
    expect((await deliveryOf(db, id)).status).toBe('delivered');
    expect(sink.received).toHaveLength(1);
  });
});
