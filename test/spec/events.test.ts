// Promises 34 to 36, sentence by sentence, as an integrator sees it: webhooks received by the example of
// examples/webhook-receiver.ts, and verified with openssl by somebody who has read nothing but the section.
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  openFileStore,
  type SaveEvent,
  signatureProblem,
  startWebhookReceiver,
} from '../../examples/webhook-receiver.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { webhookHeaders } from '../../src/webhooks/signature.ts';
import { rotateSecret } from '../../src/webhooks/signing-secret.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import {
  type Company,
  createCompany,
  createTestWorker,
  createTimetable,
  deliveryOf,
  emit,
  enqueue,
  eventOf,
  keys,
  START,
  subscribe,
} from '../webhooks/company.ts';
import {
  answerOk,
  answerStatus,
  createAuthority,
  issueCertificate,
  type Received,
  type Sink,
  startSink,
} from '../webhooks/sink.ts';

const REGISTRATION = 'identity.registration.completed.v1';
const LOGIN = 'identity.login.completed.v1';
const DAY = 86_400_000;

let folder: string;
let database: TestDatabase;
let db: Database;
let certificate: { cert: string; key: string };
let caCert: string;
let sink: Sink;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'section-6-'));
  database = await openTestDatabase();
  db = database.connection.db;
  const authority = await createAuthority();
  caCert = authority.cert;
  certificate = await issueCertificate({ authority });
  sink = await startSink({ certificate });
});

afterAll(async () => {
  await sink.close();
  await database.remove();
  await rm(folder, { recursive: true });
});

/** Written from "Verify" in docs/webhooks.md alone: the two headers, the raw body in a file, the secret. */
async function opensslSignature({ headers, body }: Received, secret: string): Promise<string> {
  const file = join(folder, 'body');
  await writeFile(file, body);
  const timestamp = headers['x-service-webhook-timestamp'];
  const oneLiner = `printf '%s.' "$TIMESTAMP" | cat - "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.*= */v1=/'`;
  const env = { PATH: process.env.PATH, TIMESTAMP: timestamp, BODY: file, SECRET: secret };
  return execFileSync('sh', ['-c', oneLiner], { env, encoding: 'utf8' }).trim();
}

async function deliver(names: string[]) {
  const company = await createCompany(db);
  const subscription = await subscribe(db, company, sink.url);
  const timetable = createTimetable(new Date());
  const { runUntil } = createTestWorker(db, timetable, { caCert });
  sink.received.length = 0;
  for (const name of names)
    await emit(db, eventOf(company, { createdAt: timetable.now }, name), timetable.now);
  await runUntil(timetable.now);
  return { received: [...sink.received], secret: subscription.secret };
}

