// RFC 6750, bearer tokens at UserInfo: the header (§2.1) and the form (§2.2), never the query (§2.3).
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Protocol, startProtocol } from '../harness/protocol.ts';
import { exchange, post, signIn, userinfo } from '../harness/protocol-client.ts';

let protocol: Protocol;
let token: string;
beforeAll(async () => {
  protocol = await startProtocol();
  const application = await protocol.register();
  const { body } = await exchange(protocol, application, await signIn(protocol, application));
  token = String(body.access_token);
});
afterAll(() => protocol.stop());

test('§2.2: the form says the same as the header', async () => {
  const byForm = await post(protocol, '/oauth/userinfo', { access_token: token });
  expect(byForm.status).toBe(200);
  expect(byForm.body).toEqual((await userinfo(protocol, token)).body);
  expect(byForm.headers.get('cache-control')).toBe('no-store');
});

test('§2: one place only', async () => {
  const both = await post(
    protocol,
    '/oauth/userinfo',
    { access_token: token },
    { authorization: `Bearer ${token}` },
  );
  expect([both.status, both.body.error]).toEqual([400, 'invalid_request']);
});

test('§2.3: never the query, by GET or POST', async () => {
  const path = `/oauth/userinfo?access_token=${token}`;
  for (const method of ['GET', 'POST']) {
    const answer = await fetch(new URL(path, protocol.origin), { method });
    expect(answer.status).toBe(400);
  }
});

test('§2.2: another type of body, a wrong, an empty and a zero token are refused', async () => {
  const json = await fetch(new URL('/oauth/userinfo', protocol.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ access_token: token }),
  });
  expect(json.status).toBe(400);
  for (const wrong of ['x'.repeat(43), '', '\0']) {
    const answer = await post(protocol, '/oauth/userinfo', { access_token: wrong });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  }
});
