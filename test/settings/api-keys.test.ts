// API keys in company settings (threats 53, 56, 58, 62, 64): made, used, rotated and revoked through the pages, and
// seen by the customer-data API at the next request.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { apiKeys, auditEntries } from '../../drizzle/schema/workspaces.ts';
import { hasChromium } from '../harness/chromium.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
import type { Person } from '../hosted-pages/lab.ts';
import { openSettingsLab, type SettingsLab } from './lab.ts';
import { looks, settingsWatch } from './looks.ts';

let lab: SettingsLab;
let shop: RegisteredApplication;
let blog: RegisteredApplication;
let base: string;

beforeAll(async () => {
  lab = await openSettingsLab();
  shop = await lab.acme.register({ name: 'Shop' });
  blog = await lab.acme.register({ name: 'Blog' });
  base = `/settings/${lab.acme.workspace.id}/api-keys`;
});
afterAll(() => lab?.stop());

const KEY = /tollgate_v1_[0-9A-Za-z]{49}/;
const keyIn = (html: string) => KEY.exec(html)?.[0] ?? '';
const keyId = async (name: string) => {
  const rows = await lab.service.db.select().from(apiKeys).where(eq(apiKeys.name, name));
  return rows.at(-1)?.id ?? '';
};
const ask = async (key: string, applicationId: string) => {
  const address = `${lab.service.url}/v1/applications/${applicationId}/customers`;
  return (await fetch(address, { headers: { authorization: `Bearer ${key}` } })).status;
};
const valid = { name: 'Reporting', applications: 'all', expires: '30' };

