// Applications in company settings (promise 2), without a browser: create and change; threats 56 to 58. Their secrets and
// their end are in application-access.test.ts, the logo and the name under attack in appearance.test.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { applications, clientSecrets } from '../../drizzle/schema/applications.ts';
import { balances } from '../../drizzle/schema/balances.ts';
import { auditEntries } from '../../drizzle/schema/workspaces.ts';
import { sha256 } from '../../src/secrets.ts';
import { startAttempt } from '../harness/client.ts';
import { CALLBACK } from '../harness/tollgate.ts';
import { answerTo, secretIn } from './application-secrets.ts';
import { openSettingsLab, type SettingsLab, type Visitor } from './lab.ts';

let lab: SettingsLab;
let owner: Visitor;
let developer: Visitor;
let viewer: Visitor;

beforeAll(async () => {
  lab = await openSettingsLab();
  owner = lab.visitor(lab.acme.owner);
  developer = lab.visitor(lab.acme.developer);
  viewer = lab.visitor(lab.acme.viewer);
});
afterAll(() => lab?.stop());

const at = (rest: string) => `/settings/${lab.acme.workspace.id}${rest}`;
const pageOf = ({ id }: { id: string }, rest = '') => at(`/applications/${id}${rest}`);

async function rowOf({ id }: { id: string }) {
  const [row] = await lab.service.db.select().from(applications).where(eq(applications.id, id));
  if (!row) throw new Error('no such application');
  return row;
}

async function audited(action: string) {
  return lab.service.db.select().from(auditEntries).where(eq(auditEntries.action, action));
}

describe('promise 2: a new application', () => {
  test('comes with a Client ID, and with a Client Secret that works and is shown once (threat 58)', async () => {
    const made = await developer.upload(at('/applications/new'), {
      kind: 'confidential',
      name: 'Nordlicht Notes',
      callback: 'https://notes.example/callback',
      stack: 'python',
    });
    expect(made.status).toBe(303);
    expect(made.location).toMatch(/\/applications\/app_\w+\/credentials\?stack=python$/);
    const shown = await developer.follow(made);
    const secret = secretIn(shown.html);
    const [row] = await lab.service.db
      .select()
      .from(applications)
      .where(eq(applications.name, 'Nordlicht Notes'));
    expect(row).toMatchObject({
      clientType: 'confidential',
      redirectUris: ['https://notes.example/callback'],
    });
    expect(shown.html).toContain(row?.clientId);
    expect(shown.html).toContain('You won’t be able to see it again');
    expect(shown.html).toContain('os.environ[&quot;TOLLGATE_CLIENT_SECRET&quot;]');
    expect(shown.html).toContain(`client_id=&quot;${row?.clientId}&quot;`);
    expect(shown.html).toContain('callback = &quot;https://notes.example/callback&quot;');
    expect(shown.headers.get('cache-control')).toBe('no-store');

    const application = { ...(await rowOf({ id: row?.id ?? '' })), clientSecret: secret };
    expect(await answerTo(lab.service, application, secret)).toBe('invalid_grant');
    for (const visitor of [developer, owner, viewer]) {
      const again = await visitor.get(pageOf(application, '/credentials'));
      expect(again.status).toBe(200);
      expect(again.html).not.toContain(secret);
    }
    const [stored] = await lab.service.db
      .select()
      .from(clientSecrets)
      .where(eq(clientSecrets.applicationId, application.id));
    expect(stored?.secretHash).toBe(sha256(secret));
    expect(JSON.stringify([stored, await audited('application.created')])).not.toContain(secret);
    expect(lab.service.logLines.join('')).not.toContain(secret);
    expect(await audited('application.created')).toEqual([
      expect.objectContaining({
        accountId: lab.acme.developer.account.id,
        target: application.id,
        detail: { name: 'Nordlicht Notes', kind: 'confidential', mode: 'test' },
      }),
    ]);
  });

  test('a public one has no secret, and its code is the single-page one', async () => {
    const made = await developer.upload(at('/applications/new'), {
      kind: 'public',
      name: 'Nordlicht Web',
      callback: 'https://web.example/callback',
      stack: 'node',
    });
    const { html } = await developer.follow(made);
    expect(secretIn(html)).toBe('');
    expect(html).toContain('No Client Secret');
    expect(html).toContain('oidc-client-ts');
    expect(html).not.toContain('openid-client');
    const id = /app_\w+/.exec(made.location ?? '')?.[0] ?? '';
    const added = await developer.get(pageOf({ id }, '/credentials'));
    expect(added.html).not.toContain('/secrets');
  });

  test('what is wrong is said beside each field, what was typed is kept, nothing is made', async () => {
    const before = await lab.service.db.select().from(applications);
    const refused = await developer.upload(at('/applications/new'), {
      kind: 'both',
      name: ' ',
      callback: 'http://shop.example/cb?a=1',
    });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('Choose one of the two.');
    expect(refused.html).toContain('A service name has 1 to 100 characters.');
    expect(refused.html).toContain('The callback address must start with https://.');
    expect(refused.html).toContain('value="http://shop.example/cb?a=1"');
    expect(await lab.service.db.select().from(applications)).toHaveLength(before.length);
  });

  test('a viewer reads and makes nothing; another workspace’s application is like one that never was', async () => {
    const application = await lab.acme.register();
    const foreign = await lab.other.register();
    expect((await viewer.get(pageOf(application))).status).toBe(200);
    expect((await viewer.get(at('/applications/new'))).status).toBe(403);
    const never = { id: `app_${'0'.repeat(32)}` };
    for (const rest of ['', '/credentials', '/addresses', '/appearance', '/try', '/delete']) {
      const [theirs, nobodys] = [
        await owner.get(pageOf(foreign, rest)),
        await owner.get(pageOf(never, rest)),
      ];
      expect([rest, theirs.status, nobodys.status]).toEqual([rest, 404, 404]);
      expect(theirs.html).toBe(nobodys.html);
    }
  });
});

