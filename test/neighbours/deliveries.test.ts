// Deliveries of many companies at once (promise 51, threat 121): nobody's backlog, dead endpoint or long work is
// anybody else's problem. The real service, real endpoints, and backlogs that are written straight into the tables.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { webhookDeliveries } from '../../drizzle/schema/webhooks.ts';
import { type Database, rowsOf, transaction } from '../../src/database/connection.ts';
import { newId } from '../../src/id.ts';
import { createLog } from '../../src/log.ts';
import { createDeliveryWorker } from '../../src/webhooks/delivery.ts';
import { lookForWork } from '../../src/webhooks/delivery-look.ts';
import { startDeliveries } from '../../src/webhooks/delivery-loop.ts';
import { replayFailedDeliveries } from '../../src/webhooks/replay.ts';
import { tidyWebhooks } from '../../src/webhooks/retention.ts';
import {
  createSubscription,
  disableSubscription,
  resumeSubscription,
} from '../../src/webhooks/subscription.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { measure } from '../harness/stopwatch.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
import {
  type Company,
  createCompany,
  createTestWorker,
  createTimetable,
  deliveryOf,
  emit,
  eventOf,
  finishWork,
  forgetPending,
  keys,
  START,
  subscribe,
} from '../webhooks/company.ts';
import { answerOk, createAuthority, issueCertificate, type Sink, startSink } from '../webhooks/sink.ts';

/** Rows of one statement: on a busy machine as well they are written in a moment. */
const FILLED_TOGETHER = 5_000;

/** Due, or failed, as if they had happened one after the other. */
async function fill(
  db: Database,
  { company, subscriptionId }: { company: Company; subscriptionId: string },
  { count, status = 'pending', at = START }: { count: number; status?: 'pending' | 'failed'; at?: Date },
): Promise<void> {
  const time = sql`${at.toISOString()}::timestamptz`;
  const first = newId('evt');
  const id = sql`${first} || '-' || lpad(number::text, 9, '0')`;
  for (let from = 1; from <= count; from += FILLED_TOGETHER) {
    const numbers = sql`generate_series(${from}::int, ${Math.min(count, from + FILLED_TOGETHER - 1)}::int) number`;
    await db.execute(sql`
      insert into webhook_messages (event_id, application_id, type, body, created_at)
      select ${id}, ${company.applicationId}, 'identity.login.completed.v1', '{"data":{}}', ${time}
      from ${numbers}`);
    await db.execute(sql`
      insert into webhook_deliveries (id, subscription_id, event_id, status, attempt_count, next_attempt_at, created_at)
      select 'dlv' || ${id}, ${subscriptionId}, ${id}, ${status}, 0,
        case when ${status} = 'pending' then ${time} end, ${time}
      from ${numbers}`);
  }
  await db.execute(sql`analyze webhook_deliveries, webhook_messages`);
}

async function countOf(db: Database, subscriptionId: string, status: string): Promise<number> {
  return db.$count(
    webhookDeliveries,
    sql`${eq(webhookDeliveries.subscriptionId, subscriptionId)} and status = ${status}`,
  );
}

