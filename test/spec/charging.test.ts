// Promises 20 to 24 through the public doors: sessions are charged when their code is exchanged, exactly once, and
// nothing else costs anything.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { rowsOf } from '../../src/database/connection.ts';
import { readBalance } from '../../src/ledger/balance.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import {
  type Answer,
  exchange,
  postForm,
  readCallback,
  refresh,
  startAttempt,
  userinfo,
} from '../harness/client.ts';
import { countCharges, expectOracles } from '../harness/oracles.ts';
import { rounds } from '../harness/rounds.ts';
import { chosenStores } from '../harness/stores.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';

const REGISTRATION = 50_000n;
const SIGN_IN = 20_000n;
/** In full on PostgreSQL and Redis, where they meet each other; on one embedded connection they only queue. */
const FULL = chosenStores() === 'servers';
const CODES = rounds(FULL ? 40 : 5, 100);
const EXCHANGES = FULL ? 1_000 : rounds(120, 1_000);

let service: TestTollgate;
/** I3: exchanges that answered 200 in this file. */
let exchanges = 0;

beforeAll(async () => {
  service = await startTollgate();
});

afterAll(async () => {
  await service.stop();
});

const nothing = { code: '', verifier: '' };

type Person = { browser: ReturnType<typeof createBrowser>; email: string };

function newPerson(name: string): Person {
  return { browser: createBrowser(), email: `${name}@example.test` };
}

/** A fresh code for a person who may already be signed in. */
async function newCode(application: RegisteredApplication, person: Person, scope = 'openid email profile') {
  const attempt = startAttempt(service, application, { scope });
  const callback = await signInAs({ authorizationUrl: attempt.url, ...person, name: 'Test Person' });
  const { code } = readCallback(callback);
  if (!code) throw new Error(`no code in ${callback}`);
  return { code, verifier: attempt.verifier };
}

/** Sessions make codes quickly: no page is shown to someone who is signed in and has consented. */
async function newCodes(application: RegisteredApplication, person: Person, count: number) {
  const one = async () => {
    const attempt = startAttempt(service, application);
    const arrival = await person.browser.open(attempt.url);
    if (!('leftTo' in arrival)) throw new Error(`asked for more: ${arrival.page.url}`);
    return { code: readCallback(arrival.leftTo).code ?? '', verifier: attempt.verifier };
  };
  return Promise.all(Array.from({ length: count }, one));
}

async function signIn(application: RegisteredApplication, person: Person, scope?: string) {
  const answer = await exchange(service, application, await newCode(application, person, scope));
  if (answer.status === 200) exchanges += 1;
  return answer;
}

/** As a client does: what a busy machine had no time for (503) is asked again. */
async function untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  return until('it is answered', ask, {
    isIt: ({ status }) => status !== 503,
    seconds: 60,
    everyMilliseconds: 100,
  });
}

async function balanceOf(application: RegisteredApplication) {
  return (await readBalance(service.db, application.id)).amount;
}

async function eventsOf(application: RegisteredApplication) {
  return rowsOf(
    await service.db.execute(
      sql`select kind, amount::text as amount from usage_events where application_id = ${application.id} order by occurred_at, id`,
    ),
  );
}

describe('promise 20: usage is charged after successful token issuance', () => {
  test('promise 21: a first session is a registration, later sessions are sign-ins', async () => {
    const application = await service.register();
    const person = newPerson('ada');
    const before = await balanceOf(application);
    expect((await signIn(application, person)).status).toBe(200);
    expect((await signIn(application, person)).status).toBe(200);
    expect(await eventsOf(application)).toEqual([
      { kind: 'registration', amount: String(REGISTRATION) },
      { kind: 'sign_in', amount: String(SIGN_IN) },
    ]);
    expect(await balanceOf(application)).toBe(before - REGISTRATION - SIGN_IN);
  });

  test('promise 22: refresh, UserInfo, failed exchanges and logout are free', async () => {
    const application = await service.register();
    const answer = await signIn(application, newPerson('barbara'), 'openid offline_access');
    expect(answer.status).toBe(200);
    const [charges, balance] = [await countCharges(service), await balanceOf(application)];
    const token = String(answer.body.refresh_token);
    for (let round = 0; round < 20; round += 1)
      expect((await refresh(service, application, token)).status).toBe(200);
    expect((await userinfo(service, String(answer.body.access_token))).status).toBe(200);
    const wrong = { code: 'never-issued', verifier: 'v'.repeat(43) };
    expect((await exchange(service, application, wrong)).body.error).toBe('invalid_grant');
    const revoked = await postForm(service, '/oauth/revoke', {
      token,
      client_id: application.clientId,
      client_secret: application.clientSecret ?? null,
    });
    expect(revoked.status).toBe(200);
    expect(await countCharges(service)).toBe(charges);
    expect(await balanceOf(application)).toBe(balance);
  });

  test('promise 22: a cancelled attempt is free', async () => {
    const application = await service.register();
    const attempt = startAttempt(service, application);
    const callback = await signInAs({
      authorizationUrl: attempt.url,
      ...newPerson('cancels'),
      name: 'X',
      consent: 'deny',
    });
    expect(readCallback(callback)).toMatchObject({ error: 'access_denied', state: attempt.state });
    expect(await eventsOf(application)).toEqual([]);
  });
});

