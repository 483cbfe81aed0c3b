// Money beside the charges (promise 28, threat 75): refunds and corrections as entries of their own, warnings of
// a low balance, the forecast, and statements that add up.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { createApplication } from '../../src/applications/application.ts';
import { deleteApplication } from '../../src/applications/application-change.ts';
import { listAudit } from '../../src/applications/audit-log.ts';
import { createWorkspace } from '../../src/applications/workspace.ts';
import { rowsOf, transaction } from '../../src/database/connection.ts';
import { readBalance, topUp } from '../../src/ledger/balance.ts';
import { correctBalance } from '../../src/ledger/correction.ts';
import { forecast } from '../../src/ledger/forecast.ts';
import { monthsBetween, parseMonth } from '../../src/ledger/month.ts';
import { startPayment } from '../../src/ledger/payment.ts';
import { refundEvent } from '../../src/ledger/refund.ts';
import { readStatement, streamEntries } from '../../src/ledger/statement.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { createLog } from '../../src/log.ts';
import { takeBack } from '../../src/oidc/charge/undo-charge.ts';
import type { Mail } from '../../src/queue/mail.ts';
import { tellOfLowBalances } from '../../src/service/balance-watch.ts';
import { openTestDatabase } from '../harness/database.ts';
import { addPeopleOfCustomers } from '../harness/identity.ts';
import { expectOracles } from '../harness/oracles.ts';
import { holds } from '../harness/properties.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import { openSettingsLab, type SettingsLab } from '../settings/lab.ts';
import { chargeSession, undoCharge } from './session.ts';

const DAY = 86_400_000;
const EURO = 1_000_000n;

let lab: SettingsLab;

beforeAll(async () => {
  lab = await openSettingsLab();
});

afterAll(async () => {
  await addPeopleOfCustomers(lab.service.db);
  await expectOracles(lab.service);
  await lab.stop();
});

const operator = (name: string, input: object) => lab.service.tollgate.operator(name, input);

async function balanceOf({ id }: { id: string }): Promise<bigint> {
  return (await readBalance(lab.service.db, id)).amount;
}

const session = ({ id }: { id: string }, accountId: string, now = new Date()) =>
  chargeSession(lab.service.db, { applicationId: id, accountId, now });

