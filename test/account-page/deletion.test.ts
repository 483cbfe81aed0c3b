// A person takes a copy of their data, and deletes their account on the account page (promise 14): afterwards no
// table names them, whichever of its parts they used.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import * as schema from '../../drizzle/schema.ts';
import { endPerson } from '../../interactions/account/person.ts';
import { type Account, lockAccounts } from '../../src/accounts/account.ts';
import { opensNothing, type Place, recordProof } from '../../src/accounts/proof.ts';
import { recordSessionUses } from '../../src/accounts/session-use.ts';
import { linkSocialIdentity } from '../../src/accounts/social-identity.ts';
import { pairwiseSub, recordSessions } from '../../src/applications/customer.ts';
import { createInvitation } from '../../src/applications/invitation.ts';
import { addMember } from '../../src/applications/membership.ts';
import { createWorkspace } from '../../src/applications/workspace.ts';
import { secondsAfter } from '../../src/clock.ts';
import { type Database, rowsOf, transaction } from '../../src/database/connection.ts';
import { createBrowser, type Page } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, refresh, startAttempt, userinfo } from '../harness/client.ts';
import { addAccount, proveMailbox, signInBrowser } from '../harness/identity.ts';
import { longWorkDone } from '../harness/long-work.ts';
import { expectOracles } from '../harness/oracles.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { type AccountPerson, enterAccount } from './account-walk.ts';

let service: TestTollgate;
let application: RegisteredApplication;
beforeAll(async () => {
  service = await startTollgate();
  application = await service.register();
});
afterAll(() => service.stop());

const NAME = 'Ada Canary';
const prices = { currency: 'EUR', registrationPrice: 20_000n, signInPrice: 10_000n };
let exchanges = 0;

/** A customer, with something in every table that an account can have rows in. */
async function settle(email: string) {
  const browser = createBrowser({ headers: { 'sec-fetch-site': 'same-origin' } });
  const attempt = startAttempt(service, application, { scope: 'openid email profile offline_access' });
  const callback = await signInAs({ authorizationUrl: attempt.url, email, name: NAME, browser });
  const { code = '' } = readCallback(callback);
  const { body } = await exchange(service, application, { code, verifier: attempt.verifier });
  exchanges += 1;
  const person = await enterAccount(service, email);
  const account = await accountOf(email);
  await fillTables(account.id, email);
  return {
    person,
    account,
    accessToken: String(body.access_token),
    refreshToken: String(body.refresh_token),
  };
}

async function newCodeOf(email: string, to: RegisteredApplication) {
  const attempt = startAttempt(service, to, { scope: 'openid' });
  const browser = createBrowser({ headers: { 'sec-fetch-site': 'same-origin' } });
  const { code = '' } = readCallback(
    await signInAs({ authorizationUrl: attempt.url, email, name: NAME, browser }),
  );
  return { code, verifier: attempt.verifier };
}

async function accountOf(email: string) {
  const [account] = await service.db.select().from(schema.accounts).where(eq(schema.accounts.email, email));
  if (!account) throw new Error(`${email} has no account`);
  return account;
}

async function fillTables(accountId: string, email: string): Promise<void> {
  const { db } = service;
  const now = new Date();
  const createdAt = now;
  const account = await accountOf(email);
  const place = { uid: randomUUID(), browser: randomUUID() };
  const own = await proveMailbox(db, { account, place });
  await db.insert(schema.passkeys).values({
    id: `pky_${accountId}`,
    accountId,
    credentialId: `credential of ${accountId}`,
    publicKey: new Uint8Array([1, 2, 3]),
    counter: 0,
    transports: ['internal'],
    name: 'Canary key',
    backedUp: true,
    ownerProofId: own.id,
    createdAt,
  });
  const said = await wordOfProvider(place, { subject: `subject ${accountId}`, mailbox: email });
  await transaction(db, (tx) => linkSocialIdentity(tx, { proofId: said.id, ownerProofId: own.id, now }));
  // Words of a provider that led nowhere: one about the address, one about the identity.
  const elsewhere = { uid: randomUUID(), browser: randomUUID() };
  await wordOfProvider(elsewhere, { subject: 'another one', mailbox: email });
  await wordOfProvider(elsewhere, { subject: `subject ${accountId}`, mailbox: undefined });
  await db.insert(schema.emailChanges).values({
    id: `emc_${accountId}`,
    accountId,
    oldEmail: `old.${email}`,
    newEmail: email,
    codeHash: 'x',
    codeExpiresAt: now,
    codeAttempts: 0,
    cancelTokenHash: `cancel ${accountId}`,
    createdAt,
    confirmedAt: now,
  });
}

