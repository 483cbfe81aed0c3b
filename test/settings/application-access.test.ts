// Who gets in with an application, and until when, as company settings change it: Client Secrets (threat 58), disable, enable,
// client rules, delete.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { clientSecrets } from '../../drizzle/schema/applications.ts';
import { balances } from '../../drizzle/schema/balances.ts';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { auditEntries } from '../../drizzle/schema/workspaces.ts';
import { sha256 } from '../../src/secrets.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, refresh, startAttempt, userinfo } from '../harness/client.ts';
import { askForCode } from '../harness/device.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
import { answerTo, secretIn } from './application-secrets.ts';
import { openSettingsLab, type SettingsLab, type Visitor } from './lab.ts';

let lab: SettingsLab;
let owner: Visitor;
let developer: Visitor;

beforeAll(async () => {
  lab = await openSettingsLab();
  owner = lab.visitor(lab.acme.owner);
  developer = lab.visitor(lab.acme.developer);
});
afterAll(() => lab?.stop());

const at = (rest: string) => `/settings/${lab.acme.workspace.id}${rest}`;
const pageOf = ({ id }: { id: string }, rest = '') => at(`/applications/${id}${rest}`);

async function audited(action: string) {
  return lab.service.db.select().from(auditEntries).where(eq(auditEntries.action, action));
}

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
    expect(await answerTo(lab.service, application, first)).toBe('invalid_grant');
    expect(await answerTo(lab.service, application, second)).toBe('invalid_grant');

    const inAnHour = new Date(Date.now() + 3_600_000).toISOString().slice(0, 16);
    const later = await expire(application, first, { when: 'at', at: inAnHour });
    expect(later.status).toBe(303);
    expect(await answerTo(lab.service, application, first)).toBe('invalid_grant');
    lab.service.clock.aheadMilliseconds = 3_601_000;
    try {
      expect(await answerTo(lab.service, application, first)).toBe('invalid_client');
      expect(await answerTo(lab.service, application, second)).toBe('invalid_grant');
    } finally {
      lab.service.clock.aheadMilliseconds = 0;
    }

    const third = await addSecret(application);
    expect((await expire(application, second, { when: 'now' })).status).toBe(303);
    expect(await answerTo(lab.service, application, second)).toBe('invalid_client');
    expect(await answerTo(lab.service, application, third)).toBe('invalid_grant');
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
    expect(await answerTo(lab.service, application, secret)).toBe('invalid_grant');
    expect((await expire(application, secret, { when: 'now', confirmed: 'on' })).status).toBe(303);
    expect(await answerTo(lab.service, application, secret)).toBe('invalid_client');
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
    expect(await answerTo(lab.service, application, application.clientSecret ?? '')).toBe('invalid_grant');
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
    await answerTo(lab.service, application, 'wrong');
    await answerTo(lab.service, application, second);
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
    await answerTo(lab.service, application, second);
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

  test('sign-in on devices: off until an owner switches it on, and no developer; the audit log says who', async () => {
    const application = await lab.acme.register({ name: 'Television' });
    expect((await askForCode(lab.service, application)).status).toBe(400);
    expect((await developer.get(pageOf(application, '/devices'))).status).toBe(403);
    expect((await owner.get(pageOf(application, '/devices'))).html).toContain('What it opens');
    await owner.follow(await owner.post(pageOf(application, '/devices'), { devices: 'on' }));
    expect((await askForCode(lab.service, application)).status).toBe(200);
    const [change] = await audited('application.devices_changed');
    expect(change).toMatchObject({ target: application.id, detail: { devices: 'on' } });
    await owner.follow(await owner.post(pageOf(application, '/devices'), { devices: 'off' }));
    expect((await askForCode(lab.service, application)).status).toBe(400);
  });

  test('deleted: only by its typed name; tokens end, the ledger stays, and the page says what happens', async () => {
    const application = await lab.acme.register({ name: 'Old & Gone' });
    const { accessToken, refreshToken } = await signIn(application, 'eve.delete@example.com');
    expect((await developer.get(pageOf(application, '/delete'))).status).toBe(403);
    const page = await owner.get(pageOf(application, '/delete'));
    expect(page.html).toContain('€99.95');
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
