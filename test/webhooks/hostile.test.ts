// Threat 80: endpoints that are slow, endless, huge, broken or not who they say they are. Each attempt ends within
// 15 seconds, reads at most 64 KiB, is recorded as failed, and costs the other endpoints nothing.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../src/database/connection.ts';
import { createLog } from '../../src/log.ts';
import { type Jobs, startJobs } from '../../src/queue/jobs.ts';
import type { Deliveries } from '../../src/webhooks/attempt-loop.ts';
import { createDeliveryWorker } from '../../src/webhooks/delivery.ts';
import { startDeliveries } from '../../src/webhooks/delivery-loop.ts';
import { DELIVERIES } from '../../src/webhooks/enqueue.ts';
import type { SendWebhook, WebhookAnswer } from '../../src/webhooks/sender.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { measure } from '../harness/stopwatch.ts';
import { until } from '../harness/until.ts';
import {
  attemptsOf,
  createCompany,
  createLoopbackSender,
  deliveriesOf,
  emit,
  eventOf,
  keys,
  subscribe,
} from './company.ts';
import {
  type Authority,
  answerOk,
  createAuthority,
  issueCertificate,
  type Respond,
  type Sink,
  startSink,
} from './sink.ts';

const MEBIBYTE = 1024 * 1024;
const HEAD = 'HTTP/1.1 200 OK\r\n';
/** Attempts at one endpoint at once. */
const PLACES = 16;

/** Writes for as long as the other side takes it. */
function pour(chunk: string | Buffer, start = ''): Respond {
  return (socket) => {
    socket.write(start);
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    more();
  };
}

function drip(text: string, start = ''): Respond {
  return (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(text), 1_000);
    socket.on('close', () => clearInterval(timer));
  };
}

const bomb = gzipSync(Buffer.alloc(50 * MEBIBYTE));

/** What the endpoint does, and what must be written down about it. */
const hostile: [string, Respond, Partial<WebhookAnswer>][] = [
  ['never answers', () => undefined, { failure: 'timeout' }],
  ['one byte of header a second', drip('x', `${HEAD}x-slow: `), { failure: 'timeout' }],
  [
    'one byte of body a second',
    drip('x', `${HEAD}content-length: 1000\r\n\r\n`),
    { status: 200, failure: 'timeout' },
  ],
  [
    'never closes its body',
    (socket) => void socket.write(`${HEAD}\r\nok`),
    { status: 200, failure: 'timeout' },
  ],
  [
    '100 Continue a hundred times',
    (socket) => void socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)),
    {},
  ],
  [
    '103 Early Hints a hundred times',
    (socket) => void socket.write('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(100)),
    { failure: 'timeout' },
  ],
  [
    '103 Early Hints for ever',
    pour('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(1_000)),
    { failure: 'invalid_response' },
  ],
  [
    'a body of 1 GB',
    pour(Buffer.alloc(MEBIBYTE), `${HEAD}content-length: 1073741824\r\n\r\n`),
    { status: 200, failure: 'response_too_large' },
  ],
  [
    'a body without end',
    pour(Buffer.alloc(MEBIBYTE), `${HEAD}\r\n`),
    { status: 200, failure: 'response_too_large' },
  ],
  [
    'chunks without end',
    pour(`10000\r\n${'x'.repeat(65_536)}\r\n`, `${HEAD}transfer-encoding: chunked\r\n\r\n`),
    { status: 200, failure: 'response_too_large' },
  ],
  [
    'a header of 1 MB',
    (socket) => void socket.write(`${HEAD}x-huge: ${'x'.repeat(MEBIBYTE)}\r\n\r\n`),
    { failure: 'invalid_response' },
  ],
  ['headers without end', pour(`x-more: ${'x'.repeat(1_000)}\r\n`, HEAD), { failure: 'invalid_response' }],
  [
    'not HTTP',
    (socket) => void socket.end('220 smtp.example.com ESMTP\r\n'),
    { failure: 'invalid_response' },
  ],
  ['hangs up', (socket) => void socket.destroy(), { failure: 'connection' }],
  [
    'hangs up in the body',
    (socket) => void socket.end(`${HEAD}content-length: 100\r\n\r\nok`),
    { status: 200, failure: 'connection' },
  ],
];

let database: TestDatabase;
let db: Database;
let authority: Authority;
let healthy: Sink;
const sinks: Sink[] = [];
let jobs: Jobs;
let deliveries: Deliveries;
let send: SendWebhook;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.connection.db;
  authority = await createAuthority();
  healthy = await sinkThat(answerOk);
  send = createLoopbackSender(authority.cert);
  const { connection, databaseUrl } = database;
  const log = createLog({ level: 'silent' });
  const clock = () => new Date();
  jobs = await startJobs({ connection, databaseUrl, log });
  const onDisabled = async () => undefined;
  const attempt = createDeliveryWorker({ db, keys, send, clock, onDisabled });
  deliveries = startDeliveries({ db, clock, log, owner: 'wrk_test', attempt, onLeftOver: onDisabled });
  await jobs.onNotified(DELIVERIES, deliveries.wake);
});

