// Threat 40: the five ways to be in an account before its owner (Sudhodanan and Paverd, 2022), and both orders of a
// social provider and our own code. An account exists only once its address is proven, so the way in is a provider that
// was wrong about an address; whatever was left there is gone with the owner's first proof (docs/decisions/0601).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { accounts, emailChanges, passkeys, socialIdentities } from '../../drizzle/schema/accounts.ts';
import { pageSessions } from '../../drizzle/schema/sessions.ts';
import { flows } from '../../drizzle/schema/sign-ins.ts';
import { createPasswords } from '../../src/accounts/password.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { inboxReader, signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, refresh, startAttempt, userinfo } from '../harness/client.ts';
import { openSocialLab, type SocialLab } from '../hosted-pages/social-lab.ts';
import { accountPerson, enterAccount, sameOrigin } from './account-walk.ts';

const PASSWORD = 'the attacker knows this one';

let lab: SocialLab;
let number = 0;
let victim: string;
beforeAll(async () => {
  lab = await openSocialLab();
});
afterAll(() => lab.stop());
beforeEach(() => {
  number += 1;
  victim = `victim.${number}@example.com`;
});
afterEach(() => {
  lab.service.clock.aheadMilliseconds = 0;
});

const findAccount = async () => {
  const [account] = await lab.service.db.select().from(accounts).where(eq(accounts.email, victim));
  return account;
};
const identitiesOf = (accountId: string) =>
  lab.service.db.select().from(socialIdentities).where(eq(socialIdentities.accountId, accountId));

/** Somebody whom Google, wrongly, vouches for as the victim; with all that an application gets. */
async function liar() {
  lab.seat('google', `liar${number}`, victim);
  const walker = await lab.walker(victim, { headers: sameOrigin });
  const attempt = startAttempt(lab.service, lab.application, {
    scope: 'openid email profile offline_access',
  });
  walker.arrival = await walker.browser.open(attempt.url);
  await walker.come('google');
  const { code = '' } = readCallback((await walker.finish()).href);
  const { body } = await exchange(lab.service, lab.application, { code, verifier: attempt.verifier });
  return { walker, accessToken: String(body.access_token), refreshToken: String(body.refresh_token) };
}

/** The victim, in a browser of their own, with a code from their mailbox. */
async function proves(browser = createBrowser()) {
  const { url } = startAttempt(lab.service, lab.application);
  const callback = await signInAs({ authorizationUrl: url, email: victim, name: 'The Victim', browser });
  expect(readCallback(callback).code).toBeTruthy();
}

/** What the password opens now: the sign-in page says no, or goes on. */
async function passwordWorks(): Promise<boolean> {
  const { url } = startAttempt(lab.service, lab.application);
  try {
    await signInAs({ authorizationUrl: url, email: victim, password: PASSWORD, inbox: noCodes });
    return true;
  } catch {
    return false;
  }
}

async function noCodes(): Promise<string> {
  throw new Error('the attacker cannot read the mailbox');
}

describe('classic first: an account that nobody has proven does not exist', () => {
  test('classic-federated merge: a password typed for the address never becomes one, whoever signs in later', async () => {
    const typed = { email: victim, name: 'The Attacker', password: PASSWORD };
    const { url } = startAttempt(lab.service, lab.application, { prompt: 'create' });
    const half = signInAs({ ...typed, authorizationUrl: url, inbox: noCodes });
    await expect(half).rejects.toThrow('cannot read the mailbox');
    expect(await findAccount()).toBeUndefined();
    lab.seat('google', `owner${number}`, victim);
    const owner = await lab.walker(victim);
    await owner.begin();
    await owner.come('google');
    expect((await owner.finish()).searchParams.get('code')).toBeTruthy();
    expect(await findAccount()).toMatchObject({ passwordHash: null });
    expect(await passwordWorks()).toBe(false);
    await proves();
    expect(await passwordWorks()).toBe(false);
  });

  test('a provider that vouches for nothing makes no account and opens none', async () => {
    lab.seat('github', String(9_000 + number), victim, { verified: false });
    const attacker = await lab.walker(victim);
    await attacker.begin();
    await attacker.come('github');
    expect(await findAccount()).toBeUndefined();
    await proves();
    const account = await findAccount();
    expect(await identitiesOf(account?.id ?? '')).toEqual([]);
    await attacker.begin();
    await attacker.come('github');
    expect(attacker.page().url).toContain('/social-proof');
  });

  test('a proven account is not opened, linked or changed by a provider alone', async () => {
    await proves();
    const before = await findAccount();
    lab.seat('google', `late${number}`, victim);
    const attacker = await lab.walker(victim);
    await attacker.begin();
    await attacker.come('google');
    expect('page' in attacker.arrival && attacker.page().url).toContain('/social-proof');
    expect(await identitiesOf(before?.id ?? '')).toEqual([]);
    expect(await findAccount()).toEqual(before);
  });
});

