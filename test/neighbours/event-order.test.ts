// Events in an order that can be followed (threat 124): whatever the clocks of the processes say, and whoever commits late.

import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Clock } from '../../src/clock.ts';
import { type Database, rowsOf, transaction } from '../../src/database/connection.ts';
import { createReadThenWrite } from '../../src/database/pipelined-transaction.ts';
import { newId } from '../../src/id.ts';
import { topUp } from '../../src/ledger/balance.ts';
import { newEventId } from '../../src/ledger/charge.ts';
import { followEvents } from '../../src/ledger/event-list.ts';
import { positionEvents } from '../../src/ledger/event-position.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { createSessionCharge } from '../../src/oidc/charge/charge-transaction.ts';
import { createKeys, randomSecret } from '../../src/secrets.ts';
import { exportDatabase, importDatabase } from '../../src/service/database-copy.ts';
import { addCompany, addRows, type Company, startApi, type TestApi } from '../harness/api.ts';
import { hasPostgres, openTestPglite, openTestPostgres } from '../harness/database.ts';
import { addAccount } from '../harness/identity.ts';
import { chargeSession, writeCharge } from '../ledger/session.ts';

const databases = [
  { name: 'PGlite', open: openTestPglite, isAvailable: true },
  { name: 'PostgreSQL', open: openTestPostgres, isAvailable: await hasPostgres() },
];
const openOther = async () => {
  return (await hasPostgres()) ? openTestPostgres() : openTestPglite();
};
const keys = createKeys(randomSecret());

/** A process whose machine's clock is wrong. */
function processWithClock(api: TestApi, aheadSeconds: number) {
  const machine = () => Date.now() + aheadSeconds * 1000;
  const clock: Clock = Object.assign(() => new Date(machine()), {
    machine: aheadSeconds === 0 ? Date.now : machine,
  });
  const charge = createSessionCharge({ readThenWrite: createReadThenWrite(api.connection), keys, clock });
  return async (session: { applicationId: string; accountId: string; codeHash: string }) => {
    const one = { ...session, eventId: newEventId() };
    const [verdict] = await charge([one], { isShared: false, mayBeCharged: false });
    if (typeof verdict !== 'object' || !('charged' in verdict)) throw new Error('was not charged');
    return verdict.charged.event;
  };
}