describe('threat 56: fields that no form has', () => {
  test('are ignored when an application is made and when it is changed', async () => {
    const smuggled = {
      balance: '1000000',
      companyId: lab.other.workspace.id,
      workspaceId: lab.other.workspace.id,
      client_id: 'client_chosen',
      clientId: 'client_chosen',
      id: 'app_chosen',
      price: '0',
      verified: 'true',
      deletedAt: '2020-01-01',
      __proto__: 'polluted',
      constructor: 'polluted',
    };
    const made = await developer.upload(at('/applications/new'), {
      ...smuggled,
      kind: 'confidential',
      name: 'Mass',
      callback: CALLBACK,
    });
    expect(made.status).toBe(303);
    const id = /app_\w+/.exec(made.location ?? '')?.[0] ?? '';
    const row = await rowOf({ id });
    expect(row.workspaceId).toBe(lab.acme.workspace.id);
    expect(row.clientId).not.toBe('client_chosen');
    const changed = await developer.post(pageOf(row, '/addresses/change'), {
      ...smuggled,
      clientType: 'public',
      'callback-1': CALLBACK,
    });
    expect(changed.status).toBe(303);
    expect(await rowOf({ id })).toEqual(row);
    const [balance] = await lab.service.db.select().from(balances).where(eq(balances.applicationId, id));
    expect(balance?.amount).toBe(0n);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

const LONG = `https://shop.example/${'a'.repeat(5_000)}`;

describe('threat 57 and promise 3: addresses', () => {
  const bad: [uri: string, sentence: RegExp][] = [
    ['http://shop.example/cb', /must start with https/],
    ['https://shop.example/cb#part', /fragment/],
    ['https://*.shop.example/cb', /wildcard/],
    ['https://user:pass@shop.example/cb', /user name/],
    ['https://@shop.example/cb', /user name/],
    ['JaVaScRiPt:alert(1)', /must start with https/],
    ['data:text/html,hi', /must start with https/],
    ['https://127.0.0.1/cb', /not an IP address/],
    ['https://[::1]/cb', /not an IP address/],
    ['https://0x7f.1/cb', /not an IP address|normal form/],
    ['/callback', /must start with https/],
    ['shop.example/cb', /must start with https/],
    [LONG, /longer than 2000/],
    ['https://SHOP.example/cb', /normal form/],
    ['https://shop.example:443/cb', /normal form/],
    ['https://shop.example/a/../cb', /normal form/],
    ['https://shop.example\\cb', /backslash/],
    ['https://shop.example/c b', /contains a space/],
    ['https://shöp.example/cb', /letter outside ASCII/],
    ['https://', /not a valid URL/],
  ];

  test.each(bad.map(([uri, sentence]) => [uri.slice(0, 60), uri, sentence] as const))(
    '%s is refused with the reason beside it',
    async (_name, uri, sentence) => {
      const application = await lab.acme.register({ balance: 0n });
      for (const kind of ['callback', 'post-logout']) {
        const refused = await developer.post(pageOf(application, '/addresses/change'), {
          'callback-1': CALLBACK,
          [`${kind}-2`]: uri,
        });
        expect(refused.status).toBe(400);
        const problem = new RegExp(`id="${kind}-[12]-problem">([^<]*)<`).exec(refused.html)?.[1] ?? '';
        expect(problem).toMatch(sentence);
      }
      expect((await rowOf(application)).redirectUris).toEqual([CALLBACK]);
    },
  );

  test('duplicates, more than fifty and none at all are refused; what was typed is kept', async () => {
    const application = await lab.acme.register({ balance: 0n });
    const page = pageOf(application, '/addresses/change');
    const twice = await developer.post(page, { 'callback-1': CALLBACK, 'callback-2': CALLBACK });
    expect(twice.status).toBe(400);
    expect(twice.html).toMatch(/id="callback-2-problem">This address is given twice/);

    const many = Object.fromEntries(
      Array.from({ length: 51 }, (_, index) => [`callback-${index + 1}`, `https://shop.example/${index}`]),
    );
    const tooMany = await developer.post(page, many);
    expect(tooMany.status).toBe(400);
    expect(tooMany.html).toMatch(/id="callback-51-problem">This is one more than the 50/);
    expect(tooMany.html).toContain('value="https://shop.example/50"');
    const flood = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`callback-${index + 1}`, `https://shop.example/${index}`]),
    );
    expect((await developer.post(page, flood)).status).toBe(413);

    const none = await developer.post(page, { 'callback-1': '  ' });
    expect(none.status).toBe(400);
    expect(none.html).toContain('at least one callback address');
    expect((await rowOf(application)).redirectUris).toEqual([CALLBACK]);
  });

  test('several are kept exactly as typed and hold at once; look-alikes are refused (case 1)', async () => {
    const application = await lab.acme.register({ balance: 0n });
    const added = 'https://api.shop.example:8443/cb?tenant=a%2Fb';
    const saved = await developer.post(pageOf(application, '/addresses/change'), {
      'callback-1': CALLBACK,
      'callback-7': ` ${added} `,
      'post-logout-1': 'https://shop.example',
      'origin-1': 'https://www.shop.example',
    });
    expect(saved.status).toBe(303);
    expect(await rowOf(application)).toMatchObject({
      redirectUris: [CALLBACK, added],
      postLogoutRedirectUris: ['https://shop.example'],
      allowedOrigins: ['https://www.shop.example'],
    });
    const isAccepted = async (redirectUri: string) => {
      const { url } = startAttempt(lab.service, application, { redirect_uri: redirectUri });
      return (await fetch(url, { redirect: 'manual' })).status === 303;
    };
    expect(await isAccepted(added)).toBe(true);
    for (const alike of [
      `${added}&x=1`,
      added.replace('%2F', '/'),
      added.replace('8443', '8444'),
      `${added}/`,
    ]) {
      expect([alike, await isAccepted(alike)]).toEqual([alike, false]);
    }
    const removed = await developer.post(pageOf(application, '/addresses/change'), { 'callback-2': '' });
    expect(removed.status).toBe(303);
    expect(await isAccepted(added)).toBe(false);
  });

  test('an origin has no path; "Add another" changes nothing and keeps what was typed', async () => {
    const application = await lab.acme.register({ balance: 0n });
    const page = pageOf(application, '/addresses/change');
    const refused = await developer.post(page, { 'origin-1': 'https://www.shop.example/path' });
    expect(refused.status).toBe(400);
    expect(refused.html).toMatch(
      /id="origin-1-problem">This address must read like https:\/\/app.example.com/,
    );
    const more = await developer.post(page, { 'callback-2': 'https://typed.example/cb', more: 'callback' });
    expect(more.status).toBe(200);
    expect(more.html).toContain('value="https://typed.example/cb"');
    expect(more.html).toContain('name="callback-4"');
    expect(more.html).toContain('name="origin-1"');
    expect((await rowOf(application)).redirectUris).toEqual([CALLBACK]);
  });
});
