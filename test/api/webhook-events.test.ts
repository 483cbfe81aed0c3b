// The events of all applications of a key, as webhooks tell of them, for whoever waits for them (threats 151 and 152):
// what a key may read and no more, once, without loss; and whoever waits costs nobody else anything.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { webhookEventPageSchema } from '../../src/api/schemas.ts';
import { createApiKey, revokeApiKey } from '../../src/applications/api-key.ts';
import { transaction } from '../../src/database/connection.ts';
import { topUp } from '../../src/ledger/balance.ts';
import { refundEvent } from '../../src/ledger/refund.ts';
import {
  listenersPerCompany,
  listeningApplications,
  listeningSettleSeconds,
} from '../../src/limits/listening.ts';
import { takeBack } from '../../src/oidc/charge/undo-charge.ts';
import { addApplication, addCompany, type Company, startApi, type TestApi } from '../harness/api.ts';
import { untilItWorks } from '../harness/outage.ts';
import { until } from '../harness/until.ts';
import { createVisits } from '../webhooks/sessions.ts';

const page = webhookEventPageSchema.strict();
let api: TestApi;
let visits: ReturnType<typeof createVisits>;
beforeAll(async () => {
  api = await startApi();
  // Ages of events are told by the database's clock, which this one is not ahead of.
  Object.defineProperty(api.clock, 'now', { get: () => new Date() });
  visits = createVisits(api.connection);
});
afterAll(() => api.stop());

async function company(): Promise<Company> {
  const made = await addCompany(api.db, 'Acme');
  await pay(made.applicationId);
  return made;
}

async function pay(applicationId: string): Promise<void> {
  await transaction(api.db, (tx) =>
    topUp(tx, { applicationId, amount: 100_000_000n, reference: applicationId, now: new Date() }),
  );
}

function ask(key: string, query: Record<string, string> = {}, signal?: AbortSignal) {
  return fetch(`${api.url}/webhook-events?${new URLSearchParams(query)}`, {
    headers: { Authorization: `Bearer ${key}` },
    ...(signal && { signal }),
  });
}

