// Customers as a company sees them: search, pages, one customer with sessions that can be
// ended, and the export; on a phone and a desktop, light and dark, without JavaScript; nobody else's customers.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { listAudit } from '../../src/applications/audit-log.ts';
import { customerExportRows, customersPerPage } from '../../src/limits/usage.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { hasChromium } from '../harness/chromium.ts';
import { exchange, readCallback, refresh, startAttempt, userinfo } from '../harness/client.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import { writeHistory } from '../ledger/usage-history.ts';
import { openSettingsLab, type SettingsLab } from './lab.ts';
import { looks, settingsWatch } from './looks.ts';

const email = 'grace@example.test';
const browser = createBrowser();

let lab: SettingsLab;
let shop: RegisteredApplication;
let base: string;
beforeAll(async () => {
  lab = await openSettingsLab();
  shop = await lab.acme.register({ name: 'Acme shop' });
  base = `/settings/${lab.acme.workspace.id}/applications/${shop.id}/customers`;
  await fill(shop, 3 * customersPerPage + 2);
});
afterAll(() => lab?.stop());

function fill({ id: applicationId }: RegisteredApplication, customers: number): Promise<void> {
  const until = new Date(Date.now() - 3_600_000);
  return writeHistory(lab.service.db, { applicationId, until, days: 2, perDay: 40, customers });
}

type Held = { access: string; refresh: string; sub: string };

/** As the same person each time: the browser is signed in. */
async function signIn(application: RegisteredApplication): Promise<Held> {
  const attempt = startAttempt(lab.service, application, { scope: 'openid email offline_access' });
  const callback = await signInAs({ authorizationUrl: attempt.url, email, browser });
  const { code = '' } = readCallback(callback);
  const { body } = await exchange(lab.service, application, { code, verifier: attempt.verifier });
  const access = String(body.access_token);
  const { sub } = (await userinfo(lab.service, access)).body;
  return { access, refresh: String(body.refresh_token), sub: String(sub) };
}

