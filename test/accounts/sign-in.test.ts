// Sign-in with a password and known devices: threats 30 and 91 against the room, on both databases.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { drizzle } from 'drizzle-orm/pglite';
import { setPassword } from '../../src/accounts/account.ts';
import { raiseGeneration } from '../../src/accounts/generation.ts';
import { knownDevices, type NameOfDevice, rememberDevice } from '../../src/accounts/known-device.ts';
import { createPasswords, type Passwords } from '../../src/accounts/password.ts';
import { openAccount } from '../../src/accounts/proof.ts';
import { passwordSignIn } from '../../src/accounts/sign-in.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { passwordConcurrentHashes } from '../../src/limits/credentials.ts';
import { createKeys, sha256 } from '../../src/secrets.ts';
import { crowd } from '../harness/crowd.ts';
import { hasPostgres, openTestPglite, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { addAccount } from '../harness/identity.ts';
import { rounds } from '../harness/rounds.ts';

const START = new Date('2026-11-21T10:00:00.000Z');
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const MINUTE = 60;
const RIGHT = 'tractor velvet mango cliff';
const { device: key } = createKeys('a secret for tests that is long enough');

const passwords = createPasswords({ concurrency: passwordConcurrentHashes });

/** Beyond the highest limit, which is 100 an hour. */
const ATTEMPTS = rounds(200, 1_000);
/** A missing decoy costs 20 ms, half of one 10. */
const NOISE_MILLISECONDS = 6;
/** A floor only falls: what a busy machine added goes away with more pairs, a missing piece of work stays. */
const PAIRS = { least: 20, most: 200 };
/** Threat 30 to the letter takes minutes and an idle machine: ATTACK_PAIRS=2000. */
const longForm = process.env.ATTACK_PAIRS ? test : () => undefined;

const PLACE = { uid: 'the interaction', browser: 'the browser' };

let number = 0;
const available = (await hasPostgres()) ? ['PGlite', 'PostgreSQL'] : ['PGlite'];

describe.each(available)('password sign-in on %s', (kind) => {
  let database: TestDatabase;
  let db: Database;
  let passwordHash = '';
  beforeAll(async () => {
    database = kind === 'PGlite' ? await openTestPglite() : await openTestPostgres();
    db = database.connection.db;
    passwordHash = await passwords.hash(RIGHT);
  });
  afterAll(() => database.remove());

  async function person(hash: string | null = passwordHash) {
    number += 1;
    const email = `person.${number}@example.com`;
    return addAccount(db, { email, passwordHash: hash, now: START });
  }

  type Changed = {
    password?: string;
    ipAddress?: string;
    now?: Date;
    known?: NameOfDevice;
    using?: Passwords;
  };
  const signIn = (email: string, changed: Changed = {}) =>
    passwordSignIn(db, {
      passwords: changed.using ?? passwords,
      place: PLACE,
      email,
      password: changed.password ?? RIGHT,
      ipAddress: changed.ipAddress ?? '192.0.2.1',
      nameOfDevice: changed.known,
      clock: () => changed.now ?? START,
    });
  /** A browser in which this person signed in before. */
  const knownTo = (account: { id: string; generation: number }) =>
    knownDevices(key, rememberDevice(key, undefined, account));

  test('the right password is right', async () => {
    const account = await person();
    const proof = {
      method: 'password',
      purpose: 'sign_in',
      accountId: account.id,
      generation: account.generation,
      isNewAccount: false,
      mailbox: null,
      interactionHash: sha256(PLACE.uid),
      browserHash: sha256(PLACE.browser),
    };
    expect(await signIn(account.email)).toMatchObject({ result: 'right', account, proof });
  });

  test('G: a password that is still being compared while it is changed opens nothing, and counts as proven before', async () => {
    const account = await person();
    let comparedAt = 0;
    const slowly: Passwords = {
      hash: passwords.hash,
      verify: async (hash, password) => {
        comparedAt = Date.now();
        await transaction(db, async (tx) => {
          await setPassword(tx, { accountId: account.id, passwordHash: 'new', now: START });
          await raiseGeneration(tx, { accountId: account.id, now: START });
        });
        return passwords.verify(hash, password);
      },
    };
    const signedIn = await signIn(account.email, { using: slowly, now: new Date() });
    if (signedIn.result !== 'right') throw new Error(signedIn.result);
    expect(signedIn.proof.provenAt.getTime()).toBeLessThanOrEqual(comparedAt + 1);
    const clock = () => new Date();
    const opened = await transaction(db, (tx) => openAccount(tx, { proofId: signedIn.proof.id, clock }));
    expect(opened).toBeUndefined();
  });

  test('threat 30: a wrong password, an unknown address and an account without password get one answer', async () => {
    const wrong = { result: 'wrong' };
    expect(await signIn((await person()).email, { password: 'not the right one' })).toEqual(wrong);
    expect(await signIn('nobody@example.com')).toEqual(wrong);
    expect(await signIn((await person(null)).email)).toEqual(wrong);
  });

  test('threat 30: the lock comes at the same attempt for known and unknown addresses', async () => {
    for (const email of [(await person()).email, 'unknown.lock@example.com']) {
      for (let attempt = 0; attempt < 10; attempt += 1) {
        expect(await signIn(email, { password: 'wrong' })).toEqual({ result: 'wrong' });
      }
      expect(await signIn(email)).toEqual({ result: 'locked', retryAfterSeconds: 15 * MINUTE });
      expect(await signIn(email, { now: at(15 * MINUTE - 1) })).toEqual({
        result: 'locked',
        retryAfterSeconds: 1,
      });
    }
  });

  test('promise 46: of 100 parallel wrong passwords from one network address exactly 10 are compared', async () => {
    const { email } = await person();
    let compared = 0;
    const counting: Passwords = {
      hash: passwords.hash,
      verify: async (hash, password) => {
        compared += 1;
        return passwords.verify(hash, password);
      },
    };
    const results = await crowd(Array.from({ length: 100 }), () =>
      signIn(email, { password: 'wrong', using: counting }),
    );
    expect(compared).toBe(10);
    expect(results.filter(({ result }) => result === 'locked')).toHaveLength(90);
    expect(await signIn(email, { now: at(15 * MINUTE) })).toMatchObject({ result: 'right' });
  });

  test('the right password forgets the failures of its network address', async () => {
    const { email } = await person();
    for (let round = 0; round < 3; round += 1) {
      for (let attempt = 0; attempt < 9; attempt += 1) await signIn(email, { password: 'wrong' });
      expect(await signIn(email)).toMatchObject({ result: 'right' });
    }
  });

  test(`threat 91: ${ATTEMPTS} wrong passwords for a victim: the attacker is locked, the victim elsewhere is not`, async () => {
    const victim = await person();
    const counts = { wrong: 0, locked: 0, right: 0 };
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      counts[(await signIn(victim.email, { password: 'wrong', ipAddress: '203.0.113.9' })).result] += 1;
    }
    expect(counts).toEqual({ wrong: 10, locked: ATTEMPTS - 10, right: 0 });
    expect(await signIn(victim.email)).toMatchObject({ result: 'right' });
  });

  test(`threat 91: against ${ATTEMPTS} network addresses together the account allows 100 an hour, and the owner keeps a known device`, async () => {
    const victim = await person();
    const instantly: Passwords = { hash: passwords.hash, verify: async () => false };
    const counts = { wrong: 0, locked: 0, right: 0 };
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const ipAddress = `203.0.113.${attempt}`;
      counts[(await signIn(victim.email, { ipAddress, using: instantly })).result] += 1;
    }
    expect(counts).toEqual({ wrong: 100, locked: ATTEMPTS - 100, right: 0 });
    expect(await signIn(victim.email)).toMatchObject({ result: 'locked' });
    expect(await signIn(victim.email, { known: knownTo(victim) })).toMatchObject({ result: 'right' });
    expect(await signIn(victim.email, { now: at(61 * MINUTE) })).toMatchObject({ result: 'right' });
  });

  test('threat 91: a known device has a limit of its own', async () => {
    const account = await person();
    const { email } = account;
    const [known, other] = [knownTo(account), knownTo(account)];
    for (let attempt = 0; attempt < 10; attempt += 1) await signIn(email, { password: 'wrong', known });
    expect(await signIn(email, { known })).toMatchObject({ result: 'locked' });
    expect(await signIn(email, { known: other })).toMatchObject({ result: 'right' });
    expect(await signIn(email)).toMatchObject({ result: 'right' });
  });

  test('J: a device that was known before everything was ended has a stranger’s limit', async () => {
    const account = await person();
    const former = knownTo(account);
    await transaction(db, (tx) => raiseGeneration(tx, { accountId: account.id, now: START }));
    for (let attempt = 0; attempt < 10; attempt += 1) await signIn(account.email, { password: 'wrong' });
    expect(await signIn(account.email, { known: former })).toMatchObject({ result: 'locked' });
  });

  test('threat 30: known and unknown addresses cost the same work (CPU floors of alternated pairs)', async () => {
    const { email } = await person();
    const floor = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
    const measure = async (who: keyof typeof floor, email: string, round: number) => {
      const start = process.cpuUsage();
      await signIn(email, { password: 'wrong', ipAddress: `a${round}`, now: at(round * 3_600) });
      const { user, system } = process.cpuUsage(start);
      floor[who] = Math.min(floor[who], (user + system) / 1000);
    };
    const difference = () => Math.abs(floor.known - floor.unknown);
    for (
      let round = 0;
      round < PAIRS.least || (round < PAIRS.most && difference() >= NOISE_MILLISECONDS);
      round += 1
    ) {
      await measure('known', email, round);
      await measure('unknown', `unknown.${round}@example.com`, round);
    }
    expect(difference()).toBeLessThan(NOISE_MILLISECONDS);
  }, 180_000);

  longForm(
    'threat 30: the clock tells known and unknown addresses not apart (on a quiet machine)',
    async () => {
      const { email } = await person();
      const times: { milliseconds: number; isKnown: boolean }[] = [];
      const measure = async (isKnown: boolean, email: string, round: number) => {
        const start = performance.now();
        await signIn(email, { password: 'wrong', ipAddress: `b${round}`, now: at(round * 3_600) });
        times.push({ milliseconds: performance.now() - start, isKnown });
      };
      const pairs = Number(process.env.ATTACK_PAIRS);
      for (let round = 0; round < pairs; round += 1) {
        const isKnownFirst = round % 2 === 0;
        await measure(isKnownFirst, isKnownFirst ? email : `unknown.${round}@example.com`, round);
        await measure(!isKnownFirst, isKnownFirst ? `unknown.${round}@example.com` : email, round);
      }
      times.sort((one, other) => one.milliseconds - other.milliseconds);
      const ranks = times.flatMap(({ isKnown }, index) => (isKnown ? [index + 1] : []));
      const sum = ranks.reduce((total, rank) => total + rank, 0);
      const areaUnderCurve = (sum - (pairs * (pairs + 1)) / 2) / (pairs * pairs);
      const floorOf = (known: boolean) => times.find(({ isKnown }) => isKnown === known)?.milliseconds ?? 0;
      expect(Math.abs(areaUnderCurve - 0.5)).toBeLessThanOrEqual(0.02);
      expect(Math.abs(floorOf(true) - floorOf(false))).toBeLessThanOrEqual(2);
    },
    1_800_000,
  );
});

