// Somebody's row is held by something slow: a password change, a deletion, an operator. Who needs that row waits for it,
// and nobody else does: sessions that share a transaction wait for no row that is one's own.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { rowsOf, transaction } from '../../src/database/connection.ts';
import { createSubscription } from '../../src/webhooks/subscription.ts';
import { exchange } from '../harness/client.ts';
import { expectOracles } from '../harness/oracles.ts';
import { type Code, registerPerson, type SignedInPerson } from '../harness/outage.ts';
import { chosenStores } from '../harness/stores.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';

/** PGlite has one connection, on which nobody meets anybody. */
const describeOnPostgres = chosenStores() === 'servers' ? describe : describe.skip;
const OTHERS = 9;

describeOnPostgres('a row that somebody holds', () => {
  let service: TestTollgate;
  let acme: RegisteredApplication;
  let neighbour: RegisteredApplication;
  let bea: SignedInPerson;
  let cy: SignedInPerson;
  let beaId: string;

  beforeAll(async () => {
    service = await startTollgate();
    acme = await service.register();
    neighbour = await service.register();
    bea = await registerPerson(service, acme, 'bea@example.test');
    cy = await registerPerson(service, neighbour, 'cy@example.test');
    const found = await service.db.execute(sql`select id from accounts where email = 'bea@example.test'`);
    beaId = String(rowsOf(found)[0]?.id);
    await transaction(service.db, (tx) =>
      createSubscription(tx, {
        keys: service.keys,
        workspaceId: service.workspace.id,
        url: 'https://127.0.0.1:1099/hook',
        applicationIds: [acme.id],
        allowLoopback: true,
        now: new Date(),
      }),
    );
  });
  afterAll(async () => {
    await expectOracles(service);
    await service.stop();
  });

  async function whileHeld(statement: string, value: string, work: () => Promise<void>): Promise<void> {
    const other = new pg.Client({ connectionString: service.tollgate.config.databaseUrl });
    await other.connect();
    try {
      await other.query('begin');
      expect((await other.query(statement, [value])).rowCount).toBe(1);
      await work();
      await other.query('commit');
    } finally {
      await other.end();
    }
  }

  const several = (person: SignedInPerson, count: number): Promise<Code[]> =>
    Promise.all(Array.from({ length: count }, () => person.newCode()));

  test.each([
    ['account', 'select 1 from accounts where id = $1 for update', () => beaId],
    ['customer', 'select 1 from customers where account_id = $1 for update', () => beaId],
    ['balance', 'select 1 from balances where application_id = $1 for update', () => acme.id],
  ] as const)(
    'A: two exchanges that wait for an %s cost nobody else’s a failure, nor much time',
    async (_, statement, value) => {
      const [waiting, codes] = [await several(bea, 2), await several(cy, OTHERS)];
      const statuses: number[] = [];
      let held: Promise<number>[] = [];
      await whileHeld(statement, value(), async () => {
        held = waiting.map(async (code) => (await exchange(service, acme, code)).status);
        for (const code of codes) {
          const startedAt = performance.now();
          statuses.push((await exchange(service, neighbour, code)).status);
          expect(performance.now() - startedAt).toBeLessThan(1_500);
        }
      });
      expect(statuses).toEqual(codes.map(() => 200));
      expect(await Promise.all(held)).toEqual([200, 200]);
    },
  );

  test('G: a session that waited for its customer is later than what it waited for, which may be the registration', async () => {
    const [code = { code: '', verifier: '' }] = await several(bea, 1);
    let waiting: Promise<number> | undefined;
    await whileHeld('select 1 from customers where account_id = $1 for update', beaId, async () => {
      waiting = exchange(service, acme, code).then(({ status }) => status);
      // Until it stands in line behind the row.
      const blocked = sql`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%customers%'`;
      await until('the exchange waits for the row', async () => rowsOf(await service.db.execute(blocked))[0]);
      await service.db.execute(sql`create table released as select clock_timestamp() as at`);
    });
    expect(await waiting).toBe(200);
    const [row] = rowsOf(
      await service.db.execute(sql`
        select max(occurred_at) >= (select at from released) as is_later from usage_events
        where application_id = ${acme.id}`),
    );
    expect(row?.is_later).toBe(true);
    await service.db.execute(sql`drop table released`);
  });

  test('A: a subscription that is held holds its own workspace only', async () => {
    const [code = { code: '', verifier: '' }] = await several(bea, 1);
    let waiting: Promise<number> | undefined;
    let isOver = false;
    await whileHeld(
      'select 1 from webhook_subscriptions where workspace_id = $1 for update',
      service.workspace.id,
      async () => {
        waiting = exchange(service, acme, code).then(({ status }) => status);
        void waiting.then(() => {
          isOver = true;
        });
        await new Promise((resolve) => setTimeout(resolve, 700));
        expect(isOver).toBe(false);
      },
    );
    expect(await waiting).toBe(200);
  });

  test('A: whoever holds it for too long costs those who wait for it a 503, and nobody a charge', async () => {
    const [code = { code: '', verifier: '' }, later = { code: '', verifier: '' }] = await several(bea, 2);
    await whileHeld('select 1 from accounts where id = $1 for update', beaId, async () => {
      expect((await exchange(service, acme, code)).status).toBe(503);
    });
    expect((await exchange(service, acme, later)).status).toBe(200);
    const charged = await service.db.execute(
      sql`select count(*)::int as n from usage_events where application_id = ${acme.id} and sub in
        (select sub from customers where account_id = ${beaId})`,
    );
    const counted = await service.db.execute(
      sql`select sign_in_count as n from customers where account_id = ${beaId}`,
    );
    expect(rowsOf(charged)).toEqual(rowsOf(counted));
    service.logLines.splice(0);
  }, 60_000);
});
