// Promises 24 and 26 as properties: whatever sessions, top-ups and reversals come in whatever order, the books
// agree with a model of ten lines; and when they come at once, the books prove themselves. More runs with PROPERTY_RUNS,
// the same ones again with PROPERTY_SEED.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createApplication } from '../../src/applications/application.ts';
import { createWorkspace } from '../../src/applications/workspace.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { isUniqueViolation } from '../../src/database/sql-state.ts';
import { TollgateError } from '../../src/errors.ts';
import { readBalance, topUp } from '../../src/ledger/balance.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { hasPostgres, openTestPglite, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { holds } from '../harness/properties.ts';
import { chargeSession, undoCharge } from './session.ts';

const PRICES = { registration: 50_000n, sign_in: 20_000n };
const APPLICATIONS = 3;

type Step =
  | { do: 'session'; application: number; person: number; code: number }
  | { do: 'topUp'; application: number; amount: bigint; reference: number }
  | { do: 'reverse'; session: number };
type Result = 'done' | 'again' | 'too poor' | 'refused';

const application = fc.nat(APPLICATIONS - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('session' as const),
      application,
      person: fc.nat(3),
      // Few enough that a code comes a second time now and then.
      code: fc.nat(60),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('topUp' as const),
      application,
      amount: fc.bigInt(1n, 200_000n),
      reference: fc.nat(8),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reverse' as const), session: fc.nat(20) }) },
);

/** What is promised, without a database. */
function createModel() {
  const balances = new Map<number, bigint>();
  const references = new Map<number, { application: number; amount: bigint }>();
  /** Sessions that count. */
  const customers = new Map<string, number>();
  const codes = new Set<number>();
  const sessions: { customer: string; application: number; amount: bigint; reversed: boolean }[] = [];
  const balanceOf = (number: number) => balances.get(number) ?? 0n;
  /** A registration stays one when the customer has signed in since; otherwise the session never was. */
  const undo = ({ customer, amount }: { customer: string; amount: bigint }) => {
    const count = customers.get(customer) ?? 0;
    if (count === 1 || amount === PRICES.sign_in) customers.set(customer, count - 1);
  };
  return {
    balanceOf,
    sessions,
    /** The results that are right; two when there are two reasons to refuse. */
    apply(wanted: Step): Result[] {
      if (wanted.do === 'topUp') {
        const earlier = references.get(wanted.reference);
        if (earlier)
          return earlier.application === wanted.application && earlier.amount === wanted.amount
            ? ['again']
            : ['refused'];
        references.set(wanted.reference, wanted);
        balances.set(wanted.application, balanceOf(wanted.application) + wanted.amount);
        return ['done'];
      }
      if (wanted.do === 'reverse') {
        const session = sessions[wanted.session];
        if (!session || session.reversed) return ['refused'];
        session.reversed = true;
        undo(session);
        balances.set(session.application, balanceOf(session.application) + session.amount);
        return ['done'];
      }
      const customer = `${wanted.application}/${wanted.person}`;
      const amount = customers.get(customer) ? PRICES.sign_in : PRICES.registration;
      const reasons: Result[] = [];
      if (codes.has(wanted.code)) reasons.push('refused');
      if (balanceOf(wanted.application) < amount) reasons.push('too poor');
      if (reasons.length > 0) return reasons;
      codes.add(wanted.code);
      customers.set(customer, (customers.get(customer) ?? 0) + 1);
      sessions.push({ customer, application: wanted.application, amount, reversed: false });
      balances.set(wanted.application, balanceOf(wanted.application) - amount);
      return ['done'];
    },
  };
}

