// Charges per second on one hot application, from several processes, beside pgbench with the same statements spread
// over 100 applications, one transaction for each charge.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BenchDatabase, createBenchDatabase, createCompany } from './company.ts';
import { startChild } from './processes.ts';
import { say, spread } from './report.ts';

const APPLICATIONS = 100;
const PEOPLE = 256;
/** Of pgbench, and callers in each of our processes. */
const CLIENTS = 16;

export async function benchCharges(options: { rounds: number; seconds: number }): Promise<void> {
  const database = await createBenchDatabase();
  const company = await createCompany(database, { applications: APPLICATIONS, people: PEOPLE });
  await numberRows(database);
  const [hot] = company.applications;
  if (!hot) throw new Error('no application');
  const work = { databaseUrl: database.url, accountIds: company.accountIds, seconds: options.seconds };
  const kinds = [1, 4, 8].map((count) => ({
    count,
    processes: Array.from({ length: count }, () => startChild('charge-process.ts')),
    rates: [] as number[],
    ratios: [] as number[],
  }));
  const pgbench: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const base = await runPgbench(database, options.seconds);
    pgbench.push(base);
    for (const { processes, rates, ratios } of kinds) {
      const input = { ...work, applicationIds: [hot.id], callers: CLIENTS };
      const charged = await Promise.all(processes.map((child) => child.call<number>('charge', input)));
      const rate = charged.reduce((sum, each) => sum + each, 0) / options.seconds;
      rates.push(rate);
      ratios.push(rate / base);
    }
  }
  say('\n2. Charges on one hot application');
  say(`    pgbench, ${CLIENTS} clients, ${APPLICATIONS} applications  ${spread(pgbench)}/s`);
  for (const { count, rates, ratios } of kinds)
    say(`    ${count} process${count > 1 ? 'es' : ''}: ${spread(rates)}/s, ratio ${spread(ratios, 2)}`);
  await Promise.all(kinds.flatMap(({ processes }) => processes.map((child) => child.stop())));
  await database.remove();
}

/** pgbench can count but not read ids. */
async function numberRows({ connection: { db } }: BenchDatabase): Promise<void> {
  await db.execute(
    'create table bench_applications as select row_number() over () as number, id from applications',
  );
  await db.execute('create table bench_accounts as select row_number() over () as number, id from accounts');
  await db.execute('alter table bench_applications add primary key (number)');
  await db.execute('alter table bench_accounts add primary key (number)');
  await db.execute('analyze');
}

async function runPgbench({ url }: BenchDatabase, seconds: number): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'tollgate-bench-'));
  const script = join(directory, 'charge.sql');
  await writeFile(script, chargeScript);
  const words = [
    '-n',
    '-M',
    'prepared',
    '-f',
    script,
    '-c',
    String(CLIENTS),
    '-j',
    '2',
    '-T',
    String(seconds),
    url,
  ];
  const { stdout } = await promisify(execFile)('pgbench', words);
  await rm(directory, { recursive: true });
  const found = /tps = ([\d.]+)/.exec(stdout)?.[1];
  if (found === undefined) throw new Error(stdout);
  return Number(found);
}

/** The statements of src/oidc/charge/charge-transaction.ts for one session. */
const chargeScript = `
\\set application random(1, ${APPLICATIONS})
\\set account random(1, ${PEOPLE})
select id as application_id from bench_applications where number = :application \\gset
select id as account_id from bench_accounts where number = :account \\gset
begin;
select a.id, a.workspace_id, b.currency, b.amount, p.kind, p.amount from applications a
  join balances b on b.application_id = a.id join prices p on p.workspace_id = a.workspace_id
  where a.id = :application_id and a.deleted_at is null;
select * from accounts where id = :account_id;
insert into customers (application_id, account_id, sub, registered_at, last_sign_in_at, sign_in_count)
  values (:application_id, :account_id, md5(:application_id || :account_id), now(), now(), 1)
  on conflict (application_id, account_id) do update
  set sign_in_count = customers.sign_in_count + 1,
    last_sign_in_at = greatest(customers.last_sign_in_at, excluded.last_sign_in_at)
  returning sign_in_count;
with event as (select gen_random_uuid()::text as id, gen_random_uuid()::text as code_hash), moved as (
  insert into transfers
    (id, application_id, code, debit_account, credit_account, amount, currency, reference, created_at)
  select id, :application_id, 'charge', 'application:' || :application_id, 'usage:' || :application_id, 20000,
    'EUR', 'charge:' || code_hash, now() from event
)
insert into usage_events
  (id, application_id, sub, kind, amount, currency, transfer_id, code_hash, occurred_at)
select id, :application_id, md5(:application_id || :account_id), 'sign_in', 20000, 'EUR', id, code_hash, now() from event;
select * from webhook_subscriptions s join applications a on a.workspace_id = s.workspace_id
  where a.id = :application_id and s.status <> 'disabled';
update balances set amount = amount - 20000 where application_id = :application_id and amount >= 20000;
commit;
`;
