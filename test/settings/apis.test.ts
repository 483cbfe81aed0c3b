// APIs and services in company settings, by form and by command; and promise 59 where the person reads it: the consent page
// names the API and its scopes in the company's words, and nothing in them is markup.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { longWork } from '../../drizzle/schema/operations.ts';
import { findApplication } from '../../src/applications/application.ts';
import { deleteApplication } from '../../src/applications/application-change.ts';
import { listResources } from '../../src/applications/resource-list.ts';
import { transaction } from '../../src/database/connection.ts';
import { resourcesPerWorkspace } from '../../src/limits/applications.ts';
import { findWork } from '../../src/queue/long-work.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { CALLBACK, type RegisteredApplication } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
import { openSettingsLab, type SettingsLab, type Visitor } from './lab.ts';

const IDENTIFIER = 'https://api.shop.example';

let lab: SettingsLab;
let shop: RegisteredApplication;
let developer: Visitor;
let apis: string;
beforeAll(async () => {
  lab = await openSettingsLab();
  shop = await lab.acme.register({ name: 'Shop' });
  developer = lab.visitor(lab.acme.developer);
  apis = `/settings/${lab.acme.workspace.id}/apis`;
});
afterAll(() => lab?.stop());

const valid = {
  identifier: IDENTIFIER,
  name: 'Orders',
  scopes: 'orders:read See <b>your</b> orders\norders:write Order for you',
  format: 'jwt',
  seconds: '600',
};
const list = (workspaceId = lab.acme.workspace.id) => listResources(lab.service.db, workspaceId);

describe('a new API', () => {
  test.each([
    [{ identifier: 'http://api.shop.example' }, 'must start with https://'],
    [{ identifier: 'https://api.shop.example/#a' }, 'must not contain a fragment'],
    [{ identifier: 'https://api.shop.example/?a=b' }, 'must not contain a query'],
    [{ identifier: 'https://API.shop.example/' }, 'is not in its normal form'],
    [{ identifier: `https://api.shop.example/${'a'.repeat(200)}` }, 'is longer than 200 characters'],
    [{ name: 'Line\u2028break' }, 'must not contain line breaks or invisible characters'],
    [{ scopes: '' }, 'needs at least one scope'],
    [{ scopes: 'orders:read' }, 'what the scope &quot;orders:read&quot; allows'],
    [{ scopes: 'email See your address' }, 'has a meaning of its own in OpenID Connect'],
    [{ scopes: 'a"b See it' }, 'letters, digits and'],
    [{ scopes: 'a See it\na See it' }, 'given twice'],
    [{ seconds: '86400' }, 'Tokens live 300, 600, 1800, 3600 seconds'],
  ])('%j is refused with its reason, and nothing is kept', async (changed, words) => {
    const answer = await developer.post(`${apis}/new`, { ...valid, ...changed });
    expect(answer.status).toBe(400);
    expect(answer.html).toContain(words);
    expect(await list()).toEqual([]);
  });

  test('registered, chosen for an application, changed, audited; another company cannot have it or see it', async () => {
    const made = await developer.post(`${apis}/new`, { ...valid, [`ask_${shop.id}`]: 'on' });
    const shown = await developer.follow(made);
    expect(shown.html).toContain(IDENTIFIER);
    expect(shown.html).toContain('See &lt;b>your&lt;/b> orders');
    const [api] = await list();
    expect(api).toMatchObject({ tokenFormat: 'jwt', tokenSeconds: 600, askingIds: [shop.id] });
    const other = lab.visitor(lab.other.developer);
    const theirs = `/settings/${lab.other.workspace.id}/apis`;
    const taken = await other.post(`${theirs}/new`, valid);
    expect([taken.status, taken.html.includes('is registered already')]).toEqual([409, true]);
    expect((await other.get(`${theirs}/${api?.id}`)).status).toBe(404);
    const foreign = await other.post(`${theirs}/new`, {
      ...valid,
      identifier: 'https://api.other.example',
      [`ask_${shop.id}`]: 'on',
    });
    expect([foreign.status, foreign.html.includes('Choose among the applications')]).toEqual([400, true]);
    const edited = {
      ...valid,
      identifier: 'https://elsewhere.example',
      seconds: '300',
      [`ask_${shop.id}`]: 'on',
    };
    await developer.post(`${apis}/${api?.id}/edit`, edited);
    expect((await list())[0]).toMatchObject({ identifier: IDENTIFIER, tokenSeconds: 300 });
    const audit = await lab.visitor(lab.acme.owner).get(`/settings/${lab.acme.workspace.id}/audit-log`);
    expect(audit.html).toContain('registered the API “Orders”');
    expect(audit.html).toContain('changed the API “Orders”');
  });
});