/** The same steps on a database; the event ids of its sessions in their order. */
function createBooks(db: Database, applicationIds: string[], run: string) {
  const eventIds: string[] = [];
  const idOf = (number: number) => applicationIds[number] ?? '';
  async function session({
    application: number,
    person,
    code,
  }: Extract<Step, { do: 'session' }>): Promise<Result> {
    const applicationId = idOf(number);
    const accountId = `acc_${run}_${person}`;
    const sub = `sub_${run}_${person}`;
    const codeHash = `code_${run}_${code}`;
    const event = await chargeSession(db, { applicationId, accountId, sub, codeHash });
    eventIds.push(event.id);
    return 'done';
  }
  async function apply(wanted: Step): Promise<Result> {
    if (wanted.do === 'session') return session(wanted);
    if (wanted.do === 'reverse') {
      const eventId = eventIds[wanted.session] ?? 'evt_none';
      await undoCharge(db, eventId);
      return 'done';
    }
    const { credited } = await transaction(db, (tx) =>
      topUp(tx, {
        applicationId: idOf(wanted.application),
        amount: wanted.amount,
        reference: `${run}-${wanted.reference}`,
        now: new Date(),
      }),
    );
    return credited ? 'done' : 'again';
  }
  return {
    apply: (wanted: Step) => apply(wanted).catch(resultOf),
    async balanceOf(number: number) {
      return (await readBalance(db, idOf(number))).amount;
    },
  };
}

function resultOf(error: unknown): Result {
  if (error instanceof TollgateError)
    return error.code === 'temporarily_unavailable' ? 'too poor' : 'refused';
  if (isUniqueViolation(error)) return 'refused';
  throw error;
}

const postgresAnswers = await hasPostgres();
const databases = [
  { name: 'PGlite', open: openTestPglite, available: true },
  { name: 'PostgreSQL', open: openTestPostgres, available: postgresAnswers },
];

describe.each(databases.filter(({ available }) => available))('the ledger on $name', ({ open }) => {
  let database: TestDatabase;
  let db: Database;
  let workspaceId: string;

  beforeAll(async () => {
    database = await open();
    db = database.connection.db;
    const prices = { currency: 'EUR', registrationPrice: PRICES.registration, signInPrice: PRICES.sign_in };
    const workspace = await transaction(db, (tx) =>
      createWorkspace(tx, { name: 'Acme', ...prices, now: new Date() }),
    );
    workspaceId = workspace.id;
  }, 120_000);

  afterAll(async () => {
    await database.remove();
  });

  async function newBooks() {
    const one = () =>
      transaction(db, (tx) =>
        createApplication(tx, {
          workspaceId,
          name: 'Shop',
          clientType: 'public',
          redirectUris: ['https://a.test/cb'],
          now: new Date(),
        }),
      );
    const ids: string[] = [];
    for (let count = 0; count < APPLICATIONS; count += 1) ids.push((await one()).application.id);
    return createBooks(db, ids, randomUUID().slice(0, 8));
  }

  test('promise 26: one after the other, sessions, top-ups and reversals do to the books what they do to the model', async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const model = createModel();
      const books = await newBooks();
      for (const wanted of steps) {
        const allowed = model.apply(wanted);
        expect({ wanted, allowed }).toEqual({
          wanted,
          allowed: expect.arrayContaining([await books.apply(wanted)]),
        });
      }
      for (let number = 0; number < APPLICATIONS; number += 1)
        expect(await books.balanceOf(number)).toBe(model.balanceOf(number));
    });
    await holds(property);
    expect(await verifyLedger(db)).toMatchObject({ ok: true });
  }, 120_000);

  test('promise 24: all at once, the books still prove themselves and no balance is below zero', async () => {
    const batches = fc.array(fc.array(step, { minLength: 2, maxLength: 12 }), { maxLength: 5 });
    const property = fc.asyncProperty(batches, async (together) => {
      const books = await newBooks();
      for (const batch of together) await Promise.all(batch.map((wanted) => books.apply(wanted)));
      const report = await verifyLedger(db);
      expect(report.checks.filter(({ violations }) => violations.length > 0)).toEqual([]);
    });
    await holds(property);
  }, 120_000);
});