describe('promise 36: signature headers', () => {
  const NAMES = [
    'Ada Lovelace',
    'Ünïcödé Straße',
    '李小龍',
    '👩‍👩‍👧‍👦 family',
    'a/b\\/c',
    '"quoted"\\',
    'line\nbreak\r\ttab',
    '\u2028\u2029',
    'e\u0301 é',
    '\ud800 lone',
    '\u0000 nul',
    '</script>',
    'x'.repeat(100),
  ];

  test('are sent under lower-case names; the timestamp is Unix time in seconds, the signature v1= and 64 lower-case hex', async () => {
    const { received } = await deliver(['Ada Lovelace']);
    const [{ head, headers } = { head: '', headers: {} as Record<string, string> }] = received;
    expect(head).toContain('\r\nx-service-webhook-timestamp: ');
    expect(head).toContain('\r\nx-service-webhook-signature: v1=');
    expect(headers['x-service-webhook-timestamp']).toMatch(/^\d{10}$/);
    expect(Math.abs(Number(headers['x-service-webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(30);
    expect(headers['x-service-webhook-signature']).toMatch(/^v1=[0-9a-f]{64}$/);
  });

  test('threat 81: verify with an openssl one-liner written from the documentation alone, Unicode and slashes included', async () => {
    const { received, secret } = await deliver(NAMES);
    expect(received).toHaveLength(NAMES.length);
    for (const [index, webhook] of received.entries()) {
      expect(await opensslSignature(webhook, secret)).toBe(webhook.headers['x-service-webhook-signature']);
      expect(JSON.parse(webhook.body.toString('utf8')).data.customer.name).toBe(NAMES[index]);
    }
  });

  test('threat 81: 10,000 signatures over random bodies verify with the documented algorithm', () => {
    const secret = 'whsec_an independent verifier';
    for (let count = 0; count < 10_000; count += 1) {
      const body = JSON.stringify({
        id: `evt_${count}`,
        name: String.fromCodePoint(32 + ((count * 37) % 50_000)),
        path: 'a\\/b',
      });
      const headers = webhookHeaders({
        eventId: `evt_${count}`,
        body,
        secrets: { current: secret },
        now: new Date(count * 1_234_567),
      });
      const signed = Buffer.concat([
        Buffer.from(`${headers['x-service-webhook-timestamp']}.`),
        Buffer.from(body),
      ]);
      const expected = `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`;
      if (headers['x-service-webhook-signature'] !== expected)
        throw new Error(`webhook ${count} does not verify`);
    }
  });
});

describe('promise 36: verification, as the example receiver does it', () => {
  const now = new Date('2026-11-21T10:00:00Z');
  const rawBody = Buffer.from('{"id":"evt_1"}');
  const secrets = ['whsec_right'];
  const { 'x-service-webhook-id': _id, ...headers } = webhookHeaders({
    eventId: 'evt_1',
    body: rawBody.toString(),
    secrets: { current: 'whsec_right' },
    now,
  });
  const problem = (
    changes: Record<string, string | undefined>,
    options: { rawBody?: Buffer; now?: Date } = {},
  ) => signatureProblem({ headers: { ...headers, ...changes }, rawBody, secrets, now, ...options });

  test('a genuine webhook passes', () => {
    expect(problem({})).toBeUndefined();
  });

  test.each(['x-service-webhook-timestamp', 'x-service-webhook-signature'])(
    'is refused when %s is missing',
    (name) => {
      expect(problem({ [name]: undefined })).toBe('a signature header is missing');
    },
  );

  test('is refused when the timestamp differs from the current time by more than 300 seconds, either way', () => {
    const later = (seconds: number) => problem({}, { now: new Date(now.getTime() + seconds * 1000) });
    expect([later(300), later(-300)]).toEqual([undefined, undefined]);
    for (const seconds of [301, -301, 86_400])
      expect(later(seconds)).toBe('the timestamp is too old or too new');
  });

  test('is refused when the values differ: body, timestamp, signature or secret', () => {
    const mismatch = 'the signature does not match';
    const signature = headers['x-service-webhook-signature'] ?? '';
    expect(problem({}, { rawBody: Buffer.from('{"id": "evt_1"}') })).toBe(mismatch);
    expect(problem({ 'x-service-webhook-timestamp': String(now.getTime() / 1000 + 1) })).toBe(mismatch);
    for (const changed of [
      '',
      'v1=',
      signature.slice(3),
      signature.toUpperCase(),
      `${signature},${signature}`,
      signature.replace('v1', 'v0'),
    ]) {
      expect(problem({ 'x-service-webhook-signature': changed })).toBe(mismatch);
    }
    expect(signatureProblem({ headers, rawBody, secrets: ['whsec_wrong'], now })).toBe(mismatch);
    expect(problem({ 'x-service-webhook-timestamp': 'soon' })).toBe(
      'the timestamp is not a number of seconds',
    );
  });
});

describe('promises 34 and 35: delivery', () => {
  const running: { close(): Promise<void> }[] = [];

  afterEach(async () => {
    await Promise.all(running.splice(0).map((receiver) => receiver.close()));
    sink.respond = answerOk;
  });

  /** A receiver on a port of its own, with the secret of a subscription that was made for it. */
  async function startAll(options: { save?: SaveEvent } = {}) {
    const company = await createCompany(db);
    const lines: string[] = [];
    const timetable = createTimetable(new Date());
    const { port } = new URL((await reservePort()).url);
    const subscription = await subscribe(db, company, `https://localhost:${port}/webhooks`);
    const startReceiver = async (secret: string | string[]) => {
      const receiver = await startWebhookReceiver({
        secret,
        port: Number(port),
        tls: certificate,
        clock: () => timetable.now,
        print: (line) => lines.push(line),
        ...options,
      });
      running.push(receiver);
      return receiver;
    };
    const receiver = await startReceiver(subscription.secret);
    return {
      company,
      subscription,
      lines,
      timetable,
      receiver,
      startReceiver,
      ...createTestWorker(db, timetable, { caCert }),
    };
  }

  async function reservePort() {
    const reserved = await startSink({ certificate });
    await reserved.close();
    return reserved;
  }

  async function emitBoth(company: Company, timetable: ReturnType<typeof createTimetable>) {
    const createdAt = timetable.now;
    const first = await emit(db, eventOf(company, { createdAt }), createdAt);
    const data = { ...eventOf(company).data, kind: 'sign_in' as const, amount: '0.020000' };
    const second = await emit(db, eventOf(company, { type: LOGIN, createdAt, data }), createdAt);
    return [first, second];
  }

  test('both kinds of events reach the endpoint and verify there', async () => {
    const { company, timetable, receiver, runUntil, lines } = await startAll();
    const ids = await emitBoth(company, timetable);
    await runUntil(new Date(timetable.now.getTime() + 1_000));
    expect(receiver.events.map(({ id, type, data }) => [id, type, data.kind, data.amount])).toEqual([
      [ids[0], REGISTRATION, 'registration', '0.050000'],
      [ids[1], LOGIN, 'sign_in', '0.020000'],
    ]);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^verified evt_/);
  });

  test('is at least once, and the receiver deduplicates by event id: it stored, but its answer was lost', async () => {
    let failures = 1;
    const file = join(folder, 'events.ndjson');
    const store = await openFileStore(file);
    const { company, timetable, receiver, runUntil, lines } = await startAll({
      async save(event) {
        const isNew = await store(event);
        if (failures-- > 0) throw new Error('the disk is slow today');
        return isNew;
      },
    });
    const [first, second] = await emitBoth(company, timetable);
    await runUntil(new Date(timetable.now.getTime() + 600_000));
    expect([
      (await deliveryOf(db, first ?? '')).attemptCount,
      (await deliveryOf(db, first ?? '')).status,
    ]).toEqual([2, 'delivered']);
    const stored = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect(stored.sort()).toEqual([first, second].sort());
    expect(lines).toContain(`again    ${first}, stored before`);
    const reopened = await openFileStore(file);
    expect(await reopened({ ...receiver.events[0], id: first ?? '' } as (typeof receiver.events)[0])).toBe(
      false,
    );
  });

  test('events can arrive in any order: a later one does not wait for an earlier one that failed', async () => {
    const company = await createCompany(db);
    await subscribe(db, company, sink.url);
    const timetable = createTimetable();
    const { runUntil } = createTestWorker(db, timetable, { caCert });
    sink.respond = answerStatus(500);
    const first = await emit(db, eventOf(company));
    await runUntil(START);
    sink.respond = answerOk;
    const second = await emit(db, eventOf(company));
    await runUntil(START);
    expect((await deliveryOf(db, second)).status).toBe('delivered');
    expect((await deliveryOf(db, first)).status).toBe('pending');
  });

  test('a rotation passes unnoticed by a receiver that holds both secrets', async () => {
    const { company, subscription, timetable, receiver, startReceiver, runUntil, lines } = await startAll();
    const { workspaceId } = company;
    const rotated = await transaction(db, (tx) =>
      rotateSecret(tx, { keys, workspaceId, subscriptionId: subscription.id, now: timetable.now }),
    );
    await receiver.close();
    running.length = 0;
    const both = await startReceiver([subscription.secret, rotated.secret]);
    await emitBoth(company, timetable);
    await runUntil(new Date(timetable.now.getTime() + DAY + 1_000));
    await emitBoth(company, timetable);
    await runUntil(new Date(timetable.now.getTime() + 1_000));
    expect(both.events).toHaveLength(4);
    expect(lines.filter((line) => line.startsWith('refused'))).toEqual([]);
  });

  test('the receiver refuses what is not signed, and what is too large, and stays up', async () => {
    const { receiver } = await startAll();
    const post = (body: string, headers: Record<string, string> = {}) =>
      new Promise<number>((resolve, reject) => {
        const sent = request(
          receiver.url,
          { method: 'POST', ca: caCert, headers, agent: false },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          },
        );
        sent.on('error', reject);
        sent.end(body);
      });
    expect(await post('{}')).toBe(400);
    expect(
      await post('{}', { 'x-service-webhook-timestamp': '1', 'x-service-webhook-signature': 'v1=00' }),
    ).toBe(400);
    expect(await post('x'.repeat(70_000))).toBe(413);
    expect(receiver.events).toEqual([]);
  });

  test('an event that is not committed is never sent', async () => {
    const company = await createCompany(db);
    const timetable = createTimetable();
    const event = eventOf(company);
    await expect(
      transaction(db, async (tx) => {
        await enqueue(tx, { event, now: timetable.now });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await expect(deliveryOf(db, event.id)).rejects.toThrow('no delivery');
  });

  test('a 2xx that is not 200 counts, a 3xx does not', async () => {
    const company = await createCompany(db);
    await subscribe(db, company, sink.url);
    const timetable = createTimetable();
    const { runUntil } = createTestWorker(db, timetable, { caCert });
    for (const [status, outcome] of [
      [202, 'delivered'],
      [299, 'delivered'],
      [304, 'pending'],
      [199, 'pending'],
    ] as const) {
      sink.respond = answerStatus(status);
      const id = await emit(db, eventOf(company));
      await runUntil(START);
      expect({ status, outcome: (await deliveryOf(db, id)).status }).toEqual({ status, outcome });
    }
  });
});
