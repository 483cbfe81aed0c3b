// Whatever changes a company's workspace without a member of it is in its audit log: what the operator does on the
// command line, and what goes when a person's account is deleted.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { listAudit } from '../../src/applications/audit-log.ts';
import { createInvitation } from '../../src/applications/invitation.ts';
import { addMember } from '../../src/applications/membership.ts';
import { transaction } from '../../src/database/connection.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, startAttempt } from '../harness/client.ts';
import { addAccount } from '../harness/identity.ts';
import { openSettingsLab, type SettingsLab } from '../settings/lab.ts';

let lab: SettingsLab;
let workspace: string;
const made: Record<string, string> = {};

beforeAll(async () => {
  lab = await openSettingsLab({ WEBHOOK_ALLOW_LOOPBACK: 'on' });
  workspace = lab.acme.workspace.id;
});
afterAll(() => lab.stop());

const logOf = async (workspaceId = workspace) =>
  (await listAudit(lab.service.db, { workspaceId, filter: {}, limit: 100 })).rows;

async function operate(name: string, input: object) {
  return JSON.parse(JSON.stringify(await lab.service.tollgate.operator(name, input)));
}

/** In this order: each uses what those before it made. */
const operations: [name: string, input: () => object, action: string, keep?: [as: string, field: string]][] =
  [
    [
      'application create',
      () => ({ name: 'Made', callback: ['https://made.example/cb'] }),
      'application.created',
      ['app', 'applicationId'],
    ],
    ['credit', () => ({ application: made.app, amount: '25', reference: 'invoice-1' }), 'balance.credited'],
    ['correct', () => ({ application: made.app, amount: '-1', reason: 'typed twice' }), 'balance.corrected'],
    ['api-key create', () => ({ name: 'Backend' }), 'api_key.created', ['key', 'id']],
    ['api-key rotate', () => ({ id: made.key }), 'api_key.rotated', ['key', 'id']],
    ['api-key revoke', () => ({ id: made.key }), 'api_key.revoked'],
    ['webhook create', () => ({ url: 'https://localhost:4999/hook' }), 'webhook.created', ['hook', 'id']],
    ['webhook pause', () => ({ id: made.hook }), 'webhook.paused'],
    ['webhook resume', () => ({ id: made.hook }), 'webhook.resumed'],
    ['webhook rotate', () => ({ id: made.hook }), 'webhook.secret_rotated'],
    ['member add', () => ({ email: 'new@example.test' }), 'invitation.sent'],
  ];

describe('the operator', () => {
  test.each(operations)('%s leaves a line, as "Tollgate operator"', async (name, input, action, ...kept) => {
    const [keep] = kept;
    const isOfWorkspace = !['credit', 'correct'].includes(name);
    const before = await logOf();
    const answer = await operate(name, { ...(isOfWorkspace && { workspace }), ...input() });
    if (keep) made[keep[0]] = answer[keep[1]];
    const [entry, ...rest] = await logOf();
    expect([entry?.action, entry?.accountId, rest.length]).toEqual([action, null, before.length]);
    const page = await lab.visitor(lab.acme.owner).get(`/settings/${workspace}/audit-log`);
    expect(page.html).toContain('Tollgate operator');
    expect(JSON.stringify(entry)).not.toMatch(/whsec_|v1_|secret"/);
  });

  test('a reference that was credited before leaves no second line', async () => {
    const before = await logOf();
    await operate('credit', { application: made.app, amount: '25', reference: 'invoice-1' });
    expect(await logOf()).toHaveLength(before.length);
  });

  test('workspace create begins the log of the new workspace', async () => {
    const { workspaceId } = await operate('workspace create', { name: 'New' });
    expect((await logOf(workspaceId)).map(({ action }) => action)).toEqual(['workspace.created']);
  });

  test('refund and webhook replay leave a line as well', async () => {
    const application = await lab.acme.register();
    const attempt = startAttempt(lab.service, application);
    const browser = createBrowser();
    const email = 'charged@example.test';
    const callback = await signInAs({ authorizationUrl: attempt.url, browser, email, name: 'Ada Lovelace' });
    const { code = '' } = readCallback(callback);
    expect((await exchange(lab.service, application, { code, verifier: attempt.verifier })).status).toBe(200);
    const [event] = await lab.service.db
      .select()
      .from(usageEvents)
      .where(eq(usageEvents.applicationId, application.id));
    await operate('refund', { event: event?.id, reason: 'a test' });
    expect((await logOf())[0]).toMatchObject({ action: 'event.refunded', accountId: null });
    const { data } = await operate('webhook deliveries', { workspace });
    await operate('webhook replay', { workspace, id: data[0].id });
    expect((await logOf())[0]).toMatchObject({ action: 'webhook.replayed', accountId: null });
  });
});

test("an account's deletion: invitations that it sent, or that were sent to it, leave a line where they end", async () => {
  const { db } = lab.service;
  const account = await addAccount(db, { email: 'leaving@example.test', name: 'Ada Lovelace' });
  const now = new Date();
  const [sent, got] = await transaction(db, async (tx) => {
    await addMember(tx, { workspaceId: workspace, accountId: account.id, role: 'owner', now });
    const invite = (email: string, invitedBy: string) =>
      createInvitation(tx, { workspaceId: workspace, email, role: 'viewer', invitedBy, now });
    return [
      await invite('friend@example.test', account.id),
      await invite('leaving@example.test', lab.acme.owner.account.id),
    ];
  });
  await operate('account delete', { account: account.id });
  const lines = (await logOf()).filter(({ action }) => action === 'invitation.withdrawn');
  expect(lines.map(({ target }) => target).sort()).toEqual([sent.invitation.id, got.invitation.id].sort());
});