describe('with a database', () => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
    db = database.connection.db;
  });
  afterEach(() => forgetPending(db));
  afterAll(() => database.remove());

  async function endpoint() {
    const company = await createCompany(db);
    const { id: subscriptionId } = await subscribe(db, company, `https://localhost:4003/${newId('whs')}`);
    return { company, subscriptionId, which: { workspaceId: company.workspaceId, subscriptionId } };
  }
  const ok = async () => ({ status: 200, durationMs: 1 });

  test('B: what waits its turn makes no work for housekeeping, however often that comes by', async () => {
    const { company, subscriptionId } = await endpoint();
    await fill(db, { company, subscriptionId }, { count: 2_000 });
    const jobs = async () => rowsOf(await db.execute(sql`select 1 from jobs.job`)).length;
    const before = await jobs();
    const now = new Date(START.getTime() + 3_600_000);
    for (let round = 0; round < 3; round += 1)
      await tidyWebhooks(db, { now, onDisabled: async () => undefined });
    expect(await jobs()).toBe(before);
    expect(await countOf(db, subscriptionId, 'pending')).toBe(2_000);
  });

  test('E: a subscription with twenty thousand pending deliveries is disabled at once, and they follow', async () => {
    const { company, subscriptionId, which } = await endpoint();
    await fill(db, { company, subscriptionId }, { count: 20_000 });
    const now = START;
    await transaction(db, (tx) => disableSubscription(tx, { ...which, reason: 'x', now }));
    // None of them was touched, and none of them is sent.
    expect(await countOf(db, subscriptionId, 'pending')).toBe(20_000);
    const worker = createTestWorker(db, createTimetable(), { send: ok });
    expect(await worker.claim()).toEqual([]);
    // Resuming now must not send what was withdrawn.
    expect(await transaction(db, (tx) => resumeSubscription(tx, { ...which, now }))).toBe(false);
    await finishWork(db);
    expect(await countOf(db, subscriptionId, 'failed')).toBe(20_000);
    const later = await emit(db, eventOf(company));
    expect(await worker.runDue()).toHaveLength(1);
    expect((await deliveryOf(db, later)).status).toBe('delivered');
  }, 240_000);

  test('F: how much waits at one endpoint is nothing to the look for work at the others', async () => {
    const [full, other] = [await endpoint(), await endpoint()];
    await fill(db, full, { count: 20_000 });
    await emit(db, eventOf(other.company));
    const clock = () => START;
    const times: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      const { milliseconds } = await measure(async () => {
        const { waiting } = await lookForWork(db, { ring: 'new', after: undefined, clock });
        expect(waiting.map(({ due }) => due).toSorted()).toEqual([1, 16]);
      });
      times.push(milliseconds);
    }
    // The least of them, for the machine may be busy: reading the twenty thousand takes longer on any.
    expect(times.toSorted((a, b) => a - b)[0]).toBeLessThan(10);
  }, 120_000);

  test('F: what is replayed, or was due long ago, is a backlog to whoever shares out places; what is new is not', async () => {
    const [old, recent, replayed] = [await endpoint(), await endpoint(), await endpoint()];
    const minutesAgo = (minutes: number) => new Date(START.getTime() - minutes * 60_000);
    await fill(db, old, { count: 20, at: minutesAgo(2) });
    await fill(db, recent, { count: 20, at: START });
    await fill(db, replayed, { count: 20, status: 'failed', at: minutesAgo(30) });
    const wish = { ...replayed.which, since: minutesAgo(60), now: START };
    await transaction(db, (tx) => replayFailedDeliveries(tx, wish));
    await finishWork(db);
    const { waiting } = await lookForWork(db, { ring: 'all', after: undefined, clock: () => START });
    const isBacklog = ({ subscriptionId }: { subscriptionId: string }) =>
      waiting.find((each) => each.subscriptionId === subscriptionId)?.isBacklog;
    expect([old, recent, replayed].map(isBacklog)).toEqual([true, false, true]);
  });

  test('F: a replay is a wish that is written down at once, and done in bites that anybody can follow', async () => {
    const { company, subscriptionId, which } = await endpoint();
    await fill(db, { company, subscriptionId }, { count: 10_000, status: 'failed' });
    const before = new Date(START.getTime() - 24 * 3_600_000);
    await fill(db, { company, subscriptionId }, { count: 10, status: 'failed', at: before });
    const wish = { ...which, since: START, now: START };
    expect(await transaction(db, (tx) => replayFailedDeliveries(tx, wish))).toBe(true);
    expect(await countOf(db, subscriptionId, 'pending')).toBe(0);
    await finishWork(db);
    expect(await countOf(db, subscriptionId, 'pending')).toBe(10_000);
    expect(await countOf(db, subscriptionId, 'failed')).toBe(10);
  }, 120_000);

  test.each([-60_000, 60_000])(
    'G: a process whose clock is %i ms off delivers at once and tries again in time',
    async (off) => {
      const { company } = await endpoint();
      const machine = () => Date.now() + off;
      const clock = Object.assign(() => new Date(machine()), { machine });
      let attempts = 0;
      const send = async () => {
        attempts += 1;
        return { status: 500, durationMs: 1 };
      };
      const onDisabled = async () => undefined;
      const attempt = createDeliveryWorker({ db, keys, clock, send, onDisabled });
      const log = createLog({ level: 'silent' });
      const id = await emit(db, eventOf(company, { createdAt: clock() }), clock());
      const [row] = rowsOf(await db.execute(sql`select clock_timestamp() as now`));
      const startedAt = new Date(String(row?.now)).getTime();
      const deliveries = startDeliveries({
        db,
        clock,
        log,
        owner: newId('wrk'),
        attempt,
        onLeftOver: onDisabled,
      });
      await until('there was an attempt', () => attempts === 1, { seconds: 5 });
      await until('the attempt is recorded', () => deliveryOf(db, id), {
        isIt: ({ attemptCount }) => attemptCount === 1,
        seconds: 5,
      });
      const { nextAttemptAt } = await deliveryOf(db, id);
      const pause = (nextAttemptAt?.getTime() ?? 0) - startedAt;
      expect(pause).toBeGreaterThanOrEqual(4_000);
      expect(pause).toBeLessThan(12_000);
      await until('there was a second attempt', () => attempts === 2, { seconds: 12 });
      await deliveries.stop();
    },
  );
});

