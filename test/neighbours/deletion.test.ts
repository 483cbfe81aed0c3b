// The deletion of an account is never anybody else's problem (threat 122): it closes at once, what is left goes in
// bites, and whoever is killed in between is followed by somebody who goes on there.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { longWork } from '../../drizzle/schema/operations.ts';
import { type Account, findAccount } from '../../src/accounts/account.ts';
import { pairwiseSub, recordSessions } from '../../src/applications/customer.ts';
import { listCustomers } from '../../src/applications/customer-list.ts';
import { systemClock } from '../../src/clock.ts';
import { finishWork } from '../../src/command/progress.ts';
import { type Database, rowsOf } from '../../src/database/connection.ts';
import { biteRows } from '../../src/limits/bites.ts';
import { createWorkSizes, findWork, takeWorkBite } from '../../src/queue/long-work.ts';
import { workKinds } from '../../src/service/long-work-kinds.ts';
import { addAccount, signInBrowser } from '../harness/identity.ts';
import { findViolations } from '../harness/invariants.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { refuseLargeDeletions } from './small-statements.ts';

const NAME = 'Ada Canary';
const MESSAGES = 2 * biteRows + 500;

let service: TestTollgate;
let application: RegisteredApplication;
let db: Database;
beforeAll(async () => {
  // Nobody does what is left but this test.
  service = await startTollgate({ WORKERS: 'off' });
  application = await service.register();
  db = service.db;
  await refuseLargeDeletions(db, ['webhook_messages', 'engine_records', 'sessions', 'proofs']);
});
afterAll(() => service.stop());

/** A customer of the application, signed in to it in a browser. */
async function signUp(email: string): Promise<Account> {
  const account = await addAccount(db, { email, name: NAME });
  await signInBrowser(db, { account, uid: randomUUID() });
  const sub = pairwiseSub(randomBytes(32), application.id, account.id);
  await db.execute(
    recordSessions([
      { applicationId: application.id, accountId: account.id, sub, now: new Date(), isFirst: true },
    ]),
  );
  return account;
}

/** Kept for replay, each with its event and the transfer that it stands on. */
async function addMessages(accountId: string): Promise<void> {
  await db.execute(sql`
    with event as (
      select 'evt_' || ${accountId} || n as id, c.sub, n, now() - make_interval(secs => n) as at
      from customers c, generate_series(1, ${MESSAGES}::int) as n
      where c.account_id = ${accountId}
    ), transfer as (
      insert into transfers (id, application_id, code, debit_account, credit_account, amount, currency, reference, created_at)
      select 'trf' || id, ${application.id}, 'charge', 'application:' || ${application.id},
        'usage:' || ${application.id}, 0, 'EUR', 'charge:' || id, at from event
    ), used as (
      insert into usage_events (id, application_id, sub, kind, amount, currency, transfer_id, code_hash, occurred_at)
      select id, ${application.id}, sub, 'sign_in', 0, 'EUR', 'trf' || id, id, at from event
    )
    insert into webhook_messages (event_id, application_id, type, body, created_at)
    select id, ${application.id}, 'identity.login.completed.v1',
      json_build_object('data', json_build_object('customer', json_build_object('sub', sub, 'name', ${NAME}::text))), at
    from event`);
}

async function bites(): Promise<number> {
  // A process each: none remembers what the one before it knew.
  const sizes = createWorkSizes(workKinds);
  for (let taken = 0; ; taken += 1) {
    const done = await takeWorkBite({ db, clock: systemClock, kinds: workKinds }, sizes);
    if (!done) return taken;
    if ('error' in done) throw done.error;
  }
}

const messagesThatName = async () =>
  rowsOf(await db.execute(sql`select event_id from webhook_messages where body like ${`%${NAME}%`}`)).length;