describe('threat 30: what the database is asked', () => {
  test('is the same, statement by statement, for a known, an unknown and a password-less address', async () => {
    const database = await openTestPglite();
    if (database.connection.kind !== 'pglite') throw new Error('this test listens to PGlite');
    let statements: string[] = [];
    const logger = { logQuery: (query: string) => void statements.push(query) };
    const db: Database = drizzle(database.connection.pglite, { logger });
    const passwordHash = await passwords.hash(RIGHT);
    await addAccount(db, { email: 'known@example.com', passwordHash, now: START });
    await addAccount(db, { email: 'no-password@example.com', now: START });
    const asked: string[][] = [];
    for (const email of ['known@example.com', 'unknown@example.com', 'no-password@example.com']) {
      statements = [];
      await passwordSignIn(db, {
        passwords,
        place: PLACE,
        email,
        password: 'wrong',
        ipAddress: '192.0.2.1',
        clock: () => START,
      });
      asked.push(statements);
    }
    expect(asked[0]?.length).toBeGreaterThan(2);
    expect(asked[1]).toEqual(asked[0]);
    expect(asked[2]).toEqual(asked[0]);
    await database.remove();
  });
});

const ownerOf = (name: string, generation = 1) => ({ id: `acc_${name}`, generation });
const [FIRST, SECOND, THIRD] = [ownerOf('1'), ownerOf('2'), ownerOf('3')];