test('promise 59: people read the API’s name and what each scope that is asked for allows', async () => {
  const browser = createBrowser();
  const query = new URLSearchParams({
    client_id: shop.clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid orders:read',
    resource: IDENTIFIER,
    state: 'state',
    nonce: 'nonce',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  });
  const pages: string[] = [];
  await signInAs({
    authorizationUrl: `${lab.service.url}/oauth/authorize?${query}`,
    email: 'ada.consents@example.com',
    name: 'Ada',
    browser,
    onPage: (page) => pages.push(page.html),
  });
  const consent = pages.find((html) => html.includes('Use Orders for you')) ?? '';
  expect(consent).toContain('See &lt;b>your&lt;/b> orders');
  expect(consent).not.toContain('Order for you');
});

describe('the end of an API', () => {
  const STOCK = 'https://stock.acme.example';
  const stock = { ...valid, name: 'Stock', identifier: STOCK, format: 'opaque' };
  const named = async (identifier = STOCK) => (await list()).find((api) => api.identifier === identifier);
  const register = async (input: Record<string, string> = stock) => {
    await developer.post(`${apis}/new`, input);
    const api = await named(input.identifier);
    if (!api) throw new Error('it was not registered');
    return { api, path: `${apis}/${api.id}` };
  };
  const remove = async ({ path }: { path: string }, name = 'Stock') =>
    developer.follow(await developer.post(`${path}/delete`, { name }));
  const tenMinutesLater = (id: string) =>
    lab.service.db.update(longWork).set({ nextBiteAt: new Date() }).where(eq(longWork.subject, id));
  const forgotten = (id: string) =>
    until('what it had is forgotten', () => findWork(lab.service.db, { kind: 'api deletion', subject: id }), {
      isIt: (work) => work.finishedAt !== null && Object.keys(work.detail as object).length === 0,
    });

  test('its name is typed, or nothing is deleted', async () => {
    const { api, path } = await register({ ...stock, [`ask_${shop.id}`]: 'on' });
    const asked = await developer.get(`${path}/delete`);
    expect(asked.html).toContain('button-final');
    expect(asked.html).toContain('This affects: Shop.');
    for (const name of ['', 'stock', 'Stock and more']) {
      const refused = await developer.post(`${path}/delete`, { name });
      expect([refused.status, refused.html.includes('The name is “Stock”.')]).toEqual([400, true]);
    }
    expect(await named()).toEqual(api);
    expect((await remove({ path }, ' Stock ')).html).toContain('You can restore it for 10 minutes.');
    expect(await named()).toBeUndefined();
  });

  test('promise 69, threat 190: restored for ten minutes as it was, once', async () => {
    const workspaceId = lab.acme.workspace.id;
    const kept = await lab.acme.register({ name: 'Kept' });
    const goes = await lab.acme.register({ name: 'Goes' });
    const chosen = { [`ask_${kept.id}`]: 'on', [`ask_${goes.id}`]: 'on', [`introspect_${kept.id}`]: 'on' };
    const made = await register({ ...stock, ...chosen });
    const { api, path } = made;
    const gone = await remove(made);
    expect(gone.html).toContain('Recently deleted');
    expect((await lab.visitor(lab.acme.viewer).get(apis)).html).not.toContain('Recently deleted');
    await transaction(lab.service.db, (tx) =>
      deleteApplication(tx, { id: goes.id, workspaceId }, new Date()),
    );
    expect((await developer.send(`${path}/restore`, gone.html, {})).location).toBe(path);
    expect(await named()).toEqual({ ...api, askingIds: [kept.id] });
    expect((await developer.send(`${path}/restore`, gone.html, {})).status).toBe(404);
    const audit = await lab.visitor(lab.acme.owner).get(`/settings/${workspaceId}/audit-log`);
    expect(audit.html).toContain('restored the API “Stock”');
    const again = await remove(made);
    await tenMinutesLater(api.id);
    expect((await developer.send(`${path}/restore`, again.html, {})).status).toBe(404);
    expect((await developer.get(apis)).html).not.toContain(`${path}/restore`);
    await forgotten(api.id);
  });

  test('registered anew it begins anew, and what was deleted is not restored over it', async () => {
    const old = await register();
    const gone = await remove(old);
    const anew = await register({ ...stock, name: 'Stock anew', scopes: 'stock:read See what is there' });
    expect(anew.api.id).not.toBe(old.api.id);
    expect((await developer.get(apis)).html).not.toContain('Recently deleted');
    expect((await developer.send(`${old.path}/restore`, gone.html, {})).status).toBe(404);
    expect(await named()).toEqual(anew.api);
    await tenMinutesLater(old.api.id);
    await forgotten(old.api.id);
    expect(await named()).toEqual(anew.api);
    await remove(anew, 'Stock anew');
  });

  test('both at the same moment: one of them counts', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { api, path } = await register({ ...stock, identifier: `https://race-${round}.acme.example` });
      const gone = await remove({ path });
      await Promise.all([
        developer.send(`${path}/restore`, gone.html, {}),
        developer.post(`${apis}/new`, { ...stock, name: 'Anew', identifier: api.identifier }),
      ]);
      const [left, ...more] = (await list()).filter(({ identifier }) => identifier === api.identifier);
      expect(more).toEqual([]);
      expect(left?.scopes).toEqual(api.scopes);
      const either = [
        ['Stock', true],
        ['Anew', false],
      ];
      expect(either).toContainEqual([left?.name, left?.id === api.id]);
      await remove({ path: `${apis}/${left?.id}` }, left?.name);
    }
  });

  test('a full workspace has no room for it until there is', async () => {
    const made = await register();
    const gone = await remove(made);
    const others: string[] = [];
    for (let more = (await list()).length; more < resourcesPerWorkspace; more += 1)
      others.push((await register({ ...stock, identifier: `https://api-${more}.acme.example` })).path);
    const refused = await developer.send(`${made.path}/restore`, gone.html, {});
    expect([refused.status, await named()]).toEqual([409, undefined]);
    for (const path of others) await remove({ path });
    expect((await developer.send(`${made.path}/restore`, gone.html, {})).location).toBe(made.path);
    await remove(made);
  });
});

