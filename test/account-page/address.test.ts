// Changing the address of an account (docs/decisions/0602): the new address proves itself, the old
// one can take the account back, and nobody learns who has an account.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq, like } from 'drizzle-orm';
import { accounts, emailChanges, passkeys, socialIdentities } from '../../drizzle/schema/accounts.ts';
import { invitations } from '../../drizzle/schema/workspaces.ts';
import { createInvitation } from '../../src/applications/invitation.ts';
import { transaction } from '../../src/database/connection.ts';
import { newId } from '../../src/id.ts';
import { inboxReader } from '../harness/browserless-person.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import {
  enter,
  inboxOf,
  mailThatSays,
  open,
  ours,
  send,
  signInToApplication,
  stranger,
  tryTokens,
  userInfo,
} from './account-lab.ts';
import type { AccountPerson } from './account-walk.ts';

let service: TestTollgate;
let application: RegisteredApplication;
beforeAll(async () => {
  service = await startTollgate();
  application = await service.register();
});
afterAll(() => service.stop());

const DAY = 24 * 60 * 60_000;

async function ask({ browser }: Pick<AccountPerson, 'browser'>, newEmail: string) {
  const readCode = await inboxReader(inboxOf(service), newEmail);
  const form = await open(service, browser, '/account/address');
  return { page: await send(browser, form, '/account/address', { email: newEmail }), readCode };
}

async function change(person: Pick<AccountPerson, 'browser'>, newEmail: string) {
  const { page, readCode } = await ask(person, newEmail);
  const done = await send(person.browser, page, '/account/address/code', { code: await readCode(newEmail) });
  expect(done.html).toContain('Your email address has been changed.');
}

async function undoLink(oldEmail: string, newEmail: string): Promise<string> {
  const mail = await mailThatSays(service, oldEmail, `changed to ${newEmail}`);
  const link = /https?:\S+\/account\/address\/cancel\/\S+/.exec(mail)?.[0];
  if (!link) throw new Error(`no link in ${mail}`);
  return link;
}

const accountOf = async (email: string) =>
  (await service.db.select().from(accounts).where(eq(accounts.email, email)))[0];