describe('known devices', () => {
  test('a browser knows the accounts that signed in there, and no others', () => {
    const cookie = rememberDevice(key, rememberDevice(key, undefined, FIRST), SECOND);
    expect(knownDevices(key, cookie)(FIRST)).toMatch(/^[\w-]{16}$/);
    expect(knownDevices(key, cookie)(SECOND)).toMatch(/^[\w-]{16}$/);
    expect(knownDevices(key, cookie)(THIRD)).toBeUndefined();
    expect(knownDevices(key, cookie)(undefined)).toBeUndefined();
    expect(knownDevices(key, undefined)(FIRST)).toBeUndefined();
  });

  test('J: it knows them until everything of theirs is ended, and again once they have come back', () => {
    const cookie = rememberDevice(key, undefined, FIRST);
    const later = ownerOf('1', 2);
    expect(knownDevices(key, cookie)(later)).toBeUndefined();
    const again = rememberDevice(key, cookie, later);
    expect(knownDevices(key, again)(later)).toMatch(/^[\w-]{16}$/);
    expect(knownDevices(key, again)(ownerOf('1', 3))).toBeUndefined();
  });

  test('each browser has a name of its own for each account, and keeps it however often they sign in', () => {
    const cookie = rememberDevice(key, rememberDevice(key, undefined, FIRST), SECOND);
    const names = [FIRST, SECOND].map((owner) => knownDevices(key, cookie)(owner));
    const again = rememberDevice(key, rememberDevice(key, cookie, FIRST), SECOND);
    expect([FIRST, SECOND].map((owner) => knownDevices(key, again)(owner))).toEqual(names);
    const elsewhere = knownDevices(key, rememberDevice(key, undefined, FIRST))(FIRST);
    expect(new Set([...names, elsewhere]).size).toBe(3);
  });

  test('the value names nobody and differs between browsers', () => {
    const [first, second] = [rememberDevice(key, '', FIRST), rememberDevice(key, '', FIRST)];
    expect(first).not.toContain('acc_1');
    expect(first).not.toBe(second);
    expect(first).toMatch(/^[\w.-]+$/);
  });

  test('an entry cannot be made, changed or moved to another account without the key', () => {
    const cookie = rememberDevice(key, undefined, FIRST);
    const { device: otherKey } = createKeys('another secret that is long enough too');
    expect(knownDevices(otherKey, cookie)(FIRST)).toBeUndefined();
    for (let place = 0; place < cookie.length; place += 7) {
      const changed = cookie.slice(0, place) + (cookie[place] === 'A' ? 'B' : 'A') + cookie.slice(place + 1);
      expect(knownDevices(key, changed)(FIRST)).toBeUndefined();
    }
    for (const nonsense of ['', '.', '..', 'a.b', '\u0000', `${cookie}x`, cookie.slice(1), 'é'.repeat(59)]) {
      expect(knownDevices(key, nonsense)(FIRST)).toBeUndefined();
    }
    expect(knownDevices(key, '.'.repeat(1_000_000) + cookie)(FIRST)).toBeUndefined();
  });

  test('the newest six accounts are kept, each once, so that the cookie stays small', () => {
    let cookie: string | undefined;
    for (const name of ['1', '2', '3', '2', '4', '5', '6', '7', '7']) {
      cookie = rememberDevice(key, cookie, ownerOf(name));
      expect(cookie.length).toBeLessThan(400);
    }
    const nameOf = knownDevices(key, cookie);
    for (const name of ['2', '3', '4', '5', '6', '7']) expect(nameOf(ownerOf(name))).toBeDefined();
    expect(nameOf(FIRST)).toBeUndefined();
  });
});
