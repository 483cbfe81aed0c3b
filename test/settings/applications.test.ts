// Applications in company settings (promise 2), without a browser: create, addresses, secrets, disable, delete;
// threats 56 to 58. The logo and the name under attack are in appearance.test.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { applications, auditEntries, balances, clientSecrets, usageEvents } from '../../drizzle/schema.ts';
import { sha256 } from '../../src/secrets.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, refresh, startAttempt, userinfo } from '../harness/client.ts';
import { CALLBACK, type RegisteredApplication } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
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

/** What the token endpoint says of a secret: with a right one it gets as far as the made-up code. */
async function answerTo(application: RegisteredApplication, clientSecret: string): Promise<unknown> {
  const { body } = await exchange(
    lab.service,
    { ...application, clientSecret },
    { code: 'made-up', verifier: 'v'.repeat(43) },
  );
  return body.error;
}

const secretIn = (html: string) => /data-copy-value[^>]*>([\w-]{43})</.exec(html)?.[1] ?? '';

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
    expect(await answerTo(application, secret)).toBe('invalid_grant');
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

describe('Client Secrets', () => {
  async function addSecret(application: RegisteredApplication): Promise<string> {
    const made = await developer.post(
      pageOf(application, '/credentials'),
      {},
      pageOf(application, '/secrets'),
    );
    expect(made.status).toBe(303);
    return secretIn((await developer.follow(made)).html);
  }

  async function expire(application: RegisteredApplication, secret: string, fields: Record<string, string>) {
    const [row] = await lab.service.db
      .select()
      .from(clientSecrets)
      .where(eq(clientSecrets.secretHash, sha256(secret)));
    return developer.post(pageOf(application, `/secrets/${row?.id}/expire`), fields);
  }

  test('a second one works beside the first, until the old one expires: at once, or at a time', async () => {
    const application = await lab.acme.register();
    const first = application.clientSecret ?? '';
    const second = await addSecret(application);
    expect(await answerTo(application, first)).toBe('invalid_grant');
    expect(await answerTo(application, second)).toBe('invalid_grant');

    const inAnHour = new Date(Date.now() + 3_600_000).toISOString().slice(0, 16);
    const later = await expire(application, first, { when: 'at', at: inAnHour });
    expect(later.status).toBe(303);
    expect(await answerTo(application, first)).toBe('invalid_grant');
    lab.service.clock.aheadMilliseconds = 3_601_000;
    try {
      expect(await answerTo(application, first)).toBe('invalid_client');
      expect(await answerTo(application, second)).toBe('invalid_grant');
    } finally {
      lab.service.clock.aheadMilliseconds = 0;
    }

    const third = await addSecret(application);
    expect((await expire(application, second, { when: 'now' })).status).toBe(303);
    expect(await answerTo(application, second)).toBe('invalid_client');
    expect(await answerTo(application, third)).toBe('invalid_grant');
    const entries = await audited('client_secret.expired');
    expect(JSON.stringify(entries)).not.toContain(second);
    expect(entries.filter(({ target }) => target === application.id)).toHaveLength(2);
  });

  test('the last one expires only with a plain warning, and then sign-ins fail', async () => {
    const application = await lab.acme.register();
    const secret = application.clientSecret ?? '';
    const refused = await expire(application, secret, { when: 'now' });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('sign-ins would fail');
    expect(await answerTo(application, secret)).toBe('invalid_grant');
    expect((await expire(application, secret, { when: 'now', confirmed: 'on' })).status).toBe(303);
    expect(await answerTo(application, secret)).toBe('invalid_client');
  });

  test('a time that has passed, or is none, is refused and kept', async () => {
    const application = await lab.acme.register();
    await addSecret(application);
    for (const typed of ['2020-01-01T00:00', 'tomorrow', '']) {
      const refused = await expire(application, application.clientSecret ?? '', { when: 'at', at: typed });
      expect(refused.status).toBe(400);
      expect(refused.html).toContain('in the future, in UTC');
      if (typed) expect(refused.html).toContain(`value="${typed}"`);
    }
    expect(await answerTo(application, application.clientSecret ?? '')).toBe('invalid_grant');
  });

  test('five at most', async () => {
    const application = await lab.acme.register();
    const before = await developer.get(pageOf(application, '/credentials'));
    expect(before.html).toContain('Create a secret');
    for (let made = 1; made < 5; made += 1) await addSecret(application);
    const full = await developer.get(pageOf(application, '/credentials'));
    expect(full.html).not.toContain('Create a secret');
    const { addClientSecret } = await import('../../src/applications/client-secret-list.ts');
    const sixth = addClientSecret(lab.service.db, application, new Date());
    await expect(sixth).rejects.toThrow('at most 5');
  });

  test('"last used" follows its use at the token endpoint, within a minute, and no other’s', async () => {
    const application = await lab.acme.register();
    const second = await addSecret(application);
    await answerTo(application, 'wrong');
    await answerTo(application, second);
    const usedAt = async (secret: string) => {
      const [row] = await lab.service.db
        .select()
        .from(clientSecrets)
        .where(eq(clientSecrets.secretHash, sha256(secret)));
      return row?.lastUsedAt ?? null;
    };
    expect(await until('its use is written', () => usedAt(second))).toBeInstanceOf(Date);
    expect(await usedAt(application.clientSecret ?? '')).toBeNull();
    const noted = await usedAt(second);
    await answerTo(application, second);
    expect(await usedAt(second)).toEqual(noted);
    expect((await developer.get(pageOf(application, '/credentials'))).html).toContain('Never');
  });
});