afterAll(async () => {
  await deliveries.stop();
  await jobs.stop();
  for (const sink of sinks) await sink.close();
  await database.remove();
});

/** Closed at the end, whatever became of its test. */
async function sinkThat(respond: Respond): Promise<Sink> {
  const sink = await startSink({ certificate: await issueCertificate({ authority }), respond });
  sinks.push(sink);
  return sink;
}

function post(url: string) {
  return send({ url, headers: { 'content-type': 'application/json' }, body: '{"id":"evt_1"}' });
}

describe('threat 80: rude endpoints', () => {
  test('everything rude ends within 15 s, is a failure, leaves no connection, and memory stays flat', async () => {
    const before = process.memoryUsage();
    let peak = 0;
    const meter = setInterval(() => {
      const { arrayBuffers, heapUsed } = process.memoryUsage();
      peak = Math.max(peak, arrayBuffers + heapUsed);
    }, 50);
    const outcomes = await Promise.all(
      hostile.map(async ([name, respond, expected]) => {
        const sink = await sinkThat(respond);
        const answer = await post(sink.url);
        await until('no connection is open', () => sink.open.size, {
          isIt: (open) => open === 0,
          seconds: 2,
        });
        await sink.close();
        return { name, answer, expected };
      }),
    );
    clearInterval(meter);
    for (const { name, answer, expected } of outcomes) {
      expect({ name, ...answer }).toMatchObject({ name, ...expected });
      expect({ name, failed: answer.failure !== undefined }).toEqual({ name, failed: true });
      expect(answer.durationMs).toBeLessThan(16_000);
      expect(answer.excerpt?.length ?? 0).toBeLessThanOrEqual(2_000);
    }
    expect(peak - before.arrayBuffers - before.heapUsed).toBeLessThan(150 * MEBIBYTE);
  });

  test('a gzip bomb stays packed: nothing is decompressed, nor asked for', async () => {
    const sink = await sinkThat((socket) => {
      socket.write(
        `${HEAD}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\nconnection: close\r\n\r\n`,
      );
      socket.end(bomb);
    });
    const before = process.memoryUsage.rss();
    const answer = await post(sink.url);
    expect(answer.durationMs).toBeLessThan(5_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(40 * MEBIBYTE);
    expect(sink.received[0]?.headers['accept-encoding']).toBeUndefined();
    await sink.close();
  });

  test.each<[string, () => Promise<{ cert: string; key: string }>]>([
    ['another name', () => issueCertificate({ authority, host: 'elsewhere.example.com' })],
    ['expired', () => issueCertificate({ authority, notAfterDate: new Date(Date.now() - 60_000) })],
    ['self-signed', () => issueCertificate({})],
    ['an unknown authority', async () => issueCertificate({ authority: await createAuthority() })],
  ])('a certificate that is wrong (%s) gets no request', async (_name, makeCertificate) => {
    const sink = await startSink({ certificate: await makeCertificate() });
    expect(await post(sink.url)).toMatchObject({ failure: 'tls' });
    expect(sink.received).toEqual([]);
    await sink.close();
  });

  test('nobody listening, and TLS that never begins, are failures', async () => {
    const gone = await sinkThat(answerOk);
    await gone.close();
    expect(await post(gone.url)).toMatchObject({ failure: 'connection' });
  });

  test('a NUL and broken UTF-8 in an answer can be stored', async () => {
    const sink = await sinkThat((socket) => {
      socket.end(
        Buffer.concat([
          Buffer.from('HTTP/1.1 500 x\r\nconnection: close\r\n\r\n'),
          Buffer.from([0, 0xff, 0xed, 0xa0, 0x80, 65]),
        ]),
      );
    });
    const company = await createCompany(db);
    await subscribe(db, company, sink.url);
    const id = await emit(db, eventOf(company, { createdAt: new Date() }), new Date());
    await until('there was an attempt', async () => (await attemptsOf(db, id))[0], { seconds: 10 });
    expect((await attemptsOf(db, id))[0]?.responseBody).toMatch(/A$/);
    await sink.close();
  });

  test('dead endpoints do not delay a healthy one by a second', async () => {
    const fastCompany = await createCompany(db);
    await subscribe(db, fastCompany, healthy.url);
    const delays = async (count: number) => {
      const measured: number[] = [];
      for (let index = 0; index < count; index += 1) {
        healthy.received.length = 0;
        const { milliseconds } = await measure(async () => {
          await emit(db, eventOf(fastCompany), new Date());
          await until('the healthy endpoint heard of it', () => healthy.received.length > 0, { seconds: 10 });
        });
        measured.push(milliseconds);
      }
      return measured;
    };
    const alone = await delays(20);

    const dead = await Promise.all(Array.from({ length: 3 }, () => sinkThat(() => undefined)));
    const slowCompany = await createCompany(db);
    for (const sink of dead) await subscribe(db, slowCompany, sink.url);
    // Work for more than their places, and all of it before the healthy one's.
    for (let count = 0; count < PLACES + 8; count += 1) await emit(db, eventOf(slowCompany), new Date());
    await until('all places are taken', () => dead.map(({ received }) => received.length), {
      isIt: (counts) => counts.every((count) => count >= PLACES),
      seconds: 14,
    });
    const beside = await delays(10);
    // Before the first attempts time out and the next ones take their places.
    expect(Math.max(...dead.map((sink) => sink.open.size))).toBeLessThanOrEqual(PLACES);
    beside.push(...(await delays(40)));
    // The slowest one with nothing in its way is the machine's share.
    expect(Math.max(...beside) - Math.max(...alone)).toBeLessThan(1_000);
    await Promise.all(dead.map((sink) => sink.close()));
  });

  test('three hundred webhooks to one endpoint arrive once each', async () => {
    healthy.received.length = 0;
    const company = await createCompany(db);
    await subscribe(db, company, healthy.url);
    const ids: string[] = [];
    // No more at once than connections of the pool can take in their time.
    while (ids.length < 300) {
      const events = Array.from({ length: 30 }, () => eventOf(company, { createdAt: new Date() }));
      ids.push(...(await Promise.all(events.map((event) => emit(db, event, new Date())))));
    }
    await until('all arrived', () => healthy.received.length, { isIt: (count) => count >= 300, seconds: 50 });
    await until(
      'the last one is delivered',
      async () => (await deliveriesOf(db, ids[299] ?? ''))[0]?.status,
      {
        isIt: (status) => status === 'delivered',
        seconds: 5,
      },
    );
    expect(new Set(healthy.received.map(({ headers }) => headers['x-service-webhook-id']))).toEqual(
      new Set(ids),
    );
    expect(healthy.received).toHaveLength(300);
  });
});
