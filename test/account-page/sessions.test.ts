// Sessions and connected applications on the account page (threats 39, 42, 59): what is listed is
// what lives, and what is ended is dead at once with everything that came from it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { consents } from '../../drizzle/schema/customers.ts';
import { engineRecords } from '../../drizzle/schema/engine.ts';
import { sessions } from '../../drizzle/schema/sessions.ts';
import { findAccountByEmail } from '../../src/accounts/account.ts';
import { deleteStalePageSessions } from '../../src/accounts/page-session.ts';
import { deleteStaleSessions, listSessions } from '../../src/accounts/session.ts';
import { secondsAfter } from '../../src/clock.ts';
import { grantSeconds } from '../../src/limits/token-lifetimes.ts';
import type { Browser, Page } from '../harness/browserless-browser.ts';
import { signOutAs } from '../harness/browserless-person.ts';
import { measure } from '../harness/stopwatch.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { enter, open, ours, send, signInToApplication, type Tokens, tryTokens } from './account-lab.ts';

let service: TestTollgate;
let application: RegisteredApplication;
beforeAll(async () => {
  service = await startTollgate();
  application = await service.register();
});
afterAll(() => service.stop());

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1';
const LIVING = { userInfo: 200, refresh: '200' };
const DEAD = { userInfo: 401, refresh: 'invalid_grant' };

/** A browser that is signed in to the application, and the account page in another one. */
async function twoBrowsers(email: string): Promise<{ phone: Browser; tokens: Tokens; desk: Browser }> {
  const phone = ours(SAFARI);
  const tokens = await signInToApplication(service, application, { email, browser: phone });
  const { browser: desk } = await enter(service, email, ours(FIREFOX));
  return { phone, tokens, desk };
}

const sessionsOf = (browser: Browser) => open(service, browser, '/account/sessions');

async function accountIdOf(email: string): Promise<string> {
  return (await findAccountByEmail(service.db, email))?.id ?? '';
}

/** Those that have ended are kept a day longer. */
async function rowsOf(email: string) {
  return service.db
    .select()
    .from(sessions)
    .where(eq(sessions.accountId, await accountIdOf(email)));
}

async function livingOf(email: string, now = new Date()) {
  return listSessions(service.db, { accountId: await accountIdOf(email), now });
}

/** As housekeeping does it at that time. */
async function tidyUp(now: Date): Promise<void> {
  await deleteStalePageSessions(service.db, now);
  await deleteStaleSessions(service.db, now);
}

