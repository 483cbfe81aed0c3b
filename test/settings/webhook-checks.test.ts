// The page that checks a received request (promise 39), how often checks and test events may be sent (promise 46), and a
// delivery that changes while it is looked at.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { webhookAttempts, webhookDeliveries } from '../../drizzle/schema/webhooks.ts';
import { addMember } from '../../src/applications/membership.ts';
import { transaction } from '../../src/database/connection.ts';
import { newId } from '../../src/id.ts';
import { countLockWaits } from '../harness/lock-waits.ts';
import { chosenStores } from '../harness/stores.ts';
import { until } from '../harness/until.ts';
import { enqueue, eventOf } from '../webhooks/company.ts';
import { answerOk } from '../webhooks/sink.ts';
import { openSettingsLab, type SettingsWorkspace } from './lab.ts';
import { everything, openWebhookLab, type WebhookLab } from './webhook-lab.ts';

let webhooks: WebhookLab;
let lab: WebhookLab['lab'];
let shop: WebhookLab['shop'];
let sink: WebhookLab['sink'];
let base: string;
let developer: WebhookLab['developer'];
let subscribe: WebhookLab['subscribe'];
let sendTest: WebhookLab['sendTest'];
let deliveriesTo: WebhookLab['deliveriesTo'];

beforeAll(async () => {
  webhooks = await openWebhookLab();
  ({ lab, shop, sink, base, developer, subscribe, sendTest, deliveriesTo } = webhooks);
});
afterAll(() => webhooks?.stop());
afterEach(() => {
  sink.respond = answerOk;
});

const db = () => lab.service.db;

describe('promise 39: the page that checks a received request', () => {
  test('says which check fails and why, keeps what was pasted in its fields, and nowhere else', async () => {
    const { path, id, secret, received } = await subscribe();
    await sendTest(path);
    const { head, body } = await until('the endpoint heard of it', () => received()[0]);
    const pasted = { subscription: id, headers: head, body: `${body.toString()}\n` };
    const wrong = await developer.post(`${base}/check`, pasted);
    expect(wrong.status).toBe(200);
    expect(wrong.html).toContain('Body is exact');
    expect(wrong.html).toContain('ends in a line break');
    expect(wrong.html).toContain('test@example.com');
    const right = await developer.post(`${base}/check`, { ...pasted, body: body.toString() });
    expect(right.html).toContain('This request is genuine');
    expect(right.html).not.toContain(secret.slice(6));
    const logged = lab.service.logLines.join('');
    expect(logged).not.toContain('test@example.com');
    const empty = await developer.post(`${base}/check`, { subscription: id, headers: '' });
    expect(empty.status).toBe(400);
    const foreign = await developer.post(`${base}/check`, { ...pasted, subscription: 'whs_unknown' });
    expect(foreign.status).toBe(404);
  });
});

test('promise 46: checks and test events are limited, with Retry-After, and what was pasted stays in its fields', async () => {
  const strict = await openSettingsLab({ RATE_LIMIT_FACTOR: '0.1', WEBHOOK_ALLOW_LOOPBACK: 'on' });
  const application = await strict.acme.register();
  const visitor = strict.visitor(strict.acme.developer);
  const home = `/settings/${strict.acme.workspace.id}/webhooks`;
  const made = await visitor.post(`${home}/new`, { ...everything, url: sink.url });
  const path = made.location ?? '';
  const pasted = {
    subscription: path.split('/').at(-1) ?? '',
    headers: 'x-pasted: header',
    body: 'pasted body',
  };
  const checks = [];
  for (let count = 0; count < 4; count += 1) checks.push(await visitor.post(`${home}/check`, pasted));
  expect(checks.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(Number(checks[3]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(checks[3]?.html).toContain('x-pasted: header');
  const tests = [];
  const test = { type: 'identity.login.completed.v1', application: application.id };
  for (let count = 0; count < 4; count += 1)
    tests.push(await visitor.post(`${path}/health`, test, `${path}/test`));
  expect(tests.map(({ status }) => status)).toEqual([303, 429, 429, 429]);
  expect(tests[3]?.html).toContain('You have sent too many test events.');
  expect(Number(tests[3]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  await strict.stop();
});

test('one person sends as few test events in all of their workspaces as nobody pays for, and takes none from colleagues', async () => {
  const strict = await openSettingsLab({ RATE_LIMIT_FACTOR: '0.1', WEBHOOK_ALLOW_LOOPBACK: 'on' });
  const { account, cookie } = strict.acme.developer;
  const now = new Date();
  const send = async (workspace: SettingsWorkspace, as: { cookie: string }) => {
    const { id } = await workspace.register();
    const visitor = strict.visitor(as);
    const made = await strict
      .visitor(workspace.owner)
      .post(`/settings/${workspace.workspace.id}/webhooks/new`, { ...everything, url: sink.url });
    const path = made.location ?? '';
    const test = { type: 'identity.login.completed.v1', application: id };
    return (await visitor.post(`${path}/health`, test, `${path}/test`)).status;
  };
  const statuses: number[] = [];
  let last = strict.acme;
  for (const name of ['Second', 'Third', 'Fourth']) {
    last = await strict.addWorkspace(name);
    const member = { workspaceId: last.workspace.id, accountId: account.id, role: 'developer', now } as const;
    await transaction(strict.service.db, (tx) => addMember(tx, member));
    statuses.push(await send(last, { cookie }));
  }
  // A tenth of twenty a minute.
  expect(statuses).toEqual([303, 303, 429]);
  expect(await send(last, last.developer)).toBe(303);
  await strict.stop();
});

// PGlite has one connection, on which nothing is written between two reads.
(chosenStores() === 'servers' ? test : test.skip)(
  'a delivery and its attempts are shown as they were at one moment, whatever is recorded meanwhile',
  async () => {
    const { path, id } = await subscribe();
    const event = eventOf(
      { workspaceId: lab.acme.workspace.id, applicationId: shop.id },
      { id: newId('evt'), createdAt: new Date() },
    );
    await transaction(db(), async (tx) => {
      await enqueue(tx, { event, now: new Date() });
      await tx
        .update(webhookDeliveries)
        .set({ nextAttemptAt: new Date(Date.now() + 3_600_000) })
        .where(eq(webhookDeliveries.eventId, event.id));
    });
    const [delivery] = await deliveriesTo(id);
    const deliveryId = delivery?.id ?? '';
    let pages: Promise<{ html: string }>[] = [];
    await db().transaction(async (tx) => {
      await tx.execute(sql`lock table webhook_attempts`);
      pages = [developer.get(path), developer.get(`${path}/deliveries/${deliveryId}`)];
      await until('both pages wait for the lock', () => countLockWaits(db()), {
        isIt: (count) => count >= pages.length,
      });
      await tx
        .update(webhookDeliveries)
        .set({ status: 'delivered', attemptCount: 1, nextAttemptAt: null, finishedAt: new Date() })
        .where(eq(webhookDeliveries.id, deliveryId));
      await tx.insert(webhookAttempts).values({
        id: newId('att'),
        deliveryId,
        number: 1,
        startedAt: new Date(),
        durationMs: 5,
        responseStatus: 200,
        requestHeaders: {},
      });
    });
    for (const { html } of await Promise.all(pages)) {
      expect(html).toContain('Pending</span>');
      expect(html).toContain('None yet');
    }
  },
);