type Said = { subject: string; mailbox: string | undefined };

function wordOfProvider(place: Place, said: Said) {
  const provenAt = new Date();
  const word = {
    method: 'provider',
    provider: 'google',
    isMailboxVerified: false,
    name: NAME,
    ...said,
  } as const;
  return recordProof(service.db, { place, purpose: 'sign_in', opens: opensNothing, provenAt, ...word });
}

async function deleteOn(person: AccountPerson, typed: string) {
  return sendDeletion(person, await person.open('/account/delete'), typed);
}

function sendDeletion(person: AccountPerson, page: Page, typed: string) {
  return person.send(page, '/account/delete', { email: typed });
}

describe('the copy', () => {
  test('is what the command line gives: everything about the person, and no key, hash or token', async () => {
    const email = 'copy.canary@example.test';
    const { person } = await settle(email);
    const page = await person.open('/account/data');
    const file = await person.send(page, '/account/data/download');
    expect(file.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(file.headers['content-disposition']).toBe('attachment; filename="my-data.json"');
    expect(file.headers['cache-control']).toBe('no-store');
    const copy = JSON.parse(file.html);
    expect(copy).toEqual(await service.tollgate.operator('account export', { account: email }));
    expect(copy).toMatchObject({
      account: { email, name: NAME },
      passkeys: [{ name: 'Canary key', backed_up: true }],
      social_identities: [{ provider: 'google', email }],
      page_sessions: [{ area: 'account' }],
      signed_in_browsers: expect.any(Array),
      email_changes: [{ old_email: `old.${email}` }],
      memberships: [],
      invitations: [],
      applications: [{ application_id: application.id }],
    });
    expect(file.html).not.toMatch(/hash|token|credential of|public_?key|AQID/i);
  });

  test('and both forms are refused without a fresh sign-in', async () => {
    const { person } = await settle('stale.canary@example.test');
    const data = await person.open('/account/data');
    const deletion = await person.open('/account/delete');
    service.clock.aheadMilliseconds += 5 * 60_000 + 1_000;
    const late = 'It has been too long since you signed in.';
    expect((await person.send(data, '/account/data/download')).html).toContain(late);
    const email = person.email;
    expect((await person.send(deletion, '/account/delete', { email })).html).toContain(late);
    expect(await accountOf(email)).toBeDefined();
    service.clock.aheadMilliseconds = 0;
  });
});

describe('the end', () => {
  test('needs the address, typed; then everything ends at once and no table names the person', async () => {
    const email = 'gone.canary@example.test';
    const { person, account, accessToken, refreshToken } = await settle(email);
    const [workspace] = await service.db.select().from(schema.workspaces);
    if (!workspace) throw new Error('no workspace');
    const member = {
      workspaceId: workspace.id,
      accountId: account.id,
      role: 'developer',
      now: new Date(),
    } as const;
    const invitation = { workspaceId: workspace.id, role: 'viewer', now: new Date() } as const;
    await transaction(service.db, async (tx) => {
      await addMember(tx, member);
      await createInvitation(tx, { ...invitation, email, invitedBy: 'operator' });
      await createInvitation(tx, { ...invitation, email: 'friend@example.test', invitedBy: account.id });
    });

    const wrong = await deleteOn(person, 'somebody.else@example.test');
    expect(wrong.html).toContain('That is not your email address.');
    expect(wrong.html).toContain('keep what they stored about you themselves');
    const done = await deleteOn(person, ` ${email.toUpperCase()} `);
    expect(done.html).toContain('Your account is deleted');

    expect((await userinfo(service, accessToken)).status).toBe(401);
    expect((await refresh(service, application, refreshToken)).body.error).toBe('invalid_grant');
    expect((await person.open('/account')).html).toContain('Sign in');
    expect(await person.mail('was just deleted')).not.toContain('sign in now');

    await longWorkDone(service.db);
    // The last mail is on its way; in the development inbox that is a table.
    await service.db.delete(schema.developmentInbox).where(eq(schema.developmentInbox.recipient, email));
    expect(await rowsThatName('gone.canary')).toEqual([]);
    expect(await rowsThatName(`subject ${account.id}`)).toEqual([]);
    // An id that leads nowhere: who did what in a company, and that the deletion is done.
    const left = await rowsThatName(account.id);
    expect([...new Set(left.map(({ table }) => table))].sort()).toEqual(['audit_entries', 'long_work']);
    await expectOracles(service, { exchanges, canaries: [email] });
  });

  test('waits until a company that people sign in to has another owner', async () => {
    const email = 'owner.canary@example.test';
    const { person, account } = await settle(email);
    const other = await settle('heir.canary@example.test');
    const now = new Date();
    const workspaceId = await transaction(service.db, async (tx) => {
      const { id } = await createWorkspace(tx, { name: 'Canary & Co', ...prices, now });
      await addMember(tx, { workspaceId: id, accountId: account.id, role: 'owner', now });
      return id;
    });
    // Nobody signs in to it yet, so nobody depends on its owner.
    expect((await person.open('/account/delete')).html).toContain('Your email address, to confirm');
    const open = await person.open('/account/delete');
    await service.db
      .update(schema.applications)
      .set({ workspaceId })
      .where(eq(schema.applications.id, application.id));
    const page = await person.open('/account/delete');
    expect(page.html).toContain('Hand over your company first');
    expect(page.html).toContain('Canary &amp; Co');
    const refused = await person.send(open, '/account/delete', { email });
    expect(refused.html).toContain('You are the only owner of a company that has applications.');
    await transaction(service.db, (tx) =>
      addMember(tx, { workspaceId, accountId: other.account.id, role: 'owner', now }),
    );
    expect((await deleteOn(person, email)).html).toContain('Your account is deleted');
    const left = await service.db
      .select()
      .from(schema.members)
      .where(eq(schema.members.workspaceId, workspaceId));
    expect(left.map(({ accountId }) => accountId)).toEqual([other.account.id]);
  });

  test('of the two last owners at the same moment, one stays', async () => {
    const [one, two] = [await settle('one.canary@example.test'), await settle('two.canary@example.test')];
    const now = new Date();
    await transaction(service.db, async (tx) => {
      const { id } = await createWorkspace(tx, { name: 'Both', ...prices, now });
      for (const { account } of [one, two])
        await addMember(tx, { workspaceId: id, accountId: account.id, role: 'owner', now });
      await tx
        .update(schema.applications)
        .set({ workspaceId: id })
        .where(eq(schema.applications.id, application.id));
    });
    const opened = await Promise.all(
      [one, two].map(async ({ person }) => ({ person, page: await person.open('/account/delete') })),
    );
    const pages = await Promise.all(
      opened.map(({ person, page }) => sendDeletion(person, page, person.email)),
    );
    const said = pages.map(({ html }) => html.includes('Your account is deleted'));
    expect(said.filter(Boolean)).toHaveLength(1);
  });
});

const end = (tx: Database, account: Account) =>
  endPerson(tx, {
    account,
    by: { action: 'member.removed', accountId: null, address: null },
    now: new Date(),
  });

/** Long enough for a statement to arrive, and to wait where it must. */
const aMoment = () => new Promise((wake) => setTimeout(wake, 200));

describe('a first sign-in while its account ends', () => {
  const customersOf = (accountId: string) =>
    service.db.select().from(schema.customers).where(eq(schema.customers.accountId, accountId));

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
    const use = { sessionUid: uid, userAgent: 'Firefox', address: '192.0.2.1' };
    const at = secondsAfter(new Date(), 7_200);
    await whileItEnds(account, (db) => recordSessionUses(db, [{ ...use, at }]), order);
    await longWorkDone(service.db);
    const left = await service.db
      .select()
      .from(schema.sessions)
      .where(eq(schema.sessions.accountId, account.id));
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

/** Every row of every table, the job queue's included. */
async function rowsThatName(word: string): Promise<{ table: string; row: string }[]> {
  const tables = rowsOf(
    await service.db.execute(sql`
      select table_schema as schema, table_name as name from information_schema.tables
      where table_schema in ('public', 'jobs') and table_type = 'BASE TABLE'`),
  );
  const found: { table: string; row: string }[] = [];
  for (const { schema: space, name } of tables) {
    const table = sql`${sql.identifier(String(space))}.${sql.identifier(String(name))}`;
    const rows = await service.db.execute(
      sql`select row_to_json(t)::text as row from ${table} t where row_to_json(t)::text ilike ${`%${word}%`}`,
    );
    found.push(...rowsOf(rows).map(({ row }) => ({ table: String(name), row: String(row) })));
  }
  return found;
}
