// With the real queue and real TLS: how long an event takes from its commit to the healthy endpoint, alone and beside
// an endpoint of another company that takes every connection and never answers.
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../src/id.ts';
import { createLog } from '../../src/log.ts';
import { startJobs } from '../../src/queue/jobs.ts';
import { createDeliveryWorker } from '../../src/webhooks/delivery.ts';
import { startDeliveries } from '../../src/webhooks/delivery-loop.ts';
import { DELIVERIES } from '../../src/webhooks/enqueue.ts';
import type { TestDatabase } from '../harness/database.ts';
import { createCompany, createLoopbackSender, emit, eventOf, keys, subscribe } from '../webhooks/company.ts';
import { createAuthority, issueCertificate, startSink } from '../webhooks/sink.ts';

export type Latency = {
  events: number;
  received: number;
  medianMs: number;
  p99Ms: number;
  longestMs: number;
};

const PATIENCE_MILLISECONDS = 60_000;

export async function measureLatency(options: {
  database: TestDatabase;
  events: number;
  perSecond: number;
  besideDeadEndpoint: boolean;
}): Promise<Latency> {
  const { database, events, perSecond, besideDeadEndpoint } = options;
  const { connection, databaseUrl } = database;
  const { db } = connection;
  const log = createLog({ level: 'silent' });
  const authority = await createAuthority();
  const certificate = await issueCertificate({ authority });
  const [healthy, dead] = [
    await startSink({ certificate }),
    await startSink({ certificate, respond: () => undefined }),
  ];
  const [company, neighbour] = [await createCompany(db), await createCompany(db)];
  const jobs = await startJobs({ connection, databaseUrl, log });
  const clock = () => new Date();
  const send = createLoopbackSender(authority.cert);
  const attempt = createDeliveryWorker({ db, keys, clock, send, onDisabled: async () => undefined });
  const onLeftOver = async () => undefined;
  const deliveries = startDeliveries({ db, clock, log, owner: newId('wrk'), attempt, onLeftOver });
  await jobs.onNotified(DELIVERIES, deliveries.wake);
  await subscribe(db, company, healthy.url);
  await subscribe(db, neighbour, dead.url);
  const committed = new Map<string, number>();
  for (let count = 0; count < events; count += 1) {
    const now = new Date();
    if (besideDeadEndpoint) await emit(db, eventOf(neighbour, { createdAt: now }), now);
    const id = await emit(db, eventOf(company, { createdAt: now }), now);
    committed.set(id, Date.now());
    await sleep(1000 / perSecond);
  }
  for (let waited = 0; healthy.received.length < events && waited < PATIENCE_MILLISECONDS; waited += 100)
    await sleep(100);
  const delays = healthy.received
    .map(({ headers, at }) => at - (committed.get(headers['x-service-webhook-id'] ?? '') ?? 0))
    .toSorted((a, b) => a - b);
  const at = (share: number) => delays[Math.floor(share * (delays.length - 1))] ?? 0;
  const result = { events, received: delays.length, medianMs: at(0.5), p99Ms: at(0.99), longestMs: at(1) };
  await dead.close();
  await deliveries.stop();
  await jobs.stop();
  await healthy.close();
  return result;
}
