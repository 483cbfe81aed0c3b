// Who hangs up before the tokens left has none, so pays nothing (promise 25), and was never there: the next session is
// the registration, at its price; no webhook tells of what the events list takes back; and it is
// no failure of ours.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { rowsOf, transaction } from '../../src/database/connection.ts';
import { readBalance } from '../../src/ledger/balance.ts';
import { createSubscription } from '../../src/webhooks/subscription.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, startAttempt } from '../harness/client.ts';
import { expectOracles } from '../harness/oracles.ts';
import type { Code } from '../harness/outage.ts';
import { chosenStores } from '../harness/stores.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const REGISTRATION = 50_000n;
const CUSTOMERS = 5;
const BALANCE = 10_000_000n;

let service: TestTollgate;

beforeAll(async () => {
  service = await startTollgate();
  await transaction(service.db, (tx) =>
    createSubscription(tx, {
      keys: service.keys,
      workspaceId: service.workspace.id,
      url: 'https://127.0.0.1:1099/hook',
      allowLoopback: true,
      now: new Date(),
    }),
  );
});
afterAll(async () => {
  await expectOracles(service);
  const errors = service.logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
  expect(errors.filter((line) => !line.includes('webhook'))).toEqual([]);
  await service.stop();
});

type Person = { browser: ReturnType<typeof createBrowser>; email: string };

const newPeople = (name: string): Person[] =>
  Array.from({ length: CUSTOMERS }, (_, number) => ({
    browser: createBrowser(),
    email: `${name}-${number}@example.test`,
  }));

async function codeFor(application: RegisteredApplication, person: Person): Promise<Code> {
  const attempt = startAttempt(service, application);
  const callback = await signInAs({ authorizationUrl: attempt.url, ...person, name: 'Person' });
  return { code: readCallback(callback).code ?? '', verifier: attempt.verifier };
}

/** The request is on its way; `hangUp` closes the connection at once. */
function startExchange(application: RegisteredApplication, { code, verifier }: Code) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: application.clientId,
    client_secret: application.clientSecret ?? '',
    code,
    redirect_uri: application.redirectUris[0] ?? '',
    code_verifier: verifier,
  }).toString();
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const head = [
    'POST /oauth/token HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return { hangUp: () => socket.destroy() };
}

const tokenRequests = () =>
  service.logLines.filter((line) => line.includes('"request"') && line.includes('/oauth/token')).length;

/** Some may never have arrived as a whole. */
async function untilAnswered(count: number): Promise<void> {
  for (let waited = 0; waited < 5_000 && tokenRequests() < count; waited += 20) await sleep(20);
}

async function eventsOf(application: RegisteredApplication) {
  return rowsOf(
    await service.db.execute(sql`
      select e.kind, r.id is not null as is_reversed,
        (select count(*)::int from webhook_messages m where m.event_id = e.id) as webhooks
      from usage_events e left join transfers r on r.reverses = e.transfer_id
      where e.application_id = ${application.id}`),
  );
}

/** Everybody signs in again, and pays a registration; of what was taken back, nobody was told. */
async function expectRegistrations(application: RegisteredApplication, people: Person[]): Promise<void> {
  for (const person of people)
    expect((await exchange(service, application, await codeFor(application, person))).status).toBe(200);
  const events = await eventsOf(application);
  const standing = events.filter(({ is_reversed: isReversed }) => !isReversed);
  expect(standing).toEqual(people.map(() => ({ kind: 'registration', is_reversed: false, webhooks: 1 })));
  const reversed = events.filter(({ is_reversed: isReversed }) => isReversed);
  expect(reversed).toEqual(reversed.map(() => ({ kind: 'registration', is_reversed: true, webhooks: 0 })));
  const paid = BALANCE - (await readBalance(service.db, application.id)).amount;
  expect(paid).toBe(REGISTRATION * BigInt(people.length));
}

test('J: five customers who hang up at once and come again pay five registrations', async () => {
  const application = await service.register({ balance: BALANCE });
  const people = newPeople('early');
  const before = tokenRequests();
  for (const person of people) {
    const { hangUp } = startExchange(application, await codeFor(application, person));
    await sleep(5);
    hangUp();
  }
  await untilAnswered(before + CUSTOMERS);
  await expectRegistrations(application, people);
});

const onPostgres = chosenStores() === 'servers' ? test : test.skip;

onPostgres(
  'J: five customers who hang up while their charge commits, and come again, pay five registrations',
  async () => {
    const application = await service.register({ balance: BALANCE });
    const people = newPeople('late');
    const codes = [];
    for (const person of people) codes.push(await codeFor(application, person));
    const impatient = [];
    for (const person of people) impatient.push(await codeFor(application, person));
    const before = tokenRequests();
    const other = new pg.Client({ connectionString: service.tollgate.config.databaseUrl });
    await other.connect();
    // The charges are written, and only their debit has to wait.
    await other.query('begin');
    await other.query('select 1 from balances where application_id = $1 for update', [application.id]);
    const calls = codes.map((code) => startExchange(application, code));
    await sleep(900);
    for (const { hangUp } of calls) hangUp();
    // They do not even wait for the end of the first try.
    const again = impatient.map((code) => exchange(service, application, code));
    await sleep(100);
    await other.query('commit');
    await other.end();
    await untilAnswered(before + 2 * CUSTOMERS);
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual(again.map(() => 200));
    const events = await eventsOf(application);
    expect(events.filter(({ is_reversed: isReversed }) => !isReversed)).toEqual(
      people.map(() => ({ kind: 'registration', is_reversed: false, webhooks: 1 })),
    );
    const paid = BALANCE - (await readBalance(service.db, application.id)).amount;
    expect(paid).toBe(REGISTRATION * BigInt(CUSTOMERS));
  },
);
