// Paging through the lists (promise 31, threat 65): nothing lost, nothing twice, the same cost at any depth.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type CustomerFilters, customersQuery } from '../../src/applications/customer-list.ts';
import { allowLongStatements, transaction } from '../../src/database/connection.ts';
import { eventsQuery } from '../../src/ledger/event-list.ts';
import type { EventFilters } from '../../src/ledger/event-listing.ts';
import { addCompany, addRows, type Company, START, startApi, type TestApi } from '../harness/api.ts';
import { hasPostgres, openTestPglite, openTestPostgres } from '../harness/database.ts';
import { rounds } from '../harness/rounds.ts';

const page = z.object({
  data: z.array(z.object({ sub: z.string(), id: z.string().optional() })),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

const embedded = { name: 'the embedded database', open: openTestPglite };
const server = { name: 'PostgreSQL', open: openTestPostgres };
/** The planner is the same; filling the embedded database takes a minute, so it is left to `ATTACKS=whole`. */
const databases = [...((await hasPostgres()) ? [server] : []), embedded].slice(0, rounds(1, 2));

describe.each(databases)('on $name', ({ open }) => {
  let api: TestApi;
  let acme: Company;
  beforeAll(async () => {
    api = await startApi({ database: await open() });
    acme = await addCompany(api.db, 'Acme');
  });
  afterAll(() => api.stop());

  async function ask(list: string, query: Record<string, string>, applicationId = acme.applicationId) {
    const url = `${api.url}/applications/${applicationId}/${list}?${new URLSearchParams(query)}`;
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${acme.key}` } });
    return { status: answer.status, body: await answer.json() };
  }

  async function walk(
    list: string,
    query: Record<string, string>,
    between: () => Promise<void> = async () => {},
  ) {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await ask(list, cursor ? { ...query, cursor } : query);
      expect(status).toBe(200);
      const { data, has_more, next_cursor } = page.parse(body);
      expect(has_more).toBe(next_cursor !== null);
      found.push(...data.map((row) => row.id ?? row.sub));
      cursor = next_cursor;
      await between();
    }
    return found;
  }

  test.each(['1', '7', '50', '100'])(
    'threat 65: pages of %s together are the whole list, once',
    async (limit) => {
      const company = await addCompany(api.db, 'Small');
      await addRows(
        api.db,
        company.applicationId,
        Array.from({ length: 100 }, (_, number) => number),
      );
      for (const list of ['customers', 'events']) {
        const url = `${api.url}/applications/${company.applicationId}/${list}`;
        const headers = { Authorization: `Bearer ${company.key}` };
        const found: string[] = [];
        let next: string | null = '';
        while (next !== null) {
          const search: string = new URLSearchParams({ limit, ...(next && { cursor: next }) }).toString();
          const { data, next_cursor } = page.parse(
            await (await fetch(`${url}?${search}`, { headers })).json(),
          );
          found.push(...data.map((row) => row.sub));
          next = next_cursor;
        }
        expect(found).toHaveLength(100);
        expect(new Set(found).size).toBe(100);
      }
    },
  );

  test('threat 65: rows inserted while someone pages neither hide nor repeat one', async () => {
    const present = Array.from({ length: 1_000 }, (_, number) => number);
    for (let start = 0; start < present.length; start += 500) {
      await addRows(api.db, acme.applicationId, present.slice(start, start + 500));
    }
    let added = present.length;
    const insert = async () => {
      // Newer ones, as real traffic makes them, and some as old as the oldest.
      await addRows(api.db, acme.applicationId, [added, added + 1]);
      await addRows(api.db, acme.applicationId, [added + 2], () => new Date(START.getTime() - added));
      added += 3;
    };
    for (const list of ['customers', 'events']) {
      const atTheStart = added;
      const found = await walk(list, { limit: '100' }, insert);
      expect(new Set(found).size).toBe(found.length);
      const prefix = list === 'customers' ? 'sub' : 'evt';
      const tag = acme.applicationId.slice(-12);
      const missing = present.filter((number) => !found.includes(`${prefix}_${tag}_${number}`));
      expect(missing).toEqual([]);
      expect(found.length).toBeGreaterThanOrEqual(atTheStart);
    }
  });

  test('a walk with filters keeps to them', async () => {
    const before = '2026-11-21T10:05:00Z';
    const found = await walk('events', { limit: '99', kind: 'registration', occurred_before: before });
    const all = await walk('events', { limit: '100', occurred_before: before });
    expect(found.length).toBeGreaterThan(250);
    expect(all.filter((id) => Number(id.split('_').at(-1)) % 2 === 0)).toEqual(found);
  });

  test('a cursor is bound to its list, application and filters, and cannot be changed', async () => {
    const { body } = await ask('events', { limit: '2', kind: 'sign_in' });
    const cursor = page.parse(body).next_cursor ?? '';
    const other = await addCompany(api.db, 'Other');
    const status = async (list: string, query: Record<string, string>) => (await ask(list, query)).status;
    expect(await status('events', { cursor, kind: 'sign_in' })).toBe(200);
    expect(await status('events', { cursor, kind: 'sign_in', limit: '9' })).toBe(200);
    expect(await status('events', { cursor })).toBe(404);
    expect(await status('events', { cursor, kind: 'registration' })).toBe(404);
    expect(await status('events', { cursor, kind: 'sign_in', occurred_after: '2020-01-01T00:00:00Z' })).toBe(
      404,
    );
    expect(await status('customers', { cursor })).toBe(404);
    for (let at = 0; at < cursor.length; at += 5) {
      const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      const isShaped = /^[\w-]+\.[\w-]{43}$/.test(changed);
      expect(await status('events', { cursor: changed, kind: 'sign_in' })).toBe(isShaped ? 404 : 400);
    }
    const url = `${api.url}/applications/${other.applicationId}/events?${new URLSearchParams({ cursor, kind: 'sign_in' })}`;
    expect((await fetch(url, { headers: { Authorization: `Bearer ${other.key}` } })).status).toBe(404);
  });

  describe('with 100,000 rows in one application', () => {
    let big: Company;
    beforeAll(async () => {
      big = await addCompany(api.db, 'Big');
      await fill(big.applicationId, 100_000);
    }, 120_000);

    /** One statement per table: a sign-in each 10 s, the oldest 1,000 events being registrations. */
    async function fill(applicationId: string, rows: number) {
      const at = sql`${START.toISOString()}::timestamptz + n * interval '10 seconds'`;
      const tag = sql`${applicationId.slice(-12)}::text || '_' || n`;
      const n = sql`from generate_series(1, ${rows}::int) n`;
      await transaction(api.db, async (tx) => {
        await allowLongStatements(tx);
        await tx.execute(sql`insert into accounts (id, email, email_verified, name, locale, created_at, updated_at)
          select 'acc_' || ${tag}, 'p' || ${tag} || '@example.com', true, null, 'en', ${at}, ${at} ${n}`);
        await tx.execute(sql`insert into customers
          select ${applicationId}::text, 'acc_' || ${tag}, 'sub_' || ${tag}, ${at}, ${at}, 1 ${n}`);
        await tx.execute(sql`insert into transfers
          (id, application_id, code, debit_account, credit_account, amount, currency, reference, created_at)
          select 'trf_' || ${tag}, ${applicationId}::text, 'charge', 'a', 'b', 20000, 'EUR', 'charge:' || ${tag}, ${at} ${n}`);
        await tx.execute(sql`insert into usage_events
          (id, application_id, sub, kind, amount, currency, transfer_id, code_hash, occurred_at)
          select 'evt_' || ${tag}, ${applicationId}::text, 'sub_' || (n % 1000), case when n <= 1000 then 'registration' else 'sign_in' end,
            20000, 'EUR', 'trf_' || ${tag}, 'code_' || ${tag}, ${at} ${n}`);
      });
      await api.db.execute(sql`analyze`);
    }

    const plan = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan: z.looseObject({}) })) }));
    /** How many pages of 8 KiB a query touches: the measure of its work that no load on the machine changes. */
    async function buffersOf(query: { getSQL(): SQL }) {
      const explained = await api.db.execute(sql`explain (analyze, buffers, format json) ${query.getSQL()}`);
      const root = z.object({ rows: plan }).parse(explained).rows[0]?.['QUERY PLAN'][0]?.Plan ?? {};
      const nodes = nodesOf(root);
      const touched = Number(root['Shared Hit Blocks']) + Number(root['Shared Read Blocks']);
      return {
        touched,
        nodes: nodes.map((node) => String(node['Node Type'])),
        indexes: nodes.map((node) => node['Index Name']),
      };
    }

    const place = (row: number) => ({
      time: new Date(START.getTime() + row * 10_000),
      id: `zzz_${big.applicationId.slice(-12)}_${row}`,
    });

    test.each([1, 50_000, 99_000])(
      'threat 65: a page after row %i costs what the first one does',
      async (depth) => {
        const listing = { applicationId: big.applicationId, limit: 50 };
        const after = place(100_000 - depth);
        const cases = [
          [customersQuery(api.db, { ...listing, filters: {}, after }), 'customers_newest_first'],
          [eventsQuery(api.db, { ...listing, filters: {}, after }), 'usage_events_newest_first'],
        ] as const;
        for (const [query, index] of cases) {
          const { touched, nodes, indexes } = await buffersOf(query);
          expect(indexes).toContain(index);
          expect(nodes).not.toContain('Sort');
          expect(nodes).not.toContain('Seq Scan');
          expect(touched).toBeLessThan(400);
        }
      },
    );

    const late = new Date(START.getTime() + 100_000);
    const customersWith = (filters: CustomerFilters) =>
      customersQuery(api.db, { applicationId: big.applicationId, limit: 50, filters });
    const eventsWith = (filters: EventFilters) =>
      eventsQuery(api.db, { applicationId: big.applicationId, limit: 50, filters });
    test.each([
      ['email', () => customersWith({ email: `p${big.applicationId.slice(-12)}_77@example.com` })],
      ['sub of a customer', () => customersWith({ sub: `sub_${big.applicationId.slice(-12)}_77` })],
      ['created_before', () => customersWith({ createdBefore: late })],
      ['sub of events', () => eventsWith({ sub: 'sub_77' })],
      ['kind', () => eventsWith({ kind: 'registration' })],
      ['occurred_before', () => eventsWith({ occurredBefore: late })],
    ])('threat 65: the filter %s reads no more than it returns', async (_name, query) => {
      const { touched, nodes } = await buffersOf(query());
      expect(nodes).not.toContain('Seq Scan');
      expect(touched).toBeLessThan(400);
    });
  });
});

function nodesOf(node: Record<string, unknown>): Record<string, unknown>[] {
  const children = z.array(z.looseObject({})).optional().parse(node.Plans) ?? [];
  return [node, ...children.flatMap(nodesOf)];
}
