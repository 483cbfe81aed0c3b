// Every statement that pages of company settings and the API send for a company with much history, with the plan that
// PostgreSQL makes for it: none walks through a table that grows with sign-ins, and none sorts much of one.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { z } from 'zod';
import { createApiKey } from '../../src/applications/api-key.ts';
import { allowLongStatements, type Database, transaction } from '../../src/database/connection.ts';
import { positionEvents } from '../../src/ledger/event-position.ts';
import { sumUpDays } from '../../src/ledger/usage-day-sums.ts';
import { startOfDay } from '../../src/ledger/usage-days.ts';
import { hasPostgres } from '../harness/database.ts';
import { chosenStores } from '../harness/stores.ts';
import { writeHistory } from '../ledger/usage-history.ts';
import { openSettingsLab, type SettingsLab } from '../settings/lab.ts';

const GROWING = [
  'usage_events',
  'transfers',
  'customers',
  'event_positions',
  'sign_in_steps',
  'audit_entries',
  'accounts',
];
/** Rows that a page may sort: those of a day, or of a list that has an end. */
const SORTED_ROWS = 12_000;

type Sent = { text: string; values: unknown[] };

const onServers = chosenStores() === 'servers' && (await hasPostgres());

(onServers ? describe : describe.skip)('with 42,000 events of two companies', () => {
  let lab: SettingsLab;
  let db: Database;
  let applicationId: string;
  let apiKey: string;
  let isRecording = false;
  const sent = new Map<string, Sent>();
  const spy = jest.spyOn(pg.Client.prototype, 'query');

  beforeAll(async () => {
    lab = await openSettingsLab();
    db = lab.service.db;
    const now = new Date();
    // The company that is looked at has few of all customers: of half a table the planner may well read the whole.
    const customersOf = [1_000, 9_000];
    for (const [place, { workspace, register }] of [lab.acme, lab.other].entries()) {
      const { id } = await register();
      if (workspace.id === lab.acme.workspace.id) applicationId = id;
      for (let day = 0; day < 30; day += 1) {
        const until = new Date(now.getTime() - day * 86_400_000);
        await writeHistory(db, {
          applicationId: id,
          until,
          days: 1,
          perDay: 700,
          customers: customersOf[place] ?? 0,
        });
      }
      await transaction(db, async (tx) => {
        await allowLongStatements(tx);
        await tx.execute(sql`
          insert into sign_in_steps (id, application_id, trace_id, step, reason, occurred_at)
          select ${id}::text || n, ${id}::text, 'trc_' || n, 'code_refused', case when n % 50 = 0 then 'wrong_code' end,
            ${now.toISOString()}::timestamptz - n * interval '1 minute' from generate_series(1, 20000) as n`);
        await tx.execute(sql`
          insert into audit_entries (id, workspace_id, account_id, action, detail, occurred_at)
          select ${id}::text || n, ${workspace.id}::text, 'acc_' || (n % 5), 'action.' || (n % 20), '{}',
            ${now.toISOString()}::timestamptz - n * interval '1 minute' from generate_series(1, 20000) as n`);
      });
    }
    await sumUpDays(db, now);
    await positionEvents(db, new Date(now.getTime() + 3_600_000));
    await db.execute(sql`analyze`);
    const scopes: 'identity:read'[] = ['identity:read'];
    apiKey = (await createApiKey(db, { workspaceId: lab.acme.workspace.id, name: 'k', scopes, now })).key;
  }, 180_000);
  afterAll(async () => {
    // Connections keep the query that they found when they were opened.
    await lab.stop();
    spy.mockRestore();
  });

  function record(): void {
    for (const [config, values] of spy.mock.calls as unknown as [unknown, unknown][]) {
      const parsed = z.object({ text: z.string() }).safeParse(config);
      if (isRecording && parsed.success && /^\s*(select|with)/i.test(parsed.data.text))
        sent.set(parsed.data.text, { text: parsed.data.text, values: Array.isArray(values) ? values : [] });
    }
    spy.mockClear();
  }

  async function ask(path: string, headers: Record<string, string>): Promise<void> {
    spy.mockClear();
    isRecording = true;
    const answer = await fetch(new URL(path, lab.service.url), { headers, redirect: 'manual' });
    await answer.text();
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    record();
    isRecording = false;
  }

  type Node = {
    'Node Type': string;
    'Relation Name'?: string | undefined;
    'Plan Rows': number;
    Plans?: unknown;
  };
  const nodeSchema = z.looseObject({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Plan Rows': z.number(),
  });
  function nodesOf(node: unknown): Node[] {
    const parsed = nodeSchema.parse(node);
    const children = Array.isArray(parsed.Plans) ? parsed.Plans : [];
    return [parsed, ...children.flatMap(nodesOf)];
  }

  async function complaintsAbout({ text, values }: Sent): Promise<string[]> {
    const url = new URL(process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres');
    const [row] = z
      .object({ rows: z.array(z.object({ name: z.string() })) })
      .parse(await db.execute(sql`select current_database() as name`)).rows;
    url.pathname = `/${row?.name}`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    try {
      // As for a disk without heads: at 4.0, reading these few events whole is cheaper than looking up a page of them.
      await client.query('set random_page_cost = 1.1');
      const { rows } = await client.query({ text: `explain (format json) ${text}`, values });
      const [{ Plan: plan } = { Plan: undefined }] = z
        .array(z.object({ Plan: z.unknown() }))
        .parse(z.object({ 'QUERY PLAN': z.unknown() }).parse(rows[0])['QUERY PLAN']);
      return nodesOf(plan).flatMap((node) => {
        const relation = node['Relation Name'] ?? '';
        if (node['Node Type'] === 'Seq Scan' && GROWING.includes(relation))
          return [`walks ${relation}: ${text}`];
        if (node['Node Type'] === 'Sort' && node['Plan Rows'] > SORTED_ROWS)
          return [`sorts ${node['Plan Rows']} rows: ${text}`];
        return [];
      });
    } finally {
      await client.end();
    }
  }

  test('no page and no list of the API walks through history', async () => {
    const home = `/settings/${lab.acme.workspace.id}`;
    const application = `${home}/applications/${applicationId}`;
    const cookie = { cookie: lab.acme.owner.cookie, accept: 'text/html' };
    const lastMonth = new Date(startOfDay(new Date(), 31)).toISOString().slice(0, 7);
    for (const path of [
      home,
      `${home}/applications`,
      `${home}/usage`,
      `${home}/usage?days=90`,
      `${home}/usage?application=${applicationId}&days=7`,
      `${home}/usage/traces/trc_50`,
      application,
      `${application}/balance`,
      `${application}/statement`,
      `${application}/statement?month=${lastMonth}`,
      `${application}/statement/csv`,
      `${application}/customers`,
      `${application}/customers?search=person7.${applicationId}@example.test`,
      `${application}/customers?search=sub_7`,
      `${application}/customers/sub_7`,
      `${application}/customers/export`,
      `${home}/audit-log`,
      `${home}/audit-log?person=acc_3`,
      `${home}/audit-log?action=action.7`,
      `${home}/audit-log.csv`,
      `${home}/members`,
      `${home}/api-keys`,
      `${home}/webhooks`,
    ])
      await ask(path, cookie);
    const key = { authorization: `Bearer ${apiKey}` };
    const lists = `/v1/applications/${applicationId}`;
    const moment = new Date(Date.now() - 10 * 86_400_000).toISOString();
    for (const query of [
      'customers',
      'customers?sub=sub_7',
      `customers?email=person7.${applicationId}@example.test`,
      `customers?created_after=${moment}`,
      `customers?created_before=${moment}`,
      'events',
      'events?kind=registration',
      'events?sub=sub_7',
      'events?sub=sub_7&kind=registration',
      `events?occurred_after=${moment}`,
      `events?occurred_before=${moment}`,
      'events?order=committed',
      'events?order=committed&cursor=latest',
    ])
      await ask(`${lists}/${query}`, key);
    for (const query of ['', '?limit=100', '?cursor=latest']) await ask(`/v1/webhook-events${query}`, key);
    expect(sent.size).toBeGreaterThan(30);
    const complaints: string[] = [];
    for (const each of sent.values()) complaints.push(...(await complaintsAbout(each)));
    expect(complaints).toEqual([]);
  }, 120_000);
});
