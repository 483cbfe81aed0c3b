// The same service beside itself with many customers and events in its tables: exchanges at half of the peak in
// alternating rounds, and the lists of the customer-data API at any depth.
import { sql } from 'drizzle-orm';
import { createApiKey } from '../src/applications/api-key.ts';
import { rowsOf } from '../src/database/connection.ts';
import { fill } from './fill.ts';
import { type HttpConnection, openHttpConnection } from './http-connection.ts';
import { median, quantile } from './load.ts';
import { startChild } from './processes.ts';
import { say, spread } from './report.ts';
import { type House, load, openHouse, type Round } from './sign-ins.ts';

type Options = { rows: number; pages: number; rounds: number; seconds: number };
const WARM_UP_SECONDS = 4;

export async function benchVolume(options: Options): Promise<void> {
  const driver = startChild('driver.ts');
  const environment = { WORKERS: 'off' };
  const startedAt = performance.now();
  const full = await openHouse(environment, (database, company) => fill(database, company, options.rows));
  const minutes = (performance.now() - startedAt) / 60_000;
  say(`\n3b. With ${options.rows} customers, events and transfers (filled in ${minutes.toFixed(1)} minutes)`);
  const empty = await openHouse(environment);
  const peaks: number[] = [];
  for (const { server } of [empty, full]) {
    await load(driver, server, { seconds: WARM_UP_SECONDS });
    peaks.push((await load(driver, server, options)).perSecond);
  }
  const rate = Math.min(...peaks) / 2;
  const sides = [
    { name: 'empty', house: empty, rounds: [] as Round[] },
    { name: 'full', house: full, rounds: [] as Round[] },
  ];
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { house, rounds } of sides)
      rounds.push(await load(driver, house.server, { seconds: options.seconds, rate }));
  }
  say(`    exchange at ${rate.toFixed(0)}/s, ${options.rounds} alternating rounds`);
  for (const { name, rounds } of sides) sayLatency(name, rounds, sides[0]?.rounds ?? []);
  await benchLists(full, options.pages);
  for (const { server, database } of [empty, full]) {
    await server.child.stop();
    await database.remove();
  }
  await driver.stop();
}

function sayLatency(name: string, rounds: Round[], base: Round[]): void {
  const p99 = rounds.map(({ exchangeMilliseconds }) => exchangeMilliseconds.p99);
  const middle = rounds.map(({ exchangeMilliseconds }) => exchangeMilliseconds.median);
  const ratios = p99.map((each, index) => each / (base[index]?.exchangeMilliseconds.p99 ?? Number.NaN));
  say(
    `    ${name.padEnd(5)} median ${spread(middle, 1)} ms, p99 ${spread(p99, 1)} ms, p99 to empty ${spread(ratios, 2)}, p99 to median ${(median(p99) / median(middle)).toFixed(1)}`,
  );
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