describe('with the whole service', () => {
  let service: TestTollgate;
  let dead: Sink;
  let alive: Sink;
  let folder: string;
  beforeAll(async () => {
    const authority = await createAuthority();
    folder = await mkdtemp(join(tmpdir(), 'tollgate-authority-'));
    const caFile = join(folder, 'ca.pem');
    await writeFile(caFile, authority.cert);
    const certificate = await issueCertificate({ authority });
    dead = await startSink({ certificate, respond: () => undefined });
    alive = await startSink({ certificate, respond: answerOk });
    service = await startTollgate({ WEBHOOK_ALLOW_LOOPBACK: 'on', WEBHOOK_CA_FILE: caFile });
  });
  afterAll(async () => {
    await Promise.all([dead.close(), alive.close()]);
    await service.stop();
    await rm(folder, { recursive: true });
  });

  /** In the service's own keys. */
  async function subscribeTo(url: string) {
    const { db, keys: own } = service;
    const company = await createCompany(db);
    const { workspaceId } = company;
    const options = { keys: own, workspaceId, url, allowLoopback: true, now: new Date() };
    const { id: subscriptionId } = await transaction(db, (tx) => createSubscription(tx, options));
    return { company, subscriptionId };
  }

  test('C: twenty companies whose endpoints hang, each with a backlog, delay nobody', async () => {
    const { db } = service;
    const healthy = await subscribeTo(alive.url);
    for (let number = 0; number < 20; number += 1)
      await fill(db, await subscribeTo(`${dead.url}/${number}`), { count: 100, at: new Date() });
    await until('a hundred attempts are under way', () => dead.open.size, {
      isIt: (open) => open >= 100,
    });
    const delays: number[] = [];
    for (let number = 0; number < 20; number += 1) {
      alive.received.length = 0;
      const { milliseconds } = await measure(async () => {
        await emit(db, eventOf(healthy.company, { createdAt: new Date() }), new Date());
        await until('the healthy endpoint heard of it', () => alive.received.length > 0);
      });
      delays.push(milliseconds);
    }
    // An attempt at a hanging endpoint takes fifteen seconds.
    expect(Math.max(...delays)).toBeLessThan(3_000);
    const perEndpoint = rowsOf(
      await db.execute(sql`
        select count(*)::int as held from webhook_deliveries
        where claimed_by is not null and claimed_until > now() group by subscription_id`),
    );
    expect(Math.max(...perEndpoint.map(({ held }) => Number(held)))).toBeLessThanOrEqual(16);
  }, 120_000);
});
