// What the token endpoint is sent (promises 16 and 18; threats 11 to 26): a code works once,
// for its client, its callback and its verifier; refresh tokens end when they should; errors say little.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { accounts, applications, engineRecords } from '../../drizzle/schema.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import {
  type Answer,
  authorizationRequest,
  exchange,
  form,
  type Parameters,
  post,
  refresh,
  signIn,
  userinfo,
} from '../harness/protocol-client.ts';

let protocol: Protocol;
let application: ProtocolApplication;
beforeAll(async () => {
  protocol = await startProtocol();
  application = await protocol.register();
});
afterAll(() => protocol.stop());

const offline: Parameters = { scope: 'openid email offline_access' };

function expectError(answer: Answer, status: number, error: string): void {
  expect(answer.body).toEqual({ error, error_description: expect.any(String) });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.has('access-control-allow-origin')).toBe(false);
}

/** Everything of a browser session must be over: its access token and its refresh token. */
async function expectEnded(body: Record<string, unknown>, client = application): Promise<void> {
  expect((await userinfo(protocol, body.access_token)).status).toBe(401);
  expectError(await refresh(protocol, client, body.refresh_token), 400, 'invalid_grant');
}

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
    await expectEnded(body);
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
    await expectEnded(body);
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
    await expectEnded(second, spa);
    await expectEnded(third, spa);
  });

  test('20 at once from a public client: exactly one success, and the family is over', async () => {
    const spa = await protocol.register({ clientType: 'public' });
    const { body } = await exchange(protocol, spa, await signIn(protocol, spa, { changed: offline }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refresh(protocol, spa, body.refresh_token)),
    );
    const successes = answers.filter(({ status }) => status === 200);
    expect(successes).toHaveLength(1);
    await expectEnded(successes[0]?.body ?? {}, spa);
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
    await expectEnded(body);
  });

  test('after the end of the account', async () => {
    const ada = protocol.person.account;
    protocol.person.account = await protocol.addAccount('gone@example.test');
    const body = await start();
    await protocol.db.delete(accounts).where(eq(accounts.id, protocol.person.account.id));
    protocol.person.account = ada;
    await expectEnded(body);
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
    await expectEnded(body);
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

describe('threat 24: other grants', () => {
  test.each([
    'password',
    'client_credentials',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
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
