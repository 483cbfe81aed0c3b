// Threat 85: the worker dies between sending and writing down that it sent. Nothing is lost, and what comes twice
// has the same id and the same bytes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openDatabase, transaction } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createKeys, randomSecret } from '../../src/secrets.ts';
import type { WebhookRequest } from '../../src/webhooks/sender.ts';
import { createSubscription } from '../../src/webhooks/subscription.ts';
import { openTestDatabase } from '../harness/database.ts';
import {
  createCompany,
  createTestWorker,
  createTimetable,
  deliveryOf,
  emit,
  eventOf,
  START,
  subscribe,
} from './company.ts';
import { answerOk, createAuthority, issueCertificate, startSink } from './sink.ts';

const LEASE_MILLISECONDS = 30_000;
/** Attempts at one endpoint at once. */
const PLACES = 16;

test('threat 85: kill -9 of the process while the endpoint has the webhook and the answer is not written down', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'webhooks-kill-'));
  const data = join(folder, 'data');
  const caFile = join(folder, 'ca.pem');
  const authority = await createAuthority();
  await writeFile(caFile, authority.cert);
  const sink = await startSink({ certificate: await issueCertificate({ authority }) });
  const secret = randomSecret();
  const ids: string[] = [];
  const connection = await openDatabase({ folder: data });
  await migrate(connection);
  const company = await createCompany(connection.db);
  const { workspaceId } = company;
  await transaction(connection.db, (tx) =>
    createSubscription(tx, {
      keys: createKeys(secret),
      workspaceId,
      url: sink.url,
      allowLoopback: true,
      now: START,
    }),
  );
  for (let count = 0; count < 10; count += 1) ids.push(await emit(connection.db, eventOf(company)));
  await connection.close();

  const work = async (now: Date) => {
    const file = join(import.meta.dirname, 'kill-worker.ts');
    const options = [data, caFile, secret, now.toISOString()];
    const child = spawn(process.execPath, ['--no-warnings', file, ...options], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    // Every fourth webhook is on the endpoint's disk, so to speak, when the process dies.
    sink.respond = (socket, received) => {
      if (sink.received.length % 4 === 0) child.kill('SIGKILL');
      answerOk(socket, received);
    };
    const [code] = await once(child, 'exit');
    return code === 0;
  };
  let kills = 0;
  for (let now = START; !(await work(now)); now = new Date(now.getTime() + LEASE_MILLISECONDS + 1_000))
    kills += 1;
  expect(kills).toBeGreaterThanOrEqual(3);
  const bodies = new Map<string, Set<string>>();
  for (const { headers, body } of sink.received) {
    const id = headers['x-service-webhook-id'] ?? '';
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body.toString()));
  }
  expect([...bodies.keys()].sort()).toEqual([...ids].sort());
  expect([...bodies.values()].every((different) => different.size === 1)).toBe(true);
  expect(sink.received.length).toBeLessThanOrEqual(ids.length + kills);
  const reopened = await openDatabase({ folder: data });
  for (const id of ids) expect((await deliveryOf(reopened.db, id)).status).toBe('delivered');
  await reopened.close();
  await sink.close();
  await rm(folder, { recursive: true });
});

test('threat 85: a thousand workers that stop between send and mark lose nothing', async () => {
  const database = await openTestDatabase();
  const { db } = database.connection;
  const company = await createCompany(db);
  await subscribe(db, company, 'https://localhost:4003/webhooks');
  const sent: WebhookRequest[] = [];
  const timetable = createTimetable();
  // Sends, and is never heard of again.
  const dying = createTestWorker(db, timetable, {
    send: (request) => {
      sent.push(request);
      return new Promise(() => undefined);
    },
  });
  const living = createTestWorker(db, timetable, {
    send: async (request) => {
      sent.push(request);
      return { status: 200, durationMs: 1 };
    },
  });
  const ids: string[] = [];
  while (ids.length < 1_000) {
    const [from, before] = [ids.length, sent.length];
    while (ids.length < from + PLACES) ids.push(await emit(db, eventOf(company), timetable.now));
    expect(await dying.claim()).toHaveLength(PLACES);
    while (sent.length < before + PLACES) await new Promise(setImmediate);
    // Another process looks: at once, and again when the claims of the first one have run out.
    expect(await living.runDue()).toEqual([]);
    timetable.now = new Date(timetable.now.getTime() + LEASE_MILLISECONDS + 1_000);
    expect(await living.runDue()).toHaveLength(PLACES);
  }
  expect(sent).toHaveLength(2 * ids.length);
  const idOf = ({ headers }: WebhookRequest) => headers['x-service-webhook-id'] ?? '';
  expect(new Set(sent.map(idOf))).toEqual(new Set(ids));
  expect(new Set(sent.map(({ body }) => body)).size).toBe(ids.length);
  for (const id of ids.slice(0, 50)) expect((await deliveryOf(db, id)).status).toBe('delivered');
  await database.remove();
}, 240_000);