const page = z.object({
  data: z.array(z.object({ id: z.string(), kind: z.string(), occurred_at: z.string() })),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

for (const { name, open, isAvailable } of databases) {
  (isAvailable ? describe : describe.skip)(`on ${name}`, () => {
    let api: TestApi;
    let db: Database;
    beforeAll(async () => {
      api = await startApi({ database: await open() });
      db = api.db;
    });
    afterAll(() => api.stop());

    async function company(): Promise<Company> {
      const made = await addCompany(db, 'Acme');
      const { applicationId } = made;
      await transaction(db, (tx) =>
        topUp(tx, { applicationId, amount: 100_000_000n, reference: applicationId, now: new Date() }),
      );
      return made;
    }
    async function ask({ applicationId, key }: Company, query: Record<string, string>) {
      const url = `${api.url}/applications/${applicationId}/events?${new URLSearchParams(query)}`;
      const answer = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
      return { status: answer.status, body: await answer.json() };
    }
    /** As docs/api.md tells a poller to: until there is no more, then again from the same cursor. */
    async function follow(of: Company, cursor: string | undefined, limit = '3') {
      const found: string[] = [];
      for (let next = cursor; ; ) {
        const { status, body } = await ask(of, { order: 'committed', limit, ...(next && { cursor: next }) });
        expect(status).toBe(200);
        const { data, has_more, next_cursor } = page.parse(body);
        found.push(...data.map(({ id }) => id));
        next = next_cursor ?? undefined;
        if (!has_more) return { found, cursor: next };
      }
    }

    test('G: with clocks 59 s apart the registration is still before the sign-in', async () => {
      const acme = await company();
      const account = await transaction(db, (tx) =>
        addAccount(tx, { email: `ada.${newId('acc')}@example.com`, name: 'Ada', now: new Date() }),
      );
      const session = () => ({
        applicationId: acme.applicationId,
        accountId: account.id,
        codeHash: newId('evt'),
      });
      const registration = await processWithClock(api, 59)(session());
      const signIn = await processWithClock(api, 0)(session());
      expect([registration.kind, signIn.kind]).toEqual(['registration', 'sign_in']);
      expect(signIn.occurredAt.getTime()).toBeGreaterThanOrEqual(registration.occurredAt.getTime());
      expect(Math.abs(registration.occurredAt.getTime() - Date.now())).toBeLessThan(20_000);
      const { body } = await ask(acme, {});
      expect(page.parse(body).data.map(({ id }) => id)).toEqual([signIn.id, registration.id]);
      expect((await follow(acme, undefined)).found).toEqual([registration.id, signIn.id]);
    });

    test('a follower gets each event once, in order, while many are charged at once', async () => {
      const acme = await company();
      const charged = Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          chargeSession(db, { applicationId: acme.applicationId, accountId: newId('acc'), sub: `sub${n}` }),
        ),
      );
      const seen: string[] = [];
      let cursor: string | undefined;
      let isDone = false;
      charged.finally(() => {
        isDone = true;
      });
      for (let last = false; !last; ) {
        last = isDone;
        const more = await follow(acme, cursor, '7');
        seen.push(...more.found);
        cursor = more.cursor;
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect([...seen].sort()).toEqual((await charged).map(({ id }) => id).sort());
      expect((await verifyLedger(db)).checks.filter(({ violations }) => violations.length > 0)).toEqual([]);
    });

    test('the cursor is never null, fits nothing else, and "latest" begins behind the newest event', async () => {
      const acme = await company();
      const empty = await follow(acme, undefined);
      expect(empty.found).toEqual([]);
      const first = await chargeSession(db, { applicationId: acme.applicationId, accountId: 'a', sub: 'a' });
      expect((await follow(acme, empty.cursor)).found).toEqual([first.id]);
      const latest = page.parse((await ask(acme, { order: 'committed', cursor: 'latest' })).body);
      expect(latest).toMatchObject({ data: [], has_more: false });
      const second = await chargeSession(db, { applicationId: acme.applicationId, accountId: 'a', sub: 'a' });
      const { found, cursor = '' } = await follow(acme, latest.next_cursor ?? undefined);
      expect(found).toEqual([second.id]);
      expect((await ask(acme, { cursor })).status).toBe(404);
      expect((await ask(acme, { cursor: 'latest' })).status).toBe(404);
      expect((await ask(await company(), { order: 'committed', cursor })).status).toBe(404);
      expect((await ask(acme, { order: 'committed', kind: 'sign_in' })).status).toBe(400);
      expect((await ask(acme, { order: 'newest' })).status).toBe(400);
      expect((await ask(acme, { order: 'committed', occurred_after: '2026-01-01T00:00:00Z' })).status).toBe(
        400,
      );
    });

    test('events of a release without positions get theirs, once, behind those that are there', async () => {
      const acme = await company();
      const { applicationId } = acme;
      const own = await chargeSession(db, { applicationId, accountId: 'a', sub: 'own' });
      const { cursor } = await follow(acme, undefined);
      await addRows(
        db,
        applicationId,
        Array.from({ length: 30 }, (_, number) => number),
      );
      const now = new Date(Date.now() + 3_600_000);
      expect(
        await Promise.all([positionEvents(db, now), positionEvents(db, now)]).then(([a, b]) => a + b),
      ).toBe(30);
      expect(await positionEvents(db, now)).toBe(0);
      const later = (await follow(acme, cursor, '100')).found;
      expect(later).toHaveLength(30);
      expect(later).not.toContain(own.id);
      const { rows } = await followEvents(db, { applicationId, after: 0n, limit: 100 });
      expect(rows.map(({ position }) => position)).toEqual(
        Array.from({ length: 31 }, (_, n) => BigInt(n + 1)),
      );
    });

    test('a position still fits after everything was moved to a database of the other kind', async () => {
      const [source, target] = [await startApi({ database: await open() }), await openOther()];
      try {
        const { applicationId } = await addCompany(source.db, 'Acme');
        await transaction(source.db, (tx) =>
          topUp(tx, { applicationId, amount: 100_000_000n, reference: applicationId, now: new Date() }),
        );
        const charge = (on: Database) => chargeSession(on, { applicationId, accountId: 'a', sub: 'a' });
        await charge(source.db);
        const last = await charge(source.db);
        const lines: string[] = [];
        await exportDatabase(source.db, async (line) => void lines.push(line));
        const there = target.connection.db;
        await importDatabase(there, Readable.from(lines));
        const next = await charge(there);
        const { rows } = await followEvents(there, { applicationId, after: 1n, limit: 10 });
        expect(rows.map(({ id }) => id)).toEqual([last.id, next.id]);
        expect((await verifyLedger(there)).ok).toBe(true);
      } finally {
        await source.stop();
        await target.remove();
      }
    });
  });
}

((await hasPostgres()) ? describe : describe.skip)(
  'with a transaction that is held open, on PostgreSQL',
  () => {
    test('G: what commits late is later in the order, and nobody who follows misses it', async () => {
      const api = await startApi({ database: await openTestPostgres() });
      const { db } = api;
      try {
        const acme = await addCompany(db, 'Acme');
        const { applicationId } = acme;
        await topUp(db, { applicationId, amount: 100_000_000n, reference: applicationId, now: new Date() });
        const events = () => followEvents(db, { applicationId, after: 0n, limit: 10 });
        const isWritten = Promise.withResolvers<void>();
        const mayCommit = Promise.withResolvers<void>();
        // Its time is before everybody else's, and its debit after theirs.
        const late = transaction(db, async (tx) => {
          const now = new Date(Date.now() - 30_000);
          isWritten.resolve();
          await mayCommit.promise;
          return writeCharge(tx, { applicationId, sub: 'late', now });
        });
        await isWritten.promise;
        const early = await chargeSession(db, { applicationId, accountId: 'e', sub: 'early' });
        const seen = await events();
        expect(seen.rows.map(({ id }) => id)).toEqual([early.id]);
        mayCommit.resolve();
        const event = await late;
        const { rows } = await followEvents(db, {
          applicationId,
          after: seen.rows[0]?.position ?? 0n,
          limit: 10,
        });
        expect(rows.map(({ id }) => id)).toEqual([event.id]);
        const [newest] = rowsOf(
          await db.execute(sql`select id from usage_events order by occurred_at desc limit 1`),
        );
        expect(newest?.id).toBe(early.id);
      } finally {
        await api.stop();
      }
    });

    test('while one charge of an application has its place and is not committed, no other is given one', async () => {
      const api = await startApi({ database: await openTestPostgres() });
      const { db } = api;
      try {
        const { applicationId } = await addCompany(db, 'Acme');
        await topUp(db, { applicationId, amount: 100_000_000n, reference: applicationId, now: new Date() });
        const isPlaced = Promise.withResolvers<void>();
        const mayCommit = Promise.withResolvers<void>();
        const slow = transaction(db, async (tx) => {
          const charged = await writeCharge(tx, { applicationId, sub: 'slow', now: new Date() });
          isPlaced.resolve();
          await mayCommit.promise;
          return charged;
        });
        await isPlaced.promise;
        const quick = chargeSession(db, { applicationId, accountId: 'q', sub: 'quick' });
        await new Promise((resolve) => setTimeout(resolve, 300));
        expect((await followEvents(db, { applicationId, after: 0n, limit: 10 })).rows).toEqual([]);
        mayCommit.resolve();
        const ids = [(await slow).id, (await quick).id];
        const { rows } = await followEvents(db, { applicationId, after: 0n, limit: 10 });
        expect(rows.map(({ id }) => id)).toEqual(ids);
      } finally {
        await api.stop();
      }
    });
  },
);
