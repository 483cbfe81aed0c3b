// Refresh tokens (promise 18; threats 22 and 23): a public client gets a new one each time, and each ends when it should.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { applications } from '../../drizzle/schema/applications.ts';
import { engineRecords } from '../../drizzle/schema/engine.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import { exchange, post, refresh, signIn, userinfo } from '../harness/protocol-client.ts';
import { expectEnded, expectError, offline } from './token-answers.ts';

let protocol: Protocol;
let application: ProtocolApplication;
beforeAll(async () => {
  protocol = await startProtocol();
  application = await protocol.register();
});
afterAll(() => protocol.stop());

describe('threat 22: refresh tokens', () => {
  test('a confidential client may repeat a request: its token is not rotated', async () => {
    const { body } = await exchange(
      protocol,
      application,
      await signIn(protocol, application, { changed: offline }),
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refresh(protocol, application, body.refresh_token)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(answers[0]?.body.refresh_token).toBe(body.refresh_token);
  });

  test('a public one gets a new one each time; a second use ends the whole family', async () => {
    const spa = await protocol.register({ clientType: 'public' });
    const first = (await exchange(protocol, spa, await signIn(protocol, spa, { changed: offline }))).body;
    const second = (await refresh(protocol, spa, first.refresh_token)).body;
    const third = (await refresh(protocol, spa, second.refresh_token)).body;
    expect((await userinfo(protocol, third.access_token)).status).toBe(200);
    await protocol.rebuild();
    expectError(await refresh(protocol, spa, first.refresh_token), 400, 'invalid_grant');
    await expectEnded(protocol, spa, second);
    await expectEnded(protocol, spa, third);
  });

  test('20 at once from a public client: exactly one success, and the family is over', async () => {
    const spa = await protocol.register({ clientType: 'public' });
    const { body } = await exchange(protocol, spa, await signIn(protocol, spa, { changed: offline }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refresh(protocol, spa, body.refresh_token)),
    );
    const successes = answers.filter(({ status }) => status === 200);
    expect(successes).toHaveLength(1);
    await expectEnded(protocol, spa, successes[0]?.body ?? {});
  });

  test('rotation does not prolong: the family ends when its first token would have', async () => {
    const spa = await protocol.register({ clientType: 'public' });
    const { body } = await exchange(protocol, spa, await signIn(protocol, spa, { changed: offline }));
    const expiries = async () => {
      const rows = await protocol.db
        .select()
        .from(engineRecords)
        .where(eq(engineRecords.model, 'RefreshToken'));
      return rows
        .filter((row) => row.payload.clientId === spa.clientId)
        .map((row) => Number(row.payload.exp));
    };
    const [end = 0] = await expiries();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await refresh(protocol, spa, body.refresh_token);
    for (const expiry of await expiries()) expect(Math.abs(expiry - end)).toBeLessThanOrEqual(1);
  });

  test('promise 18: without offline_access there is none, and what is no refresh token is an invalid_grant', async () => {
    const { body } = await exchange(protocol, application, await signIn(protocol, application));
    expect(body).not.toHaveProperty('refresh_token');
    for (const token of [body.access_token, 'x', '\u0000', 'é'.repeat(100)]) {
      expectError(await refresh(protocol, application, token), 400, 'invalid_grant');
    }
    expectError(await refresh(protocol, application, '', { refresh_token: null }), 400, 'invalid_request');
  });
});

describe('threat 23: refreshing what is no longer given', () => {
  const start = async (client = application) =>
    (await exchange(protocol, client, await signIn(protocol, client, { changed: offline }))).body;

  test('a wider scope is an invalid_scope, a narrower one is granted', async () => {
    const body = await start();
    expectError(
      await refresh(protocol, application, body.refresh_token, { scope: 'openid profile' }),
      400,
      'invalid_scope',
    );
    const narrower = await refresh(protocol, application, body.refresh_token, { scope: 'openid' });
    expect((await userinfo(protocol, narrower.body.access_token)).body).toEqual({ sub: expect.any(String) });
  });

  test('by another client', async () => {
    const body = await start();
    const thief = await protocol.register();
    expectError(await refresh(protocol, thief, body.refresh_token), 400, 'invalid_grant');
    expect((await refresh(protocol, application, body.refresh_token)).status).toBe(200);
  });

  test('after a password reset', async () => {
    const body = await start();
    await protocol.revokeAccount(protocol.person.account.id);
    await expectEnded(protocol, application, body);
  });

  test('after the end of the account', async () => {
    const ada = protocol.person.account;
    protocol.person.account = await protocol.addAccount('gone@example.test');
    const body = await start();
    await protocol.db.delete(accounts).where(eq(accounts.id, protocol.person.account.id));
    protocol.person.account = ada;
    await expectEnded(protocol, application, body);
  });

  test('after the application is disabled or deleted: an unknown client', async () => {
    for (const change of [{ disabledAt: new Date() }, { deletedAt: new Date() }]) {
      const client = await protocol.register();
      const body = await start(client);
      await protocol.db.update(applications).set(change).where(eq(applications.id, client.id));
      expect((await userinfo(protocol, body.access_token)).status).toBe(401);
      expectError(await refresh(protocol, client, body.refresh_token), 401, 'invalid_client');
    }
  });

  test.each(['access_token', 'refresh_token'])('after revocation of the %s', async (kind) => {
    const body = await start();
    const { status, headers } = await post(protocol, '/oauth/revoke', {
      token: String(body[kind]),
      client_id: application.clientId,
      client_secret: application.clientSecret ?? null,
    });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    await expectEnded(protocol, application, body);
  });

  test("another client's revocation changes nothing and learns nothing", async () => {
    const body = await start();
    const thief = await protocol.register();
    const parameters = { client_id: thief.clientId, client_secret: thief.clientSecret ?? null };
    const real = await post(protocol, '/oauth/revoke', { ...parameters, token: String(body.refresh_token) });
    const madeUp = await post(protocol, '/oauth/revoke', { ...parameters, token: 'x' });
    expect([real.status, real.text]).toEqual([madeUp.status, madeUp.text]);
    expect((await refresh(protocol, application, body.refresh_token)).status).toBe(200);
  });
});
