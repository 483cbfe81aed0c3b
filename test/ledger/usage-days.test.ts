// The usage page with as many events as a large company has, on both databases: the right numbers,
// read from sums of closed days and from the index, never by looking at every event.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SQL, sql } from 'drizzle-orm';
import { createApplication } from '../../src/applications/application.ts';
import { createWorkspace } from '../../src/applications/workspace.ts';
import { type Database, rowsOf } from '../../src/database/connection.ts';
import { sumUpDays } from '../../src/ledger/usage-day-sums.ts';
import { startOfDay, type UsageDay, usagePerDay, usageQuery } from '../../src/ledger/usage-days.ts';
import { listRecentEvents } from '../../src/ledger/usage-recent.ts';
import { hasPostgres, openTestDatabase, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { measure } from '../harness/stopwatch.ts';
import { writeHistory } from './usage-history.ts';

const now = new Date('2026-11-21T23:59:00Z');

async function newApplication(db: Database): Promise<string> {
  const prices = { currency: 'EUR', registrationPrice: 50_000n, signInPrice: 20_000n };
  const { id: workspaceId } = await createWorkspace(db, { name: 'Acme', ...prices, now });
  const { application } = await createApplication(db, {
    workspaceId,
    name: 'Shop',
    clientType: 'public',
    redirectUris: ['https://shop.example/callback'],
    now,
  });
  return application.id;
}

describe('usage per day', () => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
    db = database.connection.db;
  });
  afterAll(() => database?.remove());

  const total = (days: UsageDay[], of: (day: UsageDay) => number) =>
    days.reduce((sum, day) => sum + of(day), 0);

  test('sums of closed days and events of today give what counting every event gives', async () => {
    const [busy, quiet] = [await newApplication(db), await newApplication(db)];
    await writeHistory(db, { applicationId: busy, until: now, days: 12, perDay: 40, customers: 9 });
    await writeHistory(db, { applicationId: quiet, until: now, days: 3, perDay: 7, customers: 2 });
    const query = { applicationIds: [busy, quiet], from: startOfDay(now, 29), days: 30 };
    const before = await usagePerDay(db, query);
    const [counted] = rowsOf(
      await db.execute(
        sql`select count(*)::int as count, sum(amount)::text as cost from usage_events
            where application_id in (${busy}, ${quiet})`,
      ),
    );
    expect(total(before, (day) => day.registrations + day.signIns)).toBe(counted?.count);
    expect(String(before.reduce((sum, day) => sum + day.cost, 0n))).toBe(counted?.cost);
    expect(before).toHaveLength(30);
    expect(before.at(-1)?.day).toBe('2026-11-21');
    expect(await sumUpDays(db, now)).toBe(11 + 2);
    expect(await usagePerDay(db, query)).toEqual(before);
    expect(await sumUpDays(db, now)).toBe(0);
  });

  test('a day is summed up once it is closed, and one without events as well', async () => {
    const applicationId = await newApplication(db);
    await writeHistory(db, { applicationId, until: now, days: 1, perDay: 10, customers: 3 });
    const query = { applicationIds: [applicationId], from: startOfDay(now, 6), days: 14 };
    const before = await usagePerDay(db, query);
    expect(await sumUpDays(db, new Date('2026-11-22T00:09:00Z'))).toBe(0);
    await sumUpDays(db, new Date('2026-11-22T00:11:00Z'));
    await sumUpDays(db, new Date('2026-11-24T00:11:00Z'));
    const rows = rowsOf(
      await db.execute(sql`select day from usage_days where application_id = ${applicationId}`),
    );
    expect(new Set(rows.map((row) => row.day))).toEqual(new Set(['2026-11-21', '2026-11-22', '2026-11-23']));
    expect(await usagePerDay(db, query)).toEqual(before);
  });

  test('two processes that sum up at the same time do it once', async () => {
    const applicationId = await newApplication(db);
    await writeHistory(db, { applicationId, until: now, days: 4, perDay: 10, customers: 3 });
    const query = { applicationIds: [applicationId], from: startOfDay(now, 6), days: 7 };
    const before = await usagePerDay(db, query);
    await Promise.all([sumUpDays(db, now), sumUpDays(db, now)]);
    expect(await usagePerDay(db, query)).toEqual(before);
  });
});

((await hasPostgres()) ? describe : describe.skip)('100,000 events and more', () => {
  let database: TestDatabase;
  let db: Database;
  let applicationId: string;
  beforeAll(async () => {
    database = await openTestPostgres();
    db = database.connection.db;
    applicationId = await newApplication(db);
    for (let day = 0; day < 90; day += 1) {
      const until = new Date(now.getTime() - day * 86_400_000);
      await writeHistory(db, { applicationId, until, days: 1, perDay: 1_250, customers: 50 });
    }
    await sumUpDays(db, now);
    await db.execute(sql`analyze usage_events`);
    await db.execute(sql`analyze usage_days`);
  });
  afterAll(() => database?.remove());

  async function planOf(query: SQL): Promise<string> {
    const rows = rowsOf(await db.execute(sql`explain (analyze, costs off) ${query}`));
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  test('90 days are read from some hundred sums and the events of today', async () => {
    const query = { applicationIds: [applicationId], from: startOfDay(now, 89), days: 90 };
    const [row] = rowsOf(await db.execute(sql`select count(*)::int as count from usage_events`));
    expect(row?.count).toBeGreaterThan(100_000);
    const plan = await planOf(usageQuery(query));
    expect(plan).not.toContain('Seq Scan on usage_events');
    expect(plan).toMatch(/Index (Only )?Scan (using|on) usage_events_/);
    const read = [...plan.matchAll(/usage_events.*?rows=(\d+)/g)].map(([, rows]) => Number(rows));
    expect(Math.max(...read)).toBeLessThan(2_000);
    const days = await usagePerDay(db, query);
    expect(days.reduce((sum, day) => sum + day.registrations + day.signIns, 0)).toBe(row?.count);
  });

  test('the newest sign-ins are the first steps down the index', async () => {
    const { value: events, milliseconds } = await measure(() =>
      listRecentEvents(db, { applicationIds: [applicationId], limit: 20 }),
    );
    expect(milliseconds).toBeLessThan(1_000);
    expect(events).toHaveLength(20);
    const times = events.map(({ occurredAt }) => occurredAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });
});