async function read(key: string, query: Record<string, string> = {}) {
  const answer = await ask(key, query);
  const body: unknown = await answer.json();
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(body)}`);
  return page.parse(body);
}

/** Everything from the cursor on, in pages of two. */
async function follow(key: string, from: string) {
  const data: z.output<typeof page>['data'] = [];
  for (let cursor = from; ; ) {
    const next = await read(key, { cursor, limit: '2' });
    data.push(...next.data);
    cursor = next.next_cursor;
    if (!next.has_more) return { data, cursor };
  }
}

const idsOf = (data: { id: string }[]) => data.map(({ id }) => id);

describe('what is read', () => {
  test('every event of all applications, once, as its webhook says it', async () => {
    const acme = await company();
    const second = await addApplication(api.db, acme.workspaceId);
    await pay(second);
    const { next_cursor: start } = await read(acme.key, { cursor: 'latest' });
    const { account, event } = await visits.newcomer(acme.applicationId);
    const expected = [event];
    for (let round = 0; round < 2; round += 1)
      expected.push(await visits.visit(acme.applicationId, account.id));
    expected.push((await visits.newcomer(second)).event);
    let found = await follow(acme.key, start);
    await untilItWorks(async () => {
      const more = await follow(acme.key, found.cursor);
      found = { data: [...found.data, ...more.data], cursor: more.cursor };
      expect(found.data.length).toBeGreaterThanOrEqual(expected.length);
    });
    expect(idsOf(found.data).toSorted()).toEqual(idsOf(expected).toSorted());
    expect(idsOf(found.data).filter((id) => id !== expected.at(-1)?.id)).toEqual(idsOf(expected.slice(0, 3)));
    expect(found.data.find(({ id }) => id === event.id)).toEqual({
      id: event.id,
      type: 'identity.registration.completed.v1',
      created_at: event.occurredAt.toISOString(),
      livemode: true,
      data: {
        application_id: acme.applicationId,
        customer: { sub: event.sub, email: account.email, email_verified: true, name: 'Ada Lovelace' },
        kind: 'registration',
        amount: '0.050000',
        currency: 'EUR',
        status: 'committed',
      },
    });
    expect((await follow(acme.key, found.cursor)).data).toEqual([]);
  });

  test("nothing of another company, and of one's own only what the key was made for", async () => {
    const [acme, other] = [await company(), await company()];
    const second = await addApplication(api.db, acme.workspaceId);
    await pay(second);
    const narrow = await createApiKey(api.db, {
      workspaceId: acme.workspaceId,
      name: 'Narrow',
      scopes: ['identity:read'],
      applicationIds: [second],
      now: new Date(),
    });
    await visits.newcomer(acme.applicationId);
    await visits.newcomer(other.applicationId);
    const { event } = await visits.newcomer(second);
    await untilItWorks(async () => expect(idsOf((await read(narrow.key)).data)).toEqual([event.id]));
    expect((await read(acme.key, { application_id: second })).data).toHaveLength(1);
    for (const applicationId of [acme.applicationId, other.applicationId, 'app_unknown'])
      expect((await ask(narrow.key, { application_id: applicationId })).status).toBe(404);
    // A cursor of the wider key would leave out, or begin anew, what the narrower one reads.
    const { next_cursor: cursor } = await read(acme.key);
    expect((await ask(narrow.key, { cursor })).status).toBe(404);
    expect((await ask(other.key, { cursor })).status).toBe(404);
    expect((await ask(acme.key, { cursor, application_id: second })).status).toBe(404);
  });

  test('nobody is told of a session whose tokens never left, nor of somebody who is deleted; a refund came after the webhook', async () => {
    const acme = await company();
    const { account, event } = await visits.newcomer(acme.applicationId);
    const gone = await visits.newcomer(acme.applicationId);
    const undone = await visits.visit(acme.applicationId, account.id);
    const refunded = await visits.visit(acme.applicationId, account.id);
    await transaction(api.db, (tx) =>
      takeBack(tx, { eventId: undone.id, reason: 'hung up', now: new Date() }),
    );
    await transaction(api.db, (tx) =>
      refundEvent(tx, { eventId: refunded.id, reason: 'kindness', actor: 'test', now: new Date() }),
    );
    await api.db.update(accounts).set({ deletedAt: new Date() }).where(eq(accounts.id, gone.account.id));
    await untilItWorks(async () =>
      expect(idsOf((await read(acme.key)).data)).toEqual([event.id, refunded.id]),
    );
    const { next_cursor: cursor } = await read(acme.key);
    expect((await read(acme.key, { cursor })).data).toEqual([]);
  });

  test('an event is told when it can no longer be taken back unnoticed, not before', async () => {
    const acme = await company();
    const { event } = await visits.newcomer(acme.applicationId);
    const startedAt = performance.now();
    expect((await read(acme.key)).data).toEqual([]);
    await untilItWorks(async () => expect(idsOf((await read(acme.key)).data)).toEqual([event.id]));
    expect(performance.now() - startedAt).toBeGreaterThan((listeningSettleSeconds * 1000) / 2);
  });

  test('a new application is followed from its first event on, with a cursor from before', async () => {
    const acme = await company();
    const { next_cursor: cursor } = await read(acme.key, { cursor: 'latest' });
    const second = await addApplication(api.db, acme.workspaceId);
    await pay(second);
    const { event } = await visits.newcomer(second);
    await untilItWorks(async () =>
      expect(idsOf((await read(acme.key, { cursor })).data)).toEqual([event.id]),
    );
  });

  test('more applications than a cursor has room for: one has to be named', async () => {
    const acme = await company();
    for (let number = 0; number < listeningApplications; number += 1)
      await addApplication(api.db, acme.workspaceId);
    const answer = await ask(acme.key);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        error: 'invalid_request',
        error_description: 'This API key reads more than 100 applications. Choose one with "application_id".',
      },
    ]);
    expect((await ask(acme.key, { application_id: acme.applicationId })).status).toBe(200);
  });

  test('the key, its scope and the query are asked for as everywhere', async () => {
    const acme = await company();
    expect((await fetch(`${api.url}/webhook-events`)).status).toBe(401);
    for (const query of [
      { wait: '21' },
      { wait: '-1' },
      { limit: '0' },
      { cursor: 'x' },
      { order: 'committed' },
    ])
      expect((await ask(acme.key, query)).status).toBe(400);
    expect((await ask(acme.key, { cursor: `${'a'.repeat(9)}.${'b'.repeat(43)}` })).status).toBe(404);
    const posted = await fetch(`${api.url}/webhook-events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${acme.key}` },
    });
    expect(posted.status).toBe(405);
  });
});

describe('who waits', () => {
  test('is answered by the first event, or with an empty page when the time is over', async () => {
    const acme = await company();
    const { next_cursor: cursor } = await read(acme.key, { cursor: 'latest' });
    const startedAt = performance.now();
    expect(await read(acme.key, { cursor, wait: '1' })).toEqual({
      data: [],
      has_more: false,
      next_cursor: cursor,
    });
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    const waiting = read(acme.key, { cursor, wait: '20' });
    const { event } = await visits.newcomer(acme.applicationId);
    expect(idsOf((await waiting).data)).toEqual([event.id]);
  });

  test('is refused within seconds of the revocation of the key', async () => {
    const acme = await company();
    const { next_cursor: cursor } = await read(acme.key, { cursor: 'latest' });
    const waiting = ask(acme.key, { cursor, wait: '20' });
    const startedAt = performance.now();
    await revokeApiKey(api.db, { id: acme.keyId, workspaceId: acme.workspaceId, now: new Date() });
    expect((await waiting).status).toBe(401);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('has a place among few of its company, takes none of another, and leaves it when it hangs up', async () => {
    const [acme, other] = [await company(), await company()];
    const { next_cursor: cursor } = await read(acme.key, { cursor: 'latest' });
    const end = new AbortController();
    // The question below takes a place for a second, so one of these may have to come again.
    const hold = async () =>
      end.signal.aborted || (await ask(acme.key, { cursor, wait: '20' }, end.signal)).status !== 429;
    const waiting = Array.from({ length: listenersPerCompany }, () =>
      until('it had a place', hold).catch(() => undefined),
    );
    await untilItWorks(async () => {
      const refused = await ask(acme.key, { cursor, wait: '1' });
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    });
    // Asking without waiting takes no place; nor does another company's waiting.
    expect((await ask(acme.key, { cursor })).status).toBe(200);
    const theirs = await read(other.key, { cursor: 'latest' });
    expect((await ask(other.key, { cursor: theirs.next_cursor, wait: '1' })).status).toBe(200);
    end.abort();
    await Promise.all(waiting);
    await untilItWorks(async () => expect((await ask(acme.key, { cursor, wait: '1' })).status).toBe(200));
  });

  test('writes nothing but that the key was used, and a line in the log when it begins', async () => {
    const acme = await company();
    await read(acme.key, { cursor: 'latest' });
    const lines = api.logLines.filter((line) => line.includes('somebody begins to listen'));
    expect(lines.filter((line) => line.includes(acme.keyId))).toHaveLength(1);
    expect(api.logLines.join('')).not.toContain(acme.key);
  });
});