describe('a change of address', () => {
  test('UserInfo shows the new verified address at once, under the same sub, and the tokens live on', async () => {
    const person = await enter(service, 'moves@example.com');
    const { browser } = person;
    const tokens = await signInToApplication(service, application, { email: 'moves@example.com', browser });
    const before = (await userInfo(service, tokens.access)).body;
    await change(person, 'moved@example.com');
    const after = (await userInfo(service, tokens.access)).body;
    expect(before).toMatchObject({ email: 'moves@example.com', email_verified: true });
    expect(after).toMatchObject({ sub: before.sub, email: 'moved@example.com', email_verified: true });
    expect(await tryTokens(service, application, tokens)).toEqual({ userInfo: 200, refresh: '200' });
    expect(
      await mailThatSays(service, 'moved@example.com', 'is now the email address of the account'),
    ).toBeTruthy();
  });

  test('pending codes of both addresses die, and an invitation stays with the address it was sent to', async () => {
    const person = await enter(service, 'invited@example.com');
    await transaction(service.db, (tx) =>
      createInvitation(tx, {
        workspaceId: service.workspace.id,
        email: 'invited@example.com',
        role: 'viewer',
        invitedBy: 'operator',
        now: new Date(),
      }),
    );
    const elsewhere = ours();
    const readOld = await inboxReader(inboxOf(service), 'invited@example.com');
    const signIn = await open(service, elsewhere, '/account');
    const codePage = await send(elsewhere, signIn, new URL(signIn.forms[0]?.action ?? '').pathname, {
      email: 'invited@example.com',
    });
    const code = await readOld('invited@example.com');
    await change(person, 'uninvited@example.com');
    const refused = await send(elsewhere, codePage, new URL(codePage.url).pathname, { code });
    expect(refused.html).toContain('That code has expired.');
    const invited = await service.db.select().from(invitations);
    expect(invited.map(({ email }) => email)).toContain('invited@example.com');
  });

  test('a taken address gets the answer of a free one; its owner gets a mail without a code', async () => {
    await enter(service, 'owner@example.com');
    const person = await enter(service, 'curious@example.com');
    const free = await ask(person, 'free@example.com');
    const taken = await ask(person, 'owner@example.com');
    // Apart from the form's token and the address itself.
    const words = (html: string, email: string) =>
      html
        .replaceAll(email, '')
        .replaceAll(/value="[^"]*"/g, '')
        .replaceAll(/req_\w+/g, '');
    expect(taken.page.status).toBe(free.page.status);
    expect(words(taken.page.html, 'owner@example.com')).toBe(words(free.page.html, 'free@example.com'));
    const mail = await mailThatSays(
      service,
      'owner@example.com',
      'Someone tried to change the email address',
    );
    expect(mail).not.toMatch(/\d{6}/);
    expect(mail).not.toContain('curious@example.com');
  });

  test('five wrong codes use it up, also when they come at once; the right one is then worth nothing', async () => {
    const person = await enter(service, 'guesser@example.com');
    const { page, readCode } = await ask(person, 'guessed@example.com');
    const code = await readCode('guessed@example.com');
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    await Promise.all(
      Array.from({ length: 8 }, () => send(person.browser, page, '/account/address/code', { code: wrong })),
    );
    const [row] = await service.db
      .select()
      .from(emailChanges)
      .where(eq(emailChanges.newEmail, 'guessed@example.com'));
    expect(row?.codeAttempts).toBe(5);
    expect(row?.codeHash).not.toContain(code);
    const refused = await send(person.browser, page, '/account/address/code', { code });
    expect(refused.html).toContain('Too many wrong codes.');
    expect(await accountOf('guessed@example.com')).toBeUndefined();
  });

  test('a code is good for ten minutes and for one change', async () => {
    const person = await enter(service, 'late@example.com');
    const { page, readCode } = await ask(person, 'later@example.com');
    const code = await readCode('later@example.com');
    service.clock.aheadMilliseconds += 10 * 60_000 + 1_000;
    const late = await send(person.browser, page, '/account/address/code', { code });
    expect(late.html).not.toContain('Your email address has been changed.');
    expect(await accountOf('later@example.com')).toBeUndefined();
  });

  test('two people prove one address at the same moment: one gets it', async () => {
    const people = await Promise.all([
      enter(service, 'race1@example.com'),
      enter(service, 'race2@example.com'),
    ]);
    const asked = [];
    for (const person of people) {
      const { page, readCode } = await ask(person, 'prize@example.com');
      asked.push({ person, page, code: await readCode('prize@example.com') });
    }
    const answers = await Promise.all(
      asked.map(({ person, page, code }) => send(person.browser, page, '/account/address/code', { code })),
    );
    expect(answers.filter(({ html }) => html.includes('Your email address has been changed.'))).toHaveLength(
      1,
    );
    expect(await accountOf('prize@example.com')).toBeDefined();
  });

  test('it needs a sign-in within the last five minutes, and a token of this browser (threat 42)', async () => {
    const person = await enter(service, 'stale.address@example.com');
    const form = await open(service, person.browser, '/account/address');
    const forged = await send(person.browser, form, '/account/address', {
      email: 'forged@example.com',
      csrf_token: 'made-up',
    });
    expect(forged.status).toBe(403);
    service.clock.aheadMilliseconds += 5 * 60_000 + 1_000;
    const late = await send(person.browser, form, '/account/address', { email: 'late.form@example.com' });
    expect(late.html).toContain('It has been too long since');
    expect(await service.db.select().from(emailChanges).where(like(emailChanges.newEmail, '%form%'))).toEqual(
      [],
    );
  });

  test('a new password ends a change that waits for its code (threat 40)', async () => {
    const attacker = await enter(service, 'hijacked@example.com');
    await ask(attacker, 'attacker@example.com');
    const owner = await enter(service, 'hijacked@example.com');
    const form = await open(service, owner.browser, '/account/password');
    await send(owner.browser, form, '/account/password', { password: 'marzipan tugboat lantern' });
    const [row] = await service.db
      .select()
      .from(emailChanges)
      .where(eq(emailChanges.newEmail, 'attacker@example.com'));
    expect(row?.cancelledAt).not.toBeNull();
  });
});

