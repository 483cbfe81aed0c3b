// RFC 7662, introspection of opaque tokens, and RFC 7009, their revocation: who learns what about which token. Threats 166
// and 167, promise 61.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import * as oauth from 'oauth4webapi';
import { applications } from '../../drizzle/schema/applications.ts';
import { deleteResource } from '../../src/applications/resource-deletion.ts';
import { transaction } from '../../src/database/connection.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import { exchange, post, refresh, signIn, userinfo } from '../harness/protocol-client.ts';
import { forOrders, ORDERS, registerResource } from '../harness/resource.ts';

let protocol: Protocol;
let shop: ProtocolApplication;
let api: ProtocolApplication;
let stranger: ProtocolApplication;
let orders: string;
beforeAll(async () => {
  protocol = await startProtocol();
  [shop, api, stranger] = [await protocol.register(), await protocol.register(), await protocol.register()];
  orders = (
    await registerResource(protocol.db, {
      workspaceId: shop.workspaceId,
      tokenFormat: 'opaque',
      askingIds: [shop.id],
      introspectingIds: [api.id],
    })
  ).id;
});
afterAll(() => protocol.stop());

const tokensFor = async (changed: Record<string, string>) =>
  (await exchange(protocol, shop, await signIn(protocol, shop, { changed }))).body;

function introspect(by: ProtocolApplication, token: unknown, changed: Record<string, string | null> = {}) {
  return post(protocol, '/oauth/introspect', {
    client_id: by.clientId,
    client_secret: by.clientSecret ?? null,
    token: String(token),
    ...changed,
  });
}

const activeFor = async (by: ProtocolApplication, token: unknown) =>
  (await introspect(by, token)).body.active;

describe('§2.2, the answer', () => {
  test('says of a token for an API what the API needs, to the application that was chosen for it', async () => {
    const { access_token: token, id_token: idToken } = await tokensFor(forOrders);
    const { status, headers, body } = await introspect(api, token);
    const [, payload = ''] = String(idToken).split('.');
    const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      active: true,
      iss: protocol.origin,
      aud: ORDERS,
      sub,
      client_id: shop.clientId,
      scope: 'orders:read',
      token_type: 'Bearer',
      iat: expect.any(Number),
      exp: expect.any(Number),
    });
    expect(Number(body.exp) - Number(body.iat)).toBe(600);
  });

  test('threat 166: everybody else reads exactly what a made-up token gets', async () => {
    const { access_token: token } = await tokensFor(forOrders);
    const inactive = { active: false };
    expect((await introspect(stranger, token)).body).toEqual(inactive);
    expect((await introspect(api, 'made-up')).body).toEqual(inactive);
    const page = await protocol.register({ clientType: 'public' });
    expect((await introspect(page, token)).body).toEqual(inactive);
  });

  test('an application may ask about its own tokens, refresh tokens included, and no API about those', async () => {
    const tokens = await tokensFor({ scope: 'openid offline_access' });
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect([await activeFor(shop, token), await activeFor(api, token)]).toEqual([true, false]);
    }
  });

  test('oauth4webapi reads it', async () => {
    const { access_token: token } = await tokensFor(forOrders);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(protocol.origin);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, insecure),
    );
    const client = { client_id: api.clientId };
    const secret = oauth.ClientSecretBasic(api.clientSecret ?? '');
    const response = await oauth.introspectionRequest(server, client, secret, String(token), insecure);
    const answer = await oauth.processIntrospectionResponse(server, client, response);
    expect(answer).toMatchObject({ active: true, aud: ORDERS });
  });
});

describe('§2.1, the request', () => {
  test('without a token, twice with one, and by GET', async () => {
    expect((await introspect(api, '')).body).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('token'),
    });
    const twice = await fetch(new URL('/oauth/introspect', protocol.origin), {
      method: 'POST',
      body: `client_id=${api.clientId}&client_secret=${api.clientSecret}&token=a&token=b`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(twice.status).toBe(400);
    const get = await fetch(new URL('/oauth/introspect?token=a', protocol.origin));
    expect(get.status).toBe(405);
  });

  test('nobody without credentials, and a wrong secret counts as a guess', async () => {
    const wrong = await introspect(api, 'a', { client_secret: 'x'.repeat(43) });
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client']);
    const nobody = await introspect(api, 'a', { client_id: null, client_secret: null });
    expect([nobody.status, nobody.body.error]).toEqual([400, 'invalid_request']);
    const strict = await startProtocol({ rateLimitFactor: 0.02 });
    try {
      const mine = await strict.register();
      const guess = (secret: string | null) =>
        post(strict, '/oauth/introspect', { client_id: mine.clientId, client_secret: secret, token: 'a' });
      await guess('x'.repeat(43));
      const { status, headers } = await guess(mine.clientSecret ?? null);
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    } finally {
      await strict.stop();
    }
  });
});

describe('promise 61: what ends a token ends it at the API, at once', () => {
  const ends: [string, (token: string, refreshToken: string) => Promise<unknown>][] = [
    ['its revocation', (token) => revoke(token)],
    ['the revocation of its refresh token', (_token, refreshToken) => revoke(refreshToken)],
    ['the end of all sessions of the person', () => protocol.revokeAccount(protocol.person.account.id)],
  ];
  test.each(ends)('%s', async (_what, end) => {
    const { access_token: token, refresh_token: refreshToken } = await tokensFor(forOrders);
    expect(await activeFor(api, token)).toBe(true);
    await end(String(token), String(refreshToken));
    expect(await activeFor(api, token)).toBe(false);
  });

  function revoke(token: string) {
    const credentials = { client_id: shop.clientId, client_secret: shop.clientSecret ?? null };
    return post(protocol, '/oauth/revoke', { ...credentials, token });
  }

  test('RFC 7009 §2.1: nobody revokes the token of somebody else, not even the API', async () => {
    const { access_token: token } = await tokensFor(forOrders);
    const credentials = { client_id: api.clientId, client_secret: api.clientSecret ?? null };
    expect((await post(protocol, '/oauth/revoke', { ...credentials, token: String(token) })).status).toBe(
      200,
    );
    expect(await activeFor(api, token)).toBe(true);
  });

  test('an application that is switched off, and an API that is deleted', async () => {
    const { access_token: token, refresh_token: refreshToken } = await tokensFor(forOrders);
    const disable = (disabledAt: Date | null) =>
      protocol.db.update(applications).set({ disabledAt }).where(eq(applications.id, shop.id));
    await disable(new Date());
    expect(await activeFor(api, token)).toBe(false);
    await disable(null);
    expect(await activeFor(api, token)).toBe(true);
    const which = { workspaceId: shop.workspaceId, resourceId: orders, now: new Date() };
    await transaction(protocol.db, (tx) => deleteResource(tx, which));
    expect([await activeFor(api, token), await activeFor(shop, token)]).toEqual([false, false]);
    expect((await refresh(protocol, shop, refreshToken)).body.error).toBe('invalid_target');
    expect((await userinfo(protocol, token)).status).toBe(403);
  });
});