/** The value in the form that ends the session of a device. */
function idBeside(page: Page, device: string): string {
  const row = page.html
    .split('<li class="device">')
    .find((each) => each.includes(device) && each.includes('/sessions/end"'));
  const id = row && /\/sessions\/end".*?name="session" value="([^"]+)"/s.exec(row)?.[1];
  if (!id) throw new Error(`no session of ${device}: ${page.html}`);
  return id;
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  const page = await open(service, browser, '/account/name');
  return new URL(page.url).pathname === '/account/name' || page.html.includes('http-equiv="refresh"');
}

describe('sessions', () => {
  test('are listed with device and last use, this device is marked, and the session itself is kept sealed', async () => {
    const email = 'lists@example.com';
    const { desk } = await twoBrowsers(email);
    const page = await sessionsOf(desk);
    expect(page.html).toContain('Safari on iPhone');
    expect(page.html).toContain('Firefox on Windows');
    expect(page.html.match(/This device/g)).toHaveLength(1);
    const rows = await rowsOf(email);
    expect(rows).toHaveLength(2);
    for (const { uid } of await service.db.select().from(engineRecords))
      if (uid) expect(JSON.stringify(rows)).not.toContain(uid);
  });

  test('one that is ended takes its tokens along within a second; the others live on', async () => {
    const { phone, tokens, desk } = await twoBrowsers('ends.one@example.com');
    const third = ours();
    const others = await signInToApplication(service, application, {
      email: 'ends.one@example.com',
      browser: third,
    });
    const page = await sessionsOf(desk);
    const session = idBeside(page, 'Safari');
    const { value: done, milliseconds } = await measure(async () => {
      const answer = await send(desk, page, '/account/sessions/end', {}, { session });
      expect(await tryTokens(service, application, tokens)).toEqual(DEAD);
      return answer;
    });
    expect(milliseconds).toBeLessThan(1_000);
    expect(done.html).toContain('Session ended.');
    expect(done.html).not.toContain('Safari on iPhone');
    expect(await tryTokens(service, application, others)).toEqual(LIVING);
    expect(await isSignedIn(phone)).toBe(false);
    expect(await isSignedIn(third)).toBe(true);
  });

  test('one that is ended stays ended when a request under way saves it, and what that got is worth nothing', async () => {
    const { phone, desk } = await twoBrowsers('comes.back@example.com');
    const { provider } = service.tollgate;
    const id = phone.cookies().find(({ name }) => name === 'tollgate_session')?.value ?? '';
    const session = await provider.Session.find(id);
    if (!session?.accountId) throw new Error('no session');
    const page = await sessionsOf(desk);
    await send(desk, page, '/account/sessions/end', {}, { session: idBeside(page, 'Safari') });
    const { accountId } = session;
    const grant = new provider.Grant({ accountId, clientId: application.clientId });
    const grantId = await grant.save();
    session.authorizations = { [application.clientId]: { grantId } };
    await session.save(3_600);
    expect(await provider.Session.find(id)).toBeUndefined();
    expect(await provider.Grant.find(grantId)).toBeUndefined();
    expect(await isSignedIn(phone)).toBe(false);
  });

  test('all others end at once, those on pages of our own too; this one goes on', async () => {
    const email = 'ends.others@example.com';
    const { phone, tokens, desk } = await twoBrowsers(email);
    const { browser: other } = await enter(service, email);
    const here = await signInToApplication(service, application, { email, browser: desk });
    const done = await send(desk, await sessionsOf(desk), '/account/sessions/end-others');
    expect(done.html).toContain('All other sessions ended.');
    expect(done.html).not.toContain('Safari on iPhone');
    expect(done.html.match(/Firefox on Windows/g)).toHaveLength(1);
    expect(done.html.match(/This device/g)).toHaveLength(1);
    expect(await tryTokens(service, application, tokens)).toEqual(DEAD);
    expect(await tryTokens(service, application, here)).toEqual(LIVING);
    expect([await isSignedIn(phone), await isSignedIn(other), await isSignedIn(desk)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("another person's session cannot be ended, nor can any without this browser's token (threat 42)", async () => {
    const victim = await twoBrowsers('victim.of.ids@example.com');
    const id = idBeside(await sessionsOf(victim.desk), 'Safari');
    const { desk } = await twoBrowsers('thief.of.ids@example.com');
    const page = await sessionsOf(desk);
    const refused = await send(desk, page, '/account/sessions/end', { session: id });
    expect(refused.html).toContain('That session has already ended.');
    for (const action of ['/account/sessions/end', '/account/sessions/end-others'])
      expect((await send(desk, page, action, { csrf_token: 'made-up' })).status).toBe(403);
    expect(await tryTokens(service, application, victim.tokens)).toEqual(LIVING);
  });

  test('rows go with a logout, a new password and the time; a use an hour is written and no more', async () => {
    const email = 'rows@example.com';
    const { phone, tokens, desk } = await twoBrowsers(email);
    await sessionsOf(desk);
    const before = await rowsOf(email);
    await signInToApplication(service, application, { email, browser: phone });
    await sessionsOf(desk);
    expect(await rowsOf(email)).toEqual(before);
    await signOutAs(phone, `${service.url}/oauth/logout?id_token_hint=${tokens.id}`);
    expect(await livingOf(email)).toHaveLength(1);
    await enter(service, email);
    expect(await livingOf(email)).toHaveLength(2);
    const form = await open(service, desk, '/account/password');
    await send(desk, form, '/account/password', { password: 'marzipan tugboat lantern' });
    const [kept, ...others] = await livingOf(email);
    expect([kept?.userAgent, others.length]).toEqual([FIREFOX, 0]);
    expect(await rowsOf(email)).toHaveLength(3);

    await twoBrowsers('time@example.com').then(({ desk: page }) => sessionsOf(page));
    const later = (hours: number) => secondsAfter(new Date(), hours * 3_600);
    expect(await livingOf('time@example.com', later(23))).toHaveLength(2);
    expect(await livingOf('time@example.com', later(25))).toEqual([]);
    await tidyUp(later(23));
    expect(await rowsOf(email)).toHaveLength(3);
    await tidyUp(later(25));
    expect(await rowsOf(email)).toHaveLength(1);
    // Until the last refresh token that they may have led to has expired.
    await tidyUp(secondsAfter(new Date(), grantSeconds - 60));
    expect(await rowsOf('time@example.com')).toHaveLength(2);
    await tidyUp(secondsAfter(new Date(), grantSeconds + 60));
    expect(await rowsOf('time@example.com')).toEqual([]);
  });
});

describe('connected applications', () => {
  test('say what they see; withdrawn, all that they hold dies at once and the next sign-in asks again', async () => {
    const email = 'withdraws@example.com';
    const { phone, tokens, desk } = await twoBrowsers(email);
    const second = await service.register({ name: 'Another shop' });
    const others = await signInToApplication(service, second, { email, browser: phone });
    const page = await open(service, desk, '/account/applications');
    expect(page.html).toContain('Example shop');
    expect(page.html).toContain('your email address, your name, and access while you are away');
    expect(page.html).toContain('It keeps what it received earlier');
    const done = await send(
      desk,
      page,
      '/account/applications/withdraw',
      {},
      { application: application.id },
    );
    expect(await tryTokens(service, application, tokens)).toEqual(DEAD);
    expect(done.html).toContain('Access removed.');
    expect(done.html).toContain('Nothing any more.');
    expect(await tryTokens(service, second, others)).toEqual(LIVING);
    const pages: string[] = [];
    await signInToApplication(service, application, { email, browser: phone, pages });
    expect(pages).toEqual(['consent']);
  });

  test("only one's own", async () => {
    const owner = await twoBrowsers('keeps.consent@example.com');
    const stranger = await twoBrowsers('wants.consent@example.com');
    const page = await open(service, stranger.desk, '/account/applications');
    await send(stranger.desk, page, '/account/applications/withdraw');
    expect(await tryTokens(service, application, owner.tokens)).toEqual(LIVING);
    const unknown = await send(stranger.desk, page, '/account/applications/withdraw', {
      application: (await service.register()).id,
    });
    expect(unknown.status).toBe(404);
    expect((await service.db.select().from(consents)).length).toBeGreaterThan(0);
  });
});