const subsOf = (html: string) => [...html.matchAll(/customers\/([\w-]+)"/g)].map(([, sub]) => sub ?? '');

describe('the list', () => {
  test('pages forth and back show every customer once, in the same order', async () => {
    const visitor = lab.visitor(lab.acme.viewer);
    const seen: string[][] = [];
    let path: string | undefined = base;
    const link = (html: string, rel: string) =>
      new RegExp(`href="([^"]+)" rel="${rel}"`).exec(html)?.[1]?.replaceAll('&amp;', '&');
    let html = '';
    while (path) {
      html = (await visitor.get(path)).html;
      seen.push(subsOf(html).filter((sub) => sub !== 'export'));
      path = link(html, 'next');
    }
    const all = seen.flat();
    expect(all).toHaveLength(3 * customersPerPage + 2);
    expect(new Set(all).size).toBe(all.length);
    for (let page = seen.length - 2; page >= 0; page -= 1) {
      html = (await visitor.get(link(html, 'prev') ?? '')).html;
      expect(subsOf(html).filter((sub) => sub !== 'export')).toEqual(seen[page]);
    }
    expect(link(html, 'prev')).toBeUndefined();
  });

  test('a whole address or sub finds one customer; half of one says so and keeps what was typed', async () => {
    const visitor = lab.visitor(lab.acme.viewer);
    const search = (typed: string) => visitor.get(`${base}?search=${encodeURIComponent(typed)}`);
    const email = `person7.${shop.id}@example.test`;
    expect(subsOf((await search(` ${email.toUpperCase()} `)).html)).toEqual(['sub_7']);
    expect(subsOf((await search('sub_9')).html)).toEqual(['sub_9']);
    expect((await search('nobody@example.test')).html).toContain('No customers found');
    const half = await search('person seven');
    expect(half.status).toBe(400);
    expect(half.html).toContain('value="person seven"');
    expect(half.html).toContain('Enter a complete email address');
  });
});

describe('sessions of a customer in this application', () => {
  test('ended: UserInfo 401 and invalid_grant within a second; other applications keep theirs; in the audit log', async () => {
    const other = await lab.acme.register({ name: 'Acme forum' });
    const [here, there] = [await signIn(shop), await signIn(other)];
    const path = `${base}/${here.sub}`;
    const visitor = lab.visitor(lab.acme.developer);
    const page = await visitor.get(path);
    expect(page.html).toContain(email);
    expect(page.html).toContain('offline_access');
    const answer = await visitor.post(path, {}, `${path}/end-sessions`);
    expect([answer.status, answer.location]).toEqual([303, path]);
    expect((await userinfo(lab.service, here.access)).status).toBe(401);
    expect((await refresh(lab.service, shop, here.refresh)).body.error).toBe('invalid_grant');
    expect((await userinfo(lab.service, there.access)).status).toBe(200);
    expect((await refresh(lab.service, other, there.refresh)).status).toBe(200);
    const after = await visitor.follow(answer);
    expect(after.html).toContain('Their sessions in this application have ended');
    expect(after.html).toContain('No session');
    const { rows } = await listAudit(lab.service.db, {
      workspaceId: lab.acme.workspace.id,
      filter: { action: 'customer.sessions_ended' },
      limit: 5,
    });
    expect(rows[0]).toMatchObject({ target: here.sub, accountId: lab.acme.developer.account.id });
    // Whoever is still signed in to the service comes back, as a sign-in like any other.
    expect((await userinfo(lab.service, (await signIn(shop)).access)).status).toBe(200);
  });

  test('a viewer sees them and cannot end them', async () => {
    const { sub, access } = await signIn(shop);
    const viewer = lab.visitor(lab.acme.viewer);
    expect((await viewer.get(`${base}/${sub}`)).html).not.toContain('End all sessions');
    const developer = lab.visitor(lab.acme.developer);
    const forged = await developer.post(`${base}/${sub}`, { csrf_token: 'x' }, `${base}/${sub}/end-sessions`);
    expect(forged.status).toBe(403);
    expect((await userinfo(lab.service, access)).status).toBe(200);
  });
});

describe('the export', () => {
  test('NDJSON and CSV hold everybody and say at the end how many; no cell is a formula', async () => {
    const { db } = lab.service;
    const large = await lab.acme.register({ name: 'Large shop' });
    const count = 2 * customerExportRows + 3;
    await fill(large, count);
    const path = base.replace(shop.id, large.id);
    await db
      .update(accounts)
      .set({ name: '=HYPERLINK("https://evil.example")' })
      .where(eq(accounts.id, `acc_${large.id}_1`));
    const visitor = lab.visitor(lab.acme.developer);
    expect((await visitor.get(`${path}/export`)).html).toContain('1,003 customers in all');
    const ndjson = await visitor.post(`${path}/export`, { format: 'ndjson' });
    expect(ndjson.headers.get('content-type')).toContain('application/x-ndjson');
    expect(ndjson.headers.get('content-disposition')).toContain(`customers-${large.id}.ndjson`);
    const lines = ndjson.html.trim().split('\n');
    const records = lines.map((line) => JSON.parse(line));
    expect(records.at(-1)).toEqual({ end: true, customers: count });
    expect(new Set(records.slice(0, -1).map(({ sub }) => sub)).size).toBe(count);
    const csv = await visitor.post(`${path}/export`, { format: 'csv' });
    const rows = csv.html.trim().split('\r\n');
    expect(rows[0]).toBe(
      'sub,email,email_verified,name,registered_at,last_sign_in_at,sign_in_count,livemode',
    );
    expect(rows).toHaveLength(count + 2);
    expect(rows.at(-1)).toBe(`# end: ${count} customers`);
    expect(csv.html).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
    const wrong = await visitor.post(`${path}/export`, { format: 'xlsx' });
    expect(wrong.status).toBe(400);
    const { rows: audited } = await listAudit(db, {
      workspaceId: lab.acme.workspace.id,
      filter: { action: 'customers.exported' },
      limit: 5,
    });
    expect(audited.map(({ detail }) => detail.format)).toEqual(['csv', 'ndjson']);
  });

  test('not for a viewer', async () => {
    const answer = await lab.visitor(lab.acme.viewer).get(`${base}/export`);
    expect(answer.status).toBe(403);
    expect((await lab.visitor(lab.acme.viewer).get(base)).html).not.toContain('/export');
  });
});

describe('threat 53 and I7: other companies', () => {
  test("another company's application and customer, and one of another application, are as unknown as made-up ones", async () => {
    const { sub } = await signIn(shop);
    const sibling = await lab.acme.register({ name: 'Acme sibling' });
    const theirs = lab.visitor(lab.other.owner);
    const inTheirs = (rest: string) => `/settings/${lab.other.workspace.id}/applications/${rest}`;
    const inOurs = `/settings/${lab.acme.workspace.id}/applications/${sibling.id}/customers/${sub}`;
    const invented = await theirs.get(inTheirs(`app_${'0'.repeat(32)}/customers`));
    const answers = [
      await theirs.get(inTheirs(`${shop.id}/customers`)),
      await theirs.get(inTheirs(`${shop.id}/customers/${sub}`)),
      await theirs.get(inTheirs(`${shop.id}/customers/export`)),
      await theirs.get(`${base}/${sub}`),
      await lab.visitor(lab.acme.owner).get(inOurs),
      await lab.visitor(lab.acme.owner).get(`${base}/${'x'.repeat(43)}`),
    ];
    const withoutReference = (html: string) => html.replaceAll(/req_\w+/g, '');
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(withoutReference(answer.html)).toBe(withoutReference(invented.html));
    }
  });
});

((await hasChromium()) ? describe : describe.skip)('in a browser', () => {
  test.each(looks.slice(0, 2))('every page reads well: $name', async (look) => {
    const { options } = look;
    const watch = settingsWatch();
    const empty = await lab.acme.register({ name: 'New shop' });
    const { sub } = await signIn(shop);
    const person = watch.add(await lab.person(lab.acme.developer, options));
    const { page } = person;
    const see = (what: string) => watch.look(person, look, `customers-${what}`);
    await page.goto(lab.service.url + base.replace(shop.id, empty.id));
    await see('nobody');
    await page.goto(lab.service.url + base);
    await see('list');
    await page.fill('[name="search"]', 'ada@');
    await page.click('.filter button');
    await see('search-problem');
    await page.fill('[name="search"]', email);
    await page.click('.filter button');
    await page.click('.data-table a');
    expect(page.url()).toContain(sub);
    await see('customer');
    await page.click('.button-danger');
    await see('ended');
    await page.goto(`${lab.service.url}${base}/export`);
    await see('export');
    await watch.end();
  });

  test('everything works without JavaScript', async () => {
    const { sub, access } = await signIn(shop);
    const person = await lab.person(lab.acme.developer, { javaScriptEnabled: false });
    const { page } = person;
    await page.goto(`${lab.service.url}${base}?search=${sub}`);
    await page.click('.data-table a');
    await page.click('.button-danger');
    expect(await page.innerText('main')).toContain('Their sessions in this application have ended');
    expect((await userinfo(lab.service, access)).status).toBe(401);
    await page.goto(`${lab.service.url}${base}/export`);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('main .button-primary')]);
    expect(download.suggestedFilename()).toBe(`customers-${shop.id}.csv`);
    expect(await download.failure()).toBeNull();
    await person.close();
  });
});