describe('corrections and refunds by the operator', () => {
  test('a correction gives or takes, with reason and actor, once per reference, never below zero', async () => {
    const application = await lab.acme.register({ balance: 10n * EURO });
    const { id } = application;
    const correct = (amount: string, more = {}) =>
      operator('correct', { application: id, amount, reason: 'Counted wrongly', ...more });
    expect(await correct('-4.00')).toMatchObject({ corrected: true, balance: '6.000000' });
    expect(await correct('1.5', { reference: 'note-7' })).toMatchObject({
      corrected: true,
      balance: '7.500000',
    });
    expect(await correct('1.5', { reference: 'note-7' })).toMatchObject({ corrected: false });
    await expect(correct('-1.5', { reference: 'note-7' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(correct('-7.500001')).rejects.toMatchObject({ code: 'conflict' });
    for (const amount of ['0', '--5', '-', '5e3', '1.0000001', ' 5'])
      await expect(correct(amount)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(correct('1', { reason: ' ' })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await balanceOf(application)).toBe(7_500_000n);
    const rows = await lab.service.db.execute(
      sql`select amount::text, reason, actor from transfers where application_id = ${id} and code = 'correction'`,
    );
    expect(rowsOf(rows)).toEqual([
      { amount: '4000000', reason: 'Counted wrongly', actor: 'operator' },
      { amount: '1500000', reason: 'Counted wrongly', actor: 'operator' },
    ]);
    const entries = await listAudit(lab.service.db, {
      workspaceId: lab.acme.workspace.id,
      filter: { accountId: null, action: 'balance.corrected' },
      limit: 10,
    });
    expect(entries.rows.map(({ target, detail }) => [target, detail.amount])).toEqual([
      [id, '1.500000'],
      [id, '-4.000000'],
    ]);
  });

  test('20 corrections at once take no more than there is', async () => {
    const application = await lab.acme.register({ balance: 5n * EURO });
    const input = { application: application.id, amount: '-1', reason: 'Immediately' };
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => operator('correct', input)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await balanceOf(application)).toBe(0n);
  });

  test('threat 75: an event is refunded once, whole, and not if it was reversed; the event reads reversed', async () => {
    const application = await lab.acme.register({ balance: EURO });
    const [first, second] = [await session(application, 'ada'), await session(application, 'ada')];
    const refund = (event: string) => operator('refund', { event, reason: 'Outage' });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => refund(first.id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await undoCharge(lab.service.db, second.id);
    await expect(refund(second.id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(refund('evt_unknown')).rejects.toMatchObject({ code: 'not_found' });
    expect(await balanceOf(application)).toBe(EURO);
  });

  test('a deleted application keeps its books: it can be corrected and refunded', async () => {
    const application = await lab.acme.register({ balance: EURO });
    const event = await session(application, 'ada');
    await remove(application);
    await operator('refund', { event: event.id, reason: 'Outage' });
    await operator('correct', { application: application.id, amount: '-1', reason: 'Paid out' });
    expect(await balanceOf(application)).toBe(0n);
  });
});

async function remove({ id }: RegisteredApplication): Promise<void> {
  const key = { id, workspaceId: lab.acme.workspace.id };
  await transaction(lab.service.db, (tx) => deleteApplication(tx, key, new Date()));
}

test('the proof finds entries without a reason, in a wrong direction, and payments that were not credited', async () => {
  const database = await openTestDatabase();
  const { db } = database.connection;
  const now = new Date();
  const company = { name: 'Acme', currency: 'EUR', registrationPrice: 1n, signInPrice: 1n, now };
  const { id: workspaceId } = await createWorkspace(db, company);
  const shop = {
    workspaceId,
    name: 'Shop',
    clientType: 'public' as const,
    redirectUris: ['https://a.test/'],
  };
  const { application } = await createApplication(db, { ...shop, now });
  const { id: applicationId } = application;
  const [own, funding, usage] = ['application', 'funding', 'usage'].map((kind) => `${kind}:${applicationId}`);
  const add = (id: string, code: string, from = '', to = '', reason: string | null = 'test') =>
    db.execute(sql`insert into transfers
      (id, application_id, code, debit_account, credit_account, amount, currency, reference, reason, actor, created_at)
      values (${id}, ${applicationId}, ${code}, ${from}, ${to}, 0, 'EUR', ${`refund:stripe:${id}:1`}, ${reason}, 'operator', now())`);
  await add('silent', 'correction', funding, own, null);
  await add('wrong way', 'correction', usage, own);
  await add('never paid', 'refund', own, funding);
  const payment = { applicationId, provider: 'stripe', amount: 1n, currency: 'EUR', startedBy: 'acc_1', now };
  const { id } = await startPayment(db, payment);
  await db.execute(sql`update payments set status = 'paid' where id = ${id}`);
  const { checks } = await verifyLedger(db);
  const broken = checks.filter(({ violations }) => violations.length > 0);
  expect(broken.map(({ rule, violations }) => [rule, violations.length])).toEqual([
    ['every transfer moves between the accounts that its kind is about', 1],
    ['every refund and correction has a reason and an actor', 1],
    ['every paid payment is credited once, whole, and no other payment is', 1],
    ['no payment is returned by more than was paid, and only a paid one is', 1],
  ]);
  await database.remove();
});

describe('warnings of a low balance', () => {
  async function look(): Promise<void> {
    const { db, tollgate } = lab.service;
    const { config } = tollgate;
    const log = createLog({ level: 'silent' });
    const queued: Mail[] = [];
    const mailer = { queue: async (_tx: unknown, mail: Mail) => void queued.push(mail) };
    await tellOfLowBalances({ config, db, clock: () => new Date(), log, mailer, payments: undefined });
    mails.push(...queued.map(({ to, subject, text }) => `${to} ${subject} ${text}`));
  }

  const mails: string[] = [];

  test('each crossing is told once, to the owners; rising above it arms it again', async () => {
    const application = await lab.acme.register({ name: 'Lantern', balance: 10n * EURO });
    const visitor = lab.visitor(lab.acme.developer);
    const page = `/settings/${lab.acme.workspace.id}/applications/${application.id}/balance`;
    for (const amount of ['5', '8.50'])
      expect((await visitor.post(page, { amount }, `${page}/warnings`)).status).toBe(303);
    const correct = (amount: string) =>
      operator('correct', { application: application.id, amount, reason: 'test' });
    await look();
    expect(mails).toEqual([]);
    await correct('-6');
    await Promise.all([look(), look()]);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatch(/^owner@acme-outdoor\.example Low balance: Lantern .*€4\.00.*below €5\.00/s);
    expect(mails[0]).toContain(`${lab.service.url}${page}`);
    await look();
    expect(mails).toHaveLength(1);
    await correct('2');
    await look();
    await correct('-2');
    await look();
    expect(mails).toHaveLength(2);
    expect((await visitor.get(page)).html).toContain('is low');
    expect((await visitor.get(`/settings/${lab.acme.workspace.id}`)).html).toContain('is low');
    await correct('-3.99');
    expect((await visitor.get(page)).html).toContain('Sign-ins to <strong>Lantern</strong> fail');
  });

  test('bad amounts are refused with what was typed; a sixth warning as well; one can be removed', async () => {
    const application = await lab.acme.register();
    const visitor = lab.visitor(lab.acme.developer);
    const page = `/settings/${lab.acme.workspace.id}/applications/${application.id}/balance`;
    const add = (amount: string) => visitor.post(page, { amount }, `${page}/warnings`);
    for (const amount of ['', '-1', '0', 'five', '1,50']) {
      const answer = await add(amount);
      expect([amount, answer.status]).toEqual([amount, 400]);
      if (amount) expect(answer.html).toContain(`value="${amount}"`);
    }
    for (const amount of ['1', '2', '3', '4', '5']) expect((await add(amount)).status).toBe(303);
    expect((await add('5.0')).html).toContain('A warning for this amount already exists');
    expect((await add('6')).html).toContain('at most 5 warnings');
    const removed = await visitor.post(page, { amount: '3.000000' }, `${page}/warnings/remove`);
    expect(removed.status).toBe(303);
    expect((await add('6')).status).toBe(303);
    expect((await lab.visitor(lab.acme.viewer).get(page)).html).not.toContain('<input class="input"');
  });
});

describe('the forecast', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const old = new Date('2026-01-01T00:00:00Z');
  const of = (spent: bigint, balance: bigint, createdAt = old) =>
    forecast({ spent, balance, createdAt, now });

  test('is what the last seven days say, and honest when they say nothing', () => {
    expect(of(0n, EURO)).toEqual({ kind: 'idle' });
    expect(of(7n * EURO, 12n * EURO)).toEqual({
      kind: 'until',
      at: new Date('2026-12-03T12:00:00Z'),
      spentPerDay: EURO,
    });
    expect(of(7n * EURO, 0n)).toMatchObject({ kind: 'until', at: now });
    expect(of(7n, 1_000n * EURO)).toMatchObject({ kind: 'long' });
    // Two days old: both count, not seven.
    const young = new Date(now.getTime() - 2 * DAY);
    expect(of(2n * EURO, 3n * EURO, young)).toMatchObject({ at: new Date('2026-11-24T12:00:00Z') });
  });
});

describe('statements', () => {
  test('months go from the application’s first to the present one; nothing else is a month', () => {
    const months = monthsBetween(new Date('2025-11-30T23:59:59Z'), new Date('2026-02-01T00:00:00Z'));
    expect(months.map(({ name }) => name)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
    expect(parseMonth('2026-12').end).toEqual(new Date('2027-01-01T00:00:00Z'));
    for (const name of ['2026-13', '2026-00', '2026-1', '1999-12', '2026-11-01', '', "2026-11'"])
      expect(() => parseMonth(name)).toThrow('That month is not valid');
  });

  test('opening, entries and closing add up in every month, whatever happened when', async () => {
    const { db } = lab.service;
    const at = fc.date({ min: new Date('2026-07-01T00:00:00Z'), max: new Date('2026-11-20T00:00:00Z') });
    const step = fc.record({
      at,
      do: fc.constantFrom('top_up', 'session', 'session', 'session', 'reverse', 'refund', 'correct'),
      person: fc.nat(5),
      change: fc.bigInt(-300_000n, 300_000n).filter((change) => change !== 0n),
    });
    await holds(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const application = await lab.acme.register({ balance: 0n });
        const applicationId = application.id;
        const changes: { at: Date; change: bigint }[] = [];
        const events: string[] = [];
        for (const { at: now, do: what, person, change } of steps.toSorted(
          (a, b) => a.at.getTime() - b.at.getTime(),
        )) {
          const before = await balanceOf(application);
          const eventId = events[person] ?? 'evt_none';
          const entry = { applicationId, now, reason: 'test', actor: 'operator' };
          try {
            if (what === 'session') events.push((await session(application, `p${person}`, now)).id);
            else
              await transaction(db, async (tx): Promise<unknown> => {
                if (what === 'top_up')
                  return topUp(tx, {
                    ...entry,
                    amount: 500_000n,
                    reference: `${applicationId}-${changes.length}`,
                  });
                if (what === 'refund') return refundEvent(tx, { ...entry, eventId });
                if (what === 'reverse') return takeBack(tx, { eventId, reason: 'lost', now });
                return correctBalance(tx, { ...entry, change });
              });
          } catch {
            // Refused: too poor, reversed before, no such event.
          }
          changes.push({ at: now, change: (await balanceOf(application)) - before });
        }
        for (const month of monthsBetween(new Date('2026-06-15'), new Date('2026-11-20'))) {
          const sumUntil = (time: Date) =>
            changes.reduce((sum, each) => (each.at < time ? sum + each.change : sum), 0n);
          const statement = await readStatement(db, { applicationId, month });
          expect(statement.opening).toBe(sumUntil(month.start));
          expect(statement.closing).toBe(sumUntil(month.end));
          const inMonth = [...statement.usage, ...statement.entries].reduce(
            (sum, { change }) => sum + change,
            0n,
          );
          expect(statement.opening + inMonth).toBe(statement.closing);
          let streamed = statement.opening;
          for await (const { change } of streamEntries((work) => work(db), {
            applicationId,
            month,
            until: month.end,
          }))
            streamed += change;
          expect(streamed).toBe(statement.closing);
        }
      }),
    );
  }, 60_000);

  test('the download has a line for every entry with its transfer and event, and runs no formula', async () => {
    const application = await lab.acme.register({ balance: 2n * EURO });
    const event = await session(application, 'ada');
    await operator('refund', { event: event.id, reason: '=HYPERLINK("http://evil.example","x"), really' });
    await operator('correct', { application: application.id, amount: '-1', reason: '@sum(1)' });
    const path = `/settings/${lab.acme.workspace.id}/applications/${application.id}/statement`;
    const answer = await lab.visitor(lab.acme.viewer).get(`${path}/csv`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('attachment; filename="statement-app_');
    const lines = answer.html.split('\r\n');
    expect(lines[0]).toBe(
      'time,kind,amount,balance,currency,transfer_id,event_id,event_kind,sub,reference,reason,actor',
    );
    expect(lines[1]).toMatch(/^2026-\d\d-01T00:00:00.000Z,opening_balance,,0.000000,EUR$/);
    expect(lines[2]).toContain(`top_up,2.000000,,EUR,trf_`);
    expect(lines[3]).toContain(`charge,-0.050000,,EUR,${event.transferId},${event.id},registration,sub-ada`);
    expect(lines[4]).toMatch(
      /refund,0\.050000,.*,"'=HYPERLINK\(""http:\/\/evil\.example"",""x""\), really",operator$/,
    );
    expect(lines[5]).toMatch(/correction,-1\.000000,.*,'@sum\(1\),operator$/);
    expect(lines[6]).toMatch(/,closing_balance,,1\.000000,EUR$/);
    await remove(application);
    const deleted = await lab.visitor(lab.acme.viewer).get(path);
    expect(deleted.status).toBe(200);
    expect(deleted.html).toContain('Closing balance');
    expect((await lab.visitor(lab.acme.viewer).get(`${path}?month=2026-13`)).status).toBe(404);
  });

  test('threat 53: another workspace’s application is as unknown as one that never existed', async () => {
    const theirs = await lab.other.register();
    const visitor = lab.visitor(lab.acme.owner);
    const pages = ['balance', 'statement', 'statement/csv', 'payments/pay_1'];
    for (const page of pages) {
      const answers = await Promise.all(
        [theirs.id, 'app_00000000000000000000000000000000'].map((id) =>
          visitor.get(`/settings/${lab.acme.workspace.id}/applications/${id}/${page}`),
        ),
      );
      expect([page, ...answers.map(({ status }) => status)]).toEqual([page, 404, 404]);
      expect(answers[0]?.html).toBe(answers[1]?.html);
    }
  });

  test('without Stripe the page says how the operator credits, with the application’s own id', async () => {
    const application = await lab.acme.register();
    const page = `/settings/${lab.acme.workspace.id}/applications/${application.id}`;
    const { html } = await lab.visitor(lab.acme.viewer).get(`${page}/balance`);
    expect(html).toContain('Pay as you have agreed with the operator');
    expect(html).toContain(application.id);
    expect(html).not.toContain('npx tollgate');
    expect((await lab.visitor(lab.acme.owner).get(`${page}/top-up`)).status).toBe(404);
    expect((await fetch(`${lab.service.url}/payments/stripe`, { method: 'POST', body: '{}' })).status).toBe(
      404,
    );
  });
});
