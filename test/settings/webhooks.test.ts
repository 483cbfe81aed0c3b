// Webhook subscriptions in company settings (threats 53, 56, 58, 78): subscribed, tested,
// rotated, paused, replayed and deleted through the pages, against real receivers over TLS.
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import {
  auditEntries,
  usageEvents,
  webhookAttempts,
  webhookDeliveries,
  webhookSubscriptions,
} from '../../drizzle/schema.ts';
import { addMember } from '../../src/applications/membership.ts';
import { transaction } from '../../src/database/connection.ts';
import { newId } from '../../src/id.ts';
import { addRows } from '../harness/api.ts';
import { hasChromium } from '../harness/chromium.ts';
import { takeOver } from '../harness/identity.ts';
import { countLockWaits } from '../harness/lock-waits.ts';
import { chosenStores } from '../harness/stores.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
import { enqueue, eventOf } from '../webhooks/company.ts';
import {
  answerOk,
  answerStatus,
  createAuthority,
  issueCertificate,
  type Sink,
  startSink,
} from '../webhooks/sink.ts';
import { openSettingsLab, type SettingsLab, type SettingsWorkspace, type Visitor } from './lab.ts';
import { looks, settingsWatch } from './looks.ts';

let lab: SettingsLab;
let shop: RegisteredApplication;
let sink: Sink;
let folder: string;
let base: string;
let developer: Visitor;

beforeAll(async () => {
  const authority = await createAuthority();
  folder = await mkdtemp(join(tmpdir(), 'tollgate-authority-'));
  await writeFile(join(folder, 'ca.pem'), authority.cert);
  sink = await startSink({ certificate: await issueCertificate({ authority }) });
  lab = await openSettingsLab({
    WEBHOOK_ALLOW_LOOPBACK: 'on',
    WEBHOOK_CA_FILE: join(folder, 'ca.pem'),
  });
  shop = await lab.acme.register({ name: 'Shop' });
  base = `/settings/${lab.acme.workspace.id}/webhooks`;
  developer = lab.visitor(lab.acme.developer);
});
afterAll(async () => {
  await lab?.stop();
  await sink?.close();
  await rm(folder, { recursive: true });
});
afterEach(() => {
  sink.respond = answerOk;
});

const db = () => lab.service.db;
const SECRET = /whsec_[A-Za-z0-9_-]{43}/;
const secretIn = (html: string) => SECRET.exec(html)?.[0] ?? '';
const everything = { applications: 'all', registrations: 'on', sign_ins: 'on' };

let endpoints = 0;

/** An endpoint of its own, whose requests no other subscription makes. */
async function subscribe() {
  endpoints += 1;
  const url = `${sink.url}/${endpoints}`;
  const made = await developer.post(`${base}/new`, { ...everything, url });
  if (made.status !== 303) throw new Error(made.html);
  const { html } = await developer.follow(made);
  const start = `POST ${new URL(url).pathname} `;
  return {
    path: made.location ?? '',
    id: made.location?.split('/').at(-1) ?? '',
    secret: secretIn(html),
    received: () => sink.received.filter(({ head }) => head.startsWith(start)),
  };
}

async function sendTest(path: string, type = 'identity.registration.completed.v1') {
  const sent = await developer.post(`${path}/health`, { type, application: shop.id }, `${path}/test`);
  expect(sent.status).toBe(303);
  return sent;
}

/** Chromium refuses a reload while the answer of a form is still coming; whoever asks again gets the page. */
const reloaded = (page: Page): Promise<string> =>
  page.reload().then(
    () => page.content(),
    () => '',
  );

async function emit(id = newId('evt')): Promise<string> {
  const company = { workspaceId: lab.acme.workspace.id, applicationId: shop.id };
  const event = eventOf(company, { id, createdAt: new Date() });
  await transaction(db(), (tx) => enqueue(tx, { event, now: new Date() }));
  return event.id;
}

const deliveriesTo = (id: string) =>
  db().select().from(webhookDeliveries).where(eq(webhookDeliveries.subscriptionId, id));
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

  test('deleting ends it at once and removes its log; the events of others stay', async () => {
    const { path, id } = await subscribe();
    const other = await subscribe();
    const event = await emit();
    await until('one is delivered', () => statusesOf(id), { isIt: (all) => all.includes('delivered') });
    const gone = await developer.post(`${path}/delete`, {});
    expect((await developer.follow(gone)).html).toContain('Subscription deleted.');
    expect((await developer.get(path)).status).toBe(404);
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

((await hasChromium()) ? describe : describe.skip)('webhooks in a browser', () => {
  const watch = settingsWatch();
  afterEach(() => watch.end());

  for (const look of looks) {
    test(look.name, async () => {
      const person = watch.add(await lab.person(lab.acme.owner, look.options));
      const { page } = person;
      const see = (name: string) => watch.look(person, look, name);
      const submit = () => page.click('main form .button-primary');
      await page.goto(`${lab.service.url}${base}`);
      await see('webhooks');
      await page.click('text=Add an endpoint');
      await page.uncheck('#sign_ins');
      await page.uncheck('#registrations');
      await page.fill('[name=url]', 'https://localhost:22/hooks');
      await submit();
      await see('webhook-refused');
      expect(await page.inputValue('[name=url]')).toBe('https://localhost:22/hooks');
      await page.fill('[name=url]', sink.url);
      await page.check('#sign_ins');
      await page.check('#registrations');
      await submit();
      await see('webhook-made');
      const secret = (await page.innerText('[data-copy-value]')).trim();
      expect(secret).toMatch(SECRET);
      const path = page.url();
      await page.goto(`${path}/health`);
      await see('webhook-health');
      await page.click('button:has-text("Send test event")');
      await until('the page says that it was accepted', () => reloaded(page), {
        isIt: (text) => text.includes('Accepted'),
      });
      await see('webhook-delivery');
      const body = await page.innerText('[data-copy-value]');
      const headers = await page.innerText('.attempt pre >> nth=0');
      sink.respond = answerStatus(503);
      await page.click('button:has-text("Send again")');
      await until('the page says 503', () => reloaded(page), { isIt: (text) => text.includes('503') });
      await see('webhook-delivery-failing');
      await page.goto(path);
      await see('webhook-failing');
      await page.goto(`${path}/settings`);
      await see('webhook-settings');
      await page.click('text=Rotate secret');
      await see('webhook-secret');
      await submit();
      await see('webhook-rotated');
      await page.goto(`${lab.service.url}${base}/check?subscription=${path.split('/').at(-1)}`);
      await page.fill('[name=headers]', headers);
      await page.fill('[name=body]', JSON.stringify(JSON.parse(body), null, 2));
      await submit();
      await see('webhook-check-failed');
      expect(await page.innerText('[role=alert]')).toContain('Body is exact');
      await page.fill('[name=body]', body);
      await submit();
      await see('webhook-check-genuine');
      expect(await page.innerText('output')).toContain('genuine');
      sink.respond = answerStatus(410);
      await page.goto(`${path}/health`);
      await page.click('button:has-text("Send test event")');
      await page.goto(path);
      await until('the page says that it is disabled', () => reloaded(page), {
        isIt: (text) => text.includes('This subscription is disabled'),
      });
      await see('webhook-disabled');
      await page.goto(`${path}/delete`);
      await see('webhook-delete');
      await page.click('main form .button-danger');
      expect(await page.innerText('output')).toContain('deleted');
      sink.respond = answerOk;
    });
  }
});