describe('disable, enable, delete', () => {
  async function signIn(application: RegisteredApplication, email: string) {
    const attempt = startAttempt(lab.service, application, { scope: 'openid email offline_access' });
    const browser = createBrowser();
    const callback = await signInAs({ authorizationUrl: attempt.url, email, browser });
    const { code = '' } = readCallback(callback);
    const { body, status } = await exchange(lab.service, application, { code, verifier: attempt.verifier });
    expect(status).toBe(200);
    return { accessToken: String(body.access_token), refreshToken: String(body.refresh_token), browser };
  }

  test('disabled: no sign-in, UserInfo 401, no refresh; enabled again, what customers held stays ended', async () => {
    const application = await lab.acme.register();
    const { accessToken, refreshToken, browser } = await signIn(application, 'eve.disable@example.com');
    const { sub } = (await userinfo(lab.service, accessToken)).body;
    const pending = startAttempt(lab.service, application, { scope: 'openid email' });
    const shown = await browser.open(pending.url);
    const { code = '' } = readCallback('leftTo' in shown ? shown.leftTo : '');

    const done = await developer.post(pageOf(application), {}, pageOf(application, '/disable'));
    expect((await developer.follow(done)).html).toContain('Its customers are signed out');
    expect((await userinfo(lab.service, accessToken)).status).toBe(401);
    expect((await refresh(lab.service, application, refreshToken)).body.error).toBe('invalid_client');
    expect((await fetch(startAttempt(lab.service, application).url, { redirect: 'manual' })).status).toBe(
      400,
    );

    await developer.post(pageOf(application), {}, pageOf(application, '/enable'));
    expect((await userinfo(lab.service, accessToken)).status).toBe(401);
    expect((await refresh(lab.service, application, refreshToken)).body.error).toBe('invalid_grant');
    const late = await exchange(lab.service, application, { code, verifier: pending.verifier });
    expect(late.body.error).toBe('invalid_grant');

    // A grant of the second in which it was disabled counts as older.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const attempt = startAttempt(lab.service, application);
    const callback = await signInAs({
      authorizationUrl: attempt.url,
      email: 'eve.disable@example.com',
      browser,
    });
    const again = await exchange(lab.service, application, {
      code: readCallback(callback).code ?? '',
      verifier: attempt.verifier,
    });
    expect(again.status).toBe(200);
    expect((await userinfo(lab.service, String(again.body.access_token))).body.sub).toBe(sub);
    const actions = [...(await audited('application.disabled')), ...(await audited('application.enabled'))];
    expect(actions.map(({ target }) => target)).toEqual([application.id, application.id]);
  });

  test('client rules: an owner switches one application, is told the price, and the audit log and each trace say so', async () => {
    const application = await lab.acme.register({ name: 'Old software' });
    const without = { state: null, nonce: null };
    const refusal = await fetch(startAttempt(lab.service, application, without).url, { redirect: 'manual' });
    expect(refusal.headers.get('location')).toContain('invalid_request');
    expect((await developer.get(pageOf(application, '/client-rules'))).status).toBe(403);
    const page = await owner.get(pageOf(application, '/client-rules'));
    expect(page.html).toContain('What you give up');
    await owner.follow(await owner.post(pageOf(application, '/client-rules'), { rules: 'compatible' }));

    const email = 'eve.rules@example.com';
    const attempt = startAttempt(lab.service, application, without);
    const { code = '' } = readCallback(await signInAs({ authorizationUrl: attempt.url, email }));
    const answer = await exchange(lab.service, application, { code, verifier: attempt.verifier });
    expect(answer.status).toBe(200);
    const [change] = await audited('application.client_rules_changed');
    expect(change).toMatchObject({ target: application.id, detail: { rules: 'compatible' } });
    expect((await owner.get(pageOf(application))).html).toContain('Compatible');

    await owner.follow(await owner.post(pageOf(application, '/client-rules'), { rules: 'strict' }));
    const again = await fetch(startAttempt(lab.service, application, without).url, { redirect: 'manual' });
    expect(again.headers.get('location')).toContain('invalid_request');
  });

  test('deleted: only by its typed name; tokens end, the ledger stays, and the page says what happens', async () => {
    const application = await lab.acme.register({ name: 'Old & Gone' });
    const { accessToken, refreshToken } = await signIn(application, 'eve.delete@example.com');
    expect((await developer.get(pageOf(application, '/delete'))).status).toBe(403);
    const page = await owner.get(pageOf(application, '/delete'));
    expect(page.html).toContain('99.950000 EUR are left on its balance');
    expect(page.html).toContain('can no longer be spent');

    const refused = await owner.post(pageOf(application, '/delete'), { name: 'Old & gone' });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('Nothing was deleted');
    expect((await userinfo(lab.service, accessToken)).status).toBe(200);

    const done = await owner.post(pageOf(application, '/delete'), { name: 'Old & Gone' });
    const list = await owner.follow(done);
    expect(list.html).toContain('Old &amp; Gone has been deleted');
    expect(list.html).toContain(pageOf(application, '/balance'));
    expect((await userinfo(lab.service, accessToken)).status).toBe(401);
    expect((await refresh(lab.service, application, refreshToken)).status).toBe(401);
    expect((await owner.get(pageOf(application))).status).toBe(404);
    expect((await fetch(`${lab.service.url}/applications/${application.id}/logo`)).status).toBe(404);
    const events = await lab.service.db
      .select()
      .from(usageEvents)
      .where(eq(usageEvents.applicationId, application.id));
    expect(events).toHaveLength(1);
    const [balance] = await lab.service.db
      .select()
      .from(balances)
      .where(eq(balances.applicationId, application.id));
    expect(balance?.amount).toBe(99_950_000n);
    expect(await audited('application.deleted')).toEqual([
      expect.objectContaining({ target: application.id, detail: { name: 'Old & Gone' } }),
    ]);
  });
});
