// Millions of rows in the tables that grow with every sign-in. Indexes and constraints are taken away first and built
// afterwards, which is many times faster than keeping them right row by row; the rows are logged like any others.
import pg from 'pg';
import type { BenchDatabase, Company } from './company.ts';

const TABLES = ['accounts', 'customers', 'transfers', 'usage_events', 'event_positions'];
/** Rows of one INSERT. */
const CHUNK = 500_000;

const A_YEAR_AGO = new Date('2025-11-01');

/** One customer and one registration a second, backwards from `until`. Names are as long as those of the service. */
export async function fill(
  { url }: BenchDatabase,
  company: Company,
  rows: number,
  until = A_YEAR_AGO,
): Promise<void> {
  const at = `timestamptz '${until.toISOString()}' - n * interval '1 second'`;
  const application = company.applications[0]?.id ?? '';
  const client = await connectToFill(url);
  const removed = await removeIndexes(client);
  const [people, money] = [await connectToFill(url), await connectToFill(url)];
  await Promise.all([
    insertChunks(people, rows, insertPeople(application, at)),
    insertChunks(money, rows, insertMoney(application, at, rows)),
  ]);
  await Promise.all([people.end(), money.end()]);
  for (const statement of removed) await client.query(statement);
  await client.query(
    `update balances set last_position = ${rows}, positioned_until = '${until.toISOString()}' where application_id = $1`,
    [application],
  );
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
}

/** Not the service's pool: that one gives up statements that take as long as these. Triggers do not fire. */
export async function connectToFill(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    set session_replication_role = replica;
    set statement_timeout = 0;
    set synchronous_commit = off;
    set maintenance_work_mem = '512MB'`);
  return client;
}

/** @returns the statements that bring them back, in this order. */
async function removeIndexes(client: pg.Client): Promise<string[]> {
  const { rows: constraints } = await client.query<{ on: string; name: string; kind: string; is: string }>(
    `select conrelid::regclass::text as on, quote_ident(conname) as name, contype as kind, pg_get_constraintdef(oid) as is
     from pg_constraint where contype in ('f', 'p', 'u')
       and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))
     order by contype <> 'f'`,
    [TABLES],
  );
  for (const { on, name } of constraints) await client.query(`alter table ${on} drop constraint ${name}`);
  const { rows: indexes } = await client.query<{ name: string; is: string }>(
    `select quote_ident(indexname) as name, indexdef as is from pg_indexes where tablename = any($1)`,
    [TABLES],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  // A foreign key that was not checked row by row binds new rows all the same.
  const back = constraints.map(
    ({ on, name, kind, is }) =>
      `alter table ${on} add constraint ${name} ${is}${kind === 'f' ? ' not valid' : ''}`,
  );
  return [...indexes.map(({ is }) => is), ...back.toReversed()];
}

type Insert = (series: string) => string[];

async function insertChunks(client: pg.Client, rows: number, insert: Insert): Promise<void> {
  for (let from = 0; from < rows; from += CHUNK) {
    const series = `generate_series(${from}::bigint, ${Math.min(from + CHUNK, rows) - 1}) as n`;
    for (const statement of insert(series)) await client.query(statement);
  }
}

/** Like those of src/id.ts and SHA-256 in base64url. */
const id = (prefix: string) =>
  `'${prefix}_' || lpad(to_hex(2000000000 - n), 12, '0') || substr(md5('${prefix}' || n), 1, 20)`;
const hash = (name: string) =>
  `left(translate(encode(sha256(convert_to('${name}' || n, 'UTF8')), 'base64'), '+/', '-_'), 43)`;

function insertPeople(application: string, at: string): Insert {
  return (series) => [
    `insert into accounts (id, email, email_verified, name, locale, created_at, updated_at)
     select 'acc_bench_' || n, 'person.' || n || '@example.com', true, 'Ada', 'en', ${at}, ${at} from ${series}`,
    `insert into customers (application_id, account_id, sub, registered_at, last_sign_in_at, sign_in_count)
     select '${application}', 'acc_bench_' || n, ${hash('sub')}, ${at}, ${at}, 1 from ${series}`,
  ];
}

function insertMoney(application: string, at: string, rows: number): Insert {
  return (series) => [
    `insert into transfers
       (id, application_id, code, debit_account, credit_account, amount, currency, reference, created_at)
     select ${id('trf')}, '${application}', 'charge', 'application:${application}', 'usage:${application}',
       20000, 'EUR', 'charge:' || ${hash('code')}, ${at} from ${series}`,
    `insert into usage_events
       (id, application_id, sub, kind, amount, currency, transfer_id, code_hash, occurred_at)
     select ${id('evt')}, '${application}', ${hash('sub')}, 'registration', 20000, 'EUR', ${id('trf')},
       ${hash('code')}, ${at} from ${series}`,
    `insert into event_positions (application_id, position, event_id)
     select '${application}', ${rows} - n, ${id('evt')} from ${series}`,
  ];
}