describe('API keys through the pages', () => {
  test('a key for chosen applications is shown once and reads only those', async () => {
    const developer = lab.visitor(lab.acme.developer);
    const made = await developer.post(`${base}/new`, {
      ...valid,
      name: 'Chosen',
      applications: 'chosen',
      [`application_${shop.id}`]: 'on',
    });
    expect(made.status).toBe(303);
    const page = await developer.follow(made);
    const key = keyIn(page.html);
    expect([await ask(key, shop.id), await ask(key, blog.id)]).toEqual([200, 404]);
    const again = await developer.get(base);
    expect(keyIn(again.html)).toBe('');
    expect(again.html).toContain(key.slice(0, 16));
    await until('its use is shown', async () => (await developer.get(base)).html, {
      isIt: (html) => html.includes('from 127.0.0.1'),
    });
  });

  test('threat 58: after that one page no page, row, audit entry or log line holds it', async () => {
    const developer = lab.visitor(lab.acme.developer);
    const made = await developer.post(`${base}/new`, { ...valid, name: 'Canary' });
    const key = keyIn((await developer.follow(made)).html);
    const secret = key.slice(16);
    const owner = lab.visitor(lab.acme.owner);
    const pages = [
      base,
      `${base}/new`,
      `${base}/${await keyId('Canary')}/rotate`,
      `/settings/${lab.acme.workspace.id}`,
    ];
    for (const path of pages) expect((await owner.get(path)).html).not.toContain(secret);
    const rows = await lab.service.db.select().from(apiKeys);
    const entries = await lab.service.db.select().from(auditEntries);
    expect(JSON.stringify([rows, entries])).not.toContain(secret);
    expect(lab.service.logLines.join('')).not.toContain(secret);
    expect(entries.find(({ action }) => action === 'api_key.created')).toMatchObject({
      accountId: lab.acme.developer.account.id,
      ipAddress: '127.0.0.1',
    });
  });

  test('bad input keeps what was typed and says what to change', async () => {
    const developer = lab.visitor(lab.acme.developer);
    const refused = await developer.post(`${base}/new`, {
      name: ' ',
      applications: 'chosen',
      expires: 'date',
      last_day: '2020-02-31',
    });
    expect(refused.status).toBe(400);
    for (const sentence of [
      'No key was created',
      'An API key needs a name of 1 to 100 characters.',
      'Choose at least one application, or all of them.',
      'That day has passed',
    ]) {
      expect(refused.html).toContain(sentence);
    }
    expect(refused.html).toContain('value="2020-02-31"');
    const invisible = await developer.post(`${base}/new`, { ...valid, name: 'Back\u202eend' });
    expect(invisible.status).toBe(400);
  });

  test('threats 53, 56 and 62: another workspace’s application or key, and made-up fields, change nothing', async () => {
    const foreign = await lab.other.register({ name: 'Foreign' });
    const developer = lab.visitor(lab.acme.developer);
    const refused = await developer.post(`${base}/new`, {
      ...valid,
      name: 'Mixed',
      applications: 'chosen',
      [`application_${foreign.id}`]: 'on',
      workspaceId: lab.other.workspace.id,
      scopes: 'identity:write',
    });
    expect(refused.html).toContain('Choose among the applications of this workspace.');
    const theirs = lab.visitor(lab.other.developer);
    const theirBase = `/settings/${lab.other.workspace.id}/api-keys`;
    await theirs.post(`${theirBase}/new`, { ...valid, name: 'Theirs' });
    const [foreignKey, unknown] = [await keyId('Theirs'), 'key_0197f3c1e0d47a52b1c3d4e5f6a7b8c9'];
    for (const page of ['rotate', 'revoke']) {
      const answers = [
        await developer.get(`${base}/${foreignKey}/${page}`),
        await developer.get(`${base}/${unknown}/${page}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
      const [a, b] = answers.map(({ html }) => html.replaceAll(/req_\w+|key_\w+/g, ''));
      expect(a).toBe(b);
    }
  });

  test('a viewer sees the list and nothing to press; forms are refused', async () => {
    const viewer = lab.visitor(lab.acme.viewer);
    const list = await viewer.get(base);
    expect(list.status).toBe(200);
    expect(list.html).not.toContain('/rotate');
    expect((await viewer.get(`${base}/new`)).status).toBe(403);
  });

  test('threat 64: rotated with an overlap both keys work until it is over; at once, only the new one does', async () => {
    const developer = lab.visitor(lab.acme.developer);
    const first = keyIn(
      (await developer.follow(await developer.post(`${base}/new`, { ...valid, name: 'Rotating' }))).html,
    );
    const rotate = async (overlap: string) => {
      const live = await lab.service.db.select().from(apiKeys).where(eq(apiKeys.name, 'Rotating'));
      const path = `${base}/${live.findLast(({ expiresAt }) => expiresAt === null || expiresAt > new Date(Date.now() + 8 * 86_400_000))?.id}/rotate`;
      return developer.follow(await developer.post(path, { overlap, expires: '365' }));
    };
    const page = await rotate('3600');
    expect(page.html).toMatch(/works until .* UTC/);
    const second = keyIn(page.html);
    expect([await ask(first, shop.id), await ask(second, shop.id)]).toEqual([200, 200]);
    const third = keyIn((await rotate('0')).html);
    expect([await ask(second, shop.id), await ask(third, shop.id)]).toEqual([401, 200]);
    lab.service.clock.aheadMilliseconds = 3_600_000;
    expect(await ask(first, shop.id)).toBe(401);
    lab.service.clock.aheadMilliseconds = 0;
  });

  test('threat 64: revoked on the page, refused by the next request', async () => {
    const developer = lab.visitor(lab.acme.developer);
    const made = await developer.post(`${base}/new`, { ...valid, name: 'Leaked' });
    const key = keyIn((await developer.follow(made)).html);
    expect(await ask(key, shop.id)).toBe(200);
    const path = `${base}/${await keyId('Leaked')}/revoke`;
    const revoked = await developer.post(path, {});
    expect(await ask(key, shop.id)).toBe(401);
    expect((await developer.follow(revoked)).html).toContain('has been revoked');
    expect((await developer.get(path)).status).toBe(404);
  });
});

((await hasChromium()) ? describe : describe.skip)('API keys in a browser', () => {
  const watch = settingsWatch();
  afterEach(() => watch.end());

  for (const look of looks) {
    test(look.name, async () => {
      const person: Person = watch.add(await lab.person(lab.acme.owner, look.options));
      const { page } = person;
      const { url } = lab.service;
      await page.goto(`${url}${base}`);
      await watch.look(person, look, 'api-keys');
      await page.click('text=Create API key');
      await page.fill('[name=name]', `Reporting ${look.name}`);
      await page.check('#applications-chosen');
      await page.selectOption('[name=expires]', 'date');
      await page.click('main form .button-primary');
      await watch.look(person, look, 'api-key-refused');
      expect(await page.inputValue('[name=name]')).toBe(`Reporting ${look.name}`);
      await page.check(`#application_${shop.id}`);
      await page.selectOption('[name=expires]', '90');
      await page.click('main form .button-primary');
      await watch.look(person, look, 'api-key-made');
      const key = (await page.innerText('[data-copy-value]')).trim();
      expect(key).toMatch(KEY);
      expect(await ask(key, shop.id)).toBe(200);
      await page.reload();
      expect(await page.content()).not.toContain(key);
      await page.click(`[aria-label="Rotate Reporting ${look.name}"]`);
      await watch.look(person, look, 'api-key-rotate');
      await page.click('main form .button-primary');
      await page.click(`[aria-label="Revoke Reporting ${look.name}"] >> nth=0`);
      await watch.look(person, look, 'api-key-revoke');
      await page.click('main form .button-final');
      expect(await page.innerText('output')).toContain('has been revoked');
    });
  }
});
