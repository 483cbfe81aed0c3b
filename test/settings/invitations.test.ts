// Members and invitations of a workspace (promise 42, threats 53, 56 and 59): an owner is always left, also
// when two remove each other at once; an invitation works once, for one address, for seven days.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { auditEntries } from '../../drizzle/schema/workspaces.ts';
import { addMember, changeRole, listMembers, removeMember } from '../../src/applications/membership.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { createLog } from '../../src/log.ts';
import type { Mail } from '../../src/queue/mail.ts';
import { tellOfDisabledEndpoint } from '../../src/service/owner-mail.ts';
import { mailsTo } from '../harness/browserless-person.ts';
import { until } from '../harness/until.ts';
import { openSettingsLab, type SettingsLab, type SettingsMember, type Visitor } from './lab.ts';

const DAY = 86_400_000;

describe('members and invitations', () => {
  let lab: SettingsLab;

  beforeAll(async () => {
    lab = await openSettingsLab();
  });
  afterAll(() => lab?.stop());

  const ownersOf = async (workspaceId: string) =>
    (await listMembers(lab.service.db, workspaceId)).filter(({ role }) => role === 'owner');

  async function linkMailedTo(email: string): Promise<string> {
    const inbox = `${lab.service.url}/dev/inbox.json`;
    return until(`${email} has an invitation`, async () => {
      const texts = (await mailsTo(inbox, email)).map(({ text }) => text).join('\n');
      return /\/settings\/invitations\/[\w-]{43}/.exec(texts)?.[0];
    });
  }

  async function invite(email: string, role = 'developer', company = lab.acme): Promise<string> {
    const path = `/settings/${company.workspace.id}/members/invite`;
    const sent = await lab.visitor(company.owner).post(path, { email, role });
    expect(sent.status).toBe(303);
    return linkMailedTo(email);
  }

  describe('threat 59: the last owner', () => {
    test('cannot leave, be removed or be demoted', async () => {
      const { workspace, owner } = await lab.addWorkspace('Solo');
      const members = `/settings/${workspace.id}/members`;
      const visitor = lab.visitor(owner);
      const own = `${members}/${owner.account.id}`;
      const attempts = [
        await visitor.post(`${members}/leave`, {}),
        await visitor.post(own, {}, `${own}/remove`),
        await visitor.post(own, { role: 'viewer' }, `${own}/role`),
      ];
      for (const attempt of attempts) {
        expect(attempt.status).toBe(400);
        expect(attempt.html).toContain('Make someone else an owner first.');
      }
      expect(await ownersOf(workspace.id)).toHaveLength(1);
    });

    const rooms = {
      'remove each other': (db: SettingsLab['service']['db'], workspaceId: string, accountId: string) =>
        transaction(db, (tx) => removeMember(tx, { workspaceId, accountId })),
      'demote each other': (db: SettingsLab['service']['db'], workspaceId: string, accountId: string) =>
        transaction(db, (tx) => changeRole(tx, { workspaceId, accountId, role: 'viewer' })),
    };
    for (const [name, change] of Object.entries(rooms)) {
      test(`is left when two owners ${name} at the same moment, and both leave`, async () => {
        const { db } = lab.service;
        for (let round = 0; round < 8; round += 1) {
          const { workspace, owner, developer } = await lab.addWorkspace(`Twins ${name} ${round}`);
          const workspaceId = workspace.id;
          const ids = [owner.account.id, developer.account.id];
          await transaction(db, (tx) =>
            changeRole(tx, { workspaceId, accountId: developer.account.id, role: 'owner' }),
          );
          const results = await Promise.allSettled(
            [...ids, ...ids.toReversed()].map((accountId) => change(db, workspaceId, accountId)),
          );
          expect(await ownersOf(workspaceId)).toHaveLength(1);
          expect(results.some(({ status }) => status === 'rejected')).toBe(true);
        }
      });
    }

    test('is left when the two press the buttons of the pages at once', async () => {
      const { db } = lab.service;
      const { workspace, owner, developer } = await lab.addWorkspace('Buttons');
      const [workspaceId, members] = [workspace.id, `/settings/${workspace.id}/members`];
      await transaction(db, (tx) =>
        changeRole(tx, { workspaceId, accountId: developer.account.id, role: 'owner' }),
      );
      const press = async (who: SettingsMember, whom: SettingsMember) => {
        const visitor = lab.visitor(who);
        const page = await visitor.get(`${members}/${whom.account.id}`);
        return () => visitor.send(`${members}/${whom.account.id}/remove`, page.html, {});
      };
      const buttons = [await press(owner, developer), await press(developer, owner)];
      const answers = await Promise.all(buttons.map((button) => button()));
      expect(answers.map(({ status }) => status).sort()[0]).toBe(303);
      expect(await ownersOf(workspaceId)).toHaveLength(1);
    });
  });

  describe('an invitation', () => {
    const accept = (visitor: Visitor, link: string) => visitor.post(link, {});

    test('leads somebody without an account through the sign-in, and makes them a member once', async () => {
      const email = 'newcomer@example.com';
      const link = await invite(email);
      const anybody = await lab.visitor().get(link);
      expect(anybody.html).toContain('Join Acme Outdoor');
      expect(anybody.html).toContain(`Sign in with ${email}`);
      const signIn = await lab.visitor().get(`${link}/sign-in`);
      expect(signIn.location).toContain(`login_hint=${encodeURIComponent(email)}`);
      const visitor = lab.visitor(await lab.signIn(email));
      const joined = await accept(visitor, link);
      expect(joined.location).toBe(`/settings/${lab.acme.workspace.id}`);
      expect((await visitor.follow(joined)).html).toContain('Welcome to Acme Outdoor');
      expect((await visitor.get(link)).status).toBe(404);
    });

    test('is accepted by one of many requests at the same moment', async () => {
      const email = 'hasty@example.com';
      const link = await invite(email, 'viewer');
      const visitor = lab.visitor(await lab.signIn(email));
      const { html } = await visitor.get(link);
      const answers = await Promise.all(Array.from({ length: 6 }, () => visitor.send(link, html, {})));
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    });

    test('tells another person whom it is for, and lets them in under no circumstances', async () => {
      const link = await invite('meant@example.com', 'owner');
      const stranger = lab.visitor(await lab.signIn('stranger@example.com'));
      const page = await stranger.get(link);
      expect(page.html).toContain('This invitation is for meant@example.com.');
      expect(page.html).not.toContain('name="csrf_token"');
      const home = await stranger.get('/settings/workspaces/new');
      expect((await stranger.send('/settings/sign-out', home.html, {})).status).toBe(303);
      const meant = lab.visitor(await lab.signIn('meant@example.com'));
      const { html } = await meant.get(link);
      const other = await lab.signIn('stranger@example.com');
      const switched = lab.visitor({ cookie: other.cookie });
      expect((await switched.send(link, html, {})).status).toBe(403);
      const mixed = await meant.send(link, html, {});
      expect(mixed.status).toBe(303);
    });

    test('ends after seven days, when it is withdrawn, and when a newer one is sent', async () => {
      const { clock } = lab.service;
      const email = 'slow@example.com';
      const first = await invite(email);
      const path = `/settings/${lab.acme.workspace.id}/members`;
      const owner = lab.visitor(lab.acme.owner);
      const idIn = (html: string) => /invitations\/(inv_[0-9a-f]+)"[^>]*>slow@/.exec(html)?.[1] ?? '';
      const old = `${path}/invitations/${idIn((await owner.get(path)).html)}`;
      expect((await owner.post(old, {}, `${old}/resend`)).status).toBe(303);
      expect((await lab.visitor().get(first)).status).toBe(404);
      expect((await owner.get(old)).status).toBe(404);
      const current = `${path}/invitations/${idIn((await owner.get(path)).html)}`;
      const visitor = lab.visitor(await lab.signIn(email));
      const second = await newLinkTo(email, first);
      const { html } = await visitor.get(second);
      try {
        clock.aheadMilliseconds = 7 * DAY + 1000;
        expect((await lab.visitor().get(second)).status).toBe(404);
        const again = lab.visitor(await lab.signIn(email));
        expect((await again.get(second)).status).toBe(404);
      } finally {
        clock.aheadMilliseconds = 0;
      }
      expect((await owner.post(current, {}, `${current}/withdraw`)).status).toBe(303);
      expect((await visitor.send(second, html, {})).status).toBe(404);
      expect((await owner.get(current)).status).toBe(404);
    });

    describe('ends with the say of who sent it', () => {
      type Ending = (owner: SettingsMember, members: string) => Promise<unknown>;
      const byAnother = (rest: string, fields: Record<string, string> = {}): Ending =>
        async function end(inviter, members) {
          const page = `${members}/${inviter.account.id}`;
          const answer = await lab.visitor(other).post(page, fields, `${page}/${rest}`);
          expect(answer.status).toBe(303);
        };
      const endings: [name: string, end: Ending][] = [
        ['is removed', byAnother('remove')],
        ['is no owner any more', byAnother('role', { role: 'developer' })],
        [
          'leaves',
          async (inviter, members) => {
            expect((await lab.visitor(inviter).post(`${members}/leave`, {})).status).toBe(303);
          },
        ],
        [
          'deletes their account',
          (inviter) => lab.service.tollgate.operator('account delete', { account: inviter.account.email }),
        ],
      ];
      let other: SettingsMember;

      test.each(endings)('who %s', async (name, end) => {
        const company = await lab.addWorkspace(`Inviter who ${name}`);
        const { id: workspaceId } = company.workspace;
        other = company.developer;
        await transaction(lab.service.db, (tx) =>
          changeRole(tx, { workspaceId, accountId: other.account.id, role: 'owner' }),
        );
        const [friend, joined] = [`friend-${workspaceId}@example.com`, `joined-${workspaceId}@example.com`];
        const link = await invite(friend, 'owner', company);
        const early = lab.visitor(await lab.signIn(joined));
        expect((await accept(early, await invite(joined, 'viewer', company))).status).toBe(303);
        const visitor = lab.visitor(await lab.signIn(friend));
        const { html } = await visitor.get(link);
        const members = `/settings/${workspaceId}/members`;
        await end(company.owner, members);
        expect((await visitor.send(link, html, {})).status).toBe(404);
        expect((await visitor.get(link)).status).toBe(404);
        const list = await lab.visitor(other).get(members);
        expect(list.html).not.toContain(friend);
        // Who came by another of theirs before stays.
        expect(list.html).toContain(joined);
      });

      test('also when it was taken away without a word to the invitation', async () => {
        const company = await lab.addWorkspace('Quietly');
        const { id: workspaceId } = company.workspace;
        const accountId = company.owner.account.id;
        const link = await invite('quiet@example.com', 'owner', company);
        const visitor = lab.visitor(await lab.signIn('quiet@example.com'));
        const { html } = await visitor.get(link);
        await lab.service.db.execute(
          sql`update members set role = 'developer' where account_id = ${accountId}`,
        );
        expect((await visitor.send(link, html, {})).status).toBe(404);
        await lab.service.db.execute(sql`update members set role = 'owner' where account_id = ${accountId}`);
        expect((await visitor.send(link, html, {})).location).toBe(`/settings/${workspaceId}`);
      });
    });

    async function newLinkTo(email: string, before: string): Promise<string> {
      return until('there is a second mail', () => linkMailedTo(email), { isIt: (link) => link !== before });
    }

    test('keeps what was typed wrong, and ignores what the form never asked for (threat 56)', async () => {
      const { acme, other } = lab;
      const path = `/settings/${acme.workspace.id}/members/invite`;
      const owner = lab.visitor(acme.owner);
      for (const email of [
        '',
        'x',
        'a@b',
        'a@example.com, b@example.com',
        'a@example.com\nBcc: b@example.com',
      ]) {
        const wrong = await owner.post(path, { email, role: 'viewer' });
        expect(wrong.status).toBe(400);
        expect(wrong.html).toContain('Enter a valid email address.');
      }
      const king = await owner.post(path, { email: 'king@example.com', role: 'king' });
      expect(king.html).toContain('value="king@example.com"');
      expect(king.html).toContain('Choose one of the three roles.');
      const member = await owner.post(path, { email: acme.viewer.account.email, role: 'owner' });
      expect(member.html).toContain('This person is already a member.');
      const sent = await owner.post(path, {
        email: 'plain@example.com',
        role: 'viewer',
        workspaceId: other.workspace.id,
        workspace: other.workspace.id,
        accountId: other.owner.account.id,
      });
      expect(sent.status).toBe(303);
      const theirs = await lab.visitor(other.owner).get(`/settings/${other.workspace.id}/members`);
      expect(theirs.html).not.toContain('plain@example.com');
    });

    test('of the operator works like any other', async () => {
      const { operator } = lab.service.tollgate;
      const { id: workspace } = lab.other.workspace;
      const answer = await operator('member add', { workspace, email: 'first@example.com', role: 'owner' });
      expect(answer.member).toBe(false);
      const link = new URL(String(answer.invitation)).pathname;
      expect(await linkMailedTo('first@example.com')).toBe(link);
      const visitor = lab.visitor(await lab.signIn('first@example.com'));
      expect((await visitor.get(link)).html).toContain('The operator of this service invites you.');
      expect((await accept(visitor, link)).location).toBe(`/settings/${workspace}`);
      const known = await operator('member add', {
        workspace,
        email: 'stranger@example.com',
        role: 'viewer',
      });
      expect(known.member).toBe(true);
      await expect(
        operator('member add', { workspace, email: 'stranger@example.com', role: 'owner' }),
      ).rejects.toThrow('is already a member of');
    });
  });

  test('every change is in the audit log, which owners filter, page through and download', async () => {
    const company = await lab.addWorkspace('Audited');
    const { workspace, owner, viewer } = company;
    const { db } = lab.service;
    const [base, visitor] = [`/settings/${workspace.id}`, lab.visitor(owner)];
    await invite('calc@example.com', 'viewer', company);
    const member = `${base}/members/${viewer.account.id}`;
    await visitor.post(member, { role: 'developer' }, `${member}/role`);
    await visitor.post(member, {}, `${member}/remove`);
    const { html } = await visitor.get(`${base}/audit-log`);
    for (const words of ['Invitation sent', 'Member role changed', 'Member removed', viewer.account.email])
      expect(html).toContain(words);
    const rows = (page: string) => page.match(/<tr>/g)?.length ?? 0;
    const filtered = await visitor.get(`${base}/audit-log?action=member.removed&person=${owner.account.id}`);
    expect(rows(filtered.html)).toBe(2);
    const none = await visitor.get(`${base}/audit-log?until=2001-01-01`);
    expect(none.html).toContain('No matching entries');
    const csv = await visitor.get(`${base}/audit-log.csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toContain('attachment');
    expect(csv.html.trim().split('\r\n')).toHaveLength(4);
    await expect(db.update(auditEntries).set({ action: 'nothing.happened' })).rejects.toThrow();
    await expect(db.delete(auditEntries)).rejects.toThrow();
    const now = new Date();
    const workspaceId = workspace.id;
    await transaction(db, (tx) =>
      addMember(tx, { workspaceId, accountId: viewer.account.id, role: 'viewer', now }),
    );
    expect((await lab.visitor(viewer).get(`${base}/audit-log.csv`)).status).toBe(403);
  });

  test('owners, and nobody else, are told when a webhook endpoint is switched off', async () => {
    const { workspace, owner } = await lab.addWorkspace('Told');
    const { db, url } = lab.service;
    const mails: Mail[] = [];
    const mailer = { queue: async (_tx: Database, mail: Mail) => void mails.push(mail) };
    const log = createLog({ level: 'silent' });
    const tell = tellOfDisabledEndpoint({ config: { baseUrl: url }, mailer, log });
    const disabled = { subscriptionId: 'whs_1', workspaceId: workspace.id, now: new Date() };
    const reason = 'The endpoint responded with 410 Gone.';
    await transaction(db, (tx) => tell(tx, { ...disabled, url: 'https://hooks.example/x', reason }));
    expect(mails.map(({ to }) => to)).toEqual([owner.account.email]);
    expect(mails[0]?.subject).toBe('Webhook endpoint disabled: hooks.example');
    expect(mails[0]?.text).toContain(reason);
    expect(mails[0]?.text).toContain(`${url}/settings/${workspace.id}/webhooks/whs_1`);
    const page = await lab.visitor(owner).get(`/settings/${workspace.id}/audit-log`);
    expect(page.html).toContain('Webhook disabled');
  });

  test('a long audit log is paged and downloaded whole', async () => {
    const { workspace, owner } = await lab.addWorkspace('Long');
    const entries = Array.from({ length: 1_203 }, (_, number) => ({
      id: `aud_${number.toString(16).padStart(32, '0')}`,
      workspaceId: workspace.id,
      accountId: owner.account.id,
      action: 'test.done',
      target: `number ${number}`,
      detail: {},
      ipAddress: null,
      // Several of one moment, so that the second sort key has to decide.
      occurredAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(number / 7) * 1000),
    }));
    await lab.service.db.insert(auditEntries).values(entries);
    const visitor = lab.visitor(owner);
    const path = `/settings/${workspace.id}/audit-log`;
    const seen: string[] = [];
    for (let next: string | undefined = path; next; ) {
      const { html } = await visitor.get(next);
      seen.push(...[...html.matchAll(/number (\d+)</g)].map(([, number = '']) => number));
      next = /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(new Set(seen).size).toBe(1_203);
    expect(seen).toHaveLength(1_203);
    expect((await visitor.get(`${path}.csv`)).html.trim().split('\r\n')).toHaveLength(1_204);
  });
});
