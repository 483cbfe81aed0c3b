// Back-channel logout in company settings (threats 159 and 161): which addresses it takes, what the page says, and how it
// looks.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { logoutNotices } from '../../drizzle/schema/logout-notices.ts';
import { auditEntries } from '../../drizzle/schema/workspaces.ts';
import { findApplication } from '../../src/applications/application.ts';
import { newId } from '../../src/id.ts';
import { hasChromium } from '../harness/chromium.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import { openSettingsLab, type SettingsLab, type Visitor } from './lab.ts';
import { looks, settingsWatch } from './looks.ts';

const ENDPOINT = 'https://logout.example/back-channel?tenant=1';

let lab: SettingsLab;
let shop: RegisteredApplication;
let developer: Visitor;
let page: string;

beforeAll(async () => {
  lab = await openSettingsLab();
  shop = await lab.acme.register({ name: 'Shop' });
  developer = lab.visitor(lab.acme.developer);
  page = `/settings/${lab.acme.workspace.id}/applications/${shop.id}/logout`;
});
afterAll(() => lab?.stop());

const save = (fields: Record<string, string>) => developer.post(`${page}/change`, fields);

describe('the address', () => {
  test.each([
    ['http://logout.example/', 'must be an absolute URL that starts with https://'],
    ['https://logout.example/#done', 'must not contain a fragment'],
    ['https://user:word@logout.example/', 'must not contain a user name or password'],
    ['https://10.0.0.8/', 'must have a host name, not an IP address'],
    ['https://localhost:9443/', 'not a loopback address'],
    ['https://metadata.google.internal/', 'must be a public one'],
    ['https://127.0.0.1.nip.io/', 'must not be one that stands for any address'],
    ['https://logout.example:22/', 'must be 443, or 1024 and above'],
  ])('%s is refused with its reason, and stays in the form', async (uri, words) => {
    const answer = await save({ uri, session_required: 'on' });
    expect(answer.status).toBe(400);
    expect(answer.html).toContain(words);
    expect(answer.html).toContain(`value="${uri}"`);
    expect(await findApplication(lab.service.db, shop.id)).toMatchObject({ backchannelLogoutUri: null });
  });
});

test('set, shown, audited, named by the command line, and switched off', async () => {
  const saved = await save({ uri: ENDPOINT, session_required: 'on' });
  const { html } = await developer.follow(saved);
  expect(html).toContain('It applies to sessions that end from now on');
  expect(html).toContain('POST /back-channel?tenant=1 HTTP/1.1');
  expect(html).toContain(shop.clientId);
  expect(await lab.service.tollgate.operator('application show', { application: shop.id })).toMatchObject({
    logoutEndpoint: ENDPOINT,
    logoutSession: true,
  });
  const audit = await lab.visitor(lab.acme.owner).get(`/settings/${lab.acme.workspace.id}/audit-log`);
  expect(audit.html).toContain('set the back-channel logout endpoint of “Shop” to logout.example');
  await save({ uri: '' });
  expect(await findApplication(lab.service.db, shop.id)).toMatchObject({
    backchannelLogoutUri: null,
    backchannelLogoutSessionRequired: false,
  });
});

test('the operator sets it by the same rules', async () => {
  const { operator } = lab.service.tollgate;
  const ask = (input: object) => operator('application logout', { application: shop.id, ...input });
  await expect(ask({})).rejects.toThrow('--endpoint');
  await expect(ask({ endpoint: 'https://10.0.0.8/' })).rejects.toThrow('IP address');
  expect(await ask({ endpoint: ENDPOINT, session: true })).toMatchObject({ logoutEndpoint: ENDPOINT });
  expect(await ask({ off: true })).toMatchObject({ logoutEndpoint: null, logoutSession: false });
  const entries = await lab.service.db.select().from(auditEntries).where(eq(auditEntries.target, shop.id));
  expect(
    entries.filter(({ action, accountId }) => action === 'application.logout_changed' && !accountId),
  ).toHaveLength(2);
});

((await hasChromium()) ? describe : describe.skip)('in a browser', () => {
  const watch = settingsWatch();
  afterEach(() => watch.end());

  test.each(looks)('$name: set up, refused, saved, with its log', async (look) => {
    const person = watch.add(await lab.person(lab.acme.developer, look.options));
    const see = (name: string) => watch.look(person, look, `logout-${name}`);
    const application = await lab.acme.register({ name: `Nordlicht ${look.name}` });
    const at = `${lab.service.url}/settings/${lab.acme.workspace.id}/applications/${application.id}`;
    const press = (name: string) => person.page.getByRole('button', { name, exact: true }).click();

    await person.page.goto(`${at}/addresses`);
    await see('addresses');
    await person.page.getByRole('link', { name: 'Learn more' }).click();
    await see('off');
    await person.page.getByRole('link', { name: 'Set up' }).click();
    await person.page.fill('[name="uri"]', 'https://10.0.0.8/');
    await press('Save');
    await see('refused');
    await person.page.fill('[name="uri"]', ENDPOINT);
    await press('Save');
    await addLog(application.id);
    await person.page.goto(`${at}/logout`);
    await see('log');
    expect(await person.page.innerText('main')).toContain('400: your endpoint refused the token');
  });
});

async function addLog(applicationId: string): Promise<void> {
  const now = new Date();
  const sub = 'HwJDr0vJjYz6zUeVtZQX7cV3mJ1vJQm9kQ4f0r7mXyE';
  const told = { applicationId, sub, sid: sub, attemptCount: 1, createdAt: now };
  await lab.service.db.insert(logoutNotices).values([
    { ...told, id: newId('lgt'), status: 'delivered', responseStatus: 204, finishedAt: now },
    { ...told, id: newId('lgt'), status: 'failed', responseStatus: 400, finishedAt: now },
    { ...told, id: newId('lgt'), status: 'failed', failure: 'timeout', finishedAt: now },
  ]);
}
