// Test mode in company settings: made, marked, left for good by an owner who has just signed in (promise 54).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { and, eq } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { balances } from '../../drizzle/schema/balances.ts';
import { auditEntries } from '../../drizzle/schema/workspaces.ts';
import { readBalance } from '../../src/ledger/balance.ts';
import { testAddressesPerApplication } from '../../src/limits/applications.ts';
import { exchange } from '../harness/client.ts';
import { registerPerson } from '../harness/outage.ts';
import { openSettingsLab, type SettingsLab, type Visitor } from '../settings/lab.ts';

let lab: SettingsLab;
let owner: Visitor;
let developer: Visitor;
let viewer: Visitor;

beforeAll(async () => {
  lab = await openSettingsLab({ WELCOME_CREDIT: '5' });
  owner = lab.visitor(lab.acme.owner);
  developer = lab.visitor(lab.acme.developer);
  viewer = lab.visitor(lab.acme.viewer);
});
afterAll(() => lab?.stop());

const at = (rest: string) => `/settings/${lab.acme.workspace.id}${rest}`;
const registerTest = (name: string) => lab.acme.register({ name, isTest: true, balance: 0n });

async function made(name: string) {
  const [row] = await lab.service.db
    .select({ isTest: applications.isTest, balance: balances.amount })
    .from(applications)
    .innerJoin(balances, eq(balances.applicationId, applications.id))
    .where(eq(applications.name, name));
  return row;
}

const FIELDS = { kind: 'confidential', callback: 'https://shop.example/callback', stack: 'node' };

describe('a new application', () => {
  test('is in test mode unless somebody chooses otherwise', async () => {
    const page = await developer.get(at('/applications/new'));
    expect(page.html).toMatch(/id="mode-test"[^>]*checked/);
    expect((await developer.upload(at('/applications/new'), { ...FIELDS, name: 'Chosen test' })).status).toBe(
      303,
    );
    expect(await made('Chosen test')).toEqual({ isTest: true, balance: 0n });
  });

  test('that is live gets the welcome credit, if it is the first of its workspace, on the statement as such', async () => {
    await developer.upload(at('/applications/new'), { ...FIELDS, name: 'First live', mode: 'live' });
    await developer.upload(at('/applications/new'), { ...FIELDS, name: 'Second live', mode: 'live' });
    expect(await made('First live')).toEqual({ isTest: false, balance: 5_000_000n });
    expect(await made('Second live')).toEqual({ isTest: false, balance: 0n });
    const [first] = await lab.service.db
      .select()
      .from(applications)
      .where(eq(applications.name, 'First live'));
    const month = new Date().toISOString().slice(0, 7);
    const statement = await viewer.get(at(`/applications/${first?.id}/statement?month=${month}`));
    expect(statement.html).toContain('Welcome credit');
  });

  test('of a made-up mode is refused, and nothing is lost', async () => {
    const refused = await developer.upload(at('/applications/new'), {
      ...FIELDS,
      name: 'Neither',
      mode: 'both',
    });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('value="Neither"');
    expect(await made('Neither')).toBeUndefined();
  });
});

test('test mode is marked wherever the application stands, and its usage costs nothing there', async () => {
  const application = await registerTest('Marked');
  await registerPerson(lab.service, application, 'marked@example.test');
  const pages = [
    '',
    '/applications',
    `/applications/${application.id}`,
    `/applications/${application.id}/balance`,
  ];
  for (const rest of pages) expect((await viewer.get(at(rest))).html).toMatch(/Test mode/);
  const usage = await viewer.get(at(`/usage?application=${application.id}`));
  expect(usage.html).toContain('In test mode: 1 session in these days.');
  expect(usage.html).toMatch(/Cost[\s\S]{0,200}€0\.00/);
});

describe('test addresses', () => {
  test('are saved in one spelling; a wrong one is named, and what was typed stays', async () => {
    const application = await registerTest('Addresses');
    const page = at(`/applications/${application.id}`);
    const path = `${page}/test-addresses`;
    const saved = await developer.post(
      page,
      { addresses: 'Ada@Example.test\r\nada@example.test, bob@example.test' },
      path,
    );
    expect(saved.status).toBe(303);
    const [row] = await lab.service.db.select().from(applications).where(eq(applications.id, application.id));
    expect(row?.testAddresses).toEqual(['ada@example.test', 'bob@example.test']);
    const wrong = await developer.post(page, { addresses: 'not an address' }, path);
    expect(wrong.status).toBe(400);
    expect(wrong.html).toContain('not an address');
    const many = Array.from({ length: testAddressesPerApplication + 1 }, (_, n) => `p${n}@example.test`);
    const refused = await developer.post(page, { addresses: many.join('\n') }, path);
    expect(refused.status).toBe(400);
    expect(refused.html).toContain(`at most ${testAddressesPerApplication} test addresses`);
  });
});

describe('promise 54: going live', () => {
  test('threat 144: needs an owner and a fresh sign-in', async () => {
    const application = await registerTest('Guarded');
    const page = at(`/applications/${application.id}/go-live`);
    for (const visitor of [viewer, developer]) expect((await visitor.get(page)).status).toBe(403);
    const stale = await lab.signIn(lab.acme.owner.account.email, { authenticatedSecondsAgo: 3_600 });
    const answer = await lab.visitor(stale).get(page);
    expect(answer.html).not.toContain('What changes');
  });

  test('says what changes, ends what test customers hold, and stands in the audit log', async () => {
    const application = await registerTest('Leaving');
    const ada = await registerPerson(lab.service, application, 'leaving@example.test');
    const code = await ada.newCode();
    const page = at(`/applications/${application.id}/go-live`);
    const asked = await owner.get(page);
    expect(asked.html).toContain('The one test customer is signed out');
    const gone = await owner.post(page, {});
    expect(gone.location).toContain(`/applications/${application.id}/balance`);
    expect((await owner.follow(gone)).html).toContain('Leaving is live');
    expect((await exchange(lab.service, application, code)).body.error).toBe('invalid_grant');
    const entries = await lab.service.db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.action, 'application.went_live'), eq(auditEntries.target, application.id)));
    expect(entries).toMatchObject([{ accountId: lab.acme.owner.account.id }]);
    expect((await owner.get(page)).html).toContain('Leaving is live');
    expect((await viewer.get(at(`/applications/${application.id}`))).html).not.toContain('Test mode');
  });

  test('brings the welcome credit to a workspace that has had none', async () => {
    const { workspace, register, owner: member } = lab.other;
    const application = await register({ name: 'Credited', isTest: true, balance: 0n });
    const page = `/settings/${workspace.id}/applications/${application.id}/go-live`;
    const visitor = lab.visitor(member);
    expect((await visitor.get(page)).html).toContain('welcome credit of €5.00');
    await visitor.post(page, {});
    expect((await readBalance(lab.service.db, application.id)).amount).toBe(5_000_000n);
  });
});