test('A: it closes the account with a few rows, and whatever was kept of the person goes in bites', async () => {
  const account = await signUp('a.canary@example.test');
  await addMessages(account.id);
  await service.tollgate.operator('account delete', { account: account.id });

  expect(await findAccount(db, account.id)).toBeUndefined();
  const listing = { applicationId: application.id, filters: {}, limit: 10 };
  expect((await listCustomers(db, listing)).rows).toEqual([]);
  // Nothing of it has been done yet, and no rule is broken meanwhile.
  expect(await messagesThatName()).toBe(MESSAGES);
  expect(await accountRules()).toEqual([]);

  expect(await bites()).toBeGreaterThan(2);
  expect(await messagesThatName()).toBe(0);
  expect(await findWork(db, { kind: 'account_end', subject: account.id })).toMatchObject({
    detail: {},
    finishedAt: expect.any(Date),
    error: null,
  });
  const [row] = await db.select().from(accounts).where(eq(accounts.id, account.id));
  expect(row).toBeUndefined();
});

test('A: killed after any bite, another process goes on, and identity holds all the while', async () => {
  const account = await signUp('b.canary@example.test');
  await addMessages(account.id);
  await service.tollgate.operator('account delete', { account: account.id });
  const left: number[] = [await messagesThatName()];
  for (;;) {
    const tools = { db, clock: systemClock, kinds: workKinds };
    const done = await takeWorkBite(tools, createWorkSizes(workKinds));
    if (!done) break;
    if ('error' in done) throw done.error;
    expect(await accountRules()).toEqual([]);
    left.push(await messagesThatName());
  }
  expect(left.at(-1)).toBe(0);
  expect(left).toEqual([...left].sort((a, b) => b - a));
});

test('A: the address is free at once, and who registers it anew keeps what is theirs', async () => {
  const email = 'c.canary@example.test';
  const before = await signUp(email);
  await service.tollgate.operator('account delete', { account: email });
  const anew = await signUp(email);
  expect(anew.id).not.toBe(before.id);
  await bites();
  expect(await findAccount(db, anew.id)).toMatchObject({ email });
  expect(await accountRules()).toEqual([]);
});

test('work that fails is told of, waits, and keeps nobody else waiting', async () => {
  const [one, two] = [await signUp('d.canary@example.test'), await signUp('e.canary@example.test')];
  for (const { id } of [one, two]) await service.tollgate.operator('account delete', { account: id });
  await db
    .update(longWork)
    .set({ detail: { nonsense: true } })
    .where(eq(longWork.subject, one.id));
  const sizes = createWorkSizes(workKinds);
  const errors: unknown[] = [];
  for (;;) {
    const done = await takeWorkBite({ db, clock: systemClock, kinds: workKinds }, sizes);
    if (!done) break;
    if ('error' in done) errors.push(done.error);
  }
  expect(errors).toHaveLength(1);
  expect(await findWork(db, { kind: 'account_end', subject: one.id })).toMatchObject({
    failures: 1,
    finishedAt: null,
  });
  expect(await findWork(db, { kind: 'account_end', subject: two.id })).toMatchObject({
    finishedAt: expect.any(Date),
  });
});

test('the command lends a hand, and shows how far it is', async () => {
  const account = await signUp('f.canary@example.test');
  await addMessages(account.id);
  const { operator } = service.tollgate;
  await operator('account delete', { account: account.id });
  const work = { kind: 'account_end', subject: account.id };
  const list = await operator('work list', {});
  expect(list.data).toEqual(expect.arrayContaining([expect.objectContaining({ ...work, finished: false })]));
  const lines: string[] = [];
  const terminal = { isTTY: true, write: (line: string) => lines.push(line) > 0 };
  expect(await finishWork(operator, work, terminal)).toBe(true);
  expect(lines.at(-2)).toMatch(/^\r\[#{30}\] \d+ rows$/);
  expect(await findAccount(db, account.id)).toBeUndefined();
  expect(await messagesThatName()).toBe(0);
});

async function accountRules() {
  return (await findViolations(db)).filter(({ oracle }) => oracle.startsWith('accounts'));
}
