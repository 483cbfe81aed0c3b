// Days of webhooks in minutes: events at endpoints that fail 30 % of their requests at random and are down for 72
// hours, with the real worker and database, and a clock that jumps to whatever is due next.
import { sql } from 'drizzle-orm';
import { webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import { isOneOf, rowsOf } from '../../src/database/connection.ts';
import type { SendWebhook } from '../../src/webhooks/sender.ts';
import { createRandom } from '../crash-harness/random.ts';
import type { TestDatabase } from '../harness/database.ts';
import {
  type Company,
  createCompany,
  createTestWorker,
  createTimetable,
  emit,
  eventOf,
  HOUR,
  nextDue,
  START,
  subscribe,
} from '../webhooks/company.ts';

export type OutageOptions = {
  database: TestDatabase;
  events: number;
  seed: number;
  /** Companies with an endpoint each; the deliveries of one wait for each other's row. Default 1. */
  endpoints?: number;
  onProgress?: (line: string) => void;
};

export type OutageResult = {
  events: number;
  attempts: number;
  delivered: number;
  undelivered: Record<string, number>;
  received: number;
  /** Deliveries that the endpoint accepted more than once. */
  duplicates: number;
  longestHours: number;
  mostAttempts: number;
};

const FAILURE_SHARE = 0.3;
const OUTAGE = { from: START.getTime() + 2 * HOUR, until: START.getTime() + 74 * HOUR };
/** Events come evenly over this time: before, during and after the outage. */
const EMISSION = 80 * HOUR;
/** What is due within the same virtual minute is sent side by side. */
const TOGETHER_MILLISECONDS = 60_000;

export async function surviveOutage(options: OutageOptions): Promise<OutageResult> {
  const { database, events, onProgress = () => undefined } = options;
  const { db } = database.connection;
  const random = createRandom(options.seed);
  const companies: Company[] = [];
  for (let number = 0; number < (options.endpoints ?? 1); number += 1) {
    const company = await createCompany(db);
    await subscribe(db, company, 'https://localhost:4003/webhooks');
    companies.push(company);
  }
  const accepted = new Map<string, number>();
  let attempts = 0;
  const timetable = createTimetable();
  const isDown = () => timetable.now.getTime() >= OUTAGE.from && timetable.now.getTime() < OUTAGE.until;
  const send: SendWebhook = async ({ headers }) => {
    attempts += 1;
    if (isDown()) return { failure: 'connection', durationMs: 1 };
    if (random.next() < FAILURE_SHARE) return { status: 500, durationMs: 1 };
    const id = headers['x-service-webhook-id'] ?? '';
    accepted.set(id, (accepted.get(id) ?? 0) + 1);
    return { status: 200, durationMs: 1 };
  };
  const { runDue } = createTestWorker(db, timetable, { send, random: random.next });

  let emitted = 0;
  let reported = 0;
  const emissionAt = (number: number) => START.getTime() + (number * EMISSION) / events;
  for (;;) {
    const due = (await nextDue(db))?.getTime();
    if (emitted < events && (due === undefined || emissionAt(emitted) <= due)) {
      const now = new Date(emissionAt(emitted));
      timetable.now = now;
      const company = companies[emitted % companies.length];
      if (company) await emit(db, eventOf(company, { createdAt: now }), now);
      emitted += 1;
    } else if (due === undefined) break;
    else {
      timetable.now = new Date(Math.max(timetable.now.getTime(), due + TOGETHER_MILLISECONDS));
      await runDue();
    }
    if (attempts < reported + 10_000) continue;
    reported = attempts;
    onProgress(`${emitted} events, ${attempts} attempts, ${accepted.size} accepted`);
    // What autovacuum does, where it is on: without it PostgreSQL plans for tables that are empty.
    await db.execute(sql`vacuum analyze webhook_deliveries, webhook_messages, webhook_attempts`);
  }
  const rows = rowsOf(
    await db.execute(sql`
      select d.status, count(*)::int as count, max(attempt_count) as most,
        max(extract(epoch from d.finished_at - d.created_at)) / 3600 as longest
      from webhook_deliveries d join webhook_subscriptions on webhook_subscriptions.id = d.subscription_id
      where ${isOneOf(
        webhookSubscriptions.workspaceId,
        companies.map(({ workspaceId }) => workspaceId),
      )}
      group by d.status`),
  );
  const delivered = rows.find(({ status }) => status === 'delivered');
  return {
    events,
    attempts,
    delivered: Number(delivered?.count ?? 0),
    undelivered: Object.fromEntries(
      rows
        .filter(({ status }) => status !== 'delivered')
        .map(({ status, count }) => [String(status), Number(count)]),
    ),
    received: accepted.size,
    duplicates: [...accepted.values()].filter((count) => count > 1).length,
    longestHours: Number(Number(delivered?.longest ?? 0).toFixed(1)),
    mostAttempts: Number(delivered?.most ?? 0),
  };
}
