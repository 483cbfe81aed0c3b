// Statements that stay as they are (promise 28): a closed month is sealed once, nobody writes into it afterwards, and the
// ledger's proof notices whoever did.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { type Database, transaction } from '../../src/database/connection.ts';
import { newId } from '../../src/id.ts';
import { topUp } from '../../src/ledger/balance.ts';
import { correctBalance } from '../../src/ledger/correction.ts';
import { type Month, parseMonth } from '../../src/ledger/month.ts';
import { readStatement, streamEntries } from '../../src/ledger/statement.ts';
import { sealStatements } from '../../src/ledger/statement-seal.ts';
import { sumUpDays } from '../../src/ledger/usage-day-sums.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { addCompany } from '../harness/api.ts';
import { hasPostgres, openTestPglite, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { chargeSession, undoCharge, writeCharge } from '../ledger/session.ts';

const databases = [
  { name: 'PGlite', open: openTestPglite, isAvailable: true },
  { name: 'PostgreSQL', open: openTestPostgres, isAvailable: await hasPostgres() },
];

const [june, july, august] = ['2026-06', '2026-07', '2026-08'].map(parseMonth) as [Month, Month, Month];
const day = (text: string) => new Date(`2026-${text}Z`);
const settled = day('08-01T01:00:00.000');

for (const { name, open, isAvailable } of databases) {
  (isAvailable ? describe : describe.skip)(`M: statements on ${name}`, () => {
    let database: TestDatabase;
    let db: Database;
    beforeAll(async () => {
      database = await open();
      db = database.connection.db;
    });
    afterAll(() => database.remove());

    async function company(): Promise<string> {
      const { applicationId } = await addCompany(db, 'Acme');
      await transaction(db, (tx) =>
        topUp(tx, {
          applicationId,
          amount: 10_000_000n,
          reference: newId('trf'),
          now: day('06-10T09:00:00'),
        }),
      );
      return applicationId;
    }
    const charge = (applicationId: string, now: Date, sub = 'ada') =>
      chargeSession(db, { applicationId, accountId: sub, sub, now });
    const chargeLate = (applicationId: string, now: Date) =>
      transaction(db, (tx) => writeCharge(tx, { applicationId, sub: 'late', now }));
    async function linesOf(applicationId: string, month: Month) {
      const lines: string[] = [];
      for await (const { id } of streamEntries((work) => work(db), {
        applicationId,
        month,
        until: month.end,
      }))
        lines.push(id);
      return lines;
    }
    const brokenRules = async () =>
      (await verifyLedger(db)).checks
        .filter(({ violations }) => violations.length > 0)
        .map(({ rule }) => rule);

    test('each closed month is sealed once, an hour after its end, with what it began and ended with', async () => {
      const applicationId = await company();
      await charge(applicationId, day('06-10T10:00:00'));
      await charge(applicationId, day('07-31T23:59:59.999'));
      await charge(applicationId, day('08-01T00:00:00'));
      const before = await readStatement(db, { applicationId, month: july });
      expect(before.sealed).toBeUndefined();
      await sealStatements(db, day('08-01T00:59:59'));
      expect((await readStatement(db, { applicationId, month: july })).sealed).toBeUndefined();
      expect((await readStatement(db, { applicationId, month: june })).sealed).toMatchObject({
        entryCount: 2,
      });
      await sealStatements(db, settled);
      expect(await sealStatements(db, settled)).toBe(0);
      const { sealed, ...after } = await readStatement(db, { applicationId, month: july });
      expect({ ...after, sealed: undefined }).toEqual(before);
      expect(sealed).toMatchObject({
        opening: 9_950_000n,
        closing: 9_930_000n,
        entryCount: 1,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        sealedAt: settled,
      });
      expect(await readStatement(db, { applicationId, month: august })).toMatchObject({
        opening: 9_930_000n,
        closing: 9_910_000n,
        sealed: undefined,
      });
      expect(await brokenRules()).toEqual([]);
    });

    test('a charge that commits after that is refused whole, and the statement reads as it was downloaded', async () => {
      const applicationId = await company();
      await charge(applicationId, day('07-20T10:00:00'));
      await sealStatements(db, settled);
      const downloaded = await linesOf(applicationId, july);
      const statement = await readStatement(db, { applicationId, month: july });
      await expect(chargeLate(applicationId, day('07-31T23:59:58'))).rejects.toMatchObject({
        code: 'temporarily_unavailable',
      });
      const now = day('07-31T23:59:58');
      await expect(
        transaction(db, (tx) => topUp(tx, { applicationId, amount: 1n, reference: newId('trf'), now })),
      ).rejects.toMatchObject({ code: 'service_unavailable' });
      expect(await linesOf(applicationId, july)).toEqual(downloaded);
      expect(await readStatement(db, { applicationId, month: july })).toEqual(statement);
      expect(await brokenRules()).toEqual([]);
    });

    test('what is corrected or reversed later is an entry of the month in which that happens', async () => {
      const applicationId = await company();
      const event = await charge(applicationId, day('07-20T10:00:00'));
      await sealStatements(db, settled);
      const statement = await readStatement(db, { applicationId, month: july });
      const now = day('08-03T10:00:00');
      await undoCharge(db, event.id, now);
      await transaction(db, (tx) =>
        correctBalance(tx, { applicationId, change: -5n, reason: 'Test.', actor: 'operator', now }),
      );
      expect(await readStatement(db, { applicationId, month: july })).toEqual(statement);
      const next = await readStatement(db, { applicationId, month: august });
      expect(next.opening).toBe(statement.closing);
      expect(next.usage).toMatchObject([{ day: '2026-08-03', kind: 'reversal', count: 1 }]);
      expect(next.entries).toMatchObject([{ kind: 'correction', change: -5n }]);
    });

    test('sums of days give what the charges themselves give', async () => {
      const applicationId = await company();
      for (const at of ['06-11', '06-11', '06-30', '07-02'])
        await charge(applicationId, day(`${at}T12:00:00`));
      const before = await Promise.all(
        [june, july].map((month) => readStatement(db, { applicationId, month })),
      );
      await sumUpDays(db, day('07-02T13:00:00'));
      await sumUpDays(db, day('07-05T13:00:00'));
      expect(
        await Promise.all([june, july].map((month) => readStatement(db, { applicationId, month }))),
      ).toEqual(before);
      expect(before.map(({ opening, closing }) => [opening, closing])).toEqual([
        [0n, 9_910_000n],
        [9_910_000n, 9_890_000n],
      ]);
    });

    test('two processes that seal at the same time do it once', async () => {
      const applicationId = await company();
      await Promise.all([sealStatements(db, settled), sealStatements(db, settled)]);
      await sealStatements(db, settled);
      const { sealed } = await readStatement(db, { applicationId, month: july });
      expect(sealed).toMatchObject({ opening: 10_000_000n, closing: 10_000_000n, entryCount: 0 });
    });

    test('the proof of the ledger names what was put into a sealed month, or taken from a seal', async () => {
      const applicationId = await company();
      await sealStatements(db, settled);
      expect(await brokenRules()).toEqual([]);
      await db.execute(sql`
        insert into transfers (id, application_id, code, debit_account, credit_account, amount, currency, reference, created_at, reason, actor)
        values (${newId('trf')}, ${applicationId}, 'correction', ${`application:${applicationId}`}, ${`funding:${applicationId}`},
          0, 'EUR', ${newId('trf')}, '2026-07-15', 'x', 'y')`);
      expect(await brokenRules()).toEqual(['every sealed statement still reads as it was sealed']);
      for (const change of [sql`update statement_seals set closing = 0`, sql`delete from statement_seals`])
        await expect(db.execute(change)).rejects.toThrow();
    });
  });
}

((await hasPostgres()) ? test : test.skip)('M: sealing waits for whoever holds the balance', async () => {
  const database = await openTestPostgres();
  const { db } = database.connection;
  try {
    const { applicationId } = await addCompany(db, 'Acme');
    const at = day('07-31T23:59:59');
    await topUp(db, { applicationId, amount: 10_000_000n, reference: 'r', now: at });
    const isPlaced = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const held = transaction(db, async (tx) => {
      await writeCharge(tx, { applicationId, sub: 'held', now: at });
      isPlaced.resolve();
      await mayCommit.promise;
    });
    await isPlaced.promise;
    const sealed = sealStatements(db, settled);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await readStatement(db, { applicationId, month: july })).sealed).toBeUndefined();
    mayCommit.resolve();
    await held;
    await sealed;
    const statement = await readStatement(db, { applicationId, month: july });
    expect(statement.sealed).toMatchObject({ entryCount: 2, closing: 9_980_000n });
  } finally {
    await database.remove();
  }
});