describe('social first: the owner proves the address, and whoever was there before is gone', () => {
  test('unexpired session: sessions and tokens of every kind end with the first code', async () => {
    const { walker, accessToken, refreshToken } = await liar();
    const attacker = accountPerson(lab.service, victim, walker.browser);
    expect((await attacker.open('/account')).html).toContain('Your account');
    const before = await findAccount();
    expect(before).toMatchObject({ vouchedBy: 'google' });
    await proves();
    expect((await userinfo(lab.service, accessToken)).status).toBe(401);
    expect((await refresh(lab.service, lab.application, refreshToken)).body.error).toBe('invalid_grant');
    expect((await attacker.open('/account')).html).not.toContain('Your account');
    expect(
      await lab.service.db
        .select()
        .from(pageSessions)
        .where(eq(pageSessions.accountId, before?.id ?? '')),
    ).toEqual([]);
    // The same person to applications: what an honest owner had there is still theirs.
    expect(await findAccount()).toMatchObject({ id: before?.id, vouchedBy: null });
  });

  test('trojan identifier: linked providers, password and passkeys from before sign nobody in', async () => {
    const { walker } = await liar();
    const account = await findAccount();
    const accountId = account?.id ?? '';
    const now = new Date();
    await lab.service.db
      .update(accounts)
      .set({ passwordHash: await hashOf(PASSWORD) })
      .where(eq(accounts.id, accountId));
    expect(await passwordWorks()).toBe(true);
    await lab.service.db.insert(passkeys).values({
      id: `pky_${number}`,
      accountId,
      credentialId: `attacker${number}`,
      publicKey: new Uint8Array([1]),
      counter: 0,
      transports: [],
      name: 'Attacker',
      backedUp: false,
      createdAt: now,
    });
    const other = { provider: 'github', subject: `trojan${number}`, accountId, createdAt: now };
    await lab.service.db.insert(socialIdentities).values(other);
    await proves();
    expect(await identitiesOf(accountId)).toEqual([]);
    expect(await lab.service.db.select().from(passkeys).where(eq(passkeys.accountId, accountId))).toEqual([]);
    expect(await passwordWorks()).toBe(false);
    await walker.begin();
    await walker.come('google');
    expect(walker.page().url).toContain('/social-proof');
  });

  test('unexpired change of address: a change that waits is gone', async () => {
    await liar();
    const account = await findAccount();
    const accountId = account?.id ?? '';
    await lab.service.db.insert(emailChanges).values({
      id: `emc_${number}`,
      accountId,
      oldEmail: victim,
      newEmail: 'attacker@example.net',
      codeHash: 'x',
      codeExpiresAt: new Date(Date.now() + 600_000),
      codeAttempts: 0,
      cancelTokenHash: `x${number}`,
      createdAt: new Date(),
    });
    await proves();
    const left = await lab.service.db
      .select()
      .from(emailChanges)
      .where(eq(emailChanges.accountId, accountId));
    expect(left).toEqual([]);
  });

  test('a pending registration or recovery of somebody else dies with the proof', async () => {
    await liar();
    const { url } = startAttempt(lab.service, lab.application, { prompt: 'create' });
    const half = signInAs({ authorizationUrl: url, email: victim, password: PASSWORD, inbox: noCodes });
    await expect(half).rejects.toThrow('cannot read the mailbox');
    await proves();
    const open = (await lab.service.db.select().from(flows).where(eq(flows.email, victim))).filter(
      ({ finishedAt }) => finishedAt === null,
    );
    expect(open.map(({ codeHash, passwordHash }) => ({ codeHash, passwordHash }))).toEqual([
      { codeHash: null, passwordHash: null },
    ]);
  });

  test('recovery is a proof as well', async () => {
    const { walker, refreshToken } = await liar();
    const account = await findAccount();
    const browser = createBrowser({ headers: sameOrigin });
    const readCode = await inboxReader(`${lab.service.url}/dev/inbox.json`, victim);
    const person = accountPerson(lab.service, victim, browser);
    const { url } = startAttempt(lab.service, lab.application);
    const signIn = await person.open(url.slice(lab.service.url.length));
    const uid = new URL(signIn.url).pathname.split('/')[2];
    const step = (name: string) => `/interaction/${uid}/${name}`;
    const code = await person.send(await person.open(step('recover')), step('recover'), { email: victim });
    const form = await person.send(code, step('code'), { code: await readCode(victim) });
    await person.send(form, step('new-password'), { password: 'marzipan tugboat lantern' });
    expect(await identitiesOf(account?.id ?? '')).toEqual([]);
    expect(await findAccount()).toMatchObject({ vouchedBy: null, passwordHash: expect.any(String) });
    expect((await refresh(lab.service, lab.application, refreshToken)).body.error).toBe('invalid_grant');
    await walker.begin();
    await walker.come('google');
    expect(walker.page().url).toContain('/social-proof');
  });

  test('an honest owner is told, and links the provider again with one more code; it then stays', async () => {
    const { walker } = await liar();
    const owner = await enterAccount(lab.service, victim);
    expect(await owner.mail('was created with Google')).toContain('choose it again');
    await walker.begin();
    await walker.come('google');
    expect((await walker.finish()).searchParams.get('code')).toBeTruthy();
    const account = await findAccount();
    expect(await identitiesOf(account?.id ?? '')).toHaveLength(1);
    await proves();
    expect(await identitiesOf(account?.id ?? '')).toHaveLength(1);
  });
});

function hashOf(password: string): Promise<string> {
  return createPasswords({ concurrency: 1 }).hash(password);
}
