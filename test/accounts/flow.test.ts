// Accounts and flows on both databases: threats 37, 39, 40 and 41 against the room, and what housekeeping removes.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { attemptCounters } from '../../drizzle/schema/operations.ts';
import { flows } from '../../drizzle/schema/sign-ins.ts';
import {
  createAccount,
  findAccount,
  findAccountByEmail,
  parsePersonName,
  removePassword,
  setName,
  setPassword,
} from '../../src/accounts/account.ts';
import { raiseGeneration } from '../../src/accounts/generation.ts';
import { checkCode, issueCode } from '../../src/accounts/one-time-code.ts';
import { opensFor, type Proof, recordProof, useProof } from '../../src/accounts/proof.ts';
import {
  deleteStaleFlows,
  findFlow,
  findFlowOf,
  finishFlow,
  startFlow,
} from '../../src/accounts/sign-in-flow.ts';
import {
  countAttempt,
  deleteStaleCounters,
  forgetAttempts,
  forgiveAttempt,
} from '../../src/database/attempt-limit.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { createKeys } from '../../src/secrets.ts';
import { crowd } from '../harness/crowd.ts';
import { hasPostgres, openTestPglite, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { addAccount } from '../harness/identity.ts';

const START = new Date('2026-11-21T10:00:00.000Z');
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const HOUR = 3_600;
const { oneTimeCode: key } = createKeys('a secret for tests that is long enough');

let number = 0;
const next = (name: string) => {
  number += 1;
  return `${name}-${number}`;
};
/** Everything of these interactions happens in one browser. */
const placeOf = (uid: string) => ({ uid, browser: 'a browser' });
const newEmail = () => `${next('person')}@example.com`;

const begin = (db: Database, changed: { uid?: string; email?: string; now?: Date } = {}) =>
  startFlow(db, {
    place: placeOf(changed.uid ?? next('uid')),
    kind: 'register',
    applicationId: 'app_1',
    email: changed.email ?? newEmail(),
    name: 'Anna',
    passwordHash: 'typed before the address was proven',
    now: changed.now ?? START,
  });

async function mailCode(db: Database, uid: string, email: string): Promise<string> {
  const issued = await transaction(db, (tx) => issueCode(tx, { key, uid, email, now: START }));
  if (!issued.sent) throw new Error('no code was issued');
  return issued.code;
}

const typeCode = (db: Database, uid: string, typed: string, now: Date) =>
  checkCode(db, { key, place: placeOf(uid), typed, clock: () => now });

async function proveEmail(db: Database, uid: string, email: string, now: Date): Promise<Proof> {
  const proven = await typeCode(db, uid, await mailCode(db, uid, email), now);
  if (proven.result !== 'right') throw new Error(proven.result);
  return proven.proof;
}

/** Of a mailbox that nobody has, by a browser of its own. */
const newMailbox = (db: Database, mailbox: string) =>
  recordProof(db, {
    place: { uid: next('uid'), browser: next('browser') },
    purpose: 'registration',
    method: 'code',
    mailbox,
    opens: opensFor(undefined),
    provenAt: START,
  });

const available = (await hasPostgres()) ? ['PGlite', 'PostgreSQL'] : ['PGlite'];

describe.each(available)('accounts and flows on %s', (kind) => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = kind === 'PGlite' ? await openTestPglite() : await openTestPostgres();
    db = database.connection.db;
  });
  afterAll(() => database.remove());

  test('an account is found by its id and its address, and is verified from the beginning', async () => {
    const email = newEmail();
    const proof = await newMailbox(db, email);
    const account = await createAccount(db, { proof, name: 'Anna', locale: 'de', now: START });
    if (!account) throw new Error('no account');
    expect(account).toMatchObject({
      email,
      emailVerified: true,
      name: 'Anna',
      locale: 'de',
      passwordHash: null,
      generation: 1,
      mailboxProofId: proof.id,
      vouchedBy: null,
    });
    expect(account.id).toMatch(/^acc_[0-9a-f]{32}$/);
    expect(await findAccount(db, account.id)).toEqual(account);
    expect(await findAccountByEmail(db, email)).toEqual(account);
    expect(await findAccount(db, 'acc_nobody')).toBeUndefined();
  });

  test('threat 41: 20 parallel clicks with one proof make one account, and all of them get that one', async () => {
    const email = newEmail();
    const proof = await newMailbox(db, email);
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        transaction(db, (tx) =>
          createAccount(tx, { proof, name: `Person ${index}`, locale: 'en', now: START }),
        ),
      ),
    );
    expect(new Set(made.map((account) => account?.id))).toEqual(new Set([proof.accountId]));
    expect(await db.select().from(accounts).where(eq(accounts.email, email))).toHaveLength(1);
  });

  test('threat 41: of 20 browsers that proved one address at once, one makes the account, and the others get none', async () => {
    const email = newEmail();
    const proofs = await Promise.all(Array.from({ length: 20 }, () => newMailbox(db, email)));
    const made = await Promise.all(
      proofs.map((proof, index) =>
        transaction(db, (tx) =>
          createAccount(tx, { proof, name: `Person ${index}`, locale: 'en', now: START }),
        ),
      ),
    );
    expect(made.filter((account) => account !== undefined)).toHaveLength(1);
    expect(await db.select().from(accounts).where(eq(accounts.email, email))).toHaveLength(1);
  });

  test('threat 40: registering an address that has an account changes nothing in it, and opens nothing', async () => {
    const email = newEmail();
    const late = await newMailbox(db, email);
    const owner = await addAccount(db, { email, name: 'Anna', passwordHash: 'hers', now: START });
    const eves = { name: 'Eve', passwordHash: 'eves', locale: 'fr', now: at(1) };
    expect(await createAccount(db, { proof: late, ...eves })).toBeUndefined();
    expect(await findAccountByEmail(db, email)).toEqual(owner);
  });

  test('threat 40: an unproven registration leaves no account, and what it typed is wiped when the flow ends', async () => {
    const email = newEmail();
    const uid = next('uid');
    await begin(db, { uid, email });
    expect(await findAccountByEmail(db, email)).toBeUndefined();
    expect(await finishFlow(db, uid, at(1))).toBe(true);
    expect(await findFlow(db, uid)).toMatchObject({
      name: null,
      passwordHash: null,
      codeHash: null,
      finishedAt: at(1),
    });
  });

  test('updated_at moves with the name and the password, which a recovery changes', async () => {
    const { id } = await addAccount(db, { email: newEmail(), now: START });
    await setName(db, { accountId: id, name: 'Anna', now: at(1) });
    expect(await findAccount(db, id)).toMatchObject({ name: 'Anna', createdAt: START, updatedAt: at(1) });
    await setPassword(db, { accountId: id, passwordHash: 'new', now: at(2) });
    expect(await findAccount(db, id)).toMatchObject({ passwordHash: 'new', updatedAt: at(2) });
    await removePassword(db, { accountId: id, now: at(3) });
    expect(await findAccount(db, id)).toMatchObject({ passwordHash: null, updatedAt: at(3) });
    const nobody = transaction(db, (tx) => raiseGeneration(tx, { accountId: 'acc_nobody', now: START }));
    await expect(nobody).rejects.toMatchObject({ code: 'not_found' });
  });

  test('threat 39: a new generation ends the unfinished flows of the address in other browsers, and of no other address', async () => {
    const email = newEmail();
    const { id } = await addAccount(db, { email, now: START });
    const [own, other, foreign] = [next('uid'), next('uid'), next('uid')];
    const proofs: string[] = [];
    for (const [uid, typed] of [
      [own, email],
      [other, email],
      [foreign, newEmail()],
    ] as const) {
      await begin(db, { uid, email: typed });
      proofs.push((await proveEmail(db, uid, typed, at(1))).id);
    }
    await transaction(db, (tx) =>
      raiseGeneration(tx, { accountId: id, endsCodes: true, exceptUid: own, now: at(2) }),
    );
    expect((await findFlow(db, own))?.proofId).toBe(proofs[0]);
    expect(await findFlow(db, other)).toMatchObject({ proofId: null, passwordHash: null });
    expect((await findFlow(db, foreign))?.proofId).toBe(proofs[2]);
  });

  test('a flow is finished once, by whichever of two tabs is first, and cannot be started again', async () => {
    const uid = next('uid');
    const { email } = await begin(db, { uid });
    const code = await mailCode(db, uid, email);
    const finished = await Promise.all([finishFlow(db, uid, at(1)), finishFlow(db, uid, at(1))]);
    expect(finished.sort()).toEqual([false, true]);
    await expect(begin(db, { uid })).rejects.toMatchObject({ code: 'conflict' });
    expect((await typeCode(db, uid, code, at(2))).result).not.toBe('right');
    expect((await findFlow(db, uid))?.proofId).toBeNull();
  });

  test('threat 37: a proof is good for one new password, of two at once too', async () => {
    const uid = next('uid');
    const place = placeOf(uid);
    const flow = { place, kind: 'recover', applicationId: 'app_1', email: newEmail(), now: START } as const;
    await startFlow(db, flow);
    expect((await findFlow(db, uid))?.proofId).toBeNull();
    const { id: proofId, purpose } = await proveEmail(db, uid, flow.email, at(1));
    expect(purpose).toBe('recovery');
    const used = await Promise.all(
      [1, 2, 3].map(() => transaction(db, (tx) => useProof(tx, { proofId, use: 'recover', now: at(2) }))),
    );
    expect(used.filter(Boolean)).toHaveLength(1);
  });

  test('what was typed in one browser is nothing in another that comes with the same interaction', async () => {
    const place = placeOf(next('uid'));
    const flow = { kind: 'register', applicationId: 'app_1', email: newEmail(), now: START } as const;
    await startFlow(db, { ...flow, place, passwordHash: 'of the one who registers' });
    const code = await mailCode(db, place.uid, flow.email);
    const planter = { ...place, browser: 'another browser' };
    expect(await findFlowOf(db, planter)).toBeUndefined();
    expect(await checkCode(db, { key, place: planter, typed: code, clock: () => at(1) })).toEqual({
      result: 'expired',
    });
    await startFlow(db, { ...flow, place: planter, passwordHash: 'of somebody else' });
    // The code that was mailed before proves nothing that somebody else typed.
    expect(await typeCode(db, place.uid, code, at(2))).toEqual({ result: 'expired' });
    expect(await findFlowOf(db, place)).toBeUndefined();
  });

  test('threat 37: a proof that was made for one kind of flow is not found by another', async () => {
    const uid = next('uid');
    const flow = { place: placeOf(uid), applicationId: 'app_1', email: newEmail(), now: START };
    await startFlow(db, { ...flow, kind: 'recover' });
    const proof = await proveEmail(db, uid, flow.email, at(1));
    expect((await startFlow(db, { ...flow, kind: 'recover', now: at(2) })).proofId).toBe(proof.id);
    expect((await startFlow(db, { ...flow, kind: 'sign_in', now: at(3) })).proofId).toBeNull();
    expect((await startFlow(db, { ...flow, kind: 'recover', now: at(4) })).proofId).toBeNull();
  });

  test('a flow is found by the uid of its interaction only, which is stored as a hash', async () => {
    const uid = next('uid');
    const flow = await begin(db, { uid });
    expect(await findFlow(db, uid)).toEqual(flow);
    expect(await findFlow(db, flow.interactionHash)).toBeUndefined();
    expect(JSON.stringify(flow)).not.toContain(uid);
  });

  test('promise 46: parallel attempts at a limit of 10 let exactly 10 pass', async () => {
    const key = next('key');
    const limit = { count: 10, seconds: 60 };
    const states = await crowd(Array.from({ length: 200 }), () =>
      countAttempt(db, { key, limit, now: START }),
    );
    expect(states.filter(({ allowed }) => allowed)).toHaveLength(10);
    for (const { allowed, retryAfterSeconds } of states) if (!allowed) expect(retryAfterSeconds).toBe(60);
    expect(await countAttempt(db, { key, limit, now: at(59.5) })).toMatchObject({
      allowed: false,
      retryAfterSeconds: 1,
    });
    expect(await countAttempt(db, { key, limit, now: at(60) })).toMatchObject({ allowed: true, count: 1 });
  });

  test('attempts can be forgotten, and one of them forgiven', async () => {
    const key = next('key');
    const attempt = { key, limit: { count: 2, seconds: 60 }, now: START };
    await countAttempt(db, attempt);
    await countAttempt(db, attempt);
    await forgiveAttempt(db, key);
    expect(await countAttempt(db, attempt)).toMatchObject({ allowed: true, count: 2 });
    expect(await countAttempt(db, attempt)).toMatchObject({ allowed: false, count: 3 });
    await forgetAttempts(db, key);
    expect(await countAttempt(db, attempt)).toMatchObject({ allowed: true, count: 1 });
  });

  test('a window that waits for quiet moves with every counted attempt and stands still for refused ones', async () => {
    const key = next('key');
    const limit = { count: 3, seconds: 100, untilQuiet: true };
    for (const second of [0, 90, 180]) {
      expect(await countAttempt(db, { key, limit, now: at(second) })).toMatchObject({ allowed: true });
    }
    for (const second of [181, 220, 279]) {
      const refused = { allowed: false, retryAfterSeconds: 280 - second };
      expect(await countAttempt(db, { key, limit, now: at(second) })).toMatchObject(refused);
    }
    expect(await countAttempt(db, { key, limit, now: at(280) })).toMatchObject({ allowed: true, count: 1 });
  });

  test('threat 92: counters name nobody', async () => {
    await countAttempt(db, { key: 'canary@example.com', limit: { count: 1, seconds: 60 }, now: START });
    expect(JSON.stringify(await db.select().from(attemptCounters))).not.toContain('canary');
  });

  test('housekeeping removes unfinished flows after 90 minutes, finished ones after a day, counters after their window, and nothing else', async () => {
    const [old, young, over, open] = [next('uid'), next('uid'), next('uid'), next('uid')];
    await begin(db, { uid: old, now: at(-25 * HOUR) });
    await begin(db, { uid: young, now: at(-23 * HOUR) });
    for (const uid of [old, young]) await finishFlow(db, uid, at(-22 * HOUR));
    await begin(db, { uid: over, now: at(-91 * 60) });
    await begin(db, { uid: open, now: at(-89 * 60) });
    await deleteStaleFlows(db, START);
    for (const uid of [old, over]) expect(await findFlow(db, uid)).toBeUndefined();
    for (const uid of [young, open]) expect(await findFlow(db, uid)).toBeDefined();

    await db.delete(attemptCounters);
    await countAttempt(db, { key: 'over', limit: { count: 1, seconds: 10 }, now: at(-10) });
    await countAttempt(db, { key: 'running', limit: { count: 1, seconds: 10 }, now: at(-9) });
    await deleteStaleCounters(db, START);
    expect(await db.select().from(attemptCounters)).toHaveLength(1);
    expect((await db.select().from(flows)).length).toBeGreaterThan(0);
  });
});

describe('threat 44: names', () => {
  test.each([
    ['Anna Kowalczyk', 'Anna Kowalczyk'],
    ['  Anna \u00a0 Kowalczyk ', 'Anna Kowalczyk'],
    ['Ka\u0308the', 'Käthe'],
    ["Miles O'Brien-Sánchez <3", "Miles O'Brien-Sánchez <3"],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['ö'.repeat(100), 'ö'.repeat(100)],
  ])('accepted: %j', (typed, stored) => {
    expect(parsePersonName(typed)).toBe(stored);
  });

  test.each<[unknown]>([
    [''],
    ['   '],
    ['Anna\r\nBcc: eve@evil.example'],
    ['Anna\u0000'],
    ['Anna\u202eevil'],
    ['Anna\u2066evil'],
    ['Anna\u2028evil'],
    ['\ud800'],
    ['a'.repeat(101)],
    [['Anna']],
    [{}],
    [undefined],
  ])('refused: %j', (typed) => {
    expect(parsePersonName(typed)).toBeUndefined();
  });
});
