// How a client proves who it is (threats 19, 20 and 26): by form or by Basic, with any of its valid secrets, and what a
// wrong one is told.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { SignJWT } from 'jose';
import { clientSecrets } from '../../drizzle/schema/applications.ts';
import { issueClientSecret } from '../../src/applications/client-secret.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import { exchange, type Parameters, post, signIn } from '../harness/protocol-client.ts';
import { rawRequest } from '../harness/raw-request.ts';

let protocol: Protocol;
let application: ProtocolApplication;
beforeAll(async () => {
  protocol = await startProtocol();
  application = await protocol.register();
});
afterAll(() => protocol.stop());

const basic = (clientId: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
});
const tryWith = (changed: Parameters, headers: Record<string, string> = {}, path = '/oauth/token') =>
  post(
    protocol,
    path,
    {
      grant_type: 'authorization_code',
      client_id: application.clientId,
      code: 'x',
      token: 'x',
      redirect_uri: 'https://app.example.test/callback',
      code_verifier: 'v'.repeat(43),
      ...changed,
    },
    headers,
  );

describe('threat 19: client secrets', () => {
  test('by form and by Basic; a wrong secret does not spend the code', async () => {
    const signedIn = await signIn(protocol, application);
    const { clientId, clientSecret = '' } = application;
    const wrong = await exchange(
      protocol,
      application,
      signedIn,
      { client_secret: null },
      basic(clientId, 'wrong'),
    );
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client']);
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Basic /);
    const right = await exchange(
      protocol,
      application,
      signedIn,
      { client_secret: null, client_id: null },
      basic(clientId, clientSecret),
    );
    expect(right.status).toBe(200);
  });

  test('unknown client, wrong, missing, empty and own hash as secret: one and the same body', async () => {
    const [secret] = await protocol.db
      .select()
      .from(clientSecrets)
      .where(eq(clientSecrets.applicationId, application.id));
    const spa = await protocol.register({ clientType: 'public' });
    const answers = await Promise.all([
      tryWith({ client_id: 'client_unknown', client_secret: 'x' }),
      tryWith({ client_id: 'client_\u0000', client_secret: 'x' }),
      tryWith({ client_secret: 'wrong' }),
      tryWith({ client_secret: 'é\u0000' }),
      tryWith({ client_secret: 'x'.repeat(10_000) }),
      tryWith({ client_secret: null }),
      tryWith({ client_secret: '' }),
      tryWith({ client_secret: secret?.secretHash ?? '' }),
      tryWith({ client_secret: 'kept as hashes' }),
      tryWith({ client_id: spa.clientId, client_secret: 'a public client has none' }),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const headersOf = (answer: (typeof answers)[number]) => [...answer.headers.keys()].sort().join();
    expect(new Set(answers.map(headersOf)).size).toBe(1);
  });

  test('two methods at once, and a header that is no Basic, are an invalid_request', async () => {
    const { clientId, clientSecret = '' } = application;
    for (const headers of [
      basic(clientId, clientSecret),
      basic(clientId, 'wrong'),
      { authorization: 'Bearer x' },
    ]) {
      const answer = await tryWith({ client_secret: clientSecret }, headers);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    }
    for (const authorization of ['Basic', 'Basic %%%', 'Basic eA==', 'Digest x', 'Basic  eA==']) {
      const answer = await tryWith({}, { authorization });
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    }
  });

  test('another Client ID in the form than in Basic is an invalid_request', async () => {
    const answer = await tryWith(
      { client_id: 'client_other' },
      basic(application.clientId, application.clientSecret ?? ''),
    );
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  test('two Authorization headers are an invalid_request', async () => {
    const { authorization } = basic(application.clientId, application.clientSecret ?? '');
    const headers = ['Content-Type', 'application/x-www-form-urlencoded'];
    const answer = await rawRequest(protocol.port, {
      method: 'POST',
      path: '/oauth/token',
      headers: [...headers, 'Authorization', authorization, 'Authorization', authorization],
      body: 'grant_type=authorization_code',
    });
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([400, 'invalid_request']);
  });

  test('a secret in the query is no secret', async () => {
    const query = `client_id=${application.clientId}&client_secret=${application.clientSecret}`;
    const partly = await tryWith({ client_secret: null }, {}, `/oauth/token?${query}`);
    expect([partly.status, partly.body.error]).toEqual([401, 'invalid_client']);
    const wholly = await tryWith({ client_id: null, client_secret: null }, {}, `/oauth/token?${query}`);
    expect([wholly.status, wholly.body.error]).toEqual([400, 'invalid_request']);
  });

  test('promise 7: several secrets are valid at once, and an ended one is refused from the next request on', async () => {
    const client = await protocol.register();
    const second = await issueClientSecret(protocol.db, { applicationId: client.id, now: new Date() });
    const isAccepted = async (secret: string | undefined) => {
      const answer = await tryWith({ client_id: client.clientId, client_secret: secret ?? '' });
      return answer.body.error === 'invalid_grant';
    };
    expect(await isAccepted(client.clientSecret)).toBe(true);
    expect(await isAccepted(second)).toBe(true);
    const [first] = await protocol.db
      .select()
      .from(clientSecrets)
      .where(eq(clientSecrets.applicationId, client.id));
    await protocol.db
      .update(clientSecrets)
      .set({ expiresAt: new Date() })
      .where(eq(clientSecrets.id, first?.id ?? ''));
    expect(await isAccepted(client.clientSecret)).toBe(false);
    expect(await isAccepted(second)).toBe(true);
    await protocol.db.delete(clientSecrets).where(eq(clientSecrets.applicationId, client.id));
    expect(await isAccepted(second)).toBe(false);
  });

  test('the engine calls our comparison, through the documented prototype', async () => {
    const client = await protocol.provider.Client.find(application.clientId);
    expect(await client?.compareClientSecret(application.clientSecret ?? '')).toBe(true);
    expect(await client?.compareClientSecret(client?.clientSecret ?? '')).toBe(false);
    expect(JSON.stringify(client?.metadata())).not.toContain(application.clientSecret);
  });
});

describe('threat 20: assertions', () => {
  test.each(['none', 'HS256'])('a client assertion with alg %s is not looked at', async (alg) => {
    const claims = {
      iss: application.clientId,
      sub: application.clientId,
      aud: protocol.origin,
      jti: 'x',
      exp: 9_999_999_999,
    };
    const header = { alg, jku: 'http://169.254.169.254/', x5u: 'http://169.254.169.254/', kid: '../../x' };
    const assertion =
      alg === 'none'
        ? `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`
        : await new SignJWT(claims)
            .setProtectedHeader(header)
            .sign(new TextEncoder().encode('kept as hashes'));
    const answer = await tryWith({
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    });
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  });
});

describe('threat 26: what other sites may read', () => {
  const origin = 'https://spa.example.test';

  test('nothing of a confidential client, and nothing of a public one from an origin that is not registered', async () => {
    const spa = await protocol.register({ clientType: 'public', allowedOrigins: [origin] });
    const confidential = await tryWith({ client_secret: application.clientSecret ?? '' }, { origin });
    const strange = await tryWith({ client_id: spa.clientId }, { origin: `${origin}.evil.test` });
    const none = await tryWith({ client_id: spa.clientId }, { origin: 'null' });
    const unknown = await tryWith({ client_id: 'client_unknown' }, { origin });
    for (const answer of [confidential, strange, none, unknown]) {
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    const allowed = await tryWith({ client_id: spa.clientId }, { origin });
    expect(allowed.headers.get('access-control-allow-origin')).toBe(origin);
    expect(allowed.headers.get('vary')).toContain('Origin');
  });

  test('the origin of a callback may read without being listed; another port and another scheme may not', async () => {
    const spa = await protocol.register({
      clientType: 'public',
      redirectUris: [`${origin}/callback`, 'https://second.example.test:8443/'],
    });
    for (const own of [origin, 'https://second.example.test:8443']) {
      const allowed = await tryWith({ client_id: spa.clientId }, { origin: own });
      expect(allowed.headers.get('access-control-allow-origin')).toBe(own);
    }
    for (const other of [`${origin}:8443`, 'http://spa.example.test', 'https://second.example.test']) {
      const refused = await tryWith({ client_id: spa.clientId }, { origin: other });
      expect([other, refused.headers.has('access-control-allow-origin')]).toEqual([other, false]);
    }
  });

  test('no answer allows credentials', async () => {
    const preflight = await fetch(`${protocol.origin}/oauth/token`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.has('access-control-allow-credentials')).toBe(false);
  });
});

describe('promise 46: limits', () => {
  test('guessing secrets ends in 429 with an integer Retry-After; a company under fire of made-up codes goes on', async () => {
    const strict = await startProtocol({ rateLimitFactor: 0.1 });
    try {
      const client = await strict.register();
      const guess = (secret: string | undefined) =>
        post(strict, '/oauth/token', {
          grant_type: 'authorization_code',
          client_id: client.clientId,
          client_secret: secret ?? '',
          code: 'made-up',
          redirect_uri: 'https://app.example.test/callback',
          code_verifier: 'v'.repeat(43),
        });
      for (let time = 0; time < 10; time += 1)
        expect((await guess(client.clientSecret)).body.error).toBe('invalid_grant');
      for (let time = 0; time < 5; time += 1) expect((await guess('wrong')).status).toBe(401);
      const refused = await guess('wrong');
      expect([refused.status, refused.body.error]).toEqual([429, 'too_many_requests']);
      expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    } finally {
      await strict.stop();
    }
  });
});
