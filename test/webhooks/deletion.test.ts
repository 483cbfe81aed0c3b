// Deleting a webhook subscription while events are committed: a charge that has just found the
// subscription must not fail because of it, and nothing of it may be left.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import {
  webhookAttempts,
  webhookDeliveries,
  webhookMessages,
  webhookSubscriptions,
} from '../../drizzle/schema/webhooks.ts';
import { transaction } from '../../src/database/connection.ts';
import { enqueueAll, findSubscribers } from '../../src/webhooks/enqueue.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type Company, createCompany, deleteSubscription, eventOf, START, subscribe } from './company.ts';

let database: TestDatabase;
let company: Company;
const db = () => database.connection.db;

beforeAll(async () => {
  database = await openTestDatabase();
  company = await createCompany(db());
});
afterAll(() => database.remove());

const deliveriesTo = (id: string) =>
  db().select().from(webhookDeliveries).where(eq(webhookDeliveries.subscriptionId, id));
const remove = (subscriptionId: string, workspaceId = company.workspaceId) =>
  deleteSubscription(db(), { workspaceId, subscriptionId });

/** As a charge does it, with a pause between finding the subscribers and telling them. */
function charge(pauseMilliseconds: number): Promise<void> {
  return transaction(db(), async (tx) => {
    const subscribers = await findSubscribers(tx, [company.applicationId]);
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    await enqueueAll(tx, { events: [eventOf(company)], subscribers, now: START });
  });
}

test('promise 34: no charge fails because a subscription is deleted at the same moment', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await subscribe(db(), company, `https://localhost:4443/${round}`);
    await Promise.all([charge(10 * round), charge(0), remove(id), charge(30), charge(5)]);
    expect(await deliveriesTo(id)).toEqual([]);
    const rows = await db().select().from(webhookSubscriptions).where(eq(webhookSubscriptions.id, id));
    expect(rows).toEqual([]);
  }
});

test('a history of more rows than one statement touches goes as well, and only this one', async () => {
  const [long, other] = [
    await subscribe(db(), company, 'https://localhost:4443/long'),
    await subscribe(db(), company, 'https://localhost:4443/other'),
  ];
  const events = Array.from({ length: 1_201 }, () => eventOf(company));
  const subscribers = await findSubscribers(db(), [company.applicationId]);
  for (let from = 0; from < events.length; from += 300) {
    await transaction(db(), (tx) =>
      enqueueAll(tx, { events: events.slice(from, from + 300), subscribers, now: START }),
    );
  }
  const [delivery] = await deliveriesTo(long.id);
  await db()
    .insert(webhookAttempts)
    .values({
      id: 'att_1',
      deliveryId: delivery?.id ?? '',
      number: 1,
      startedAt: START,
      durationMs: 1,
    });
  await remove(long.id);
  expect(await deliveriesTo(long.id)).toEqual([]);
  expect(await db().select().from(webhookAttempts)).toEqual([]);
  expect((await deliveriesTo(other.id)).length).toBe(1_201);
  expect((await db().select().from(webhookMessages)).length).toBeGreaterThanOrEqual(1_201);
});

test('another workspace’s subscription cannot be deleted', async () => {
  const { id } = await subscribe(db(), company, 'https://localhost:4443/kept');
  const stranger = await createCompany(db());
  await expect(remove(id, stranger.workspaceId)).rejects.toMatchObject({ code: 'not_found' });
  const rows = await db().select().from(webhookSubscriptions).where(eq(webhookSubscriptions.id, id));
  expect(rows).toMatchObject([{ status: 'active' }]);
});