describe('the way back', () => {
  test('works without signing in, ends everything, and removes every way in but the mailbox', async () => {
    const attacker = await enter(service, 'victim@example.com');
    const { browser } = attacker;
    const tokens = await signInToApplication(service, application, { email: 'victim@example.com', browser });
    await change(attacker, 'thief@example.com');
    const account = await accountOf('thief@example.com');
    if (!account) throw new Error('not moved');
    const form = await open(service, browser, '/account/password');
    await send(browser, form, '/account/password', { password: 'marzipan tugboat lantern' });
    const now = new Date();
    await service.db.insert(passkeys).values({
      id: newId('pky'),
      accountId: account.id,
      credentialId: account.id,
      publicKey: new Uint8Array(),
      counter: 0,
      transports: [],
      name: 'theirs',
      backedUp: false,
      createdAt: now,
    });
    const identity = { provider: 'google', subject: 'thief', accountId: account.id, createdAt: now };
    await service.db.insert(socialIdentities).values(identity);

    const link = await undoLink('victim@example.com', 'thief@example.com');
    const mailbox = stranger();
    const page = await open(service, mailbox, link);
    expect(page.html).toContain('Take your address back?');
    expect(page.html).not.toContain('thief@example.com');
    expect((await accountOf('thief@example.com'))?.id).toBe(account.id);
    const done = await send(mailbox, page, new URL(link).pathname);
    expect(done.html).toContain('Your address is back');
    expect(new URL(done.url).pathname).toBe('/account/address/returned');

    const back = await accountOf('victim@example.com');
    expect(back).toMatchObject({ id: account.id, passwordHash: null, emailVerified: true });
    expect(await service.db.select().from(passkeys).where(eq(passkeys.accountId, account.id))).toEqual([]);
    expect(
      await service.db.select().from(socialIdentities).where(eq(socialIdentities.accountId, account.id)),
    ).toEqual([]);
    expect((await open(service, browser, '/account')).html).not.toContain('Your account');
    expect(await tryTokens(service, application, tokens)).toEqual({
      userInfo: 401,
      refresh: 'invalid_grant',
    });
    const again = await open(service, mailbox, link);
    expect(again.status).toBe(404);
    expect(again.html).toContain('This link is no longer valid');
  });

  test('the link is seven days good, and kept only as a hash; the log has none of it', async () => {
    const person = await enter(service, 'week@example.com');
    await change(person, 'week.later@example.com');
    const link = await undoLink('week@example.com', 'week.later@example.com');
    const token = link.split('/').at(-1) ?? '';
    expect(JSON.stringify(await service.db.select().from(emailChanges))).not.toContain(token);
    expect((await open(service, stranger(), link)).status).toBe(200);
    expect(service.logLines.join('')).not.toContain(token);
    service.clock.aheadMilliseconds += 7 * DAY + 1_000;
    expect((await open(service, stranger(), link)).status).toBe(404);
  });

  test('until then nobody registers the old address, or moves an account to it', async () => {
    const person = await enter(service, 'given.up@example.com');
    await change(person, 'kept@example.com');
    await expect(enter(service, 'given.up@example.com')).rejects.toThrow('This address can’t be used yet');
    expect(await accountOf('given.up@example.com')).toBeUndefined();
    const other = await enter(service, 'other@example.com');
    await ask(other, 'given.up@example.com');
    await mailThatSays(service, 'given.up@example.com', 'did until recently');
    service.clock.aheadMilliseconds += 7 * DAY + 1_000;
    await enter(service, 'given.up@example.com');
    expect(await accountOf('given.up@example.com')).toBeDefined();
  });

  test('the first address outlasts a second change, whose own link dies with it', async () => {
    const attacker = await enter(service, 'first@example.com');
    await change(attacker, 'second@example.com');
    await change(attacker, 'third@example.com');
    const early = await undoLink('first@example.com', 'second@example.com');
    const late = await undoLink('second@example.com', 'third@example.com');
    const mailbox = stranger();
    await send(mailbox, await open(service, mailbox, early), new URL(early).pathname);
    expect(await accountOf('first@example.com')).toBeDefined();
    expect((await open(service, stranger(), late)).status).toBe(404);
  });

  test('who goes back on their own leaves the other address no link', async () => {
    const person = await enter(service, 'there@example.com');
    await change(person, 'thither@example.com');
    await change(person, 'there@example.com');
    const told = await mailThatSays(service, 'thither@example.com', 'changed to there@example.com');
    expect(told).not.toContain('/account/address/cancel/');
    const first = await undoLink('there@example.com', 'thither@example.com');
    expect((await open(service, stranger(), first)).status).toBe(404);
    await enter(service, 'thither@example.com');
    expect(await accountOf('thither@example.com')).toBeDefined();
  });

  test('of two requests with one link, one undoes the change', async () => {
    const person = await enter(service, 'twice@example.com');
    await change(person, 'twice.moved@example.com');
    const link = await undoLink('twice@example.com', 'twice.moved@example.com');
    const mailbox = stranger();
    const page = await open(service, mailbox, link);
    const pressed = await Promise.all([1, 2].map(() => send(mailbox, page, new URL(link).pathname)));
    expect(pressed.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});
