// Signed-in browsers (docs/decisions/0701), on both databases: a sign-in counts once, in the browser that proved it, while
// its proof opens the account; the session says what its latest proof says, and ends for good.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { accounts, passkeys, socialIdentities } from '../../drizzle/schema/accounts.ts';
import { pageSessions, sessions } from '../../drizzle/schema/sessions.ts';
import { type Account, findAccount, removePassword } from '../../src/accounts/account.ts';
import { raiseGeneration } from '../../src/accounts/generation.ts';
import { findPageSession, listPageSessions } from '../../src/accounts/page-session.ts';
import { type NewProof, opensFor, type Proof, recordProof } from '../../src/accounts/proof.ts';
import {
  authTimeOf,
  beginSession,
  endSession,
  isProofOfBrowser,
  listSessions,
  sessionsFinder,
} from '../../src/accounts/session.ts';
import { recordSessionUses } from '../../src/accounts/session-use.ts';
import { secondsAfter } from '../../src/clock.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { freshSignInSeconds } from '../../src/limits/settings.ts';
import { interactionSeconds } from '../../src/limits/token-lifetimes.ts';
import { sha256 } from '../../src/secrets.ts';
import { hasPostgres, openTestPglite, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { addAccount, proveMailbox, signInBrowser, signInToPages } from '../harness/identity.ts';

const clock = () => new Date();
const ago = (seconds: number) => secondsAfter(new Date(), -seconds);
const available = (await hasPostgres()) ? ['PGlite', 'PostgreSQL'] : ['PGlite'];

describe.each(available)('sessions on %s', (kind) => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = kind === 'PGlite' ? await openTestPglite() : await openTestPostgres();
    db = database.connection.db;
  });
  afterAll(() => database.remove());

  type Browser = { cookie: string; uid: string };
  const newBrowser = (): Browser => ({ cookie: randomUUID(), uid: randomUUID() });
  const someone = (also: { passwordHash?: string } = {}) =>
    addAccount(db, { email: `${randomUUID()}@example.com`, ...also });
  const again = async ({ id }: Account) => {
    const account = await findAccount(db, id);
    if (!account) throw new Error('no account');
    return account;
  };
  const prove = ({ cookie }: Browser, account: Account, provenAt = new Date()) =>
    proveMailbox(db, { account, place: { uid: randomUUID(), browser: cookie }, provenAt });
  const proveBy = (
    { cookie }: Browser,
    account: Account,
    said: Partial<NewProof> & Pick<NewProof, 'method'>,
  ) =>
    recordProof(db, {
      place: { uid: randomUUID(), browser: cookie },
      purpose: 'sign_in',
      opens: opensFor(account),
      provenAt: new Date(),
      ...said,
    } as NewProof);
  const begin = (
    { cookie, uid }: Browser,
    proof: Pick<Proof, 'id' | 'accountId'>,
    changed: { accountId?: string; clock?: () => Date } = {},
  ) =>
    beginSession(db, {
      proofId: proof.id,
      accountId: changed.accountId ?? proof.accountId ?? '',
      browser: cookie,
      uid,
      userAgent: 'Firefox',
      ipAddress: '192.0.2.1',
      clock: changed.clock ?? clock,
    });
  const factsOf = async ({ uid }: Browser) => (await sessionsFinder(db)([sha256(uid)])).get(sha256(uid));
  const raise = ({ id: accountId }: Account, keepSession?: string) =>
    transaction(db, (tx) => raiseGeneration(tx, { accountId, keepSession, now: new Date() }));
  const uidHashOf = ({ uid }: Browser) => sha256(uid);
  const rowOf = async (browser: Browser) =>
    (
      await db
        .select()
        .from(sessions)
        .where(eq(sessions.uidHash, uidHashOf(browser)))
    )[0];

  describe('begin', () => {
    test('with a proof of this browser, and say when and how it was made', async () => {
      const [account, browser] = [await someone(), newBrowser()];
      const proof = await prove(browser, account, ago(600));
      const facts = {
        accountId: account.id,
        authTime: authTimeOf(proof),
        amr: ['otp'],
        acr: 'urn:tollgate:acr:1fa',
      };
      expect(await begin(browser, proof)).toEqual(facts);
      expect(await factsOf(browser)).toEqual(facts);
      expect(await rowOf(browser)).toMatchObject({ proofId: proof.id, endedAt: null, userAgent: 'Firefox' });
      expect(JSON.stringify(await rowOf(browser))).not.toContain(browser.uid);
    });

    test('once: the step after the consent page finds the same session, another session gets nothing', async () => {
      const [account, browser] = [await someone(), newBrowser()];
      const proof = await prove(browser, account);
      const facts = await begin(browser, proof);
      expect(facts).toBeDefined();
      expect(await begin(browser, proof)).toEqual(facts);
      const other = { ...browser, uid: randomUUID() };
      expect(await begin(other, proof)).toBeUndefined();
      expect(await rowOf(other)).toBeUndefined();
      expect(await begin(browser, proof)).toEqual(facts);
    });

    test('once, of twenty sessions at one moment', async () => {
      const [account, browser] = [await someone(), newBrowser()];
      const proof = await prove(browser, account);
      const begun = await Promise.all(
        Array.from({ length: 20 }, () => begin({ ...browser, uid: randomUUID() }, proof)),
      );
      expect(begun.filter((facts) => facts !== undefined)).toHaveLength(1);
      const rows = await db.select().from(sessions).where(eq(sessions.accountId, account.id));
      expect(rows).toHaveLength(1);
    });

    test('K: not in another browser than the one that proved, which still can', async () => {
      const [account, owner, planter] = [await someone(), newBrowser(), newBrowser()];
      const proof = await prove(owner, account);
      expect(await begin(planter, proof)).toBeUndefined();
      expect(await begin({ ...planter, cookie: '' }, proof)).toBeUndefined();
      expect(await rowOf(planter)).toBeUndefined();
      expect(await begin(owner, proof)).toBeDefined();
      expect(await isProofOfBrowser(db, proof.id, owner.cookie)).toBe(true);
      expect(await isProofOfBrowser(db, proof.id, planter.cookie)).toBe(false);
    });

    test('not for another account than the one that was proven, nor without a proof', async () => {
      const [account, victim, browser] = [await someone(), await someone(), newBrowser()];
      const proof = await prove(browser, account);
      expect(await begin(browser, proof, { accountId: victim.id })).toBeUndefined();
      expect(await begin(browser, { id: '', accountId: victim.id })).toBeUndefined();
      expect(await rowOf(browser)).toBeUndefined();
    });

    test('B: not with a sign-in that was parked while everything was ended, however it waits', async () => {
      const [account, browser] = [await someone(), newBrowser()];
      const parked = await prove(browser, account);
      await raise(account);
      expect(await begin(browser, parked)).toBeUndefined();
      expect(await rowOf(browser)).toBeUndefined();
      expect(await begin(browser, await prove(browser, await again(account)))).toBeDefined();
    });

    test('not when the interaction is long over', async () => {
      const [account, browser] = [await someone(), newBrowser()];
      const proof = await prove(browser, account);
      const late = () => secondsAfter(new Date(), interactionSeconds + 5);
      expect(await begin(browser, proof, { clock: late })).toBeUndefined();
    });

    test.each(['recovery', 'link', 'address_change', 'address_return', 'import'] as const)(
      'threat 37: not with what was proven for another purpose: %s',
      async (purpose) => {
        const [account, browser] = [await someone(), newBrowser()];
        const proof = await proveBy(browser, account, { method: 'code', mailbox: account.email, purpose });
        expect(await begin(browser, proof)).toBeUndefined();
        expect(await rowOf(browser)).toBeUndefined();
      },
    );
  });

  describe('of several sign-ins', () => {
    test('C: the later proof counts, in whatever order the browser picks them up', async () => {
      const [account, browser] = [await someone({ passwordHash: 'x' }), newBrowser()];
      const early = await prove(browser, account, ago(900));
      const late = await proveBy(browser, account, { method: 'password', provenAt: ago(60) });
      const facts = { accountId: account.id, authTime: authTimeOf(late), amr: ['pwd'] };
      expect(await begin(browser, late)).toMatchObject(facts);
      expect(await begin(browser, early)).toMatchObject(facts);
      expect((await rowOf(browser))?.proofId).toBe(late.id);
      const latest = await prove(browser, account);
      expect(await begin(browser, latest)).toMatchObject({ authTime: authTimeOf(latest), amr: ['otp'] });
    });

    test('a session stays its account’s: another one’s sign-in needs a session of its own', async () => {
      const [account, other, browser] = [await someone(), await someone(), newBrowser()];
      await begin(browser, await prove(browser, account));
      expect(await begin(browser, await prove(browser, other))).toBeUndefined();
      expect(await factsOf(browser)).toMatchObject({ accountId: account.id });
    });

    test('none brings back a session that has ended', async () => {
      const [account, browser] = [await someone(), newBrowser()];
      await begin(browser, await prove(browser, account));
      await endSession(db, { uidHash: uidHashOf(browser), now: new Date() });
      expect(await begin(browser, await prove(browser, account))).toBeUndefined();
      expect(await factsOf(browser)).toBeUndefined();
    });
  });

  describe('say how somebody signed in only while that is a way in', () => {
    const strength = async (browser: Browser) => {
      const facts = await factsOf(browser);
      return facts && [facts.amr, facts.acr];
    };

    test('a passkey', async () => {
      const [account, browser] = [await someone(), newBrowser()];
      const passkeyId = randomUUID();
      await db.insert(passkeys).values({
        id: passkeyId,
        accountId: account.id,
        credentialId: randomUUID(),
        publicKey: new Uint8Array([1]),
        counter: 0,
        transports: [],
        name: 'A key',
        backedUp: false,
        createdAt: new Date(),
      });
      await begin(browser, await proveBy(browser, account, { method: 'passkey', passkeyId }));
      expect(await strength(browser)).toEqual([['pop', 'mfa'], 'phr']);
      await db.delete(passkeys).where(eq(passkeys.id, passkeyId));
      expect(await strength(browser)).toEqual([undefined, undefined]);
    });

    test('a password', async () => {
      const [account, browser] = [await someone({ passwordHash: 'x' }), newBrowser()];
      await begin(browser, await proveBy(browser, account, { method: 'password' }));
      expect(await strength(browser)).toEqual([['pwd'], 'urn:tollgate:acr:1fa']);
      await removePassword(db, { accountId: account.id, now: new Date() });
      expect(await strength(browser)).toEqual([undefined, undefined]);
    });

    test('a provider, while that identity is linked to this account', async () => {
      const [account, other, browser] = [await someone(), await someone(), newBrowser()];
      const identity = { provider: 'google', subject: randomUUID() };
      const createdAt = new Date();
      await db.insert(socialIdentities).values({ ...identity, accountId: account.id, createdAt });
      const said = { ...identity, mailbox: undefined, isMailboxVerified: false, name: undefined };
      await begin(browser, await proveBy(browser, account, { method: 'provider', ...said }));
      expect(await strength(browser)).toEqual([['fed'], 'urn:tollgate:acr:1fa']);
      await db
        .update(socialIdentities)
        .set({ accountId: other.id })
        .where(eq(socialIdentities.subject, identity.subject));
      expect(await strength(browser)).toEqual([undefined, undefined]);
    });
  });

  describe('end', () => {
    test('once and for good, with the sessions of our own pages; those of other browsers go on', async () => {
      const account = await someone();
      const [page, other] = [
        await signInToPages(db, { area: 'account', account }),
        await signInToPages(db, { area: 'settings', account }),
      ];
      const who = (token: string, area: 'account' | 'settings') =>
        findPageSession(db, { area, token, ipAddress: '', clock });
      expect(await who(page.token, 'account')).toMatchObject({ account, isFresh: true });
      const ended = await Promise.all(
        [1, 2, 3].map(() => endSession(db, { uidHash: page.sessionHash, now: new Date() })),
      );
      expect(ended.filter(Boolean)).toHaveLength(1);
      expect(await who(page.token, 'account')).toBeUndefined();
      expect(await who(other.token, 'settings')).toMatchObject({ account });
      expect(await listPageSessions(db, { accountId: account.id, now: new Date() })).toHaveLength(1);
      expect(await listSessions(db, { accountId: account.id, now: new Date() })).toMatchObject([
        { uidHash: other.sessionHash },
      ]);
    });

    test('not by somebody else', async () => {
      const [account, thief] = [await someone(), await someone()];
      const uidHash = await signInBrowser(db, { account });
      expect(await endSession(db, { uidHash, accountId: thief.id, now: new Date() })).toBe(false);
      expect(await endSession(db, { uidHash, accountId: account.id, now: new Date() })).toBe(true);
    });

    test('and are not used again: a note that comes late changes nothing', async () => {
      const [account, browser] = [await someone(), newBrowser()];
      await signInBrowser(db, { account, uid: browser.uid });
      const use = { sessionUid: browser.uid, userAgent: 'late', ipAddress: 'late' };
      const at = secondsAfter(new Date(), 7_200);
      await endSession(db, { uidHash: uidHashOf(browser), now: new Date() });
      await recordSessionUses(db, [{ ...use, at }]);
      expect((await rowOf(browser))?.userAgent).toBe('test');
    });

    test('with the account', async () => {
      const [account, browser] = [await someone(), newBrowser()];
      await begin(browser, await prove(browser, account));
      await db.delete(accounts).where(eq(accounts.id, account.id));
      expect([await factsOf(browser), await rowOf(browser)]).toEqual([undefined, undefined]);
    });
  });

  describe('of an account whose generation is raised', () => {
    test('all end, with the pages; a kept one and its pages go on, and so do its facts', async () => {
      const [account, bystander] = [await someone(), await someone()];
      const [kept, ended] = [newBrowser(), newBrowser()];
      const proof = await prove(kept, account, ago(120));
      await begin(kept, proof);
      await begin(ended, await prove(ended, account));
      const pageOf = (sessionHash: string, id: string) => ({
        id,
        area: 'account' as const,
        tokenHash: id,
        accountId: account.id,
        sessionHash,
        authenticatedAt: new Date(),
        createdAt: new Date(),
        lastSeenAt: new Date(),
        userAgent: '',
        ipAddress: '',
      });
      const [keptPage, endedPage] = [randomUUID(), randomUUID()];
      await db
        .insert(pageSessions)
        .values([pageOf(uidHashOf(kept), keptPage), pageOf(uidHashOf(ended), endedPage)]);
      const elsewhere = await signInToPages(db, { area: 'account', account: bystander });
      await raise(account, uidHashOf(kept));
      expect(await factsOf(ended)).toBeUndefined();
      expect(await factsOf(kept)).toMatchObject({ authTime: authTimeOf(proof), amr: ['otp'] });
      const left = await listPageSessions(db, { accountId: account.id, now: new Date() });
      expect(left.map(({ id }) => id)).toEqual([keptPage]);
      expect((await rowOf(ended))?.endedAt).toBeInstanceOf(Date);
      await raise(account);
      expect(await factsOf(kept)).toBeUndefined();
      expect(await listPageSessions(db, { accountId: account.id, now: new Date() })).toEqual([]);
      expect(await listPageSessions(db, { accountId: bystander.id, now: new Date() })).toMatchObject([
        { id: elsewhere.id },
      ]);
    });

    test('one that has ended is not kept, nor one of somebody else or of a generation before', async () => {
      const [account, thief] = [await someone(), await someone()];
      const [ended, theirs, old] = [newBrowser(), newBrowser(), newBrowser()];
      for (const [browser, whose] of [
        [ended, account],
        [theirs, thief],
        [old, account],
      ] as const)
        await begin(browser, await prove(browser, whose));
      await endSession(db, { uidHash: uidHashOf(ended), now: new Date() });
      await raise(account, uidHashOf(ended));
      expect([await factsOf(ended), await factsOf(old)]).toEqual([undefined, undefined]);
      await raise(account, uidHashOf(theirs));
      expect(await factsOf(theirs)).toMatchObject({ accountId: thief.id });
      await raise(account, uidHashOf(old));
      expect(await factsOf(old)).toBeUndefined();
    });

    test('G: a sign-in at the same moment either came before, and has ended, or did not happen', async () => {
      for (let round = 0; round < 10; round += 1) {
        const [account, browser] = [await someone(), newBrowser()];
        const proof = await prove(browser, account);
        await Promise.all([begin(browser, proof), raise(account)]);
        expect(await factsOf(browser)).toBeUndefined();
      }
    });
  });

  test('are fresh by the age of their latest proof, not by when the browser came back with it', async () => {
    const account = await someone();
    const find = async (provenSecondsAgo: number) => {
      const { token } = await signInToPages(db, { area: 'account', account, provenSecondsAgo });
      return (await findPageSession(db, { area: 'account', token, ipAddress: '', clock }))?.isFresh;
    };
    expect([await find(0), await find(freshSignInSeconds - 30)]).toEqual([true, true]);
    expect([await find(freshSignInSeconds + 1), await find(86_400)]).toEqual([false, false]);
  });
});
