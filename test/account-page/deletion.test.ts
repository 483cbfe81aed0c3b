// A person takes a copy of their data, and deletes their account on the account page (promise 14): afterwards no
// table names them, whichever of its parts they used.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { developmentInbox } from '../../drizzle/schema/operations.ts';
import { members, workspaces } from '../../drizzle/schema/workspaces.ts';
import { findAccountByEmail } from '../../src/accounts/account.ts';
import { createInvitation } from '../../src/applications/invitation.ts';
import { addMember } from '../../src/applications/membership.ts';
import { createWorkspace } from '../../src/applications/workspace.ts';
import { transaction } from '../../src/database/connection.ts';
import type { Page } from '../harness/browserless-browser.ts';
import { refresh, userinfo } from '../harness/client.ts';
import { longWorkDone } from '../harness/long-work.ts';
import { expectOracles } from '../harness/oracles.ts';
import type { RegisteredApplication, TestTollgate } from '../harness/tollgate.ts';
import type { AccountPerson } from './account-walk.ts';
import { type DeletionLab, NAME, openDeletionLab } from './deletion-lab.ts';

let service: TestTollgate;
let application: RegisteredApplication;
let settle: DeletionLab['settle'];
let rowsThatName: DeletionLab['rowsThatName'];
let exchanges: DeletionLab['exchanges'];

beforeAll(async () => {
  ({ service, application, settle, rowsThatName, exchanges } = await openDeletionLab());
});
afterAll(() => service.stop());

const prices = { currency: 'EUR', registrationPrice: 20_000n, signInPrice: 10_000n };

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
    expect(await findAccountByEmail(service.db, email)).toBeDefined();
    service.clock.aheadMilliseconds = 0;
  });
});

describe('the end', () => {
  test('needs the address, typed; then everything ends at once and no table names the person', async () => {
    const email = 'gone.canary@example.test';
    const { person, account, accessToken, refreshToken } = await settle(email);
    const [workspace] = await service.db.select().from(workspaces);
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
    await service.db.delete(developmentInbox).where(eq(developmentInbox.recipient, email));
    expect(await rowsThatName('gone.canary')).toEqual([]);
    expect(await rowsThatName(`subject ${account.id}`)).toEqual([]);
    // An id that leads nowhere: who did what in a company, and that the deletion is done.
    const left = await rowsThatName(account.id);
    expect([...new Set(left.map(({ table }) => table))].sort()).toEqual(['audit_entries', 'long_work']);
    await expectOracles(service, { exchanges: exchanges(), canaries: [email] });
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
    await service.db.update(applications).set({ workspaceId }).where(eq(applications.id, application.id));
    const page = await person.open('/account/delete');
    expect(page.html).toContain('Hand over your company first');
    expect(page.html).toContain('Canary &amp; Co');
    const refused = await person.send(open, '/account/delete', { email });
    expect(refused.html).toContain('You are the only owner of a company that has applications.');
    await transaction(service.db, (tx) =>
      addMember(tx, { workspaceId, accountId: other.account.id, role: 'owner', now }),
    );
    expect((await deleteOn(person, email)).html).toContain('Your account is deleted');
    const left = await service.db.select().from(members).where(eq(members.workspaceId, workspaceId));
    expect(left.map(({ accountId }) => accountId)).toEqual([other.account.id]);
  });

  test('of the two last owners at the same moment, one stays', async () => {
    const [one, two] = [await settle('one.canary@example.test'), await settle('two.canary@example.test')];
    const now = new Date();
    await transaction(service.db, async (tx) => {
      const { id } = await createWorkspace(tx, { name: 'Both', ...prices, now });
      for (const { account } of [one, two])
        await addMember(tx, { workspaceId: id, accountId: account.id, role: 'owner', now });
      await tx.update(applications).set({ workspaceId: id }).where(eq(applications.id, application.id));
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
