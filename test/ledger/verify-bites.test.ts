// `ledger verify` reads in bites: whichever row is wrong, and wherever a bite ends beside it, the same is found as in one
// piece; what is right is right in bites of any size.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SQL, sql } from 'drizzle-orm';
import { type Database, rowsOf, transaction } from '../../src/database/connection.ts';
import type { VerifyProgress } from '../../src/database/verification.ts';
import { topUp } from '../../src/ledger/balance.ts';
import { sealStatements } from '../../src/ledger/statement-seal.ts';
import { sumUpDays } from '../../src/ledger/usage-day-sums.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { addCompany } from '../harness/api.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { chargeSession, undoCharge } from './session.ts';

const SIZES = [2];
const WHOLE = 1_000;
/** More than a small bite has, so that each side of a border is among them. */
const ROWS_TRIED = 2;
const day = (text: string) => new Date(`2026-${text}Z`);

/** Of a table, one row after the other is changed as nobody may. */
const changes: { rule: string; table: string; key: string; change: (row: SQL) => SQL }[] = [
  {
    rule: 'every balance equals the sum of its transfers',
    table: 'balances',
    key: 'application_id',
    change: (row) => sql`update balances set amount = amount + 1 where ${row}`,
  },
  {
    rule: 'charges and usage events match one to one, in application, amount and currency',
    table: 'usage_events',
    key: 'id',
    change: (row) => sql`update usage_events set amount = amount + 1 where ${row}`,
  },
  {
    rule: 'charges and usage events match one to one, in application, amount and currency',
    table: 'usage_events',
    key: 'id',
    change: (row) => sql`delete from usage_events where ${row}`,
  },
  {
    rule: 'every transfer is in the currency of its balance',
    table: 'transfers',
    key: 'id',
    change: (row) => sql`update transfers set currency = 'XXX' where ${row}`,
  },
  {
    rule: 'every balance equals the sum of its transfers',
    table: 'transfers',
    key: 'id',
    change: (row) => sql`delete from transfers where ${row}`,
  },
  {
    rule: 'every customer has as many events as sessions',
    table: 'customers',
    key: 'account_id',
    change: (row) => sql`update customers set sign_in_count = sign_in_count + 1 where ${row}`,
  },
  {
    rule: 'every event belongs to a customer',
    table: 'customers',
    key: 'account_id',
    change: (row) => sql`delete from customers where ${row}`,
  },
  {
    rule: 'every closed day adds up to its events',
    table: 'usage_days',
    key: "application_id || ' ' || day || ' ' || kind",
    change: (row) => sql`update usage_days set count = count + 1 where ${row}`,
  },
  {
    rule: 'every sealed statement still reads as it was sealed',
    table: 'statement_seals',
    key: "application_id || ' ' || month",
    change: (row) => sql`update statement_seals set hash = 'another' where ${row}`,
  },
  {
    rule: 'every sealed statement begins with what the one before it ended with, and no open month lies between them',
    table: 'statement_seals',
    key: "application_id || ' ' || month",
    change: (row) =>
      sql`update statement_seals set opening = opening + 1, closing = closing + 1 where ${row}`,
  },
  {
    rule: 'positions of events follow one another without a gap, each of one event of the application',
    table: 'event_positions',
    key: 'event_id',
    change: (row) => sql`delete from event_positions where ${row}`,
  },
];

describe('the proof in bites', () => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
    db = database.connection.db;
    for (const name of ['Acme', 'Bloom']) await addHistory(name);
  });
  afterAll(() => database.remove());

  /** Two months with sign-ins of three people, one of them taken back, summed up and sealed. */
  async function addHistory(name: string): Promise<void> {
    const { applicationId } = await addCompany(db, name);
    const credit = { applicationId, amount: 10_000_000n, reference: name, now: day('06-10T09:00:00') };
    await transaction(db, (tx) => topUp(tx, credit));
    for (const [sub, at] of [
      ['ada', '06-10T10:00:00'],
      ['bea', '06-30T23:59:59.999'],
      ['ada', '07-01T00:00:00'],
      ['cy', '07-15T10:00:00'],
      ['ada', '07-15T10:00:00'],
    ] as const) {
      const who = `${sub} of ${name}`;
      await chargeSession(db, { applicationId, accountId: who, sub: who, now: day(at) });
    }
    const gone = `gone of ${name}`;
    const session = { applicationId, accountId: gone, sub: gone, now: day('07-20T10:00:00') };
    await undoCharge(db, (await chargeSession(db, session)).id, day('07-20T10:00:01'));
    await sumUpDays(db, day('08-02T00:00:00'));
    await sealStatements(db, day('08-02T00:00:00'));
  }

  async function violations(tx: Database, biteRows: number): Promise<string[]> {
    const { checks } = await verifyLedger(tx, { biteRows });
    return checks
      .flatMap(({ rule, violations: rows }) => rows.map((row) => `${rule}: ${JSON.stringify(row)}`))
      .toSorted();
  }

  /** What is found after a change that is undone at once. */
  async function withChange<T>(change: SQL, look: (tx: Database) => Promise<T>): Promise<T> {
    let found: { value: T } | undefined;
    const undo = new Error('undone');
    const changed = db.transaction(async (tx) => {
      // The database itself would refuse all of these.
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(change);
      found = { value: await look(tx) };
      throw undo;
    });
    await expect(changed).rejects.toBe(undo);
    if (!found) throw new Error('nobody looked');
    return found.value;
  }

  test.each([1, 3, ...SIZES, WHOLE])('nothing is wrong in bites of %d rows', async (biteRows) => {
    expect(await violations(db, biteRows)).toEqual([]);
  });

  test.each(changes)('$rule: whichever row of $table is wrong, in bites of any size', async (changed) => {
    const key = sql.raw(changed.key);
    const rows = rowsOf(
      await db.execute(
        sql`select ${key} as key from ${sql.identifier(changed.table)} order by 1 limit ${ROWS_TRIED}`,
      ),
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) {
      await withChange(changed.change(sql`${key} = ${row.key}`), async (tx) => {
        const whole = await violations(tx, WHOLE);
        expect(whole.filter((line) => line.startsWith(changed.rule))).not.toEqual([]);
        for (const biteRows of SIZES)
          expect({ row, biteRows, found: await violations(tx, biteRows) }).toEqual({
            row,
            biteRows,
            found: whole,
          });
      });
    }
  });

  test('says how far it is: each rule by its number, its rows bite by bite', async () => {
    const said: VerifyProgress[] = [];
    await verifyLedger(db, { biteRows: 2, onProgress: (progress) => void said.push({ ...progress }) });
    const numbers = said.map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(said.at(-1)?.number).toBe(said[0]?.of);
    expect(said.filter(({ number }) => number === 1).length).toBeGreaterThan(3);
  });
});
