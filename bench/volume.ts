// The same service with many customers and events in its tables: exchanges at half of the peak, and the lists of the
// customer-data API at any depth.
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { createApiKey } from '../src/applications/api-key.ts';
import { rowsOf } from '../src/database.ts';
import { type HttpConnection, openHttpConnection } from './http-connection.ts';
import type { LoadResult } from './load.ts';
import { quantile } from './load.ts';
import { type Child, startChild } from './processes.ts';
import { say } from './report.ts';
import { benchLatency, type House, openHouse } from './sign-ins.ts';

type Options = { rows: number; pages: number; seconds: number };
/** Rows of one INSERT. */
const CHUNK = 100_000;

export async function benchVolume(options: Options): Promise<void> {
  const driver = startChild('driver.ts');
  const house = await openHouse({});
  const rate = (await peakOf(driver, house, options.seconds)) / 2;
  say(`\n3b. With few rows, then with ${options.rows} customers and ${options.rows} events more`);
  await benchLatency(driver, house.server, { rate, seconds: options.seconds * 2 });
  await benchLists(house, options.pages);
  const startedAt = performance.now();
  await fill(house, options.rows);
  say(`    (filling took ${((performance.now() - startedAt) / 1000).toFixed(0)} s)`);
  await benchLatency(driver, house.server, { rate, seconds: options.seconds * 2 });
  await benchLists(house, options.pages);
  await house.server.child.stop();
  await house.database.remove();
  await driver.stop();
}

async function peakOf(driver: Child, { server }: House, seconds: number): Promise<number> {
  const options = { targets: [server.target], connections: 64 };
  await driver.call('load', { ...options, seconds: 4 });
  return (await driver.call<LoadResult>('load', { ...options, seconds })).perSecond;
}

/** One customer and one registration a second, backwards from a year ago; foreign keys are not checked row by row. */
async function fill({ database, company }: House, rows: number): Promise<void> {
  // Not the service's pool: that one gives up statements that take as long as these.
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const application = company.applications[0]?.id ?? '';
  await client.query(
    'set session_replication_role = replica; set statement_timeout = 0; set synchronous_commit = off',
  );
  for (let from = 0; from < rows; from += CHUNK) {
    const series = `generate_series(${from}::bigint, ${Math.min(from + CHUNK, rows) - 1}) as n`;
    const at = `timestamptz '2025-11-01' - n * interval '1 second'`;
    await client.query(`
      insert into accounts (id, email, email_verified, name, locale, created_at, updated_at)
      select 'acc_bench_' || n, 'person.' || n || '@example.com', true, 'Ada', 'en', ${at}, ${at} from ${series}`);
    await client.query(`
      insert into customers (application_id, account_id, sub, registered_at, last_sign_in_at, sign_in_count)
      select '${application}', 'acc_bench_' || n, md5('sub' || n), ${at}, ${at}, 1 from ${series}`);
    await client.query(`
      insert into transfers
        (id, application_id, code, debit_account, credit_account, amount, currency, reference, created_at)
      select 'trf_bench_' || n, '${application}', 'charge', 'application:${application}', 'usage:${application}',
        0, 'EUR', 'charge:bench' || n, ${at} from ${series}`);
    await client.query(`
      insert into usage_events
        (id, application_id, sub, kind, amount, currency, transfer_id, code_hash, occurred_at)
      select 'evt_bench_' || n, '${application}', md5('sub' || n), 'registration', 0, 'EUR', 'trf_bench_' || n,
        'bench' || n, ${at} from ${series}`);
  }
  await client.query('vacuum analyze');
  await client.end();
}

const lists = [
  { path: 'customers', before: 'created_before' },
  { path: 'events', before: 'occurred_before' },
];

/** Pages at random depths: the filter leads there, the cursor of that page to the one that is measured. */
async function benchLists({ database, company, server }: House, pages: number): Promise<void> {
  const { key } = await createApiKey(database.connection.db, {
    workspaceId: company.workspaceId,
    name: 'bench',
    scopes: ['identity:read'],
    now: new Date(),
  });
  const connection = await openHttpConnection(server.target.port);
  const application = company.applications[0]?.id ?? '';
  for (const { path, before } of lists) {
    const milliseconds: number[] = [];
    const { oldest, newest } = await rangeOf(database, path);
    while (milliseconds.length < pages) {
      const moment = new Date(oldest + Math.random() * (newest - oldest)).toISOString();
      const list = `/v1/applications/${application}/${path}?limit=100&${before}=${moment}`;
      const first = await get(connection, list, key);
      const cursor = JSON.parse(first.body).next_cursor;
      const measured = cursor
        ? await get(connection, `${list}&cursor=${encodeURIComponent(cursor)}`, key)
        : first;
      milliseconds.push(measured.milliseconds);
    }
    const [middle, p99] = [quantile(milliseconds, 0.5), quantile(milliseconds, 0.99)];
    say(
      `    ${path} list, page of 100 at any depth: median ${middle.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    );
  }
  connection.close();
}

/** Milliseconds since 1970 of a list's first and last row. */
async function rangeOf({ connection: { db } }: House['database'], path: string) {
  const [table, column] =
    path === 'events' ? ['usage_events', 'occurred_at'] : ['customers', 'registered_at'];
  const [row] = rowsOf(
    await db.execute(
      sql.raw(
        `select extract(epoch from min(${column})) as oldest, extract(epoch from max(${column})) as newest from ${table}`,
      ),
    ),
  );
  return { oldest: Number(row?.oldest) * 1000, newest: Number(row?.newest) * 1000 };
}

async function get(connection: HttpConnection, path: string, key: string) {
  const startedAt = performance.now();
  const answer = await connection.ask(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  return { ...answer, milliseconds: performance.now() - startedAt };
}
