// Two processes of the compiled service that look for the same webhooks: the places of an endpoint and of a company are the
// same for both together, and no delivery is made twice.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { webhookDeliveries } from '../../drizzle/schema/webhooks.ts';
import { type Database, rowsOf, transaction } from '../../src/database/connection.ts';
import { newId } from '../../src/id.ts';
import { webhookPlacesPerCompany, webhookPlacesPerEndpoint } from '../../src/limits/webhooks.ts';
import { randomSecret } from '../../src/secrets.ts';
import { loadKeys } from '../../src/service/pairwise-key.ts';
import { createSubscription } from '../../src/webhooks/subscription.ts';
import { type CommandLine, createCommandLine } from '../harness/command-line.ts';
import { hasPostgres, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { freePort } from '../harness/free-port.ts';
import { hasRedis, openTestRedis, type TestRedis } from '../harness/redis.ts';
import { until } from '../harness/until.ts';
import { createCompany } from '../webhooks/company.ts';
import { answerOk, createAuthority, issueCertificate, type Sink, startSink } from '../webhooks/sink.ts';

const describeServers = (await hasPostgres()) && (await hasRedis()) ? describe : describe.skip;
/** Together they have more than a company's places. */
const ENDPOINTS = 6;
const DELIVERIES = 80;
const BACKLOGS = 5;
/** Long enough that places are full, short enough that both processes get some again and again. */
const ANSWER_MILLISECONDS = 150;

describeServers('two processes at one backlog', () => {
  let folder: string;
  let database: TestDatabase;
  let redis: TestRedis;
  let sink: Sink;
  let commandLine: CommandLine;
  const secret = randomSecret();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-places-'));
    const authority = await createAuthority();
    const caFile = join(folder, 'ca.pem');
    await writeFile(caFile, authority.cert);
    sink = await startSink({
      certificate: await issueCertificate({ authority }),
      respond: (socket, received) => void setTimeout(() => answerOk(socket, received), ANSWER_MILLISECONDS),
    });
    database = await openTestPostgres();
    redis = openTestRedis();
    commandLine = await createCommandLine({
      DATABASE_URL: database.databaseUrl ?? '',
      REDIS_URL: redis.url,
      TOLLGATE_SECRET: secret,
      WEBHOOK_ALLOW_LOOPBACK: 'on',
      WEBHOOK_CA_FILE: caFile,
      LOG_LEVEL: 'warn',
    });
  }, 120_000);
  afterAll(async () => {
    await commandLine.remove();
    await sink.close();
    await redis.remove();
    await database.remove();
    await rm(folder, { recursive: true });
  });

  test('C: hold no more places together than one alone, both make attempts, and each delivery is made once', async () => {
    const { db } = database.connection;
    // Both are there before there is anything to do.
    for (let count = 0; count < 2; count += 1) {
      const port = String(await freePort());
      await commandLine.start({ PORT: port, BASE_URL: `http://localhost:${port}` });
    }
    const owners = new Set<string>();
    const most = { endpoint: 0, company: 0 };
    const left = async () => {
      const held = await heldPlaces(db);
      for (const owner of held.owners) owners.add(owner);
      most.endpoint = Math.max(most.endpoint, held.endpoint);
      most.company = Math.max(most.company, held.company);
      return pending(db);
    };
    const isIt = (count: number) => count === 0;
    // Who looks first may keep its places to the end of one backlog; the other one has its turn at the next.
    let backlogs = 0;
    while (owners.size < 2 && backlogs < BACKLOGS) {
      await fill(db, { secret, url: sink.url });
      await until('nothing is pending', left, { isIt, seconds: 120, everyMilliseconds: 5 });
      backlogs += 1;
    }
    expect(owners.size).toBe(2);
    // Some were taken at the same time, or this would say nothing.
    expect(most.endpoint).toBeGreaterThan(2);
    expect(most.endpoint).toBeLessThanOrEqual(webhookPlacesPerEndpoint);
    expect(most.company).toBeLessThanOrEqual(webhookPlacesPerCompany);
    const made = sink.received.map(
      ({ head, headers }) => `${head.split(' ')[1]} ${headers['x-service-webhook-id']}`,
    );
    expect(made).toHaveLength(backlogs * ENDPOINTS * DELIVERIES);
    expect(new Set(made).size).toBe(made.length);
  }, 170_000);
});

/** One company, with as many deliveries due at each of its endpoints, all of them at the same moment. */
async function fill(db: Database, { secret, url }: { secret: string; url: string }): Promise<void> {
  const company = await createCompany(db);
  const keys = await loadKeys(db, secret, new Date());
  const event = newId('evt');
  const id = sql`${event} || '-' || number`;
  const numbers = sql`generate_series(1, ${DELIVERIES}::int) number`;
  await transaction(db, async (tx) => {
    await tx.execute(sql`
      insert into webhook_messages (event_id, application_id, type, body, created_at)
      select ${id}, ${company.applicationId}, 'identity.login.completed.v1', '{"data":{}}', now() from ${numbers}`);
    for (let count = 0; count < ENDPOINTS; count += 1) {
      const { workspaceId } = company;
      const own = { keys, workspaceId, url: `${url}/${count}`, allowLoopback: true, now: new Date() };
      const { id: subscriptionId } = await createSubscription(tx, own);
      await tx.execute(sql`
        insert into webhook_deliveries (id, subscription_id, event_id, status, attempt_count, next_attempt_at, created_at)
        select ${subscriptionId} || ${id}, ${subscriptionId}, ${id}, 'pending', 0, now(), now() from ${numbers}`);
    }
  });
}

/** In one statement, so that it is about one moment. */
async function heldPlaces(db: Database): Promise<{ owners: string[]; endpoint: number; company: number }> {
  const rows = rowsOf(
    await db.execute(sql`
      select subscription_id, claimed_by, count(*)::int as held from webhook_deliveries
      where claimed_by is not null and claimed_until > clock_timestamp() group by 1, 2`),
  );
  const ofEndpoint = new Map<string, number>();
  for (const { subscription_id: id, held } of rows)
    ofEndpoint.set(String(id), (ofEndpoint.get(String(id)) ?? 0) + Number(held));
  return {
    owners: rows.map((row) => String(row.claimed_by)),
    endpoint: Math.max(0, ...ofEndpoint.values()),
    company: [...ofEndpoint.values()].reduce((sum, held) => sum + held, 0),
  };
}

function pending(db: Database): Promise<number> {
  return db.$count(webhookDeliveries, sql`status = 'pending'`);
}
