// UserInfo (promise 19, threats 27 and 29): the Authorization header and nothing else, and no
// answer for a token that is over.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { engineRecords } from '../../drizzle/schema/engine.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import { exchange, signIn, userinfo } from '../harness/protocol-client.ts';
import { rawRequest } from '../harness/raw-request.ts';

let protocol: Protocol;
let application: ProtocolApplication;
beforeAll(async () => {
  protocol = await startProtocol();
  application = await protocol.register();
});
afterAll(() => protocol.stop());

const tokenOf = async () =>
  (await exchange(protocol, application, await signIn(protocol, application))).body.access_token;

describe('threat 27: requests without a proper token', () => {
  test.each([
    ['no header', []],
    ['no token', ['Authorization', 'Bearer']],
    ['an empty token', ['Authorization', 'Bearer ']],
    ['two spaces', ['Authorization', 'Bearer  x']],
    ['an unknown token', ['Authorization', 'Bearer x']],
    ['8,000 characters', ['Authorization', `Bearer ${'x'.repeat(8_000)}`]],
    ['letters outside ASCII', ['Authorization', 'Bearer \u00e9\u00ff']],
    ['Basic', ['Authorization', 'Basic eDp4']],
    ['DPoP', ['Authorization', 'DPoP x']],
    ['text/html wanted', ['Authorization', 'Bearer x', 'Accept', 'text/html']],
    ['a cookie', ['Cookie', 'access_token=x']],
  ])('%s: 400 or 401 with WWW-Authenticate', async (_name, headers) => {
    const answer = await rawRequest(protocol.port, { path: '/oauth/userinfo', headers });
    expect([400, 401]).toContain(answer.status);
    expect(answer.headers['www-authenticate']).toMatch(/^(Bearer|DPoP) /);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(JSON.parse(answer.text)).toEqual({
      error: expect.any(String),
      error_description: expect.any(String),
    });
  });

  test('a header of 17 KiB is cut off by the server', async () => {
    const answer = await rawRequest(protocol.port, {
      path: '/oauth/userinfo',
      headers: ['Authorization', `Bearer ${'x'.repeat(17 * 1024)}`],
    });
    expect(answer.status).toBe(431);
  });

  test('a good token in the query, or in two places, is refused', async () => {
    const token = await tokenOf();
    const header = ['Authorization', `Bearer ${token}`];
    const formType = ['Content-Type', 'application/x-www-form-urlencoded'];
    const path = '/oauth/userinfo';
    const answers = await Promise.all([
      rawRequest(protocol.port, { path: `${path}?access_token=${token}` }),
      rawRequest(protocol.port, { path: `${path}?access_token=${token}`, headers: header }),
      rawRequest(protocol.port, {
        method: 'POST',
        path,
        headers: [...formType, ...header],
        body: `access_token=${token}`,
      }),
      rawRequest(protocol.port, { path, headers: [...header, ...header] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    for (const answer of answers) expect(JSON.parse(answer.text).error).toBe('invalid_request');
    const posted = await rawRequest(protocol.port, {
      method: 'POST',
      path,
      headers: [...header, 'Content-Length', '0'],
    });
    expect(posted.status).toBe(200);
  });
});

describe('threat 29: tokens that are over', () => {
  async function expectInvalid(token: unknown): Promise<void> {
    const answer = await userinfo(protocol, token);
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_token']);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  }

  test('expired', async () => {
    const token = await tokenOf();
    expect((await userinfo(protocol, token)).status).toBe(200);
    try {
      await protocol.pass(3_615_000);
      await expectInvalid(token);
    } finally {
      protocol.clock.now = () => new Date();
    }
  });

  test('its grant removed', async () => {
    const token = await tokenOf();
    await protocol.db.delete(engineRecords).where(eq(engineRecords.model, 'Grant'));
    await expectInvalid(token);
  });

  test('its account deleted', async () => {
    const ada = protocol.person.account;
    protocol.person.account = await protocol.addAccount('deleted@example.test');
    const token = await tokenOf();
    await protocol.db.delete(accounts).where(eq(accounts.id, protocol.person.account.id));
    protocol.person.account = ada;
    await expectInvalid(token);
  });

  test('a refresh token is no access token', async () => {
    const signedIn = await signIn(protocol, application, { changed: { scope: 'openid offline_access' } });
    await expectInvalid((await exchange(protocol, application, signedIn)).body.refresh_token);
  });
});
