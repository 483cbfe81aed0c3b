// OpenID Connect Back-Channel Logout 1.0 (promises 57 and 58, threats 157 to 162): whatever ends a session at Tollgate, an
// application that asked for it hears so, in a token that it can verify; and it hears nothing else.

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { createRevocation } from '../../adapters/stores.ts';
import { applications } from '../../drizzle/schema/applications.ts';
import { engineRecords } from '../../drizzle/schema/engine.ts';
import { logoutNotices } from '../../drizzle/schema/logout-notices.ts';
import { findAccountByEmail } from '../../src/accounts/account.ts';
import { changeBackchannelLogout, disableApplication } from '../../src/applications/application-change.ts';
import { transaction } from '../../src/database/connection.ts';
import { newId } from '../../src/id.ts';
import { open, ours, send, type Tokens } from '../account-page/account-lab.ts';
import type { Browser } from '../harness/browserless-browser.ts';
import { signOutAs } from '../harness/browserless-person.ts';
import type { RegisteredApplication, TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
import {
  endAllOthers,
  endListed,
  enterOwnPages,
  PASSWORD,
  recoverAccount,
  registerWithPassword,
  SAFARI,
  signIn,
  tokensFor,
} from '../identity/identity-lab.ts';
import { openSettingsLab, type SettingsLab } from '../settings/lab.ts';
import { answerOk, answerStatus } from '../webhooks/sink.ts';
import { type Heard, type LogoutReceiver, pathOf, startLogoutReceiver } from './logout-receiver.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

let receiver: LogoutReceiver;
let lab: SettingsLab;
let service: TestTollgate;
let shop: RegisteredApplication;

beforeAll(async () => {
  receiver = await startLogoutReceiver();
  lab = await openSettingsLab(receiver.environment);
  service = lab.service;
  shop = await listening('shop');
});
afterAll(async () => {
  await lab?.stop();
  await receiver?.close();
});
afterEach(() => {
  receiver.sink.respond = answerOk;
});

/** An application that hears at a path of its own. */
async function listening(path: string, { sessionRequired = true } = {}): Promise<RegisteredApplication> {
  const application = await lab.acme.register({ name: path });
  const { id, workspaceId } = application;
  await transaction(service.db, (tx) =>
    changeBackchannelLogout(tx, { id, workspaceId }, { uri: receiver.urlOf(path), sessionRequired }),
  );
  return application;
}

type Visit = { email: string; browser: Browser; tokens: Tokens; sub: string; sid: string };
let people = 0;

/** Somebody new, with tokens of an application. */
async function visit(application = shop, browser = ours()): Promise<Visit> {
  people += 1;
  const email = `person.${people}@example.com`;
  await registerWithPassword({ service, application }, { email, browser });
  return again({ email, browser }, application);
}

async function again(
  { email, browser }: Pick<Visit, 'email' | 'browser'>,
  application = shop,
): Promise<Visit> {
  const tokens = await tokensFor({ service, application }, email, browser);
  const { sub = '', sid = '' } = decodeJwt<{ sid?: string }>(tokens.id);
  return { email, browser, tokens, sub, sid };
}

function hearsOf(path: string, { sub }: Pick<Visit, 'sub'>, application = shop, count = 1): Promise<Heard[]> {
  const expected = { issuer: service.url, audience: application.clientId };
  return until('the token or notice is there', async () => {
    const heard = (await receiver.heard(path, expected)).filter(({ claims }) => claims.sub === sub);
    return heard.length >= count ? heard : undefined;
  });
}

const signOut = ({ browser }: Pick<Visit, 'browser'>) => signOutAs(browser, `${service.url}/oauth/logout`);
const noticesOf = (application: RegisteredApplication) =>
  service.db.select().from(logoutNotices).where(eq(logoutNotices.applicationId, application.id));

/** When nothing waits any more. */
function finished(application: RegisteredApplication) {
  return until('the token or notice is there', async () => {
    const notices = await noticesOf(application);
    const isOver = notices.length > 0 && notices.every(({ status }) => status !== 'pending');
    return isOver ? notices : undefined;
  });
}

describe('Back-Channel Logout §2.1 and §2.2: what is announced', () => {
  test('discovery says that it is supported, and that sessions are named', async () => {
    const response = await fetch(`${service.url}/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      claims_supported: expect.arrayContaining(['sid']),
    });
  });

  test('sid is in the ID Tokens of an application that asked for it, the same after a refresh, and in no other', async () => {
    const person = await visit();
    expect(person.sid).toMatch(/^[\w-]{43}$/);
    expect((await again(person)).sid).toBe(person.sid);
    const deaf = await lab.acme.register();
    expect(decodeJwt((await again(person, deaf)).tokens.id)).not.toHaveProperty('sid');
    const nameless = await listening('nameless', { sessionRequired: false });
    expect(decodeJwt((await again(person, nameless)).tokens.id)).not.toHaveProperty('sid');
  });

  test('threat 158: a sign-in after the end has a name of its own, also where the browser stays signed in', async () => {
    const person = await visit();
    const path = `/settings/${lab.acme.workspace.id}/applications/${shop.id}/customers/${person.sub}`;
    await lab.visitor(lab.acme.developer).post(path, {}, `${path}/end-sessions`);
    const next = await again(person);
    expect(next.sub).toBe(person.sub);
    expect(next.sid).not.toBe(person.sid);
  });

  test('two applications, and two browsers, have names of their own for a session', async () => {
    const here = await visit();
    const elsewhere = await again(here, await listening('elsewhere'));
    const browser = await signIn({ service, application: shop }, { email: here.email });
    const there = await again({ email: here.email, browser });
    expect(new Set([here.sid, elsewhere.sid, there.sid]).size).toBe(3);
    expect(there.sub).toBe(here.sub);
  });
});

describe('Back-Channel Logout §2.4 and §2.5: the request and its token', () => {
  test('a form with one signed token, which says who, which session, and nothing of an ID Token', async () => {
    const person = await visit();
    await signOut(person);
    const [{ received, claims, typ } = {} as Heard] = await hearsOf('shop', person);
    expect(received.head).toMatch(/^POST \/shop HTTP\/1\.1/);
    expect(received.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect([...new URLSearchParams(received.body.toString()).keys()]).toEqual(['logout_token']);
    expect(typ).toBe('logout+jwt');
    expect(claims).toEqual({
      iss: service.url,
      aud: shop.clientId,
      sub: person.sub,
      sid: person.sid,
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 120,
      jti: expect.any(String),
      events: { [EVENT]: {} },
    });
  });

  test('threats 157 and 159: no other token passes for it, and it passes nowhere else', async () => {
    const person = await visit();
    await signOut(person);
    const [heard] = await hearsOf('shop', person);
    const token = new URLSearchParams(heard?.received.body.toString()).get('logout_token') ?? '';
    const [head, claims, signature] = token.split('.');
    const forged = [head, Buffer.from('{"sub":"other"}').toString('base64url'), signature].join('.');
    const keys = createRemoteJWKSet(new URL(`${service.url}/oauth/jwks`));
    const asLogout = { issuer: service.url, audience: shop.clientId, typ: 'logout+jwt' };
    await expect(jwtVerify(token, keys, asLogout)).resolves.toBeDefined();
    await expect(jwtVerify(forged, keys, asLogout)).rejects.toThrow('signature');
    await expect(jwtVerify(person.tokens.id, keys, asLogout)).rejects.toThrow('typ');
    await expect(jwtVerify(token, keys, { ...asLogout, audience: 'client_other' })).rejects.toThrow('aud');
    const later = { currentDate: new Date(Date.now() + 121_000) };
    await expect(jwtVerify(token, keys, { ...asLogout, ...later })).rejects.toThrow('exp');
    expect(claims).not.toContain('nonce');
  });

  test('without a name for the session it is about all that the customer has', async () => {
    const application = await listening('everything', { sessionRequired: false });
    const person = await visit(application);
    await signOut(person);
    const [heard] = await hearsOf('everything', person, application);
    expect(heard?.claims).not.toHaveProperty('sid');
  });

  test('each application of the session hears once, in its own names, and an application of another session nothing', async () => {
    const other = await listening('other');
    const person = await visit();
    const there = await again(person, other);
    const bystander = await visit();
    await signOut(person);
    const [[first], [second]] = [await hearsOf('shop', person), await hearsOf('other', there, other)];
    expect([first?.claims.sid, second?.claims.sid]).toEqual([person.sid, there.sid]);
    expect(first?.claims.sub).not.toBe(second?.claims.sub);
    expect(first?.claims.jti).not.toBe(second?.claims.jti);
    const told = (await noticesOf(shop)).map(({ sub }) => sub);
    expect(told.filter((sub) => sub === person.sub)).toHaveLength(1);
    expect(told).not.toContain(bystander.sub);
  });
});

describe('Back-Channel Logout §2: whatever ends the session', () => {
  const reasons: Record<string, (person: Visit) => Promise<unknown>> = {
    'log-out in an application': ({ browser }) =>
      signOutAs(browser, `${service.url}/oauth/logout?client_id=${shop.clientId}`),
    'signing out of the account page': async ({ email, browser }) => {
      await enterOwnPages({ service }, '/account', { email, password: PASSWORD, browser });
      await send(browser, await open(service, browser, '/account'), '/account/sign-out');
    },
    'the end of one session in the list': async ({ email }) => {
      const { browser } = await enterOwnPages({ service }, '/account', { email, password: PASSWORD });
      await endListed({ service }, browser);
    },
    'the end of all others': async ({ email }) => {
      const { browser } = await enterOwnPages({ service }, '/account', { email, password: PASSWORD });
      await endAllOthers({ service }, browser);
    },
    'a recovery': ({ email }) => recoverAccount({ service, application: shop }, { email }),
    'another account in the same browser': async ({ browser }) => {
      await registerWithPassword(
        { service, application: shop },
        { email: `next.${people}@example.com`, browser },
      );
    },
    'the end of the account': ({ email }) => service.tollgate.operator('account delete', { account: email }),
    'the person disconnects the application': async ({ email, browser }) => {
      await enterOwnPages({ service }, '/account', { email, password: PASSWORD, browser });
      const page = await open(service, browser, '/account/applications');
      await send(browser, page, '/account/applications/withdraw');
    },
    'the company ends the customer’s sessions': async ({ sub }) => {
      const path = `/settings/${lab.acme.workspace.id}/applications/${shop.id}/customers/${sub}`;
      const answer = await lab.visitor(lab.acme.developer).post(path, {}, `${path}/end-sessions`);
      expect(answer.status).toBe(303);
    },
  };

  test.each(Object.entries(reasons))('%s', async (_, end) => {
    const person = await visit(shop, ours(SAFARI));
    await end(person);
    const heard = await hearsOf('shop', person);
    expect(heard.map(({ claims }) => claims.sid)).toEqual([person.sid]);
  });

  test('an account with several sessions: each of them', async () => {
    const first = await visit();
    const browser = await signIn({ service, application: shop }, { email: first.email });
    const second = await again({ email: first.email, browser });
    await service.tollgate.operator('account delete', { account: first.email });
    const heard = await hearsOf('shop', first, shop, 2);
    expect(new Set(heard.map(({ claims }) => claims.sid))).toEqual(new Set([first.sid, second.sid]));
  });

  test('nothing when the transaction fails that would have ended it', async () => {
    const person = await visit();
    const account = await findAccountByEmail(service.db, person.email);
    const before = (await noticesOf(shop)).length;
    const { revokeAccount } = createRevocation({});
    const failing = transaction(service.db, async (tx) => {
      await revokeAccount(tx, { accountId: account?.id ?? '', now: new Date() });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await noticesOf(shop)).toHaveLength(before);
  });

  test('off by default: an application that named no address has nothing waiting for it', async () => {
    const deaf = await lab.acme.register();
    const person = await visit(deaf);
    await signOut(person);
    expect(await noticesOf(deaf)).toEqual([]);
  });
});

describe('Back-Channel Logout §2.8: what the answer means', () => {
  test('503 is tried again, with the same sid in a token of its own', async () => {
    const application = await listening('again');
    const person = await visit(application);
    receiver.sink.respond = answerStatus(503);
    await signOut(person);
    await hearsOf('again', person, application);
    receiver.sink.respond = answerStatus(204);
    await until('it is told', async () => {
      service.clock.aheadMilliseconds += 1_000;
      return (await noticesOf(application))[0]?.status === 'delivered' || undefined;
    });
    const heard = await hearsOf('again', person, application, 2);
    expect(heard.map(({ claims }) => claims.sid)).toEqual([person.sid, person.sid]);
    expect(new Set(heard.map(({ claims }) => claims.jti)).size).toBe(2);
    service.clock.aheadMilliseconds = 0;
  });

  test.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [400, 'failed'],
  ])('%i is final: %s, and no longer says whose session it was', async (status, outcome) => {
    const application = await listening(`final-${status}`);
    const person = await visit(application);
    receiver.sink.respond = answerStatus(status);
    await signOut(person);
    expect(await finished(application)).toMatchObject([
      {
        status: outcome,
        responseStatus: status,
        accountId: null,
        grantId: null,
        sub: person.sub,
        attemptCount: 1,
      },
    ]);
  });

  test('a redirect is not followed, and tried again', async () => {
    const application = await listening('moved');
    const person = await visit(application);
    receiver.sink.respond = answerStatus(302, { location: receiver.urlOf('elsewhere-entirely') });
    await signOut(person);
    const [notice] = await until('it is told', async () => {
      const notices = await noticesOf(application);
      return notices[0]?.responseStatus ? notices : undefined;
    });
    expect(notice).toMatchObject({ status: 'pending', responseStatus: 302 });
    expect(receiver.sink.received.map(pathOf)).not.toContain('/elsewhere-entirely');
  });

  test('threat 161: an address that may not be called any more is not called', async () => {
    const application = await listening('inside');
    const person = await visit(application);
    await service.db
      .update(applications)
      .set({ backchannelLogoutUri: 'https://10.0.0.8/inside' })
      .where(eq(applications.id, application.id));
    await signOut(person);
    const [notice] = await until('it is told', async () => {
      const notices = await noticesOf(application);
      return notices[0]?.failure ? notices : undefined;
    });
    expect(notice).toMatchObject({ status: 'pending', failure: 'blocked_address', responseStatus: null });
  });

  test('threat 162: what a process had taken when it died is told by another one', async () => {
    const application = await listening('died');
    const person = await visit(application);
    const account = await findAccountByEmail(service.db, person.email);
    const later = new Date(Date.now() + 20_000);
    const claim = { claimedBy: 'wrk_died', claimedUntil: later, nextAttemptAt: later };
    const whom = { applicationId: application.id, accountId: account?.id ?? '', grantId: 'a grant' };
    const notice = { ...whom, ...claim, status: 'pending' as const, attemptCount: 0, createdAt: new Date() };
    await service.db.insert(logoutNotices).values({ id: newId('lgt'), ...notice });
    service.clock.aheadMilliseconds = 21_000;
    await hearsOf('died', person, application);
    service.clock.aheadMilliseconds = 0;
  });

  test('an endpoint that hangs keeps nobody else waiting', async () => {
    const slow = await listening('slow');
    const hanging = await visit(slow);
    const person = await visit();
    receiver.sink.respond = (socket, received) => {
      if (pathOf(received) !== '/slow') answerOk(socket, received);
    };
    await signOut(hanging);
    await hearsOf('slow', hanging, slow);
    await signOut(person);
    await hearsOf('shop', person);
    expect(await noticesOf(slow)).toMatchObject([{ status: 'pending', attemptCount: 0 }]);
  });

  test('a disabled application is told nothing more', async () => {
    const application = await listening('disabled');
    const person = await visit(application);
    receiver.sink.respond = answerStatus(503);
    await signOut(person);
    await hearsOf('disabled', person, application);
    const { id, workspaceId } = application;
    await transaction(service.db, (tx) => disableApplication(tx, { id, workspaceId }, new Date()));
    expect(await finished(application)).toMatchObject([{ status: 'failed', failure: 'withdrawn' }]);
  });
});

test('when the account is gone, nothing of its grants is left, and what was told leads to nobody', async () => {
  const person = await visit();
  const account = await findAccountByEmail(service.db, person.email);
  const accountId = account?.id ?? '';
  await service.tollgate.operator('account delete', { account: person.email });
  await hearsOf('shop', person);
  const left = () => service.db.select().from(engineRecords).where(eq(engineRecords.accountId, accountId));
  await until('none is left', async () => (await left()).length === 0);
  const told = await until('it is told', async () => {
    const notices = await noticesOf(shop);
    return notices.some(({ accountId: of }) => of === accountId) ? undefined : notices;
  });
  expect(told.filter(({ sub }) => sub === person.sub)).toHaveLength(1);
});
