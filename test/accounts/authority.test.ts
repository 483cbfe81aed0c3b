// Authority is asked again where the writing happens (docs/decisions/0701), on both databases: a change waits for what ends
// the session and then refuses, or is made first. PGlite has one connection, on which everybody waits for everybody.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { type Account, findAccount, setName } from '../../src/accounts/account.ts';
import { findLivingSession, withAuthority, withSessionAuthority } from '../../src/accounts/authority.ts';
import { raiseGeneration } from '../../src/accounts/generation.ts';
import { endPageSession } from '../../src/accounts/page-session.ts';
import { endSession } from '../../src/accounts/session.ts';
import { secondsAfter } from '../../src/clock.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { freshSignInSeconds, pageSessionIdleSeconds } from '../../src/limits/settings.ts';
import { hasPostgres, openTestPglite, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { addAccount, signInToPages } from '../harness/identity.ts';
import { countLockWaits } from '../harness/lock-waits.ts';
import { until } from '../harness/until.ts';

const SIGNED_OUT = { code: 'signed_out' };
const clock = () => new Date();
const available = (await hasPostgres()) ? ['PGlite', 'PostgreSQL'] : ['PGlite'];

describe.each(available)('authority on %s', (kind) => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = kind === 'PGlite' ? await openTestPglite() : await openTestPostgres();
    db = database.connection.db;
  });
  afterAll(() => database.remove());

  type Person = { account: Account; id: string; sessionHash: string };
  const signIn = async (provenSecondsAgo = 0): Promise<Person> => {
    const account = await addAccount(db, { email: `${randomUUID()}@example.com`, name: 'Before' });
    return { account, ...(await signInToPages(db, { area: 'account', account, provenSecondsAgo })) };
  };
  const accountIdOf = ({ account }: Person) => account.id;
  const nameOf = async (person: Person) => (await findAccount(db, accountIdOf(person)))?.name;

  /** What a form of our own pages, and one of the hosted pages, would write. */
  const doors = {
    'a page of our own': (person: Person, needsFresh = false, during = async () => {}) =>
      withAuthority(
        { db, clock },
        { sessionId: person.id, accountId: accountIdOf(person), needsFresh },
        async (tx, { account: { id: accountId } }) => {
          await setName(tx, { accountId, name: 'After', now: clock() });
          await during();
        },
      ),
    'the hosted pages': (person: Person, _needsFresh = false, during = async () => {}) =>
      withSessionAuthority(
        { db, clock },
        { sessionHash: person.sessionHash, accountId: accountIdOf(person) },
        async (tx, { account: { id: accountId } }) => {
          await setName(tx, { accountId, name: 'After', now: clock() });
          await during();
        },
      ),
  };

  const endings: [string, (tx: Database, person: Person) => Promise<unknown>][] = [
    [
      'the end of everything',
      (tx, person) => raiseGeneration(tx, { accountId: accountIdOf(person), now: clock() }),
    ],
    [
      'the end of the browser’s session',
      (tx, { sessionHash }) => endSession(tx, { uidHash: sessionHash, now: clock() }),
    ],
    [
      'the end of the account',
      (tx, person) => tx.delete(accounts).where(eq(accounts.id, accountIdOf(person))),
    ],
  ];
  const cases = Object.entries(doors).flatMap(([where, change]) =>
    endings.map(([what, end]) => [where, what, change, end] as const),
  );

  test.each(cases)(
    'on %s, a change after %s is refused, and nothing is written',
    async (_where, _what, change, end) => {
      const person = await signIn();
      await transaction(db, (tx) => end(tx, person));
      await expect(change(person)).rejects.toMatchObject(SIGNED_OUT);
      expect(await nameOf(person)).not.toBe('After');
    },
  );

  test.each(cases)(
    'on %s, a change that meets %s waits for it, and is refused',
    async (_where, _what, change, end) => {
      const person = await signIn();
      let changing: Promise<unknown> | undefined;
      await transaction(db, async (tx) => {
        await end(tx, person);
        changing = change(person).then(
          () => 'made',
          (error: unknown) => error,
        );
        await untilSomebodyWaits();
      });
      expect(await changing).toMatchObject(SIGNED_OUT);
      expect(await nameOf(person)).not.toBe('After');
    },
  );

  test.each(cases)(
    'on %s, a change that came first is made before %s',
    async (_where, _what, change, end) => {
      const person = await signIn();
      const order: string[] = [];
      let ending: Promise<unknown> | undefined;
      await change(person, false, async () => {
        ending = transaction(db, (tx) => end(tx, person)).then(() => order.push('ended'));
        await untilSomebodyWaits();
        order.push('written');
      });
      await ending;
      expect(order).toEqual(['written', 'ended']);
      await expect(change(person)).rejects.toMatchObject(SIGNED_OUT);
    },
  );

  /** On PGlite there is nothing to see: whoever comes second is not let in. */
  async function untilSomebodyWaits(): Promise<void> {
    if (kind === 'PGlite') return void (await new Promise((wake) => setTimeout(wake, 50)));
    await until('somebody waits for a lock', () => countLockWaits(db), { isIt: (count) => count > 0 });
  }

  test('the browser that ended everything else goes on', async () => {
    const person = await signIn();
    const raise = { accountId: accountIdOf(person), keepSession: person.sessionHash, now: clock() };
    await transaction(db, (tx) => raiseGeneration(tx, raise));
    for (const change of Object.values(doors)) await change(person);
    expect(await nameOf(person)).toBe('After');
  });

  test('the end of a page session ends what that page may do, and not its browser’s session', async () => {
    const person = await signIn();
    await endPageSession(db, { id: person.id, accountId: accountIdOf(person) });
    await expect(doors['a page of our own'](person)).rejects.toMatchObject(SIGNED_OUT);
    await doors['the hosted pages'](person);
  });

  test('a page session that was not used for too long is none', async () => {
    const person = await signIn();
    const late = () => secondsAfter(new Date(), pageSessionIdleSeconds + 1);
    const authority = { sessionId: person.id, accountId: accountIdOf(person), needsFresh: false };
    const change = withAuthority({ db, clock: late }, authority, async () => 'made');
    await expect(change).rejects.toMatchObject(SIGNED_OUT);
  });

  test('nobody writes in the name of another account', async () => {
    const [thief, victim] = [await signIn(), await signIn()];
    for (const change of Object.values(doors))
      await expect(change({ ...thief, account: victim.account })).rejects.toMatchObject(SIGNED_OUT);
    expect(await nameOf(victim)).toBe('Before');
    const session = { sessionHash: thief.sessionHash, accountId: accountIdOf(victim) };
    expect(await findLivingSession({ db, clock }, session)).toBeUndefined();
  });

  test('what needs a fresh sign-in is refused without one, at the moment of the writing', async () => {
    const [fresh, stale] = [await signIn(freshSignInSeconds - 30), await signIn(freshSignInSeconds + 1)];
    await doors['a page of our own'](fresh, true);
    expect(await nameOf(fresh)).toBe('After');
    const late = { code: 'sign_in_too_old' };
    await expect(doors['a page of our own'](stale, true)).rejects.toMatchObject(late);
    expect(await nameOf(stale)).toBe('Before');
    await doors['a page of our own'](stale, false);
    const who = ({ sessionHash, account }: Person) => ({ sessionHash, accountId: account.id });
    expect(await findLivingSession({ db, clock }, who(fresh))).toMatchObject({ isFresh: true });
    expect(await findLivingSession({ db, clock }, who(stale))).toMatchObject({ isFresh: false });
  });

  test('a change that fails leaves nothing', async () => {
    const person = await signIn();
    const fail = async () => {
      throw new Error('no');
    };
    for (const change of Object.values(doors))
      await expect(change(person, false, fail)).rejects.toThrow('no');
    expect(await nameOf(person)).toBe('Before');
  });
});
