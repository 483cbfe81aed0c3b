// Webhook subscriptions in company settings (threats 53, 56, 58, 78): subscribed, tested, rotated, paused, replayed and
// deleted through the pages, against real receivers over TLS.
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { longWork } from '../../drizzle/schema/operations.ts';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import { auditEntries } from '../../drizzle/schema/workspaces.ts';
import { transaction } from '../../src/database/connection.ts';
import { newId } from '../../src/id.ts';
import { addRows } from '../harness/api.ts';
import { takeOver } from '../harness/identity.ts';
import { until } from '../harness/until.ts';
import { enqueue, eventOf } from '../webhooks/company.ts';
import { answerOk, answerStatus } from '../webhooks/sink.ts';
import { everything, openWebhookLab, secretIn, type WebhookLab } from './webhook-lab.ts';

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
const subscriptionRows = (id: string) =>
  db().select().from(webhookSubscriptions).where(eq(webhookSubscriptions.id, id));
/** Since a deletion: its history may go. */
const tenMinutesLater = (id: string) =>
  db().update(longWork).set({ nextBiteAt: new Date() }).where(eq(longWork.subject, id));

async function emit(id = newId('evt')): Promise<string> {
  const company = { workspaceId: lab.acme.workspace.id, applicationId: shop.id };
  const event = eventOf(company, { id, createdAt: new Date() });
  await transaction(db(), (tx) => enqueue(tx, { event, now: new Date() }));
  return event.id;
}

const statusesOf = async (id: string) => (await deliveriesTo(id)).map(({ status }) => status);

