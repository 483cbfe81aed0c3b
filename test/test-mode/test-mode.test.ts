// Promises 52 to 54 through the public doors: in test mode sign-ins cost nothing and touch no money, everything says so, and
// an application goes live once (docs/decisions/1101).
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { customers } from '../../drizzle/schema/customers.ts';
import { usageDays } from '../../drizzle/schema/usage.ts';
import { API_KEY_SCOPES, createApiKey } from '../../src/applications/api-key.ts';
import { goLive } from '../../src/applications/test-mode.ts';
import { rowsOf, transaction } from '../../src/database/connection.ts';
import { readBalance, topUp } from '../../src/ledger/balance.ts';
import { parseMonth } from '../../src/ledger/month.ts';
import { readStatement } from '../../src/ledger/statement.ts';
import { sumUpDays } from '../../src/ledger/usage-day-sums.ts';
import { startOfDay, usagePerDay } from '../../src/ledger/usage-days.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { giveWelcomeCredit } from '../../src/ledger/welcome-credit.ts';
import { customersInTestMode } from '../../src/limits/applications.ts';
import { createBrowser, readForms } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, startAttempt, userinfo } from '../harness/client.ts';
import { addAccount } from '../harness/identity.ts';
import { registerPerson, untilItWorks } from '../harness/outage.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

let service: TestTollgate;
let live: RegisteredApplication;

beforeAll(async () => {
  service = await startTollgate();
  live = await service.register();
  await registerPerson(service, live, 'payer@example.test');
});
afterAll(() => service?.stop());

const registerTest = (input = {}) =>
  service.register({ name: 'Shop in the making', isTest: true, balance: 0n, ...input });

async function expectBooks(): Promise<void> {
  const { checks } = await verifyLedger(service.db);
  expect(checks.filter(({ violations }) => violations.length > 0)).toEqual([]);
}

const now = () => new Date();

async function takeLive(application: RegisteredApplication): Promise<void> {
  await transaction(service.db, (tx) => goLive(tx, application, () => now()));
}

