// Attack 100 with real processes: two of them on one PostgreSQL and one Redis behind a load balancer, people signing
// in all the time, while every process is restarted twice, signing keys and TOLLGATE_SECRET rotate and migrations run.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { rowsOf } from '../src/database.ts';
import { randomSecret } from '../src/secrets.ts';
import { createBrowser } from './browserless-browser.ts';
import { signInAs } from './browserless-person.ts';
import { type Client, exchange, readCallback, startAttempt } from './harness/client.ts';
import { type CommandLine, createCommandLine, type Service } from './harness/command-line.ts';
import { hasPostgres, openTestPostgres, type TestDatabase } from './harness/database.ts';
import { freePort } from './harness/free-port.ts';
import { hasRedis, openTestRedis, type TestRedis } from './harness/redis.ts';
import { type RoundRobin, startRoundRobin, type Target } from './harness/round-robin.ts';

const CALLBACK = 'https://shop.example/callback';
const PEOPLE = 4;

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
  await commandLine.json(`credit ${made.applicationId} 1000 --reference start`);
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

/** One process after the other: the next one only when this one gets requests again. */
async function restartAll(secret: string): Promise<void> {
  for (const index of [0, 1]) {
    expect(await running[index]?.stop('SIGTERM')).toBe(0);
    running[index] = await startProcess(index, secret);
    while (balancer.readyCount() < 2) await sleep(100);
  }
}

test('attack 100: a rolling restart under sign-ins, with keys and secrets rotating and migrations running, fails none of them', async () => {
  if (!possible) return;
  const failed: string[] = [];
  let done = 0;
  let isOver = false;
  const keySet = async () => (await (await fetch(`${url}/oauth/jwks`)).json()) as JSONWebKeySet;
  while (balancer.readyCount() < 2) await sleep(100);
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
  const people = Array.from({ length: PEOPLE }, (_, index) => person(`person${index}`));

  await commandLine.json('keys rotate');
  await restartAll(secrets.join());
  expect((await commandLine.run('migrate')).code).toBe(0);
  await restartAll(secrets.toReversed().join());
  isOver = true;
  await Promise.all(people);

  expect(failed).toEqual([]);
  expect(balancer.failures).toEqual([]);
  expect(done).toBeGreaterThan(10);
  const events = rowsOf(
    await database.connection.db.execute(sql`select count(*)::int as count from usage_events`),
  );
  expect(events).toEqual([{ count: done }]);
  expect((await keySet()).keys.length).toBe(2);
}, 400_000);
