// One-time codes on both databases: threats 31, 33 and 37 against the room itself; how often they may be mailed and guessed
// is in code-limits.test.ts, and the tests of the pages send the same through HTTP.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { flows } from '../../drizzle/schema/sign-ins.ts';
import { raiseGeneration } from '../../src/accounts/generation.ts';
import { checkCode } from '../../src/accounts/one-time-code.ts';
import { endFlowsOfEmail, findFlow, finishFlow, startFlow } from '../../src/accounts/sign-in-flow.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { sha256 } from '../../src/secrets.ts';
import { crowd } from '../harness/crowd.ts';
import { addAccount } from '../harness/identity.ts';
import { rounds } from '../harness/rounds.ts';
import {
  at,
  available,
  begin,
  browserOf,
  codeFor,
  count,
  guess,
  issue,
  key,
  knownTo,
  MINUTE,
  newEmail,
  openCodeStores,
  placeOf,
  RIGHT,
  START,
  wrongCodes,
} from './code-lab.ts';

describe.each(available)('one-time codes on %s', (kind) => {
  let close: () => Promise<void>;
  let a: Database;
  /** A second process on the same database, where there can be one. */
  let b: Database;

  beforeAll(async () => {
    ({ a, b, close } = await openCodeStores(kind));
  });
  afterAll(() => close());

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
      const results = await crowd(wrongCodes(code, 200), (wrong, index) =>
        guess(index % 2 ? a : b, started.uid, wrong),
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
    const results = await crowd(typed, (one, index) => guess(index % 2 ? a : b, started.uid, one));
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

  test('threats 37 and 39: a changed password kills the pending codes and proofs of other browsers', async () => {
    const email = newEmail('changed');
    const [waiting, proven, own] = [await begin(a, email), await begin(a, email), await begin(a, email)];
    const [code, used, mine] = [await codeFor(a, waiting), await codeFor(a, proven), await codeFor(a, own)];
    await guess(a, proven.uid, used);
    await guess(a, own.uid, mine);
    await transaction(a, (tx) => endFlowsOfEmail(tx, { email, exceptUid: own.uid, now: at(2) }));
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
    const browsers = await crowd(Array.from({ length: 150 }), () => begin(a));
    for (const browser of browsers) {
      const code = await codeFor(a, browser);
      expect(code).toHaveLength(6);
      for (const [place, digit] of [...code].entries()) seen[place]?.add(digit);
    }
    for (const digits of seen) expect(digits.size).toBe(10);
  });
});
