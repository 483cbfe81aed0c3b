// Promise 49 and threat 100 with real processes: two of them on one PostgreSQL and one Redis behind a load balancer,
// people signing in all the time, while every process is restarted twice, signing keys and TOLLGATE_SECRET rotate and
// migrations run. Some walk through the pages; the crowd has sessions, and gets as near to 100 sign-ins a second as the
// machine allows.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { rowsOf } from '../../src/database/connection.ts';
import { randomSecret } from '../../src/secrets.ts';
import { BEHIND, cookieHeader, drive } from '../chaos/traffic.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { type Client, exchange, readCallback, startAttempt } from '../harness/client.ts';
import { type CommandLine, createCommandLine, type Service } from '../harness/command-line.ts';
import { hasPostgres, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { freePort } from '../harness/free-port.ts';
import { hasRedis, openTestRedis, type TestRedis } from '../harness/redis.ts';
import { type RoundRobin, startRoundRobin, type Target } from '../harness/round-robin.ts';
import { until } from '../harness/until.ts';

const CALLBACK = 'https://shop.example/callback';
/** Walking through the pages, for which the test's own process works as much as the service does. */
const PEOPLE = Number(process.env.ROLLING_PEOPLE ?? 4);
/** Of the crowd, a second: the goal; how many it becomes is printed. */
const RATE = Number(process.env.ROLLING_RATE ?? 100);
/** Its sign-ins under way at once: on a machine with other work, few enough not to make each other late. */
const LANES = Number(process.env.ROLLING_LANES ?? 8);

let possible = false;
let database: TestDatabase;
let redis: TestRedis;
let commandLine: CommandLine;
let balancer: RoundRobin;
let url: string;
let client: Client;
const targets: Target[] = [];
const running: Service[] = [];
const secrets = [randomSecret(), randomSecret()];

beforeAll(async () => {
  possible = (await hasPostgres()) && (await hasRedis());
  if (!possible) return;
  database = await openTestPostgres();
  redis = openTestRedis();
  const port = await freePort();
  url = `http://localhost:${port}`;
  commandLine = await createCommandLine({
    DATABASE_URL: database.databaseUrl ?? '',
    REDIS_URL: redis.url,
    BASE_URL: url,
    TOLLGATE_SECRET: secrets[0] ?? '',
    TRUST_PROXY: '1',
    RATE_LIMIT_FACTOR: '1000',
    LOG_LEVEL: 'warn',
    SHUTDOWN_DELAY: '1',
  });
  for (const index of [0, 1]) {
    targets.push({ port: await freePort(), operationsPort: await freePort() });
    running.push(await startProcess(index, secrets[0] ?? ''));
  }
  balancer = await startRoundRobin(port, targets);
  await commandLine.run('workspace create --name Acme');
  const made = await commandLine.json(`application create --name Shop --callback ${CALLBACK}`);
  client = {
    clientId: String(made.clientId),
    clientSecret: String(made.clientSecret),
    redirectUris: [CALLBACK],
  };
  await commandLine.json(`credit ${made.applicationId} 10000 --reference start`);
}, 180_000);

afterAll(async () => {
  if (!possible) return;
  await balancer.stop();
  await commandLine.remove();
  await redis.remove();
  await database.remove();
}, 60_000);

function startProcess(index: number, secret: string): Promise<Service> {
  const target = targets[index];
  return commandLine.start({
    PORT: String(target?.port),
    OPERATIONS_PORT: String(target?.operationsPort),
    TOLLGATE_SECRET: secret,
  });
}

/** The Cookie header of somebody who has signed in and agreed. */
async function sessionOf(name: string): Promise<string> {
  const browser = createBrowser();
  const { url: authorizationUrl } = startAttempt({ url }, client);
  await signInAs({ authorizationUrl, email: `${name}@example.test`, browser });
  return cookieHeader(browser);
}

const bothReady = () =>
  until('both processes are ready', balancer.readyCount, { isIt: (count) => count === 2, seconds: 60 });

/** One process after the other: the next one only when this one gets requests again. */
async function restartAll(secret: string): Promise<void> {
  for (const index of [0, 1]) {
    expect(await running[index]?.stop('SIGTERM')).toBe(0);
    running[index] = await startProcess(index, secret);
    await bothReady();
  }
}

test('threat 100: a rolling restart under sign-ins, with keys and secrets rotating and migrations running, fails none of them', async () => {
  if (!possible) return;
  const failed: string[] = [];
  let done = 0;
  let isOver = false;
  const keySet = async () => (await (await fetch(`${url}/oauth/jwks`)).json()) as JSONWebKeySet;
  await bothReady();
  const cached = await keySet();

  const person = async (name: string) => {
    const browser = createBrowser();
    for (let round = 0; !isOver; round += 1) {
      try {
        const attempt = startAttempt({ url }, client);
        // Every other round as the same browser: its session must have survived.
        const again = round % 2 === 1;
        const callback = await signInAs({
          authorizationUrl: attempt.url,
          email: again ? `${name}@example.test` : `${name}-${round}@example.test`,
          browser: again ? browser : createBrowser(),
        });
        const { code = '' } = readCallback(callback);
        const { status, body } = await exchange({ url }, client, { code, verifier: attempt.verifier });
        if (status !== 200) throw new Error(JSON.stringify(body));
        await jwtVerify(String(body.id_token), createLocalJWKSet(cached), { issuer: url });
        done += 1;
      } catch (error) {
        failed.push(error instanceof Error ? error.message : String(error));
        if (failed.length > 5) return;
      }
    }
  };
  const cookies = await Promise.all(['ada', 'bea', 'cy'].map(sessionOf));
  const startedAt = performance.now();
  const load = { port: Number(new URL(url).port), rate: RATE, lanes: LANES, clients: [client], cookies };
  const driving = drive(load, () => isOver);
  const people = Array.from({ length: PEOPLE }, (_, index) => person(`person${index}`));

  await commandLine.json('keys rotate');
  await restartAll(secrets.join());
  expect((await commandLine.run('migrate')).code).toBe(0);
  await restartAll(secrets.toReversed().join());
  isOver = true;
  await Promise.all(people);
  const crowd = await driving;
  const perSecond = (crowd.acknowledged.size / (performance.now() - startedAt)) * 1000;
  process.stdout.write(
    `rolling restart: ${crowd.acknowledged.size} sign-ins at ${perSecond.toFixed(1)} a second of ${RATE} wanted, ${done} more through the pages\n`,
  );

  expect(failed).toEqual([]);
  expect(balancer.failures).toEqual([]);
  expect(done).toBeGreaterThan(10);
  const { [BEHIND]: _notStarted, ...crowdFailed } = crowd.failed;
  expect(crowdFailed).toEqual({});
  expect(crowd.acknowledged.size).toBeGreaterThan(100);
  const events = rowsOf(
    await database.connection.db.execute(sql`select count(*)::int as count from usage_events`),
  );
  expect(events).toEqual([{ count: done + crowd.acknowledged.size }]);
  // Of each of three algorithms the one that signs and the one before it.
  expect((await keySet()).keys.length).toBe(6);
}, 400_000);
