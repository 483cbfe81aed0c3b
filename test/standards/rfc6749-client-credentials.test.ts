// RFC 6749 §4.4, client credentials: a service gets tokens of its own for the APIs that it was chosen for, and nothing that
// has to do with a person; nobody else gets any. Threat 168.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, exportJWK, generateKeyPair, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { balances } from '../../drizzle/schema/balances.ts';
import { customers } from '../../drizzle/schema/customers.ts';
import { transfers } from '../../drizzle/schema/transfers.ts';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { ORDERS, registerResource } from '../harness/resource.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { assure } from './assured.ts';

const OPAQUE = 'https://api.acme.test/opaque';

let service: TestTollgate;
let job: RegisteredApplication;
let shop: RegisteredApplication;
let config: client.Configuration;
beforeAll(async () => {
  service = await startTollgate();
  shop = await service.register();
  job = await service.register({ name: 'Nightly', isService: true, redirectUris: [], balance: 0n });
  const { workspaceId } = job;
  await registerResource(service.db, { workspaceId, askingIds: [job.id, shop.id] });
  await registerResource(service.db, {
    workspaceId,
    identifier: OPAQUE,
    tokenFormat: 'opaque',
    askingIds: [job.id],
    introspectingIds: [shop.id],
  });
  config = await configOf(job);
});
afterAll(() => service.stop());

function configOf({ clientId, clientSecret }: RegisteredApplication): Promise<client.Configuration> {
  const insecure = { execute: [client.allowInsecureRequests] };
  return client.discovery(new URL(service.url), clientId, clientSecret, undefined, insecure);
}

const askFor = (parameters: Record<string, string>, by = config) =>
  client.clientCredentialsGrant(by, parameters);

test('§4.4.3, RFC 9068 §2.2: an access token of its own, for one API, and no refresh token', async () => {
  const tokens = await askFor({ resource: ORDERS, scope: 'orders:read profile' });
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 600, scope: 'orders:read' });
  expect([tokens.refresh_token, tokens.id_token]).toEqual([undefined, undefined]);
  const keys = createRemoteJWKSet(new URL('/oauth/jwks', service.url));
  const expected = { typ: 'at+jwt', issuer: service.url, audience: ORDERS };
  const { payload } = await jwtVerify(tokens.access_token, keys, expected);
  expect(payload).toMatchObject({ sub: job.clientId, client_id: job.clientId, scope: 'orders:read' });
});

test.each([
  ['no resource', { scope: 'orders:read' }, 'invalid_target', 'resource'],
  [
    'an unknown one',
    { resource: 'https://api.acme.test/no', scope: 'orders:read' },
    'invalid_target',
    'resource',
  ],
  ['no scope', { resource: ORDERS }, 'invalid_scope', 'scope'],
  ['a scope of a person', { resource: ORDERS, scope: 'openid email' }, 'invalid_scope', 'scope'],
])('%s: %j is refused by the name of the parameter', async (_what, parameters, error, named) => {
  await expect(askFor(parameters)).rejects.toMatchObject({
    status: 400,
    error,
    error_description: expect.stringContaining(named),
  });
});

test('threat 168: only services, with their secret; an application that people sign in to is refused', async () => {
  const asked = { resource: ORDERS, scope: 'orders:read' };
  await expect(askFor(asked, await configOf(shop))).rejects.toMatchObject({ error: 'unauthorized_client' });
  const wrong = await configOf({ ...job, clientSecret: 'x'.repeat(43) });
  await expect(askFor(asked, wrong)).rejects.toMatchObject({ status: 401, error: 'invalid_client' });
});

test('RFC 7523, RFC 9449: a service proves itself by a key and binds its tokens to one, as its company chose', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const signing = await service.register({ name: 'Signing', isService: true, redirectUris: [], balance: 0n });
  const keySet = { keys: [{ ...(await exportJWK(publicKey)), kid: 'signing' }] };
  await assure(service, signing, { clientAuthentication: 'private_key_jwt', requiresDpop: true, keySet });
  await registerResource(service.db, {
    workspaceId: signing.workspaceId,
    identifier: 'https://api.acme.test/signed',
    askingIds: [signing.id],
  });
  const asked = { resource: 'https://api.acme.test/signed', scope: 'orders:read' };
  const bySecret = askFor(asked, await configOf(signing));
  await expect(bySecret).rejects.toMatchObject({ status: 401, error: 'invalid_client' });
  const insecure = { execute: [client.allowInsecureRequests] };
  const byKey = client.PrivateKeyJwt({ key: privateKey, kid: 'signing' });
  const own = await client.discovery(new URL(service.url), signing.clientId, undefined, byKey, insecure);
  await expect(askFor(asked, own)).rejects.toMatchObject({ status: 400, error: 'invalid_grant' });
  const DPoP = client.getDPoPHandle(own, await client.randomDPoPKeyPair('ES256'));
  const tokens = await client.clientCredentialsGrant(own, asked, { DPoP });
  expect(tokens.token_type).toBe('dpop');
  expect(decodeJwt(tokens.access_token)).toMatchObject({ cnf: { jkt: expect.any(String) } });
});

test('a service signs nobody in: no page, no code, no refresh, no UserInfo', async () => {
  const page = await fetch(
    `${service.url}/oauth/authorize?client_id=${job.clientId}&response_type=code&scope=openid&redirect_uri=https://app.example.test/callback`,
    { redirect: 'manual' },
  );
  expect(page.status).toBe(400);
  const { access_token: token } = await askFor({ resource: OPAQUE, scope: 'orders:read' });
  const userinfo = await fetch(`${service.url}/oauth/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(userinfo.status).toBe(401);
});

test('RFC 7662, RFC 7009: an opaque one is introspected by the API and revoked by the service', async () => {
  const { access_token: token } = await askFor({ resource: OPAQUE, scope: 'orders:write' });
  const api = await configOf(shop);
  const active = await client.tokenIntrospection(api, token);
  expect(active).toMatchObject({ active: true, client_id: job.clientId, scope: 'orders:write', aud: OPAQUE });
  expect(active.sub).toBeUndefined();
  await client.tokenRevocation(config, token);
  expect(await client.tokenIntrospection(api, token)).toEqual({ active: false });
});

test('nothing of it is charged, and no customer comes of it', async () => {
  await askFor({ resource: ORDERS, scope: 'orders:read' });
  const rows = [usageEvents, customers].map((table) => service.db.$count(table));
  expect(await Promise.all(rows)).toEqual([0, 0]);
  const moved = await service.db.select().from(transfers);
  expect(moved.filter(({ applicationId }) => applicationId === job.id)).toEqual([]);
  expect((await service.db.select().from(balances)).find((row) => row.applicationId === job.id)?.amount).toBe(
    0n,
  );
});
