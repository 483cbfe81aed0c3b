// What arrives while an account ends (promise 14): a first sign-in, a browser that is noted, a provider that is linked. Whichever
// comes first, nothing of the person is left.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { customers } from '../../drizzle/schema/customers.ts';
import { sessions } from '../../drizzle/schema/sessions.ts';
import { endPerson } from '../../interactions/account/person.ts';
import { type Account, lockAccounts } from '../../src/accounts/account.ts';
import { recordSessionUses } from '../../src/accounts/session-use.ts';
import { linkSocialIdentity } from '../../src/accounts/social-identity.ts';
import { pairwiseSub, recordSessions } from '../../src/applications/customer.ts';
import { secondsAfter } from '../../src/clock.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { exchange } from '../harness/client.ts';
import { addAccount, proveMailbox, signInBrowser } from '../harness/identity.ts';
import { longWorkDone } from '../harness/long-work.ts';
import type { TestTollgate } from '../harness/tollgate.ts';
import { type DeletionLab, openDeletionLab } from './deletion-lab.ts';

let service: TestTollgate;
let settle: DeletionLab['settle'];
let newCodeOf: DeletionLab['newCodeOf'];
let wordOfProvider: DeletionLab['wordOfProvider'];
let rowsThatName: DeletionLab['rowsThatName'];

beforeAll(async () => {
  ({ service, settle, newCodeOf, wordOfProvider, rowsThatName } = await openDeletionLab());
});
afterAll(() => service.stop());

const end = (tx: Database, account: Account) =>
  endPerson(tx, {
    account,
    by: { action: 'member.removed', accountId: null, ipAddress: null },
    now: new Date(),
  });

/** Long enough for a statement to arrive, and to wait where it must. */
const aMoment = () => new Promise((wake) => setTimeout(wake, 200));

describe('a first sign-in while its account ends', () => {
  const customersOf = (accountId: string) =>
    service.db.select().from(customers).where(eq(customers.accountId, accountId));

  test('is refused when it comes second, and makes no customer', async () => {
    const { account } = await settle('leaving.canary@example.test');
    const elsewhere = await service.register();
    const code = await newCodeOf(account.email, elsewhere);
    let exchanging: ReturnType<typeof exchange> | undefined;
    await transaction(service.db, async (tx) => {
      await end(tx, account);
      exchanging = exchange(service, elsewhere, code);
      await aMoment();
    });
    const answer = await exchanging;
    expect([answer?.status, answer?.body.error]).toEqual([400, 'invalid_grant']);
    await longWorkDone(service.db);
    expect(await customersOf(account.id)).toEqual([]);
  });

  test('is forgotten when it comes first', async () => {
    const { account } = await settle('staying.canary@example.test');
    const { id: applicationId } = await service.register();
    const sub = pairwiseSub(randomBytes(32), applicationId, account.id);
    let deleting: Promise<number> | undefined;
    await transaction(service.db, async (tx) => {
      await lockAccounts(tx, [account.id]);
      await tx.execute(
        recordSessions([{ applicationId, accountId: account.id, sub, now: new Date(), isFirst: true }]),
      );
      deleting = transaction(service.db, (other) => end(other, account));
      await aMoment();
    });
    expect(await deleting).toBe(2);
    await longWorkDone(service.db);
    expect(await customersOf(account.id)).toEqual([]);
  });
});

/** One of the two comes a moment after the other, and the first has not committed yet. */
async function whileItEnds(
  account: Account,
  other: (db: Database) => Promise<unknown>,
  order: 'first' | 'second',
) {
  let waiting: Promise<unknown> | undefined;
  await transaction(service.db, async (tx) => {
    if (order === 'first') await other(tx);
    else await end(tx, account);
    waiting =
      order === 'first'
        ? transaction(service.db, (later) => end(later, account))
        : transaction(service.db, other);
    await aMoment();
  });
  await waiting;
}

describe('a browser that is noted while its account ends', () => {
  test.each(['first', 'second'] as const)('leaves nothing behind when it comes %s', async (order) => {
    const account = await addAccount(service.db, { email: `noted.${order}@example.test` });
    const uid = randomUUID();
    await signInBrowser(service.db, { account, uid });
    // Hours later, or it would not be written.
    const use = { sessionUid: uid, userAgent: 'Firefox', ipAddress: '192.0.2.1' };
    const at = secondsAfter(new Date(), 7_200);
    await whileItEnds(account, (db) => recordSessionUses(db, [{ ...use, at }]), order);
    await longWorkDone(service.db);
    const left = await service.db.select().from(sessions).where(eq(sessions.accountId, account.id));
    expect(left).toEqual([]);
  });
});

describe('a provider that is linked while its account ends', () => {
  test.each(['first', 'second'] as const)('leaves nothing behind when it comes %s', async (order) => {
    const { db } = service;
    const account = await addAccount(db, { email: `linked.${order}@example.test` });
    const place = { uid: randomUUID(), browser: randomUUID() };
    const own = await proveMailbox(db, { account, place });
    const subject = `linked ${order}`;
    const word = await wordOfProvider(place, { subject, mailbox: account.email });
    const link = { proofId: word.id, ownerProofId: own.id, now: new Date() };
    await whileItEnds(account, (tx) => linkSocialIdentity(tx, link), order);
    await longWorkDone(db);
    expect(await rowsThatName(subject)).toEqual([]);
    expect(await rowsThatName(account.email)).toEqual([]);
  });
});
