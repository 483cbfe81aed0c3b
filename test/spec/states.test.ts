// What the token endpoint is sent (promise 16; threats 11 to 21 and 24): a code works once, for its client, its callback and
// its verifier; other grants do not exist; errors say little. Refresh tokens are in refresh-tokens.test.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { form } from '../harness/client.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import {
  authorizationRequest,
  exchange,
  type Parameters,
  post,
  signIn,
  userinfo,
} from '../harness/protocol-client.ts';
import { expectEnded, expectError, offline } from './token-answers.ts';

let protocol: Protocol;
let application: ProtocolApplication;
beforeAll(async () => {
  protocol = await startProtocol();
  application = await protocol.register();
});
afterAll(() => protocol.stop());

describe('promise 16: the authorization code', () => {
  test.each([2, 10, 50])(
    'threat 11: %d exchanges of one code at once give exactly one success',
    async (count) => {
      const signedIn = await signIn(protocol, application);
      const answers = await Promise.all(
        Array.from({ length: count }, () => exchange(protocol, application, signedIn)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expectError(answer, 400, 'invalid_grant');
    },
  );

  test('threat 12: a code exchanged a second time fails, and ends what the first time gave', async () => {
    const signedIn = await signIn(protocol, application, { changed: offline });
    const { body } = await exchange(protocol, application, signedIn);
    expect((await userinfo(protocol, body.access_token)).status).toBe(200);
    expectError(await exchange(protocol, application, signedIn), 400, 'invalid_grant');
    await expectEnded(protocol, application, body);
  });

  test('threat 12: it ends only that browser session of the person', async () => {
    const elsewhere = (await exchange(protocol, application, await signIn(protocol, application))).body;
    const signedIn = await signIn(protocol, application);
    await exchange(protocol, application, signedIn);
    await exchange(protocol, application, signedIn);
    expect((await userinfo(protocol, elsewhere.access_token)).status).toBe(200);
  });

  test('threat 12: after a new engine (restart, rotated key) a used code is still used', async () => {
    const signedIn = await signIn(protocol, application, { changed: offline });
    const { body } = await exchange(protocol, application, signedIn);
    await protocol.rebuild();
    expectError(await exchange(protocol, application, signedIn), 400, 'invalid_grant');
    await expectEnded(protocol, application, body);
  });

  test('a used code without its verifier fails, and signs nobody out', async () => {
    const signedIn = await signIn(protocol, application);
    const { body } = await exchange(protocol, application, signedIn);
    expectError(
      await exchange(protocol, application, { ...signedIn, verifier: 'x'.repeat(43) }),
      400,
      'invalid_grant',
    );
    expect((await userinfo(protocol, body.access_token)).status).toBe(200);
  });

  test('an expired code fails with invalid_grant', async () => {
    const signedIn = await signIn(protocol, application);
    await protocol.pass(61_000);
    try {
      expectError(await exchange(protocol, application, signedIn), 400, 'invalid_grant');
    } finally {
      protocol.clock.now = () => new Date();
    }
  });

  test.each(['', 'x', '\u0000', "' or 1=1 --", 'é', 'a'.repeat(10_000), '../../etc/passwd', '%'])(
    'a code that never was (%#) is an invalid_grant or invalid_request, never a 5xx',
    async (code) => {
      const answer = await exchange(protocol, application, { code, verifier: 'v'.repeat(43) });
      expectError(answer, 400, code === '' ? 'invalid_request' : 'invalid_grant');
    },
  );

  test('threat 14: a wrong verifier does not burn the code', async () => {
    const signedIn = await signIn(protocol, application);
    const wrong = { ...signedIn, verifier: 'w'.repeat(43) };
    for (let time = 1; time <= 4; time += 1)
      expectError(await exchange(protocol, application, wrong), 400, 'invalid_grant');
    expect((await exchange(protocol, application, signedIn)).status).toBe(200);
  });

  test('threat 14: five wrong verifiers do, one after the other or at once', async () => {
    for (const run of ['in order', 'at once']) {
      const signedIn = await signIn(protocol, application);
      const tries = Array.from({ length: 5 }, () => ({ ...signedIn, verifier: 'w'.repeat(43) }));
      if (run === 'at once') await Promise.all(tries.map((wrong) => exchange(protocol, application, wrong)));
      else
        for (const wrong of tries)
          expectError(await exchange(protocol, application, wrong), 400, 'invalid_grant');
      expectError(await exchange(protocol, application, signedIn), 400, 'invalid_grant');
    }
  });

  test.each([
    ['missing', null, 'invalid_grant'],
    ['42 characters', 'v'.repeat(42), 'invalid_request'],
    ['129 characters', 'v'.repeat(129), 'invalid_request'],
    ['illegal characters', `${'v'.repeat(43)}+/=`, 'invalid_request'],
  ])('threat 15: a verifier that is %s', async (_name, verifier, error) => {
    const signedIn = await signIn(protocol, application);
    expectError(await exchange(protocol, application, signedIn, { code_verifier: verifier }), 400, error);
    expect((await exchange(protocol, application, signedIn)).status).toBe(200);
  });

  test('threat 17: another callback, other case, or none', async () => {
    const two = await protocol.register({
      redirectUris: ['https://app.example.test/a', 'https://app.example.test/b'],
    });
    const signedIn = await signIn(protocol, two);
    expectError(
      await exchange(protocol, two, signedIn, { redirect_uri: 'https://app.example.test/b' }),
      400,
      'invalid_grant',
    );
    expectError(
      await exchange(protocol, two, signedIn, { redirect_uri: 'https://app.example.test/A' }),
      400,
      'invalid_grant',
    );
    expectError(await exchange(protocol, two, signedIn, { redirect_uri: null }), 400, 'invalid_request');
    const one = await signIn(protocol, application);
    expectError(await exchange(protocol, application, one, { redirect_uri: null }), 400, 'invalid_request');
  });

  test('another client cannot use the code, nor burn it', async () => {
    const thief = await protocol.register();
    const signedIn = await signIn(protocol, application);
    for (let time = 1; time <= 6; time += 1)
      expectError(await exchange(protocol, thief, signedIn), 400, 'invalid_grant');
    expect((await exchange(protocol, application, signedIn)).status).toBe(200);
  });

  test('the code of a deleted account is an invalid_grant', async () => {
    const ada = protocol.person.account;
    protocol.person.account = await protocol.addAccount('leaving@example.test');
    const signedIn = await signIn(protocol, application);
    await protocol.db.delete(accounts).where(eq(accounts.id, protocol.person.account.id));
    protocol.person.account = ada;
    expectError(await exchange(protocol, application, signedIn), 400, 'invalid_grant');
  });
});

describe('threat 21: bodies that are no form', () => {
  const send = async (body: string, contentType?: string) => {
    const response = await fetch(`${protocol.origin}/oauth/token`, {
      method: 'POST',
      body: new TextEncoder().encode(body),
      headers: contentType ? { 'content-type': contentType } : {},
    });
    return { status: response.status, body: await response.json() };
  };

  test.each([
    ['JSON', '{"grant_type":"authorization_code"}', 'application/json'],
    ['multipart', '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x'],
    ['text', 'grant_type=authorization_code', 'text/plain'],
    ['nothing said', 'grant_type=authorization_code', undefined],
    ['a broken type', 'grant_type=authorization_code', ';;;'],
    [
      'an unknown charset',
      'grant_type=authorization_code',
      'application/x-www-form-urlencoded; charset=x-none',
    ],
  ])('%s is an invalid_request', async (_name, body, contentType) => {
    expect(await send(body, contentType)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test('more than 16 KiB is refused', async () => {
    const answer = await send(`code=${'x'.repeat(16 * 1024)}`, 'application/x-www-form-urlencoded');
    expect(answer).toMatchObject({ status: 413, body: { error: 'payload_too_large' } });
  });

  test.each(['code', 'client_id', 'client_secret', 'grant_type', 'redirect_uri', 'code_verifier'])(
    '%s twice is an invalid_request',
    async (name) => {
      const signedIn = await signIn(protocol, application);
      const twice = `${form(grantOf(signedIn))}&${name}=${form(grantOf(signedIn)).get(name)}`;
      expect(await send(twice, 'application/x-www-form-urlencoded')).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
      expect((await exchange(protocol, application, signedIn)).status).toBe(200);
    },
  );

  test('__proto__ and 2,000 more parameters change nothing', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `p${index}=1`).join('&');
    const signedIn = await signIn(protocol, application);
    const body = `${form(grantOf(signedIn))}&__proto__=1&constructor=2`;
    expect((await send(body, 'application/x-www-form-urlencoded')).status).toBe(200);
    expect((await send(many, 'application/x-www-form-urlencoded')).status).toBe(400);
  });

  const grantOf = (signedIn: { code: string; verifier: string }): Parameters => ({
    grant_type: 'authorization_code',
    client_id: application.clientId,
    client_secret: application.clientSecret ?? null,
    code: signedIn.code,
    redirect_uri: application.redirectUris[0] ?? '',
    code_verifier: signedIn.verifier,
  });
});

describe('threat 24: other grants', () => {
  test.each([
    'password',
    'implicit',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'urn:openid:params:grant-type:ciba',
    'x',
    'Authorization_Code',
  ])('%s is an unsupported_grant_type', async (grantType) => {
    const answer = await post(protocol, '/oauth/token', {
      grant_type: grantType,
      client_id: application.clientId,
      client_secret: application.clientSecret ?? null,
      username: 'x',
      password: 'x',
    });
    expectError(answer, 400, 'unsupported_grant_type');
  });

  test('client_credentials is an unauthorized_client for whom people sign in to (RFC 6749 §5.2)', async () => {
    const answer = await post(protocol, '/oauth/token', {
      grant_type: 'client_credentials',
      client_id: application.clientId,
      client_secret: application.clientSecret ?? null,
    });
    expectError(answer, 400, 'unauthorized_client');
  });

  test('a device code is refused as unauthorized_client where signing in on devices is off', async () => {
    const answer = await post(protocol, '/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: application.clientId,
      client_secret: application.clientSecret ?? null,
      device_code: 'x',
    });
    expectError(answer, 400, 'unauthorized_client');
  });

  test('GET is a method_not_allowed', async () => {
    const response = await fetch(`${protocol.origin}/oauth/token?grant_type=authorization_code`);
    expect(response.status).toBe(405);
  });
});

describe('our own failures', () => {
  test('are a server_error without a reason for the client and with one in the log, and never a redirect', async () => {
    const broken = await startProtocol();
    try {
      const client = await broken.register();
      const signedIn = await signIn(broken, client);
      await broken.db.execute(sql`alter table engine_records rename to engine_records_gone`);
      const answer = await exchange(broken, client, signedIn);
      expectError(answer, 500, 'server_error');
      expect(answer.text).not.toMatch(/engine_records|select|oidc/i);
      expect(broken.logLines.join('')).toContain('request failed');
      const page = await signedIn.browser.request(authorizationRequest(client).path);
      expect([page.status, page.headers.get('location')]).toEqual([500, null]);
    } finally {
      await broken.stop();
    }
  });
});
