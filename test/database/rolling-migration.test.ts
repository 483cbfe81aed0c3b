// Rolling upgrades (threat 100): the next release migrates the database while this one serves it, and this one goes on
// without an error until its turn comes. What the next release may do is in test/harness/migration-rules.ts.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { type Connection, openDatabase, rowsOf } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { pendingMigrations } from '../../src/database/pending-migrations.ts';
import { createLog } from '../../src/log.ts';
import { exportDatabase, importDatabase } from '../../src/service/database-copy.ts';
import { createTollgate } from '../../src/tollgate.ts';
import { exchange, refresh, userinfo } from '../harness/client.ts';
import { openEmptyPostgres, openTestPglite } from '../harness/database.ts';
import { findViolations } from '../harness/invariants.ts';
import { longWorkDone } from '../harness/long-work.ts';
import { findIncompatible } from '../harness/migration-rules.ts';
import { makeNextRelease, type NextRelease } from '../harness/next-release.ts';
import { expectOracles } from '../harness/oracles.ts';
import { registerPerson, type SignedInPerson, signInAgain, startTraffic } from '../harness/outage.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

let next: NextRelease;
let service: TestTollgate;
let application: RegisteredApplication;
let ada: SignedInPerson;

beforeAll(async () => {
  next = await makeNextRelease();
  service = await startTollgate();
  application = await service.register({ balance: 1_000_000_000n });
  ada = await registerPerson(service, application, 'ada@example.test');
});
afterAll(async () => {
  await service.stop();
  await next.remove();
});

/** As the first process of the next release would: on a connection of its own where there can be one. */
async function migrateToNext(): Promise<void> {
  const { connection, config } = service.tollgate;
  if (!config.databaseUrl) return migrate(connection, next.folder);
  const own = await openDatabase({ databaseUrl: config.databaseUrl });
  await migrate(own, next.folder).finally(() => own.close());
}

test('the next release of this test does nothing that a real one may not do', () => {
  for (const migration of [next.migration, next.rest.join('--> statement-breakpoint\n')])
    expect(findIncompatible(migration, [])).toEqual([]);
});

test('the next release migrates under sign-ins, and behind a long transaction: none of them fails', async () => {
  const people = [ada];
  for (const name of ['bea', 'cy'])
    people.push(await registerPerson(service, application, `${name}@example.test`));
  const traffic = startTraffic(service, application, people);
  const reader = await startLongRead(service.tollgate.connection);
  const migrated = migrateToNext();
  await sleep(reader ? 3_000 : 200);
  const during = traffic.statuses.length;
  await reader?.end();
  await migrated;
  await sleep(500);
  await traffic.stop();
  expect(traffic.refusals).toEqual([]);
  expect(traffic.statuses.filter((status) => status !== 200)).toEqual([]);
  if (reader) expect(during).toBeGreaterThan(1);
  const [{ count } = {}] = rowsOf(
    await service.db.execute(sql`select count(*)::int from usage_events where next_count = 7`),
  );
  expect(count).toBe(traffic.statuses.length + people.length);
});

test('then this release still does all of its work', async () => {
  for (const statement of next.rest) await service.db.execute(sql.raw(statement));
  const bob = await registerPerson(service, application, 'bob@example.test');
  for (const person of [ada, bob]) await signInAgain(service, application, person);
  const code = await bob.newCode('openid email profile offline_access');
  const { body } = await exchange(service, application, code);
  const again = await refresh(service, application, String(body.refresh_token));
  expect((await userinfo(service, String(again.body.access_token))).body).toMatchObject({
    email: 'bob@example.test',
  });
  const { operator } = service.tollgate;
  await operator('keys rotate', { now: false });
  await operator('webhook list', {});
  await service.db.execute(
    sql`insert into next_pets select 'dog', id from accounts where email = 'bob@example.test'`,
  );
  await operator('account export', { account: 'bob@example.test' });
  await operator('account delete', { account: 'bob@example.test' });
  await longWorkDone(service.db);
  expect(rowsOf(await service.db.execute(sql`select * from next_pets`))).toEqual([]);
  expect(await operator('ledger verify', {})).toMatchObject({ ok: true });
  await expectOracles(service);
});

test('a process of this release starts on the database of the next one, finds itself up to date and leaves it alone', async () => {
  const { connection, config } = service.tollgate;
  expect(await pendingMigrations(service.db)).toEqual([]);
  await migrate(connection);
  expect(await pendingMigrations(service.db)).toEqual([]);
  if (!config.databaseUrl) return;
  const own = await openDatabase({ databaseUrl: config.databaseUrl });
  const stores = { connection: own, keys: service.keys, close: own.close };
  const second = await createTollgate({ config, stores, log: createLog({ level: 'silent' }) });
  try {
    expect(await second.operator('ledger verify', {})).toMatchObject({ ok: true });
    await signInAgain(service, application, ada);
  } finally {
    await second.stop();
    await own.close();
  }
});

test('what this release exported goes into a database of the next one', async () => {
  const source = await startTollgate();
  const target = await (source.tollgate.config.databaseUrl ? openEmptyPostgres() : openTestPglite());
  try {
    const shop = await source.register();
    await signInAgain(source, shop, await registerPerson(source, shop, 'ada@example.test'));
    const lines: string[] = [];
    const exported = await exportDatabase(source.db, async (line) => void lines.push(line));
    await migrate(target.connection, next.folder);
    expect(await importDatabase(target.connection.db, iterate(lines))).toEqual(exported);
    expect(await findViolations(target.connection.db)).toEqual([]);
  } finally {
    await source.stop();
    await target.remove();
  }
});

async function* iterate(lines: string[]) {
  yield* lines;
}

/** As a dump or a proof of the ledger reads: for long, and every table. PGlite has one connection and no such thing. */
async function startLongRead(connection: Connection): Promise<{ end(): Promise<void> } | undefined> {
  if (connection.kind === 'pglite') return undefined;
  const client = await connection.pool.connect();
  await client.query('begin; select count(*) from transfers; select count(*) from accounts');
  await client.query("set local idle_in_transaction_session_timeout = '60s'");
  return {
    async end() {
      await client.query('commit');
      client.release();
    },
  };
}
