// How often one-time codes are mailed and guessed: threats 32, 34 and 91 against the room itself, where
// every attempt can be counted; the tests of the pages send the same through HTTP.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../src/database/connection.ts';
import { crowd } from '../harness/crowd.ts';
import { addAccount } from '../harness/identity.ts';
import { chosenStores } from '../harness/stores.ts';
import {
  at,
  begin,
  codeFor,
  DAY,
  guess,
  HOUR,
  issue,
  knownTo,
  MINUTE,
  newEmail,
  openCodeStores,
  RIGHT,
  START,
  wrongCodes,
} from './code-lab.ts';

describe('how often codes are mailed and guessed', () => {
  const kind = chosenStores() === 'servers' ? 'PostgreSQL' : 'PGlite';
  let close: () => Promise<void>;
  let a: Database;
  /** A second process on the same database, where there can be one. */
  let b: Database;

  beforeAll(async () => {
    ({ a, b, close } = await openCodeStores(kind));
  });
  afterAll(() => close());

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
    const browsers = await crowd(Array.from({ length: 100 }), () => begin(a, email));
    const results = await crowd(browsers, (browser, index) => issue(index % 2 ? a : b, browser, at(index)));
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

  test('threat 91: guessing at a dead, expired or foreign code does not count against the address', async () => {
    const email = newEmail('spared');
    const attacker = await begin(a, email);
    const dead = await codeFor(a, attacker);
    for (const wrong of wrongCodes(dead, 100)) await guess(a, attacker.uid, wrong);
    const owner = await begin(a, email);
    expect(await guess(a, owner.uid, await codeFor(a, owner))).toEqual(RIGHT);
  });
});