test('a service: made on its own page, without callbacks, and with nothing to try or address', async () => {
  const applications = `/settings/${lab.acme.workspace.id}/applications`;
  const made = await developer.post(`${applications}/new-service`, { name: 'Nightly' });
  const shown = await developer.follow(made);
  expect(shown.html).toContain('grant_type=client_credentials');
  const [, id = ''] = /applications\/(app_\w+)/.exec(made.location ?? '') ?? [];
  expect(await findApplication(lab.service.db, id)).toMatchObject({ isService: true, name: 'Nightly' });
  const overview = await developer.get(`${applications}/${id}`);
  expect(overview.html).toContain('Service: no person signs in');
  expect(overview.html).not.toMatch(/service\.invalid|Try the sign-in|Addresses/);
  const moved = await developer.post(`${applications}/${id}/addresses/change`, { 'callback-1': CALLBACK });
  expect(moved.status).toBe(400);
});

test('the command does the same', async () => {
  const { operator } = lab.service.tollgate;
  const { clientId } = await operator('application create-service', {
    workspace: lab.acme.workspace.id,
    name: 'Export',
  });
  const made = await operator('api create', {
    workspace: lab.acme.workspace.id,
    identifier: 'https://stock.shop.example',
    name: 'Stock',
    scope: ['stock:read=See what is there'],
    format: 'opaque',
    application: [clientId],
    introspect: [clientId],
  });
  expect(made).toMatchObject({ format: 'opaque', seconds: 600, scopes: ['stock:read=See what is there'] });
  const which = { workspace: lab.acme.workspace.id, id: made.id };
  expect(await operator('api update', { ...which, seconds: 1800 })).toMatchObject({
    seconds: 1800,
    applications: made.applications,
  });
  expect(await operator('api delete', which)).toMatchObject({ deleted: true });
  await expect(operator('api update', which)).rejects.toMatchObject({ code: 'not_found' });
});
