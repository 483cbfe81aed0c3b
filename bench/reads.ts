// What pages and the API read of a company that has as many customers and events as wanted: the time of each read, the
// memory of a download, and the bytes that a sign-in leaves behind.

import { sql } from 'drizzle-orm';
import { countCustomers } from '../src/applications/customer-detail.ts';
import { listCustomers } from '../src/applications/customer-list.ts';
import { type Database, readsOf, rowsOf } from '../src/database/connection.ts';
import { verifyAtOneMoment } from '../src/database/verification.ts';
import { followEvents, listEvents } from '../src/ledger/event-list.ts';
import { readForecast } from '../src/ledger/forecast.ts';
import { monthOf } from '../src/ledger/month.ts';
import { readStatement, streamEntries } from '../src/ledger/statement.ts';
import { sealStatements } from '../src/ledger/statement-seal.ts';
import { sumUpDays } from '../src/ledger/usage-day-sums.ts';
import { startOfDay, usageByKind, usagePerDay } from '../src/ledger/usage-days.ts';
import { listRecentEvents } from '../src/ledger/usage-recent.ts';
import { ledgerProof } from '../src/ledger/verify.ts';
import { countFailures, listFailures } from '../src/traces/step-list.ts';
import { type BenchDatabase, createBenchDatabase, createCompany } from './company.ts';
import { fill } from './fill.ts';
import { median } from './load.ts';
import { say } from './report.ts';

type Options = { rows: number; rounds: number };

export async function benchReads({ rows, rounds }: Options): Promise<void> {
  const database = await createBenchDatabase();
  const company = await createCompany(database, { applications: 1, people: 1 });
  const now = new Date();
  await fill(database, company, rows, now);
  say(`\n8. What pages and the API read, with ${rows.toLocaleString('en')} customers, events and transfers`);
  const reads = readsOf(database.connection);
  const [{ id: applicationId = '' } = {}] = company.applications;
  const asked = { workspaceId: company.workspaceId, applicationId, now, rows };
  await sayTime('housekeeping: days added up', 1, () =>
    untilNone(() => sumUpDays(database.connection.db, now)),
  );
  await sayTime('housekeeping: months sealed', 1, () =>
    untilNone(() => sealStatements(database.connection.db, now)),
  );
  for (const [name, read] of Object.entries(readsAbout(reads, asked))) await sayTime(name, rounds, read);
  await sayDownload(reads, asked);
  await sayTime('ledger verify', 1, () => verifyAtOneMoment(database.connection.db, ledgerProof));
  await saySizes(database, rows);
  await database.remove();
}

type Asked = { workspaceId: string; applicationId: string; now: Date; rows: number };

function readsAbout(
  db: Database,
  { workspaceId, applicationId, now, rows }: Asked,
): Record<string, () => Promise<unknown>> {
  const applicationIds = [applicationId];
  const scope = { workspaceId, applicationIds };
  const middle = new Date(now.getTime() - (rows / 2) * 1000);
  const month = monthOf(now);
  const last = monthOf(new Date(month.start.getTime() - 1));
  return {
    'customers page': async () => {
      await countCustomers(db, applicationId);
      await listCustomers(db, { applicationId, filters: {}, limit: 25 });
    },
    'customers page, search by address': () =>
      listCustomers(db, { applicationId, filters: { email: 'person.7@example.com' }, limit: 25 }),
    'API: 100 customers, first page': () => listCustomers(db, { applicationId, filters: {}, limit: 100 }),
    'API: 100 customers, in the middle': () =>
      listCustomers(db, { applicationId, filters: {}, after: { time: middle, id: 'x' }, limit: 100 }),
    'API: 100 events, first page': () => listEvents(db, { applicationId, filters: {}, limit: 100 }),
    'API: 100 events, in the middle': () =>
      listEvents(db, { applicationId, filters: {}, after: { time: middle, id: 'x' }, limit: 100 }),
    'API: 100 events of a kind that has none': () =>
      listEvents(db, { applicationId, filters: { kind: 'sign_in' }, limit: 100 }),
    'API: 100 events in the order of commits': () =>
      followEvents(db, { applicationId, after: BigInt(Math.floor(rows / 2)), limit: 100 }),
    'statement page, this month': () => readStatement(db, { applicationId, month }),
    'statement page, last month (sealed)': () => readStatement(db, { applicationId, month: last }),
    'usage page, 90 days': async () => {
      await usagePerDay(db, { applicationIds, from: startOfDay(now, 89), days: 90 });
      await listRecentEvents(db, { applicationIds, limit: 20 });
      await listFailures(db, { ...scope, limit: 20 });
      await countFailures(db, { ...scope, since: startOfDay(now, 29) });
    },
    'settings overview': () => usageByKind(db, { applicationIds, from: startOfDay(now, 6), days: 7 }),
    'balance page, forecast': () =>
      readForecast(db, { applicationId, balance: 10n ** 12n, createdAt: new Date(0), now }),
  };
}

async function untilNone(work: () => Promise<number>): Promise<void> {
  while ((await work()) > 0);
}

async function sayTime(name: string, rounds: number, work: () => Promise<unknown>): Promise<void> {
  const milliseconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await work();
    milliseconds.push(performance.now() - startedAt);
  }
  const worst = Math.max(...milliseconds).toFixed(1);
  say(`    ${name.padEnd(44)} ${median(milliseconds).toFixed(1).padStart(10)} ms, at worst ${worst} ms`);
}

/** The month with the most lines: the one that `now` is in, or the one before. */
async function sayDownload(db: Database, { applicationId, now }: Asked): Promise<void> {
  const present = monthOf(now);
  const before = monthOf(new Date(present.start.getTime() - 1));
  for (const month of [present, before]) {
    const startedAt = performance.now();
    let lines = 0;
    let peak = 0;
    const entries = streamEntries((work) => work(db), { applicationId, month, until: month.end });
    for await (const _ of entries) {
      lines += 1;
      if (lines % 10_000 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    say(
      `    download of ${month.name}: ${lines.toLocaleString('en')} lines in ${seconds.toFixed(1)} s, heap at most ${(peak / 2 ** 20).toFixed(0)} MiB`,
    );
  }
}

async function saySizes({ connection: { db } }: BenchDatabase, rows: number): Promise<void> {
  const sizes = rowsOf(
    await db.execute(sql`
      select c.relname as name, pg_relation_size(c.oid)::float8 as bytes, c.relkind = 'i' as is_index
      from pg_class c left join pg_index i on i.indexrelid = c.oid
      where coalesce(i.indrelid, c.oid) in ('transfers'::regclass, 'usage_events'::regclass, 'event_positions'::regclass,
        'customers'::regclass)
      order by coalesce(i.indrelid, c.oid)::regclass::text, c.relkind desc, bytes desc`),
  );
  for (const { name, bytes, is_index: isIndex } of sizes)
    say(
      `    ${isIndex ? '  ' : ''}${String(name).padEnd(44)} ${(Number(bytes) / rows).toFixed(0).padStart(6)} bytes a row`,
    );
}
