// Threats 70 and 85, and promise 35: the service is killed with SIGKILL in the middle of sign-ins, again and again.
// What it had acknowledged is still there after each restart: sign-ins, charges and webhooks.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeCertificate } from '../../examples/certificate.ts';
import { startWebhookReceiver } from '../../examples/webhook-receiver.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { type Client, exchange, readCallback, type Service, startAttempt } from '../harness/client.ts';
import { type CommandLine, createCommandLine } from '../harness/command-line.ts';
import { freePort } from '../harness/free-port.ts';
import { openProcessStores, type ProcessStores } from '../harness/process-stores.ts';
import { until } from '../harness/until.ts';

const CALLBACK = 'https://shop.example/callback';
const KILLS = 3;
const MILLISECONDS_BETWEEN_KILLS = 1_500;
const PEOPLE = 3;

type Receiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

let stores: ProcessStores;
let tollgate: CommandLine;
let receiver: Receiver;
let client: Client & { applicationId: string };
let apiKey: string;
/** Exchanges that were answered with tokens. */
let acknowledged = 0;

beforeAll(async () => {
  stores = await openProcessStores();
  tollgate = await createCommandLine({
    ...stores.environment,
    WEBHOOK_ALLOW_LOOPBACK: 'on',
    RATE_LIMIT_FACTOR: '1000',
    LOG_LEVEL: 'warn',
  });
  const { key, cert, ca } = await makeCertificate();
  const caFile = join(tollgate.directory, 'ca.pem');
  await writeFile(caFile, ca);
  const service = await tollgate.start({ WEBHOOK_CA_FILE: caFile });
  await tollgate.json('workspace create --name Acme');
  const made = await tollgate.json(`application create --workspace Acme --name Shop --callback ${CALLBACK}`);
  client = {
    applicationId: String(made.applicationId),
    clientId: String(made.clientId),
    clientSecret: String(made.clientSecret),
    redirectUris: [CALLBACK],
  };
  await tollgate.json(`credit ${client.applicationId} 1000 --reference start`);
  const port = await freePort();
  const webhook = await tollgate.json(
    `webhook create --workspace Acme --url https://localhost:${port}/webhooks`,
  );
  receiver = await startWebhookReceiver({
    secret: String(webhook.secret),
    port,
    tls: { key, cert },
    print: () => undefined,
  });
  apiKey = String((await tollgate.json('api-key create --workspace Acme --name crash')).key);
  await service.stop('SIGTERM');
});

afterAll(async () => {
  await tollgate.remove();
  await receiver.close();
  await stores.remove();
});

/** Signs in without a pause; a dead service is asked again until it is back. */
async function keepSigningIn(service: Service, email: string, isOver: () => boolean): Promise<void> {
  const browser = createBrowser();
  while (!isOver()) {
    try {
      const attempt = startAttempt(service, client);
      const callback = await signInAs({ authorizationUrl: attempt.url, email, name: 'Crash Test', browser });
      const { code = '' } = readCallback(callback);
      const answer = await exchange(service, client, { code, verifier: attempt.verifier });
      if (answer.status === 200) acknowledged += 1;
    } catch {
      await sleep(50);
    }
  }
}

type Event = { id: string; kind: string; sub: string; status: string };

async function listEvents(service: Service): Promise<Event[]> {
  const events: Event[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const url = new URL(`/v1/applications/${client.applicationId}/events?limit=100`, service.url);
    if (cursor) url.searchParams.set('cursor', cursor);
    const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
    const page = (await response.json()) as { data: Event[]; has_more: boolean; next_cursor: string | null };
    events.push(...page.data);
    cursor = page.has_more ? page.next_cursor : null;
  }
  return events;
}

describe('kill -9 during traffic', () => {
  test('threat 70: no acknowledged sign-in or charge is lost, and threat 85: no webhook', async () => {
    const url = `http://localhost:${tollgate.port}`;
    const environment = { WEBHOOK_CA_FILE: join(tollgate.directory, 'ca.pem') };
    let isOver = false;
    let service = await tollgate.start(environment);
    const people = Array.from({ length: PEOPLE }, (_, index) =>
      keepSigningIn({ url }, `person-${index}@example.test`, () => isOver),
    );
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = acknowledged;
      await until('some were signed in', () => acknowledged, {
        isIt: (count) => count > before + 3,
        seconds: 60,
      });
      await sleep(MILLISECONDS_BETWEEN_KILLS * Math.random());
      await service.stop('SIGKILL');
      service = await tollgate.start(environment);
    }
    isOver = true;
    await Promise.all(people);

    expect(acknowledged).toBeGreaterThan(KILLS * 3);
    const events = await listEvents({ url });
    const committed = events.filter((event) => event.status === 'committed');
    expect(committed.length).toBeGreaterThanOrEqual(acknowledged);
    // A process that dies after the commit leaves at most the exchanges that were under way.
    expect(committed.length - acknowledged).toBeLessThanOrEqual(KILLS * PEOPLE);
    expect(events.filter((event) => event.kind === 'registration')).toHaveLength(PEOPLE);

    const ids = () => new Set(receiver.events.map((event) => event.id));
    await until('every event arrived', () => ids().size, {
      isIt: (count) => count >= events.length,
      seconds: 120,
    });
    expect(ids()).toEqual(new Set(events.map((event) => event.id)));
    expect(receiver.events).toHaveLength(events.length);
    expect(await tollgate.json('ledger verify')).toMatchObject({ ok: true });
  }, 300_000);
});