describe('webhook subscriptions through the pages', () => {
  test('promise 39: a test event is a real signed delivery, marked in its data, free and in no list of events', async () => {
    const { path, secret, received } = await subscribe();
    const sent = await sendTest(path, 'identity.login.completed.v1');
    const { headers, body } = await until('the endpoint heard of it', () => received()[0]);
    const signed = `${headers['x-service-webhook-timestamp']}.${body.toString()}`;
    const digest = createHmac('sha256', secret).update(signed).digest('hex');
    expect(headers['x-service-webhook-signature']).toBe(`v1=${digest}`);
    const message = JSON.parse(body.toString());
    expect(message).toMatchObject({
      id: headers['x-service-webhook-id'],
      type: 'identity.login.completed.v1',
      data: { test: true, application_id: shop.id, amount: '0.000000', kind: 'sign_in' },
    });
    expect(await db().select().from(usageEvents)).toEqual([]);
    const page = await until('the page says that it was accepted', async () => {
      const { html } = await developer.get(sent.location ?? '');
      return html.includes('Accepted') ? html : undefined;
    });
    for (const shown of ['Delivery of a test event', '200', ' ms', `v1=${digest}`, 'Request headers']) {
      expect(page).toContain(shown);
    }
    expect(page).not.toContain(secret);
  });

  test('threat 58: the secret is shown once; no page, row, audit entry or log line holds it', async () => {
    const { path, secret } = await subscribe();
    const owner = lab.visitor(lab.acme.owner);
    for (const page of [
      path,
      `${path}/edit`,
      `${path}/secret`,
      base,
      `${base}/check?subscription=${path.split('/').at(-1)}`,
    ]) {
      expect((await owner.get(page)).html).not.toContain(secret.slice(6));
    }
    const kept = [await db().select().from(webhookSubscriptions), await db().select().from(auditEntries)];
    expect(JSON.stringify(kept)).not.toContain(secret.slice(6));
    expect(lab.service.logLines.join('')).not.toContain(secret.slice(6));
  });

  test('threat 78: an endpoint that may not be called is refused with the reason, and stays in its field', async () => {
    for (const [url, sentence] of [
      ['http://shop.example/hooks', 'must be an absolute URL that starts with https://'],
      ['https://10.0.0.1/hooks', 'must have a host name, not an IP address'],
      ['https://user:pass@shop.example/', 'must not contain a user name'],
      ['https://metadata.google.internal/', 'must be a public one'],
    ] as const) {
      for (const page of [`${base}/new`, `${(await subscribe()).path}/edit`]) {
        const refused = await developer.post(page, { ...everything, url });
        expect(refused.status).toBe(400);
        expect(refused.html).toContain(sentence);
        expect(refused.html).toContain(`value="${url}"`);
      }
    }
    const visitor = await developer.get(`${base}/new`);
    expect(visitor.html).toContain('Add an endpoint');
  });

  test('endpoint, kinds and applications are changed; nothing of another workspace gets in (threats 53, 56)', async () => {
    const { path, id } = await subscribe();
    const foreign = await lab.other.register();
    const mixed = await developer.post(`${path}/edit`, {
      ...everything,
      applications: 'chosen',
      [`application_${foreign.id}`]: 'on',
      url: sink.url,
    });
    expect(mixed.html).toContain('Choose among the applications of this workspace.');
    const changed = await developer.post(`${path}/edit`, {
      url: `${sink.url}/new`,
      applications: 'chosen',
      [`application_${shop.id}`]: 'on',
      sign_ins: 'on',
      registrations: '',
      status: 'disabled',
    });
    expect((await developer.follow(changed)).html).toContain('Changes saved.');
    const [row] = await db().select().from(webhookSubscriptions).where(eq(webhookSubscriptions.id, id));
    expect(row).toMatchObject({
      url: `${sink.url}/new`,
      applicationIds: [shop.id],
      types: ['identity.login.completed.v1'],
      status: 'active',
    });
    const stranger = lab.visitor(lab.other.owner);
    const theirs = `/settings/${lab.other.workspace.id}/webhooks`;
    for (const page of ['', '/health', '/settings', '/edit', '/secret', '/delete', '/deliveries/dlv_1']) {
      const answers = [
        await stranger.get(`${theirs}/${id}${page}`),
        await stranger.get(`${theirs}/whs_unknown${page}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    }
  });

  test('promise 38: rotating shows the new secret once; both sign until it takes over', async () => {
    const { path, secret, received } = await subscribe();
    const rotated = await developer.post(`${path}/secret`, { overlap: '86400' });
    const page = await developer.follow(rotated);
    const next = secretIn(page.html);
    expect(next).not.toBe(secret);
    expect(page.html).toContain('Until then both sign.');
    await sendTest(path);
    const { headers, body } = await until('the endpoint heard of it', () => received()[0]);
    const by = (key: string) =>
      `v1=${createHmac('sha256', key).update(`${headers['x-service-webhook-timestamp']}.${body}`).digest('hex')}`;
    expect(headers['x-service-webhook-signature']).toBe(by(secret));
    expect(headers['x-service-webhook-signature-next']).toBe(by(next));
    expect((await developer.get(`${path}/settings`)).html).toContain('A new secret takes over');
  });

  test('paused deliveries wait and are sent on resuming; the audit log says who did it', async () => {
    const { path, id } = await subscribe();
    await developer.post(path, {}, `${path}/pause`);
    expect((await developer.get(path)).html).toContain('Paused.');
    const event = await emit();
    expect(await statusesOf(id)).toEqual(['pending']);
    await developer.post(path, {}, `${path}/resume`);
    await until('the endpoint heard of the event', () =>
      sink.received.find(({ headers }) => headers['x-service-webhook-id'] === event),
    );
    const entries = await db().select().from(auditEntries).where(eq(auditEntries.target, id));
    const actions = entries.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['webhook.paused', 'webhook.resumed']));
    expect(entries.every(({ accountId }) => accountId === lab.acme.developer.account.id)).toBe(true);
  });

  test('an endpoint that answers 410 is disabled; the page says why, how to go on, and the owners get a mail', async () => {
    const { path, id } = await subscribe();
    sink.respond = answerStatus(410);
    await emit();
    await until('a delivery failed', () => statusesOf(id), { isIt: (all) => all.includes('failed') });
    const disabled = (await developer.get(path)).html;
    for (const shown of ['This subscription is disabled.', '410 Gone', 'fix the endpoint, choose Resume']) {
      expect(disabled).toContain(shown);
    }
    const { email } = lab.acme.owner.account;
    await until('a mail tells that it is disabled', async () => {
      const inbox = await fetch(`${lab.service.url}/dev/inbox.json?to=${email}`);
      return (await inbox.text()).includes('disabled');
    });
    sink.respond = answerOk;
    expect((await developer.follow(await developer.post(path, {}, `${path}/resume`))).html).toContain(
      'then replay what failed in the meantime',
    );
    const replayed = await developer.post(`${path}/health`, { since: '2020-01-01T00:00' }, `${path}/replay`);
    expect((await developer.follow(replayed)).html).toContain('This page shows the progress.');
    await until('all are delivered', () => statusesOf(id), {
      isIt: (all) => all.every((status) => status === 'delivered'),
    });
    expect((await developer.get(`${path}/health`)).html).toContain('queued 1 delivery again.');
  });

  test('a failing endpoint: since when, until when; each attempt with its answer; one delivery is sent again', async () => {
    const { path, id } = await subscribe();
    sink.respond = (socket) =>
      socket.end('HTTP/1.1 500 Oops\r\ncontent-length: 16\r\nconnection: close\r\n\r\n<b>not today</b>');
    await emit();
    await until('there was an attempt', async () => (await deliveriesTo(id))[0]?.attemptCount, {
      isIt: (count) => count > 0,
    });
    const page = (await developer.get(path)).html;
    expect(page).toContain('The endpoint has accepted nothing since');
    expect(page).toContain('it is disabled and we email the workspace owners');
    expect(page).toContain('Retrying');
    const [delivery] = await deliveriesTo(id);
    const detail = `${path}/deliveries/${delivery?.id}`;
    const shown = (await developer.get(detail)).html;
    expect(shown).toContain('&lt;b>not today&lt;/b>');
    expect(shown).toContain('Next try');
    sink.respond = answerOk;
    await developer.post(detail, {}, `${detail}/replay`);
    await until('all are delivered', () => statusesOf(id), {
      isIt: (all) => all.every((status) => status === 'delivered'),
    });
    expect((await developer.get(path)).html).not.toContain('accepted nothing since');
  });

  test('the log is filtered by status and searched by event, sub and e-mail, a page at a time', async () => {
    const { path } = await subscribe();
    await developer.post(path, {}, `${path}/pause`);
    const events: string[] = [];
    for (let count = 0; count < 30; count += 1) events.push(await emit());
    const idsOn = async (query: string) =>
      [...(await developer.get(`${path}?${query}`)).html.matchAll(/<code>(evt_\w+)<\/code>/g)].map(
        ([, found]) => found,
      );
    const first = await idsOn('');
    expect(first).toEqual(events.toReversed().slice(0, 25));
    const second = await idsOn(`older=${first.at(-1)}`);
    expect(second).toEqual(events.toReversed().slice(25));
    expect(await idsOn(`newer=${second[0]}`)).toEqual(first);
    expect(await idsOn(`search=${events[3]}`)).toEqual([events[3]]);
    expect(await idsOn('status=failed')).toEqual([]);
    expect((await idsOn('status=pending')).length).toBe(25);
    // A customer, with the event in the ledger that a sign-in leaves.
    await addRows(db(), shop.id, [1], () => new Date());
    await takeOver(db());
    const [row] = await db().select().from(usageEvents);
    const charged = await emit(row?.id);
    const email = `person.1.${shop.id.slice(-12)}@example.com`;
    expect(await idsOn(`search=${row?.sub}`)).toEqual([charged]);
    expect(await idsOn(`search=${encodeURIComponent(email.toUpperCase())}`)).toEqual([charged]);
    expect(await idsOn(`search=${encodeURIComponent(email)}&status=delivered`)).toEqual([]);
    expect((await developer.get(`${path}?search=nobody%40example.com`)).html).toContain(
      'No matching deliveries',
    );
    const nonsense = await developer.get(`${path}?search=not%20a%20customer!`);
    expect(nonsense.status).toBe(400);
    expect(nonsense.html).toContain('value="not a customer!"');
  });

  test('promise 67, threat 183: a deleted subscription is restored for ten minutes, as it was; then its history goes', async () => {
    const { path, id } = await subscribe();
    const [before] = await subscriptionRows(id);
    const gone = await developer.post(`${path}/delete`, {});
    const list = await developer.follow(gone);
    expect(list.html).toContain('Recently deleted');
    expect((await lab.visitor(lab.acme.viewer).get(`${base}`)).html).not.toContain('Recently deleted');
    expect((await developer.send(`${path}/restore`, list.html, {})).location).toBe(`${path}/health`);
    expect(await subscriptionRows(id)).toEqual([before]);
    expect((await developer.send(`${path}/restore`, list.html, {})).status).toBe(404);
    const again = await developer.follow(await developer.post(`${path}/delete`, {}));
    await tenMinutesLater(id);
    expect((await developer.send(`${path}/restore`, again.html, {})).status).toBe(404);
    await until('it is gone', () => subscriptionRows(id), { isIt: (rows) => rows.length === 0 });
  });

  test('deleting ends it at once and removes its log; the events of others stay', async () => {
    const { path, id } = await subscribe();
    const other = await subscribe();
    const event = await emit();
    await until('one is delivered', () => statusesOf(id), { isIt: (all) => all.includes('delivered') });
    const gone = await developer.post(`${path}/delete`, {});
    expect((await developer.follow(gone)).html).toContain('Subscription deleted.');
    expect((await developer.get(path)).status).toBe(404);
    expect((await deliveriesTo(id)).length).toBeGreaterThan(0);
    await tenMinutesLater(id);
    await until('its deliveries are gone', () => deliveriesTo(id), { isIt: (all) => all.length === 0 });
    expect((await deliveriesTo(other.id)).map(({ eventId }) => eventId)).toContain(event);
  });

  test('a viewer reads subscriptions and deliveries and changes nothing', async () => {
    const { path } = await subscribe();
    const viewer = lab.visitor(lab.acme.viewer);
    const page = await viewer.get(path);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain(`action="${path}/`);
    for (const page of ['/edit', '/secret', '/delete'])
      expect((await viewer.get(path + page)).status).toBe(403);
    expect((await viewer.get(`${base}/check`)).status).toBe(403);
  });
});
