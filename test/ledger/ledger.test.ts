// The ledger on real databases: promises 21, 23, 24 and 27, and threats 69, 74 and 75 at the
// level of the books. The same through the token endpoint is in test/spec/charging.test.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { createApplication } from '../../src/applications/application.ts';
import { createWorkspace } from '../../src/applications/workspace.ts';
import { type Database, rowsOf, transaction } from '../../src/database/connection.ts';
import { readBalance, topUp } from '../../src/ledger/balance.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { formatAmount, parseAmount } from '../../src/money.ts';
import { takeBack } from '../../src/oidc/charge/undo-charge.ts';
import { crowd } from '../harness/crowd.ts';
import { hasPostgres, openTestPglite, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { countLockWaits } from '../harness/lock-waits.ts';
import { until } from '../harness/until.ts';
import { chargeSession, undoCharge } from './session.ts';

const postgresAnswers = await hasPostgres();
const REGISTRATION = 50_000n;
const SIGN_IN = 20_000n;
let reference = 0;

const databases = [
  { name: 'PGlite', open: openTestPglite, available: true },
  { name: 'PostgreSQL', open: openTestPostgres, available: postgresAnswers },
];

describe.each(databases.filter((database) => database.available))('the ledger on $name', ({ name, open }) => {
  let database: TestDatabase;
  let db: Database;
  let workspaceId: string;

  beforeAll(async () => {
    database = await open();
    db = database.connection.db;
    const workspace = await transaction(db, (tx) =>
      createWorkspace(tx, {
        name: 'Acme',
        currency: 'EUR',
        registrationPrice: REGISTRATION,
        signInPrice: SIGN_IN,
        now: new Date(),
      }),
    );
    workspaceId = workspace.id;
  });

  afterAll(async () => {
    expect(await verifyLedger(db)).toMatchObject({ ok: true });
    await database.remove();
  });

  async function applicationWith(balance: bigint): Promise<string> {
    const now = new Date();
    return transaction(db, async (tx) => {
      const input = {
        workspaceId,
        name: 'Shop',
        clientType: 'public' as const,
        redirectUris: ['https://a.test/cb'],
        now,
      };
      const { application } = await createApplication(tx, input);
      if (balance > 0n)
        await topUp(tx, {
          applicationId: application.id,
          amount: balance,
          reference: `t${++reference}`,
          now,
        });
      return application.id;
    });
  }

  function session(applicationId: string, accountId: string, codeHash = `code-${++reference}`) {
    return chargeSession(db, { applicationId, accountId, codeHash });
  }

  test('promise 21: the first session is a registration, later sessions are sign-ins, each at its own price', async () => {
    const id = await applicationWith(1_000_000n);
    expect(await session(id, 'ada')).toMatchObject({
      kind: 'registration',
      amount: REGISTRATION,
      currency: 'EUR',
    });
    expect(await session(id, 'ada')).toMatchObject({ kind: 'sign_in', amount: SIGN_IN });
    expect((await readBalance(db, id)).amount).toBe(1_000_000n - REGISTRATION - SIGN_IN);
  });

  test('promise 24: 20 parallel first sessions of one person are one registration and 19 sign-ins', async () => {
    const id = await applicationWith(10_000_000n);
    const events = await Promise.all(Array.from({ length: 20 }, () => session(id, 'grace')));
    expect(events.filter((event) => event.kind === 'registration')).toHaveLength(1);
    expect(events.filter((event) => event.kind === 'sign_in')).toHaveLength(19);
    const first = events.toSorted(
      (a, b) => a.occurredAt.getTime() - b.occurredAt.getTime() || (a.id < b.id ? -1 : 1),
    )[0];
    expect(first?.kind).toBe('registration');
  });

  test('threat 69: of 200 parallel charges with balance for 50 exactly 50 succeed and the balance is 0', async () => {
    const id = await applicationWith(50n * REGISTRATION);
    const people = Array.from({ length: 200 }, (_, index) => `person-${index}`);
    const results = await crowd(people, async (person) => {
      const [result] = await Promise.allSettled([session(id, person)]);
      return result;
    });
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(50);
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'temporarily_unavailable' });
    }
    expect((await readBalance(db, id)).amount).toBe(0n);
  });

  test('promise 23: a balance one unit short charges nothing and leaves no trace', async () => {
    const id = await applicationWith(REGISTRATION - 1n);
    await expect(session(id, 'ada')).rejects.toMatchObject({ code: 'temporarily_unavailable', status: 400 });
    const counted = rowsOf(
      await db.execute(sql`
        select (select count(*)::int from usage_events where application_id = ${id}) as events,
               (select count(*)::int from customers where application_id = ${id}) as customers`),
    );
    expect(counted).toEqual([{ events: 0, customers: 0 }]);
  });

  test('promise 24: a code is charged at most once', async () => {
    const id = await applicationWith(1_000_000n);
    await session(id, 'ada', 'same-code');
    await expect(session(id, 'ada', 'same-code')).rejects.toThrow();
    expect((await readBalance(db, id)).amount).toBe(1_000_000n - REGISTRATION);
  });

  test('threat 74: a top-up counts once per reference, and refuses another amount under the same one', async () => {
    const id = await applicationWith(0n);
    const once = { applicationId: id, amount: 5_000_000n, reference: 'invoice-1', now: new Date() };
    const results = await Promise.all([1, 2, 3].map(() => transaction(db, (tx) => topUp(tx, once))));
    expect(results.filter((result) => result.credited)).toHaveLength(1);
    expect((await readBalance(db, id)).amount).toBe(5_000_000n);
    const other = transaction(db, (tx) => topUp(tx, { ...once, amount: 6_000_000n }));
    await expect(other).rejects.toMatchObject({ code: 'conflict' });
    for (const amount of [0n, -1n]) {
      const wrong = transaction(db, (tx) => topUp(tx, { ...once, amount, reference: 'x' }));
      await expect(wrong).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  test('threat 75: a charge is reversed at most once, by a new transfer', async () => {
    const id = await applicationWith(1_000_000n);
    const event = await session(id, 'ada');
    const reverse = () => undoCharge(db, event.id);
    const results = await Promise.allSettled([reverse(), reverse()]);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect((await readBalance(db, id)).amount).toBe(1_000_000n);
    expect(await session(id, 'ada')).toMatchObject({ kind: 'registration' });
  });

  test('a session that waited while the registration before it was taken back is the registration', async () => {
    const id = await applicationWith(1_000_000n);
    const first = await session(id, 'ada');
    const next = await transaction(db, async (tx) => {
      await takeBack(tx, { eventId: first.id, reason: 'client gone', now: new Date() });
      const waiting = session(id, 'ada');
      // PGlite has one connection: there it waits for that instead.
      if (name === 'PostgreSQL')
        await until('it waits for the customer', () => countLockWaits(db), { isIt: (count) => count > 0 });
      return { waiting };
    });
    expect(await next.waiting).toMatchObject({ kind: 'registration' });
  });

  test.each(['transfers', 'usage_events'])(
    'threat 75: the database refuses to change or delete %s',
    async (table) => {
      const id = await applicationWith(1_000_000n);
      await session(id, 'ada');
      for (const statement of [
        `update ${table} set amount = 0`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ]) {
        await expect(db.execute(sql.raw(statement))).rejects.toMatchObject({ cause: { code: '23001' } });
      }
    },
  );

  test('the database itself refuses a negative balance', async () => {
    const id = await applicationWith(0n);
    await expect(
      db.execute(sql`update balances set amount = -1 where application_id = ${id}`),
    ).rejects.toThrow();
  });
});

describe('amounts', () => {
  test.each([
    ['0.02', 20_000n],
    ['10', 10_000_000n],
    ['0.000001', 1n],
    ['999999999.999999', 999_999_999_999_999n],
  ])('%s is read as micro-units', (text, amount) => {
    expect(parseAmount(text)).toBe(amount);
  });

  test.each(['', '-1', '+1', '1e3', '0.0000001', '1,5', ' 1', '٣', '9007199254740993', '.5', '1.'])(
    'threat 74: %j is not an amount',
    (text) => {
      expect(parseAmount(text)).toBeUndefined();
    },
  );

  test('amounts are written with six decimals', () => {
    expect([0n, 1n, 20_000n, 12_345_678n, -20_000n].map(formatAmount)).toEqual([
      '0.000000',
      '0.000001',
      '0.020000',
      '12.345678',
      '-0.020000',
    ]);
  });
});
