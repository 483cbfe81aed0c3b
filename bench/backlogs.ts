// What a backlog costs: an account that is deleted among very many kept webhooks, and very many expired records of the
// engine, on PostgreSQL. The longest bite is the longest that anybody waits for one of its rows.
import { sql } from 'drizzle-orm';
import { endPerson } from '../interactions/account/person.ts';
import { findAccount } from '../src/accounts/account.ts';
import { systemClock } from '../src/clock.ts';
import { allowLongStatements, type Database, rowsOf, transaction } from '../src/database/connection.ts';
import { createWorkSizes, takeWorkBite } from '../src/queue/long-work.ts';
import { deleteExpiredRecords } from '../src/service/housekeeping.ts';
import { workKinds } from '../src/service/long-work-kinds.ts';
import { type BenchDatabase, createBenchDatabase, createCompany } from './company.ts';
import { say } from './report.ts';

type Options = {
  messages: number;
  /** Of the person who is deleted; the other messages are about others. */
  ownEvents: number;
  records: number;
};

export async function benchBacklogs({ messages, ownEvents, records }: Options): Promise<void> {
  say('\nBacklogs');
  const database = await createBenchDatabase();
  try {
    await benchDeletion(database, { messages, ownEvents });
    await benchRecords(database.connection.db, records);
  } finally {
    await database.remove();
  }
}

async function benchDeletion(database: BenchDatabase, { messages, ownEvents }: Omit<Options, 'records'>) {
  const { db } = database.connection;
  const company = await createCompany(database, { applications: 1, people: 1 });
  const [applicationId, accountId] = [company.applications[0]?.id ?? '', company.accountIds[0] ?? ''];
  await filled(db, (tx) => addEvents(tx, { applicationId, accountId, ownEvents }));
  await filled(db, (tx) => addOthersMessages(tx, applicationId, messages - ownEvents));
  const account = await findAccount(db, accountId);
  if (!account) throw new Error('nobody there');
  const closing = await milliseconds(() =>
    transaction(db, (tx) =>
      endPerson(tx, {
        account,
        by: { action: 'member.removed', accountId: null, ipAddress: null },
        now: new Date(),
      }),
    ),
  );
  const sizes = createWorkSizes(workKinds);
  const tools = { db, clock: systemClock, kinds: workKinds };
  const [startedAt, bites] = [performance.now(), [] as number[]];
  for (;;) {
    const done = await takeWorkBite(tools, sizes);
    if (!done) break;
    if ('error' in done) throw done.error;
    bites.push(done.milliseconds);
  }
  say(`   ${messages} webhooks kept, ${ownEvents} of them about the person:`);
  say(`   closed in ${closing.toFixed(0)} ms, the account's lock included`);
  say(`   all of it gone ${((performance.now() - startedAt) / 1000).toFixed(1)} s later: ${shape(bites)}`);
}

async function benchRecords(db: Database, records: number): Promise<void> {
  await filled(db, (tx) =>
    tx.execute(sql`
      insert into engine_records (model, id_hash, payload, grant_id, account_id, expires_at)
      select 'AccessToken', 'record ' || n, '{"kind":"AccessToken","scope":"openid"}'::jsonb, 'grant ' || n,
        'acc_' || n, now() - make_interval(hours => 1, secs => n) from generate_series(1, ${records}::int) as n`),
  );
  const bites: number[] = [];
  const took = await milliseconds(async () => {
    const { rows } = await deleteExpiredRecords(db, new Date(), {
      onBite: (bite) => void bites.push(bite.milliseconds),
    });
    if (rows !== records) throw new Error(`${rows} of ${records} were deleted`);
  });
  say(`   ${records} expired records of the engine gone in ${(took / 1000).toFixed(1)} s: ${shape(bites)}`);
}

/** Also vacuumed, as a database is that has been running for a while. */
async function filled(db: Database, fill: (tx: Database) => Promise<unknown>): Promise<void> {
  await transaction(db, async (tx) => {
    await allowLongStatements(tx);
    await fill(tx);
  });
  for (const table of ['webhook_messages', 'usage_events', 'engine_records'])
    await db.execute(sql`analyze ${sql.identifier(table)}`);
}

type Filling = { applicationId: string; accountId: string; ownEvents: number };

async function addEvents(tx: Database, { applicationId, accountId, ownEvents }: Filling): Promise<void> {
  await tx.execute(sql`
    insert into customers (application_id, account_id, sub, registered_at, last_sign_in_at, sign_in_count)
    values (${applicationId}, ${accountId}, 'sub of the person', now(), now(), ${ownEvents})`);
  await tx.execute(sql`
    with event as (select n, now() - make_interval(secs => n) as at from generate_series(1, ${ownEvents}::int) as n),
    transfer as (
      insert into transfers (id, application_id, code, debit_account, credit_account, amount, currency, reference, created_at)
      select 'trf_own_' || n, ${applicationId}, 'charge', 'application:' || ${applicationId}::text,
        'usage:' || ${applicationId}::text, 0, 'EUR', 'charge:own ' || n, at from event
    ), message as (
      insert into webhook_messages (event_id, application_id, type, body, created_at)
      select 'evt_own_' || n, ${applicationId}, 'identity.login.completed.v1',
        json_build_object('data', json_build_object('customer', json_build_object('sub', 'sub of the person'))), at
      from event
    )
    insert into usage_events (id, application_id, sub, kind, amount, currency, transfer_id, code_hash, occurred_at)
    select 'evt_own_' || n, ${applicationId}, 'sub of the person', 'sign_in', 0, 'EUR', 'trf_own_' || n, 'own ' || n, at
    from event`);
}

async function addOthersMessages(tx: Database, applicationId: string, count: number): Promise<void> {
  const rows = rowsOf(
    await tx.execute(sql`
      with message as (
        insert into webhook_messages (event_id, application_id, type, body, created_at)
        select 'evt_' || n, ${applicationId}, 'identity.login.completed.v1',
          json_build_object('id', 'evt_' || n, 'data', json_build_object('customer', json_build_object('sub', 'sub ' || n,
            'email', 'person' || n || '@example.test', 'name', 'Person ' || n))), now() - make_interval(secs => n)
        from generate_series(1, ${count}::int) as n returning 1
      ) select count(*)::int as count from message`),
  );
  if (rows[0]?.count !== count) throw new Error('messages are missing');
}

function shape(bites: number[]): string {
  const longest = Math.max(...bites);
  return `${bites.length} bites, the longest ${longest.toFixed(0)} ms`;
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