describe('promise 23: the application balance is too low', () => {
  test.each([
    ['nothing', 0n],
    ['one unit short', REGISTRATION - 1n],
  ])(
    'threat 25: with %s the exchange fails with temporarily_unavailable and nothing usable remains',
    async (_, balance) => {
      const application = await service.register({ balance });
      const made = await newCode(application, newPerson(`poor-${balance}`), 'openid offline_access');
      const answer = await exchange(service, application, made);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        error: 'temporarily_unavailable',
        error_description: expect.any(String),
      });
      expect(answer.headers.get('cache-control')).toContain('no-store');
      expect(await eventsOf(application)).toEqual([]);
      expect(await balanceOf(application)).toBe(balance);
      const tokens = rowsOf(
        await service.db.execute(sql`
        select model from engine_records
        where payload->>'clientId' = ${application.clientId} and model in ('AccessToken', 'RefreshToken')`),
      );
      expect(tokens).toEqual([]);
      expect((await exchange(service, application, made)).body.error).toBe('invalid_grant');
    },
  );

  test('threat 25: a balance that is just enough is spent to zero', async () => {
    const application = await service.register({ balance: REGISTRATION });
    expect((await signIn(application, newPerson('exact'))).status).toBe(200);
    expect(await balanceOf(application)).toBe(0n);
  });
});

describe('promise 24: exactly once, under any concurrency', () => {
  test(`threat 11: 200 parallel exchanges of one code give 1 success, 1 charge, 1 event (${CODES} codes)`, async () => {
    const application = await service.register();
    const person = newPerson('parallel');
    expect((await signIn(application, person)).status).toBe(200);
    for (let round = 0; round < CODES; round += 1) {
      // One code at a time: the repetitions end the session's grant, and every other code of it as well.
      const [made = nothing] = await newCodes(application, person, 1);
      const charges = await countCharges(service);
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => untilAnswered(() => exchange(service, application, made))),
      );
      const outcomes = Object.groupBy(answers, ({ status, body }) => `${status} ${body.error ?? 'tokens'}`);
      const tally = Object.entries(outcomes).map(([outcome, those]) => [outcome, those?.length]);
      expect(Object.fromEntries(tally)).toEqual({ '200 tokens': 1, '400 invalid_grant': 199 });
      expect(await countCharges(service)).toBe(charges + 1);
      exchanges += 1;
    }
  }, 400_000);

  test(`threat 69: ${EXCHANGES} parallel exchanges with balance for 50 give exactly 50`, async () => {
    const application = await service.register({ balance: REGISTRATION + 49n * SIGN_IN });
    const person = newPerson('thousand');
    const made = [await newCode(application, person)];
    while (made.length < EXCHANGES) {
      const missing = Math.min(37, EXCHANGES - made.length);
      made.push(...(await newCodes(application, person, missing)));
    }
    const answers = await Promise.all(made.map((one) => exchange(service, application, one)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(50);
    expect(answers.filter((answer) => answer.body.error === 'temporarily_unavailable')).toHaveLength(
      EXCHANGES - 50,
    );
    expect(await balanceOf(application)).toBe(0n);
    exchanges += 50;
  }, 240_000);

  test('20 parallel first sign-ins of one person to one application give 1 registration', async () => {
    const known = await service.register();
    const application = await service.register();
    const person = newPerson('eager');
    expect((await signIn(known, person)).status).toBe(200);
    const made = [await newCode(application, person), ...(await newCodes(application, person, 19))];
    const answers = await Promise.all(made.map((one) => exchange(service, application, one)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(20);
    exchanges += 20;
    const events = await eventsOf(application);
    expect(events.map((event) => event.kind)).toEqual(['registration', ...Array(19).fill('sign_in')]);
  });
});

test('the oracles hold after everything above', async () => {
  await expectOracles(service, { exchanges });
});
