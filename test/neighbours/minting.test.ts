// Tokens are saved while their charge is looked up: what is slow or fails there is nobody else's trouble, and nothing is
// charged before its tokens are saved.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { rowsOf } from '../../src/database/connection.ts';
import { newEventId } from '../../src/ledger/charge.ts';
import { createLog } from '../../src/log.ts';
import { type Charges, createCharges } from '../../src/oidc/charge/charge-and-release.ts';
import type { SessionToCharge } from '../../src/oidc/charge/charge-decision.ts';
import { sha256 } from '../../src/secrets.ts';
import { addAccount } from '../harness/identity.ts';
import { expectOracles } from '../harness/oracles.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

let service: TestTollgate;
let application: RegisteredApplication;
let charges: Charges;

beforeAll(async () => {
  service = await startTollgate();
  application = await service.register();
  const { connection } = service.tollgate;
  const clock = () => new Date();
  charges = createCharges({ connection, keys: service.keys, clock, log: createLog({ level: 'silent' }) });
});
afterAll(async () => {
  await charges.stop();
  await expectOracles(service);
  await service.stop();
});

async function newSession(): Promise<SessionToCharge> {
  const { id } = await addAccount(service.db, { email: `${randomUUID()}@example.test` });
  const applicationId = application.id;
  return { eventId: newEventId(), applicationId, accountId: id, codeHash: sha256(randomUUID()) };
}

function minting() {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  let isDone = false;
  done.then(
    () => {
      isDone = true;
    },
    () => undefined,
  );
  return { minting: { done, isDone: () => isDone }, resolve, reject };
}

async function isCharged({ eventId }: SessionToCharge): Promise<boolean> {
  const found = await service.db.execute(sql`select 1 from usage_events where id = ${eventId}`);
  return rowsOf(found).length === 1;
}

test('whose tokens are not saved yet is not charged, and holds nobody of the same moment up', async () => {
  const slow = minting();
  const waiting = { ...(await newSession()), minting: slow.minting };
  const others = await Promise.all([newSession(), newSession()]);
  const charging = charges.charge(waiting);
  for (const charged of await Promise.all(others.map((session) => charges.charge(session))))
    expect(charged.event.kind).toBe('registration');
  expect(await isCharged(waiting)).toBe(false);
  slow.resolve();
  expect((await charging).event.id).toBe(waiting.eventId);
  expect(await isCharged(waiting)).toBe(true);
});

test('whose tokens cannot be saved hears why, and is not charged', async () => {
  const failing = minting();
  const session = { ...(await newSession()), minting: failing.minting };
  const charging = charges.charge(session);
  const other = await newSession();
  await charges.charge(other);
  failing.reject(new Error('the store is away'));
  await expect(charging).rejects.toThrow('the store is away');
  await charges.charge(await newSession());
  expect(await isCharged(session)).toBe(false);
});
