// Threat 125: PostgreSQL decides and nobody hears it, or breaks off in the middle. The outcome is found: the tokens leave
// with their charge, or the charge is taken back by itself; and a failure that concerns nobody spends nobody's code.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { rowsOf } from '../../src/database/connection.ts';
import { exchange } from '../harness/client.ts';
import { hasPostgres, openTestPostgres, postgresAddress } from '../harness/database.ts';
import { expectOracles } from '../harness/oracles.ts';
import { type Code, registerPerson, type SignedInPerson, untilItWorks } from '../harness/outage.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const describeOnPostgres = (await hasPostgres()) ? describe : describe.skip;
const PEOPLE = 8;
/** In the packet that writes a charge and commits it, and in no other. */
const COMMIT = '"transferId"';

describeOnPostgres('a charge whose outcome nobody heard', () => {
  let proxy: TcpProxy;
  let service: TestTollgate;
  let home: RegisteredApplication;
  const people: SignedInPerson[] = [];

  beforeAll(async () => {
    proxy = await startTcpProxy(postgresAddress());
    service = await startTollgate({ REDIS_URL: '' }, () => openTestPostgres(proxy.port));
    home = await service.register();
    for (let number = 0; number < PEOPLE; number += 1)
      people.push(await registerPerson(service, home, `person-${number}@example.test`));
  });
  afterEach(() => expectOracles(service, { allowServerErrors: true }));
  afterAll(async () => {
    await service.stop();
    await proxy.close();
  });

  const codesOf = (who: SignedInPerson[]): Promise<Code[]> =>
    Promise.all(who.map((person) => person.newCode()));
  const exchangeAll = (codes: Code[]) => Promise.all(codes.map((code) => exchange(service, home, code)));

  async function events() {
    return rowsOf(
      await service.db.execute(sql`
        select e.id, e.kind, r.reason as taken_back, r.undoes_session from usage_events e
        left join transfers r on r.reverses = e.transfer_id
        where e.application_id = ${home.id} order by e.occurred_at, e.id`),
    );
  }

  test.each([
    ['one', 'before', COMMIT, 1],
    ['one', 'after', COMMIT, 1],
    ['a batch', 'before', COMMIT, PEOPLE],
    ['a batch', 'after', COMMIT, PEOPLE],
    ['a batch', 'before', 'begin', PEOPLE],
    ['a batch', 'after', 'begin', PEOPLE],
  ] as const)(
    'H: %s whose connection breaks %s the server reads %s: the tokens leave, each charged once',
    async (_, when, text, count) => {
      const codes = await codesOf(people.slice(0, count));
      const before = await events();
      const cut = proxy.cutAt(text, when);
      const answers = await exchangeAll(codes);
      await cut;
      expect(answers.map(({ status }) => status)).toEqual(codes.map(() => 200));
      const after = await events();
      expect(after).toHaveLength(before.length + count);
      expect(after.filter(({ taken_back: reason }) => reason !== null)).toEqual([]);
    },
  );

  test('H: an answer that is lost together with the database: 503, and the charge is taken back once it returns', async () => {
    const codes = await codesOf(people.slice(0, 3));
    const before = await events();
    const cut = proxy.cutAt(COMMIT, 'after');
    const answers = exchangeAll(codes);
    await cut;
    await proxy.refuse();
    expect((await answers).map(({ status }) => status)).toEqual([503, 503, 503]);
    await proxy.accept();
    const known = new Set(before.map(({ id }) => id));
    const newOnes = async () => (await events()).filter(({ id }) => !known.has(id));
    const took = await untilItWorks(async () => {
      const open = (await newOnes()).filter(({ taken_back: reason }) => reason === null);
      expect(open).toEqual([]);
    });
    expect(took).toBeLessThan(10_000);
    const takenBack = await newOnes();
    // The others never got as far as COMMIT.
    expect(takenBack.length).toBeGreaterThanOrEqual(1);
    const whole = { taken_back: 'the answer of the commit was lost', undoes_session: true };
    for (const event of takenBack) expect(event).toMatchObject(whole);
    for (const code of codes) expect((await exchange(service, home, code)).body.error).toBe('invalid_grant');
  }, 60_000);
});
