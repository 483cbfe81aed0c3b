// Burdens of webhooks: an endpoint that hangs with a backlog, forty that are slow, and a replay of very many.
import { eq, inArray, sql } from 'drizzle-orm';
import { longWork } from '../../drizzle/schema/operations.ts';
import { webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import { transaction } from '../../src/database/connection.ts';
import { webhookSubscriptionsPerWorkspace } from '../../src/limits/webhooks.ts';
import { replayFailedDeliveries } from '../../src/webhooks/replay.ts';
import { type Company, createCompany, subscribe } from '../company.ts';
import { type Burden, fillRows, inChunks } from './burden.ts';
import type { EndpointName } from './endpoints.ts';
import type { Turns } from './rounds.ts';
import type { Foundation, Town } from './town.ts';

const SLOW_ENDPOINTS = 40;
const DAY_MILLISECONDS = 86_400_000;

export function hangingEndpoint(pending: number): Burden {
  return {
    name: `hanging endpoint, ${pending} pending`,
    async prepare(foundation) {
      const backlog = await fillBacklog(foundation, { endpoint: 'hanging', endpoints: 1, pending });
      return { turns: (town) => deliverySwitch(town, { ...backlog, endpoint: 'hanging' }) };
    },
  };
}

export function slowEndpoints(pending: number): Burden {
  return {
    name: `${SLOW_ENDPOINTS} slow endpoints, ${pending} pending each`,
    async prepare(foundation) {
      const subscriptionIds: string[] = [];
      // A workspace has at most twenty.
      for (let left = SLOW_ENDPOINTS; left > 0; left -= webhookSubscriptionsPerWorkspace) {
        const endpoints = Math.min(left, webhookSubscriptionsPerWorkspace);
        const backlog = await fillBacklog(foundation, { endpoint: 'slow', endpoints, pending });
        subscriptionIds.push(...backlog.subscriptionIds);
      }
      return { turns: (town) => deliverySwitch(town, { subscriptionIds, endpoint: 'slow' }) };
    },
  };
}

export function replayOf(failed: number): Burden {
  return {
    name: `replay of ${failed}`,
    async prepare(foundation) {
      const backlog = await fillBacklog(foundation, {
        endpoint: 'quick',
        endpoints: 1,
        pending: failed,
        status: 'failed',
      });
      return { turns: (town) => replaySwitch(town, backlog) };
    },
  };
}

type Backlog = { workspaceId: string; subscriptionIds: string[] };

/** Endpoints that are paused for now, with messages that all of them wait for. */
async function fillBacklog(
  { database, endpoints: { origin } }: Foundation,
  options: { endpoint: EndpointName; endpoints: number; pending: number; status?: 'pending' | 'failed' },
): Promise<Backlog> {
  const { endpoint, endpoints, pending, status = 'pending' } = options;
  const company = await createCompany(database, { applications: 1, people: 1 });
  const subscriptionIds: string[] = [];
  while (subscriptionIds.length < endpoints)
    subscriptionIds.push(
      await subscribe(database, company.workspaceId, `${origin}/${endpoint}/${subscriptionIds.length}`),
    );
  await setStatus(database, subscriptionIds, 'paused');
  await fillRows(database, async (client) => {
    await inChunks(client, pending, (series) => messages(company, series));
    for (const id of subscriptionIds)
      await inChunks(client, pending, (series) => deliveries(company, { id, status }, series));
  });
  return { workspaceId: company.workspaceId, subscriptionIds };
}

const eventId = ({ workspaceId }: Company) => `'evt_${workspaceId}_' || lpad(n::text, 9, '0')`;

function messages(company: Company, series: string): string {
  const body = `json_build_object('id', ${eventId(company)}, 'created_at', now(), 'data', json_build_object('customer',
    json_build_object('sub', 'sub ' || n, 'email', 'person' || n || '@example.test', 'name', 'Person ' || n)))`;
  return `insert into webhook_messages (event_id, application_id, type, body, created_at)
    select ${eventId(company)}, '${company.applications[0]?.id}', 'identity.login.completed.v1', ${body},
      now() - interval '1 hour' from ${series}`;
}

function deliveries(company: Company, subscription: { id: string; status: string }, series: string): string {
  const due = subscription.status === 'pending' ? `now() - interval '1 hour'` : 'null';
  return `insert into webhook_deliveries
      (id, subscription_id, event_id, status, attempt_count, next_attempt_at, created_at)
    select 'dlv_${subscription.id}_' || n, '${subscription.id}', ${eventId(company)}, '${subscription.status}', 0, ${due},
      now() - interval '1 hour' from ${series}`;
}

/** As new each time: an endpoint that has just begun to fail has all of its places. */
async function setStatus(
  { connection: { db } }: Foundation['database'],
  subscriptionIds: string[],
  status: 'active' | 'paused',
): Promise<void> {
  await db
    .update(webhookSubscriptions)
    .set({ status, failingSince: null })
    .where(inArray(webhookSubscriptions.id, subscriptionIds));
}

function deliverySwitch(
  { database, endpoints }: Town,
  { subscriptionIds, endpoint }: { subscriptionIds: string[]; endpoint: EndpointName },
): Turns {
  return {
    begin: () => setStatus(database, subscriptionIds, 'active'),
    async end() {
      await setStatus(database, subscriptionIds, 'paused');
      await endpoints.call('letGo');
    },
    progress: async () => ({ attempts: await endpoints.call<number>('received', endpoint) }),
  };
}

function replaySwitch(town: Town, { workspaceId, subscriptionIds }: Backlog): Turns {
  const { database } = town;
  const { db } = database.connection;
  const [subscriptionId = ''] = subscriptionIds;
  const deliveries = deliverySwitch(town, { subscriptionIds, endpoint: 'quick' });
  const isThisReplay = eq(longWork.subject, subscriptionId);
  const ask = () => {
    const now = new Date();
    const since = new Date(now.getTime() - DAY_MILLISECONDS);
    return transaction(db, (tx) => replayFailedDeliveries(tx, { workspaceId, subscriptionId, since, now }));
  };
  let isAsked = false;
  return {
    async begin() {
      await deliveries.begin();
      if (!isAsked) await ask();
      isAsked = true;
      await db.update(longWork).set({ nextBiteAt: new Date() }).where(isThisReplay);
    },
    async end() {
      await deliveries.end();
      await db.update(longWork).set({ nextBiteAt: sql`'infinity'` }).where(isThisReplay);
    },
    async progress() {
      const [work] = await db.select({ done: longWork.done }).from(longWork).where(isThisReplay);
      return { 'queued again': Number(work?.done ?? 0), ...(await deliveries.progress()) };
    },
  };
}
