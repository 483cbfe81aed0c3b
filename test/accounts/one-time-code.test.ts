// One-time codes on both databases: threats 31 to 34, 37 and 91 against the room itself, where every attempt can be
// counted; the tests of the pages send the same through HTTP.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { flows } from '../../drizzle/schema.ts';
import { endFlowsOfAddress, findFlow, finishFlow, startFlow } from '../../src/accounts/flow.ts';
import { raiseGeneration } from '../../src/accounts/generation.ts';
import { knownDevices, type NameOfDevice, rememberDevice } from '../../src/accounts/known-device.ts';
import { type CodeResult, checkCode, issueCode } from '../../src/accounts/one-time-code.ts';
import { type Database, openDatabase, transaction } from '../../src/database/connection.ts';
import { createKeys, sha256 } from '../../src/secrets.ts';
import { hasPostgres, openTestPglite, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { addAccount } from '../harness/identity.ts';
import { rounds } from '../harness/rounds.ts';

const START = new Date('2026-11-21T10:00:00.000Z');
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const { oneTimeCode: key, device: deviceKey } = createKeys('a secret for tests that is long enough');

let number = 0;
const next = (name: string) => {
  number += 1;
  return `${name}-${number}`;
};
const newEmail = (name = 'person') => `${next(name)}@example.com`;

/** A new interaction of a new browser, for a new address unless one is given. */
async function begin(db: Database, email = newEmail(), now = START) {
  const uid = next('uid');
  await transaction(db, (tx) =>
    startFlow(tx, {
      place: { uid, browser: browserOf(uid) },
      kind: 'sign_in',
      applicationId: 'app_1',
      email,
      now,
    }),
  );
  return { uid, email };
}

type Started = { uid: string; email: string };

const issue = (db: Database, { uid, email }: Started, now: Date, nameOfDevice: NameOfDevice = stranger) =>
  transaction(db, (tx) => issueCode(tx, { key, uid, email, nameOfDevice, now }));

/** A browser in which nobody signed in before. */
const stranger = () => undefined;

/** One in which this account did. */
const knownTo = (account: { id: string; generation: number }) =>
  knownDevices(deviceKey, rememberDevice(deviceKey, undefined, account));

const browserOf = (uid: string) => `the browser of ${uid}`;
const placeOf = ({ uid }: { uid: string }) => ({ uid, browser: browserOf(uid) });

/** What a right code is answered with, for whoever counts on nothing but the proof. */
const RIGHT = { result: 'right', proof: expect.objectContaining({ method: 'code' }) };

async function codeFor(db: Database, started: Started, now = START): Promise<string> {
  const issued = await issue(db, started, now);
  if (!issued.sent) throw new Error('no code was issued');
  return issued.code;
}

const guess = (
  db: Database,
  uid: string,
  typed: string,
  now = at(1),
  nameOfDevice: NameOfDevice = stranger,
) => checkCode(db, { key, place: { uid, browser: browserOf(uid) }, typed, nameOfDevice, clock: () => now });

const wrongCodes = (right: string, count: number) =>
  Array.from({ length: count + 1 }, (_, index) => String(100_000 + index))
    .filter((code) => code !== right)
    .slice(0, count);

const count = (results: CodeResult[], kind: CodeResult['result']) =>
  results.filter(({ result }) => result === kind).length;

const available = (await hasPostgres()) ? ['PGlite', 'PostgreSQL'] : ['PGlite'];

describe.each(available)('one-time codes on %s', (kind) => {
  let database: TestDatabase;
  let a: Database;
  /** A second process on the same database, where there can be one. */
  let b: Database;
  let closeB = async () => {};

  beforeAll(async () => {
    database = kind === 'PGlite' ? await openTestPglite() : await openTestPostgres();
    a = b = database.connection.db;
    if (database.databaseUrl) {
      const second = await openDatabase({ databaseUrl: database.databaseUrl });
      b = second.db;
      closeB = second.close;
    }
  });
  afterAll(async () => {
    await closeB();
    await database.remove();
  });

  test('the right code is right, once, and proves the address', async () => {
    const started = await begin(a);
    const code = await codeFor(a, started);
    expect(code).toMatch(/^\d{6}$/);
    expect((await findFlow(a, started.uid))?.proofId).toBeNull();
    const right = await guess(a, started.uid, code);
    const { uid, email } = started;
    const where = { interactionHash: sha256(uid), browserHash: sha256(browserOf(uid)) };
    const what = { purpose: 'sign_in', method: 'code', mailbox: email, isMailboxVerified: true };
    expect(right).toMatchObject({ result: 'right', proof: { ...where, ...what, isNewAccount: true } });
    const { id, provenAt } = right.result === 'right' ? right.proof : { id: '', provenAt: START };
    expect(provenAt.getTime() - at(1).getTime()).toBeLessThan(5_000);
    expect((await findFlow(a, uid))?.proofId).toBe(id);
    expect(await guess(a, started.uid, code)).toEqual({ result: 'used_up' });
  });

  test('nothing at rest contains the code or the interaction', async () => {
    const started = await begin(a);
    const code = await codeFor(a, started);
    const [row] = await a.select().from(flows).where(eq(flows.email, started.email));
    const atRest = JSON.stringify(row);
    expect(atRest).not.toContain(code);
    expect(atRest).not.toContain(sha256(code));
    expect(atRest).not.toContain(started.uid);
  });

  test('threat 31: of 200 parallel guesses on two instances exactly 5 are evaluated, and then the right code is dead', async () => {
    for (let round = 0; round < rounds(1, 100); round += 1) {
      const started = await begin(a);
      const code = await codeFor(a, started);
      const results = await Promise.all(
        wrongCodes(code, 200).map((wrong, index) => guess(index % 2 ? a : b, started.uid, wrong)),
      );
      const left = results.flatMap((result) => (result.result === 'wrong' ? [result.attemptsLeft] : []));
      expect(left.filter((attempts) => attempts > 0).sort()).toEqual([1, 2, 3, 4]);
      expect(count(results, 'used_up')).toBe(196);
      expect((await findFlow(a, started.uid))?.codeAttempts).toBe(5);
      expect(await guess(a, started.uid, code)).toEqual({ result: 'used_up' });
      expect((await findFlow(a, started.uid))?.proofId).toBeNull();
    }
  });

  test('threat 31: the right code among 200 parallel guesses wins only if it is among the first 5', async () => {
    const started = await begin(a);
    const code = await codeFor(a, started);
    const typed = [...wrongCodes(code, 150), code, ...wrongCodes(code, 49)];
    const results = await Promise.all(typed.map((one, index) => guess(index % 2 ? a : b, started.uid, one)));
    expect(count(results, 'right')).toBeLessThanOrEqual(1);
    expect((await findFlow(a, started.uid))?.codeAttempts).toBeLessThanOrEqual(5);
  });

  test('threat 33: of parallel right codes exactly one is right', async () => {
    for (let round = 0; round < rounds(10, 100); round += 1) {
      const started = await begin(a);
      const code = await codeFor(a, started);
      const results = await Promise.all([a, b, a, b].map((db) => guess(db, started.uid, code)));
      expect(count(results, 'right')).toBe(1);
      expect(count(results, 'used_up')).toBe(3);
    }
  });

  test('threat 33: a code belongs to its interaction, its address, its ten minutes and its latest mail', async () => {
    const email = newEmail('bound');
    const [mine, other] = [await begin(a, email), await begin(a, email)];
    const code = await codeFor(a, mine);
    await codeFor(a, other);
    expect(await guess(a, other.uid, code)).toEqual({ result: 'wrong', attemptsLeft: 4 });
    expect(await guess(a, 'no such interaction', code)).toEqual({ result: 'expired' });
    expect(await guess(a, mine.uid, code, at(10 * MINUTE))).toEqual({ result: 'expired' });

    const again = await codeFor(a, mine, at(2 * MINUTE));
    if (again !== code) expect((await guess(a, mine.uid, code, at(2 * MINUTE))).result).toBe('wrong');
    expect(await guess(a, mine.uid, again, at(12 * MINUTE - 1))).toEqual(RIGHT);
  });

  test('threat 33: changing the address in the same interaction kills the code and the proof', async () => {
    const started = await begin(a);
    const code = await codeFor(a, started);
    const changed = { uid: started.uid, email: newEmail('changed') };
    await startFlow(a, {
      ...changed,
      place: placeOf(started),
      kind: 'sign_in',
      applicationId: 'app_1',
      now: at(1),
    });
    expect(await guess(a, started.uid, code)).toEqual({ result: 'expired' });
    await expect(issue(a, started, at(90))).rejects.toMatchObject({ code: 'conflict' });
    expect(await guess(a, started.uid, await codeFor(a, changed, at(2)), at(3))).toEqual(RIGHT);
    await startFlow(a, {
      place: placeOf(started),
      email: started.email,
      kind: 'sign_in',
      applicationId: 'app_1',
      now: at(4),
    });
    expect((await findFlow(a, started.uid))?.proofId).toBeNull();
  });

  test('threat 32: starting over with the same address keeps the code and buys no attempts', async () => {
    const started = await begin(a);
    const code = await codeFor(a, started);
    for (const wrong of wrongCodes(code, 3)) await guess(a, started.uid, wrong);
    await startFlow(a, {
      ...started,
      place: placeOf(started),
      kind: 'register',
      name: 'Eve',
      applicationId: 'app_1',
      now: at(2),
    });
    const [first = '', second = ''] = wrongCodes(code, 2);
    expect(await guess(a, started.uid, first)).toEqual({ result: 'wrong', attemptsLeft: 1 });
    expect(await guess(a, started.uid, second)).toEqual({ result: 'used_up' });
    expect(await guess(a, started.uid, code)).toEqual({ result: 'used_up' });
  });

  test.each([
    ['a space in the middle, as mails show it', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
    ['spaces and line ends around', (code: string) => ` \t${code}\r\n`],
    ['no-break spaces', (code: string) => `\u00a0${code.slice(0, 3)}\u00a0${code.slice(3)}`],
  ])('threat 33: accepted: %s', async (_case, type) => {
    const started = await begin(a);
    expect(await guess(a, started.uid, type(await codeFor(a, started)))).toEqual(RIGHT);
  });

  test.each<[string, (code: string) => string]>([
    [
      'full-width digits',
      (code) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    ],
    [
      'Arabic-Indic digits',
      (code) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit))),
    ],
    ['a lost leading digit', (code) => code.slice(1)],
    ['one digit more', (code) => `${code}0`],
    ['zeros in front', (code) => `00${code}`],
    ['hyphen', (code) => `${code.slice(0, 3)}-${code.slice(3)}`],
    ['plus sign', (code) => `+${code}`],
    ['exponent', (code) => `${code}e0`],
    ['SQL', (code) => `${code}' or '1'='1`],
    ['empty', () => ''],
  ])('threat 33: refused without costing an attempt: %s', async (_case, type) => {
    const started = await begin(a);
    const code = await codeFor(a, started);
    expect(await guess(a, started.uid, type(code))).toEqual({ result: 'wrong', attemptsLeft: 5 });
    expect(await guess(a, started.uid, code)).toEqual(RIGHT);
  });

  test('threat 34: a new code at most every 60 seconds per interaction, however many ask at once', async () => {
    const started = await begin(a);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => issue(index % 2 ? a : b, started, START)),
    );
    expect(results.filter(({ sent }) => sent)).toHaveLength(1);
    expect(await issue(a, started, at(59))).toEqual({ sent: false, retryAfterSeconds: 1 });
    expect((await issue(a, started, at(60))).sent).toBe(true);
  });

  test('threat 34: 100 requests for one address from 100 browsers send at most 5 mails an hour', async () => {
    const email = newEmail('target');
    const browsers = await Promise.all(Array.from({ length: 100 }, () => begin(a, email)));
    const results = await Promise.all(
      browsers.map((browser, index) => issue(index % 2 ? a : b, browser, at(index))),
    );
    expect(results.filter(({ sent }) => sent)).toHaveLength(5);
    for (const result of results) {
      if (!result.sent) expect(result.retryAfterSeconds).toBeGreaterThan(HOUR - 200);
    }
    const first = browsers[0] ?? { uid: '', email };
    expect((await issue(a, first, at(HOUR - 1))).sent).toBe(false);
    expect((await issue(a, first, at(HOUR + 100))).sent).toBe(true);
  });

  test('threat 91: when others used up the mails of an address, its owner still gets one on a known device', async () => {
    const account = await addAccount(a, { email: newEmail('owner') });
    const { email } = account;
    for (let index = 0; index < 6; index += 1) await issue(a, await begin(a, email), START);
    const owner = await begin(a, email);
    expect((await issue(a, owner, START)).sent).toBe(false);
    expect((await issue(a, owner, START, knownTo(account))).sent).toBe(true);
  });

  /** Guesses as fast as the limits allow, a new interaction each time; returns how many guesses were compared. */
  async function guessFor(email: string, seconds: number, codes: string[] = []): Promise<number> {
    let compared = 0;
    for (let now = 0; now < seconds; now += 5 * MINUTE) {
      const browser = await begin(a, email, at(now));
      const issued = await issue(a, browser, at(now));
      if (!issued.sent) continue;
      codes.push(issued.code);
      for (const wrong of wrongCodes(issued.code, 5)) {
        const { result } = await guess(a, browser.uid, wrong, at(now + 1));
        if (result === 'locked') break;
        compared += 1;
      }
    }
    return compared;
  }

  test('threat 32: one address takes at most 20 wrong codes an hour, from whatever browsers', async () => {
    expect(await guessFor(newEmail('hour'), HOUR)).toBe(20);
  });

  test('threat 32: after 100 wrong codes in a row an address takes none for 24 hours: < 10⁻⁴ per account and day', async () => {
    const email = newEmail('day');
    expect(await guessFor(email, DAY)).toBe(100);
    const late = await begin(a, email, at(DAY));
    const code = await codeFor(a, late, at(DAY));
    expect(await guess(a, late.uid, code, at(DAY + 1))).toMatchObject({ result: 'locked' });
    const muchLater = await begin(a, email, at(2 * DAY));
    const next = await codeFor(a, muchLater, at(2 * DAY));
    expect(await guess(a, muchLater.uid, next, at(2 * DAY + 1))).toEqual(RIGHT);
    expect(1 - (1 - 5 / 1e6) ** 20).toBeLessThan(1e-4);
  });

  test('threats 32 and 91: locked is locked for strangers; the owner signs in on a known device; the lock ends', async () => {
    const account = await addAccount(a, { email: newEmail('locked') });
    const { email } = account;
    const known = knownTo(account);
    await guessFor(email, 30 * MINUTE);
    const owner = await begin(a, email);
    const issued = await issue(a, owner, START, known);
    if (!issued.sent) throw new Error('the owner got no code');
    for (let click = 0; click < 8; click += 1) {
      const refused = await guess(a, owner.uid, issued.code, at(30));
      expect(refused).toMatchObject({ result: 'locked' });
      if (refused.result === 'locked') expect(refused.retryAfterSeconds).toBeGreaterThan(HOUR / 2);
    }
    expect(await guess(a, owner.uid, issued.code, at(31), known)).toEqual(RIGHT);
    const afterwards = await begin(a, email, at(HOUR + MINUTE));
    const code = await codeFor(a, afterwards, at(HOUR + MINUTE));
    expect(await guess(a, afterwards.uid, code, at(HOUR + 2 * MINUTE))).toEqual(RIGHT);
  });

  test('threat 32: the owner signing in elsewhere does not give a guesser new attempts', async () => {
    const email = newEmail('both');
    let compared = 0;
    let owners = 0;
    for (let hour = 0; hour < 12; hour += 1) {
      const now = hour * HOUR;
      const owner = await begin(a, email, at(now));
      const code = await codeFor(a, owner, at(now));
      if ((await guess(a, owner.uid, code, at(now + 1))).result === 'right') owners += 1;
      compared += await guessForOneHour(email, now);
    }
    expect(owners).toBeGreaterThan(4);
    expect(compared).toBeLessThanOrEqual(100);
  });

  async function guessForOneHour(email: string, start: number): Promise<number> {
    let compared = 0;
    for (let index = 0; index < 4; index += 1) {
      const browser = await begin(a, email, at(start));
      const issued = await issue(a, browser, at(start + 2));
      if (!issued.sent) continue;
      for (const wrong of wrongCodes(issued.code, 5)) {
        const { result } = await guess(a, browser.uid, wrong, at(start + 3));
        if (result !== 'locked') compared += 1;
      }
    }
    return compared;
  }

  test('threat 91: a known browser uses up what is its own; another one of the owner and strangers keep theirs', async () => {
    const account = await addAccount(a, { email: newEmail('two browsers') });
    const { email } = account;
    const [intruders, owners] = [knownTo(account), knownTo(account)];
    for (let mail = 0; mail < 5; mail += 1)
      expect((await issue(a, await begin(a, email), START, intruders)).sent).toBe(true);
    expect((await issue(a, await begin(a, email), START, intruders)).sent).toBe(false);
    const [mine, strange] = [await begin(a, email), await begin(a, email)];
    const issued = await issue(a, mine, START, owners);
    if (!issued.sent) throw new Error('the owner got no code');
    for (let round = 0; round < 5; round += 1) {
      const guessing = await begin(a, email, at(HOUR + round));
      const code = await issue(a, guessing, at(HOUR + round), intruders);
      if (!code.sent) throw new Error('no code to guess at');
      for (const wrong of wrongCodes(code.code, 5))
        await guess(a, guessing.uid, wrong, at(HOUR + round), intruders);
    }
    const late = await begin(a, email, at(HOUR));
    const again = await issue(a, late, at(HOUR + 1), owners);
    if (!again.sent) throw new Error('the owner got no code');
    expect(await guess(a, late.uid, again.code, at(HOUR + 2), intruders)).toMatchObject({ result: 'locked' });
    expect(await guess(a, late.uid, again.code, at(HOUR + 2), owners)).toEqual(RIGHT);
    expect((await issue(a, strange, at(HOUR + 2))).sent).toBe(true);
  });

  test('J: a browser that was known before everything was ended is a stranger, and counts as one', async () => {
    const account = await addAccount(a, { email: newEmail('intruded') });
    const { email, id: accountId } = account;
    const formers = knownTo(account);
    await transaction(a, (tx) => raiseGeneration(tx, { accountId, now: START }));
    for (let mail = 0; mail < 5; mail += 1) await issue(a, await begin(a, email), START);
    expect((await issue(a, await begin(a, email), START, formers)).sent).toBe(false);
    const owners = knownTo({ id: accountId, generation: account.generation + 1 });
    expect((await issue(a, await begin(a, email), START, owners)).sent).toBe(true);
  });

  test('a code that was mailed before its owner took the account back proves nothing afterwards', async () => {
    const { email, id: accountId } = await addAccount(a, { email: newEmail('ended') });
    const [other, own] = [await begin(a, email), await begin(a, email)];
    const [code, mine] = [await codeFor(a, other), await codeFor(a, own)];
    await transaction(a, (tx) =>
      raiseGeneration(tx, { accountId, endsCodes: true, exceptUid: own.uid, now: START }),
    );
    expect(await guess(a, other.uid, code)).toEqual({ result: 'expired' });
    expect(await guess(a, own.uid, mine)).toEqual(RIGHT);
  });

  test('whoever is in an account spoils no code of its owner by ending everything else', async () => {
    const { email, id: accountId } = await addAccount(a, { email: newEmail('spoiled') });
    const owner = await begin(a, email);
    const code = await codeFor(a, owner);
    await transaction(a, (tx) =>
      raiseGeneration(tx, { accountId, keepSession: 'of an intruder', now: START }),
    );
    const typed = await guess(a, owner.uid, code);
    expect(typed).toEqual({ result: 'right', proof: expect.objectContaining({ accountId, generation: 2 }) });
  });

  test('a browser without a cookie of its own proves nothing, and the code stays good', async () => {
    const { uid, email } = await begin(a);
    const typed = await codeFor(a, { uid, email });
    const nowhere = { key, place: { uid, browser: '' }, typed, clock: () => at(1) };
    expect(await checkCode(a, nowhere)).toEqual({ result: 'expired' });
    expect(await guess(a, uid, typed, at(2))).toEqual(RIGHT);
  });

  test('threat 91: guessing at a dead, expired or foreign code does not count against the address', async () => {
    const email = newEmail('spared');
    const attacker = await begin(a, email);
    const dead = await codeFor(a, attacker);
    for (const wrong of wrongCodes(dead, 100)) await guess(a, attacker.uid, wrong);
    const owner = await begin(a, email);
    expect(await guess(a, owner.uid, await codeFor(a, owner))).toEqual(RIGHT);
  });

  test('threats 37 and 39: a changed password kills the pending codes and proofs of other browsers', async () => {
    const email = newEmail('changed');
    const [waiting, proven, own] = [await begin(a, email), await begin(a, email), await begin(a, email)];
    const [code, used, mine] = [await codeFor(a, waiting), await codeFor(a, proven), await codeFor(a, own)];
    await guess(a, proven.uid, used);
    await guess(a, own.uid, mine);
    await transaction(a, (tx) => endFlowsOfAddress(tx, { email, exceptUid: own.uid, now: at(2) }));
    expect(await guess(a, waiting.uid, code, at(3))).toEqual({ result: 'expired' });
    expect((await findFlow(a, proven.uid))?.proofId).toBeNull();
    expect((await findFlow(a, own.uid))?.proofId).toMatch(/^pro_/);
  });

  test('threat 37: a finished flow takes no code and sends none', async () => {
    const started = await begin(a);
    const code = await codeFor(a, started);
    await finishFlow(a, started.uid, at(1));
    expect((await guess(a, started.uid, code, at(2))).result).toBe('expired');
    await expect(issue(a, started, at(90))).rejects.toMatchObject({ code: 'conflict' });
  });

  test('codes are uniform: every digit in every place, and leading zeros are kept', async () => {
    const seen = Array.from({ length: 6 }, () => new Set<string>());
    const browsers = await Promise.all(Array.from({ length: 150 }, () => begin(a)));
    for (const browser of browsers) {
      const code = await codeFor(a, browser);
      expect(code).toHaveLength(6);
      for (const [place, digit] of [...code].entries()) seen[place]?.add(digit);
    }
    for (const digits of seen) expect(digits.size).toBe(10);
  });
});