async function read(applicationId: string, list: 'customers' | 'events', query = '') {
  const { key } = await transaction(service.db, (tx) =>
    createApiKey(tx, { workspaceId: service.workspace.id, name: 'k', scopes: API_KEY_SCOPES, now: now() }),
  );
  const url = `${service.url}/v1/applications/${applicationId}/${list}${query}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  const body = (await answer.json()) as { data: Record<string, unknown>[]; next_cursor: string | null };
  return body;
}

/** Everything that a company reads as its cost. */
async function liveFigures(applicationId: string) {
  const month = parseMonth(now().toISOString().slice(0, 7));
  const days = await usagePerDay(service.db, {
    applicationIds: [applicationId],
    from: startOfDay(now(), 6),
    days: 7,
  });
  const { opening, closing, usage, entries } = await readStatement(service.db, { applicationId, month });
  const used = days.filter(({ registrations, signIns }) => registrations + signIns > 0);
  return {
    balance: (await readBalance(service.db, applicationId)).amount,
    used,
    opening,
    closing,
    usage,
    entries,
  };
}

const nothing = { balance: 0n, used: [], opening: 0n, closing: 0n, usage: [], entries: [] };

describe('promise 52: in test mode', () => {
  test('a new application signs people in at a balance of 0.00, again and again, and no figure of money moves', async () => {
    const application = await registerTest();
    const before = await liveFigures(live.id);
    const ada = await registerPerson(service, application, 'ada@example.test');
    const again = await exchange(service, application, await ada.newCode());
    expect(again.status).toBe(200);
    expect((await userinfo(service, String(again.body.access_token))).status).toBe(200);
    expect(await liveFigures(application.id)).toEqual(nothing);
    expect(await liveFigures(live.id)).toEqual(before);
    await sumUpDays(service.db, new Date(Date.now() + 3 * 86_400_000));
    const sums = await service.db.select().from(usageDays).where(eq(usageDays.applicationId, application.id));
    expect(sums).toEqual([]);
    await expectBooks();
  });

  test('events, customers and their order say `livemode: false`, a live application’s say true', async () => {
    const application = await registerTest();
    const ada = await registerPerson(service, application, 'grace@example.test');
    await exchange(service, application, await ada.newCode());
    const events = (await read(application.id, 'events')).data;
    expect(events.map(({ kind, livemode, amount }) => [kind, livemode, amount])).toEqual([
      ['sign_in', false, '0.020000'],
      ['registration', false, '0.050000'],
    ]);
    const followed = (await read(application.id, 'events', '?order=committed')).data;
    expect(followed.map(({ id }) => id)).toEqual(events.map(({ id }) => id).toReversed());
    expect((await read(application.id, 'customers')).data).toMatchObject([
      { livemode: false, sign_in_count: 2 },
    ]);
    expect((await read(live.id, 'customers')).data).toMatchObject([{ livemode: true }]);
    expect((await read(live.id, 'events')).data).toMatchObject([{ livemode: true }]);
  });

  test('the protocol is as strict as live: a code once, its verifier, an exact callback', async () => {
    const application = await registerTest();
    const ada = await registerPerson(service, application, 'strict@example.test');
    const code = await ada.newCode();
    expect((await exchange(service, application, { ...code, verifier: 'x'.repeat(43) })).body.error).toBe(
      'invalid_grant',
    );
    const fresh = await ada.newCode();
    expect((await exchange(service, application, fresh)).status).toBe(200);
    expect((await exchange(service, application, fresh)).body.error).toBe('invalid_grant');
    const other = startAttempt(service, application, { redirect_uri: 'https://app.example.test/callback/' });
    expect((await createBrowser().open(other.url)) as object).toMatchObject({ page: { status: 400 } });
    for (const missing of ['nonce', 'state', 'code_challenge'] as const) {
      const attempt = startAttempt(service, application, { [missing]: null });
      const arrival = await createBrowser().open(attempt.url);
      expect('leftTo' in arrival && readCallback(arrival.leftTo).error).toBe('invalid_request');
    }
  });

  test('threat 141: nobody puts money on its balance: not by a top-up, not by SQL, not into the books of the other', async () => {
    const application = await registerTest();
    const credit = {
      applicationId: application.id,
      amount: 1_000_000n,
      reference: application.id,
      now: now(),
    };
    await expect(transaction(service.db, (tx) => topUp(tx, credit))).rejects.toMatchObject({
      code: 'conflict',
    });
    const writes = [
      sql`insert into test_usage_events (id, application_id, sub, kind, amount, currency, transfer_id, code_hash, occurred_at)
        select 'evt_x', ${live.id}, 'sub', 'sign_in', 0, 'EUR', id, 'hash', now() from test_transfers limit 1`,
      sql`insert into test_transfers (id, application_id, code, debit_account, credit_account, amount, currency, reference, created_at)
        values ('trf_x', ${application.id}, 'charge', ${`application:${live.id}`}, ${`test_usage:${application.id}`}, 1, 'EUR', 'r', now())`,
      sql`update test_transfers set amount = 0`,
      sql`delete from test_usage_events`,
    ];
    for (const write of writes) await expect(service.db.execute(write)).rejects.toThrow();
    await expectBooks();
  });
});

describe('promise 53: in test mode there is room for a few', () => {
  // They were never charged, and the books would say so.
  afterEach(() => service.db.execute(sql`delete from customers where sub like 'filler%'`));

  test(`threat 142: the customer after ${customersInTestMode} reads why, and the application hears access_denied`, async () => {
    const application = await registerTest();
    const member = await registerPerson(service, application, 'first@example.test');
    await fill(application, 1);
    const attempt = startAttempt(service, application);
    const browser = createBrowser();
    const pages: string[] = [];
    const person = { browser, email: 'late@example.test', name: 'Late' };
    const callback = await signInAs({
      authorizationUrl: attempt.url,
      ...person,
      onPage: ({ html }) => pages.push(html),
    }).catch(() => undefined);
    expect(callback).toBeUndefined();
    expect(pages.at(-1)).toContain('No room for more testers');
    const arrival = await cancel(browser, pages.at(-1) ?? '', attempt.url);
    expect(readCallback(arrival).error).toBe('access_denied');
    // A customer goes on.
    expect((await exchange(service, application, await member.newCode())).status).toBe(200);
    await untilItWorks(async () => {
      const steps = sql`select reason from sign_in_steps where application_id = ${application.id}`;
      const reasons = rowsOf(await service.db.execute(steps)).map(({ reason }) => reason);
      expect(reasons).toContain('test_mode_full');
    });
  });

  test('threat 142: of several who come for the last seat at once, one gets it', async () => {
    const application = await registerTest();
    const people = await Promise.all(
      ['one', 'two', 'three', 'four'].map(async (name) => {
        const attempt = startAttempt(service, application);
        const person = { email: `${name}@seats.test`, name };
        const callback = await signInAs({ authorizationUrl: attempt.url, ...person });
        return { code: readCallback(callback).code ?? '', verifier: attempt.verifier };
      }),
    );
    await fill(application, 0);
    await service.db.execute(sql`
      delete from customers where application_id = ${application.id} and sub = (
        select sub from customers where application_id = ${application.id} limit 1)`);
    const answers = await Promise.all(people.map((code) => exchange(service, application, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(await service.db.$count(customers, eq(customers.applicationId, application.id))).toBe(
      customersInTestMode,
    );
  });

  /** Customers without a charge, which the books would notice: taken away before they are proven. */
  async function fill(application: RegisteredApplication, taken: number): Promise<void> {
    await service.db.execute(sql`
      insert into customers (application_id, account_id, sub, registered_at, last_sign_in_at, sign_in_count)
      select ${application.id}, 'deleted filler' || n, 'filler' || n, now(), now(), 1
      from generate_series(1, ${customersInTestMode - taken}) as n`);
  }

  async function cancel(browser: ReturnType<typeof createBrowser>, html: string, url: string) {
    const forms = readForms(html, url);
    const form = forms.find(({ action }) => action.endsWith('/cancel'));
    if (!form) throw new Error('no way back');
    const page = { url, status: 403, headers: {}, html, forms };
    const arrival = await browser.submit(page, form, {}, form.buttons[0]);
    if (!('leftTo' in arrival)) throw new Error('the browser stayed');
    return arrival.leftTo;
  }
});

describe('promise 54: going live', () => {
  test('begins with an empty balance, and a test customer’s next session is a registration with the same sub', async () => {
    const application = await registerTest();
    const ada = await registerPerson(service, application, 'goes-live@example.test');
    const [tested] = (await read(application.id, 'customers')).data;
    const cursor = (await read(application.id, 'events', '?order=committed')).next_cursor;
    await takeLive(application);
    expect(await liveFigures(application.id)).toEqual(nothing);
    expect((await read(application.id, 'customers')).data).toEqual([]);
    const refused = await exchange(service, application, await ada.newCode());
    expect(refused.body.error).toBe('temporarily_unavailable');
    await transaction(service.db, (tx) =>
      topUp(tx, {
        applicationId: application.id,
        amount: 70_000n,
        reference: `live-${application.id}`,
        now: now(),
      }),
    );
    expect((await exchange(service, application, await ada.newCode())).status).toBe(200);
    const followed = await read(application.id, 'events', `?order=committed&cursor=${cursor}`);
    expect(followed.data).toMatchObject([{ kind: 'registration', livemode: true, sub: tested?.sub }]);
    expect((await read(application.id, 'events')).data.map(({ livemode }) => livemode)).toEqual([
      true,
      false,
    ]);
    expect((await readBalance(service.db, application.id)).amount).toBe(20_000n);
    await expectBooks();
  });

  test('is for good, and so is its moment', async () => {
    const application = await registerTest();
    await takeLive(application);
    await expect(takeLive(application)).rejects.toMatchObject({ code: 'conflict' });
    const attempts = [
      { isTest: true },
      { isTest: true, wentLiveAt: null },
      { wentLiveAt: new Date(0) },
      { wentLiveAt: null },
    ];
    for (const values of attempts) {
      const change = service.db.update(applications).set(values).where(eq(applications.id, application.id));
      await expect(change).rejects.toThrow();
    }
    const back = service.db.update(applications).set({ isTest: true }).where(eq(applications.id, live.id));
    await expect(back).rejects.toThrow();
  });

  test('a code from test mode pays the live price afterwards, never test money', async () => {
    const application = await registerTest();
    const ada = await registerPerson(service, application, 'late-code@example.test');
    const code = await ada.newCode();
    await takeLive(application);
    await transaction(service.db, (tx) =>
      topUp(tx, {
        applicationId: application.id,
        amount: 70_000n,
        reference: `late-${application.id}`,
        now: now(),
      }),
    );
    const answer = await exchange(service, application, code);
    expect(answer.status).toBe(200);
    expect((await readBalance(service.db, application.id)).amount).toBe(20_000n);
    await expectBooks();
  });

  test('threat 146: the welcome credit comes once per workspace, as an entry of its own', async () => {
    const [first, second] = [
      await service.register({ balance: 0n }),
      await service.register({ balance: 0n }),
    ];
    const give = ({ id: applicationId, workspaceId }: RegisteredApplication, amount: bigint) =>
      transaction(service.db, (tx) =>
        giveWelcomeCredit(tx, { applicationId, workspaceId, amount, now: now() }),
      );
    expect(await give(first, 0n)).toBe(false);
    expect(await give(first, 5_000_000n)).toBe(true);
    expect(await give(first, 5_000_000n)).toBe(false);
    expect(await give(second, 5_000_000n)).toBe(false);
    expect((await liveFigures(first.id)).entries).toMatchObject([
      { kind: 'welcome_credit', change: 5_000_000n },
    ]);
    expect(await liveFigures(second.id)).toEqual(nothing);
    await expectBooks();
  });
});

test('an account that nobody has yet registers in test mode as anybody would', async () => {
  const application = await registerTest();
  await addAccount(service.db, { email: 'known@example.test', name: 'Known' });
  const known = startAttempt(service, application);
  const callback = await signInAs({
    authorizationUrl: known.url,
    email: 'known@example.test',
    name: 'Known',
  });
  expect(readCallback(callback).code).toBeDefined();
});
