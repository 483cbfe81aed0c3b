// RFC 8707, resource indicators: which application gets a token for which API of its company, with which scopes, and what
// everybody else reads. Threats 163 and 164, promise 59.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { changeResource } from '../../src/applications/resource-change.ts';
import { deleteResource } from '../../src/applications/resource-deletion.ts';
import { findResource } from '../../src/applications/resource-list.ts';
import { createWorkspace } from '../../src/applications/workspace.ts';
import { transaction } from '../../src/database/connection.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import {
  authorizationRequest,
  Browser,
  callbackOf,
  exchange,
  refresh,
  signIn,
  userinfo,
} from '../harness/protocol-client.ts';
import { forOrders, ORDERS, registerResource } from '../harness/resource.ts';
import { bring, push, requestOf } from './assured.ts';

const STOCK = 'https://api.acme.test/stock';

let protocol: Protocol;
let shop: ProtocolApplication;
let other: ProtocolApplication;
let orders: string;
beforeAll(async () => {
  protocol = await startProtocol();
  shop = await protocol.register();
  other = await protocol.register();
  const { workspaceId } = shop;
  orders = (await registerResource(protocol.db, { workspaceId, askingIds: [shop.id] })).id;
  await registerResource(protocol.db, {
    workspaceId,
    identifier: STOCK,
    name: 'Stock',
    scopes: [{ scope: 'stock:read', description: 'See what is there' }],
    askingIds: [shop.id],
  });
});
afterAll(() => protocol.stop());

async function errorFor(application: ProtocolApplication, query: Record<string, string>, more = '') {
  const { path } = authorizationRequest(application, query);
  return callbackOf(await new Browser(protocol).follow(path + more));
}

describe('§2.1, the authorization request', () => {
  test('a token for the API that was named, with the scopes that were asked for and nothing of the person', async () => {
    const given = await signIn(protocol, shop, { changed: forOrders });
    const { status, body } = await exchange(protocol, shop, given);
    expect([status, body.scope, body.expires_in]).toEqual([200, 'orders:read', 600]);
    expect(decodeJwt(String(body.access_token))).toMatchObject({ aud: ORDERS, scope: 'orders:read' });
    expect(decodeJwt(String(body.id_token))).toMatchObject({ aud: shop.clientId, email: 'ada@example.test' });
  });

  test('the same by a pushed request (RFC 9126)', async () => {
    const { parameters, verifier } = requestOf(shop, forOrders);
    const pushed = await push(protocol, shop, parameters);
    const { code = '' } = callbackOf(await bring(protocol, shop, pushed.body.request_uri));
    const { body } = await exchange(protocol, shop, { code, verifier });
    expect([body.scope, decodeJwt(String(body.access_token)).aud]).toEqual(['orders:read', ORDERS]);
    const refused = await push(protocol, other, requestOf(other, forOrders).parameters);
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target']);
  });

  test.each([
    ['unknown', { resource: 'https://api.acme.test/nothing' }, 'invalid_target'],
    ['not a URI', { resource: 'orders' }, 'invalid_target'],
    ['with a fragment', { resource: `${ORDERS}#all` }, 'invalid_target'],
    ['written otherwise', { resource: `${ORDERS}/` }, 'invalid_target'],
    ['without any of its scopes', { resource: ORDERS, scope: 'openid email' }, 'invalid_scope'],
  ])('a resource that is %s is refused at the callback, by its name', async (_what, query, error) => {
    const answer = await errorFor(shop, { ...forOrders, ...query });
    expect(answer.error).toBe(error);
    expect(answer.error_description).toContain('resource');
  });

  test('an application that was not chosen is told the same as of one that does not exist', async () => {
    const refused = await errorFor(other, forOrders);
    const unknown = await errorFor(other, { ...forOrders, resource: 'https://api.acme.test/nothing' });
    const words = ({ error, error_description: text = '' }: Record<string, string>) => [
      error,
      text.split('. What')[0],
    ];
    expect(words(refused)).toEqual(words(unknown));
    expect(refused.error).toBe('invalid_target');
  });

  test('its scopes mean nothing without it, and nothing is granted by them', async () => {
    const given = await signIn(protocol, shop, { changed: { scope: 'openid orders:read' } });
    const { body } = await exchange(protocol, shop, given);
    expect(body.scope).toBe('openid');
    expect((await userinfo(protocol, body.access_token)).status).toBe(200);
  });

  test('more than three at once are refused', async () => {
    const more = `&resource=${encodeURIComponent(STOCK)}`.repeat(3);
    expect((await errorFor(shop, forOrders, more)).error).toBe('invalid_target');
  });
});

describe('§2.2, the token request', () => {
  const both = { ...forOrders, scope: 'openid offline_access orders:read stock:read' };
  async function signInToBoth() {
    const browser = new Browser(protocol);
    const request = authorizationRequest(shop, both);
    const path = `${request.path}&resource=${encodeURIComponent(STOCK)}`;
    const { code = '' } = callbackOf(await browser.follow(path));
    return { code, verifier: request.verifier };
  }

  test('of two it names one; each token is for one API and has that one’s scopes', async () => {
    const first = await exchange(protocol, shop, await signInToBoth(), { resource: STOCK });
    expect(decodeJwt(String(first.body.access_token))).toMatchObject({ aud: STOCK, scope: 'stock:read' });
    const second = await refresh(protocol, shop, first.body.refresh_token, { resource: ORDERS });
    expect(decodeJwt(String(second.body.access_token))).toMatchObject({ aud: ORDERS, scope: 'orders:read' });
  });

  test('of two it may name none, for a token that is for UserInfo alone', async () => {
    const { body } = await exchange(protocol, shop, await signInToBoth());
    expect((await userinfo(protocol, body.access_token)).status).toBe(200);
  });

  test('one that the person was not asked about is refused, and the code is not spent', async () => {
    const given = await signIn(protocol, shop, { changed: forOrders });
    const refused = await exchange(protocol, shop, given, { resource: STOCK });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target']);
  });

  test('UserInfo takes no token that is for an API', async () => {
    const { body } = await exchange(protocol, shop, await signIn(protocol, shop, { changed: forOrders }));
    expect((await userinfo(protocol, body.access_token)).status).toBe(401);
  });
});

describe('consent', () => {
  test('is asked for by API and scope, once each, and for nothing that was agreed to', async () => {
    protocol.person.account = await protocol.addAccount('consent@example.test');
    const browser = new Browser(protocol);
    protocol.prompts.length = 0;
    await signIn(protocol, shop, { browser, changed: forOrders });
    await signIn(protocol, shop, { browser, changed: forOrders });
    expect(protocol.prompts).toEqual(['login', 'consent']);
    const wider = { ...forOrders, scope: `${forOrders.scope} orders:write` };
    const silent = authorizationRequest(shop, { ...wider, prompt: 'none' });
    expect(callbackOf(await browser.follow(silent.path)).error).toBe('consent_required');
    await signIn(protocol, shop, { browser, changed: wider });
    expect(protocol.prompts).toEqual(['login', 'consent', 'consent']);
  });
});

describe('what a company changes', () => {
  test('a scope that is gone is in no new token; an application that is not chosen any more gets none', async () => {
    const { workspaceId } = shop;
    const which = { workspaceId, resourceId: orders };
    const wide = { ...forOrders, scope: 'openid offline_access orders:read orders:write' };
    const { body } = await exchange(protocol, shop, await signIn(protocol, shop, { changed: wide }));
    const before = await findResource(protocol.db, which);
    const readOnly = before.scopes.filter(({ scope }) => scope === 'orders:read');
    const change = (input: Partial<typeof before>) =>
      transaction(protocol.db, (tx) => changeResource(tx, which, { ...before, ...input }));
    await change({ scopes: readOnly });
    const narrower = await refresh(protocol, shop, body.refresh_token);
    expect(narrower.body.scope).toBe('orders:read');
    await change({ askingIds: [] });
    expect((await refresh(protocol, shop, body.refresh_token)).body.error).toBe('invalid_target');
    await change({});
    expect((await refresh(protocol, shop, body.refresh_token)).status).toBe(200);
  });

  test('threat 163: an identifier stays its first company’s, also when it is deleted', async () => {
    const prices = { currency: 'EUR', registrationPrice: 0n, signInPrice: 0n };
    const rival = await createWorkspace(protocol.db, { name: 'Rival', ...prices, now: new Date() });
    const identifier = 'https://api.acme.test/old';
    const take = (workspaceId: string) => registerResource(protocol.db, { workspaceId, identifier });
    const { id } = await take(shop.workspaceId);
    await expect(take(rival.id)).rejects.toMatchObject({ code: 'conflict' });
    await transaction(protocol.db, (tx) =>
      deleteResource(tx, { workspaceId: shop.workspaceId, resourceId: id, now: new Date() }),
    );
    await expect(take(rival.id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(take(shop.workspaceId)).resolves.toBeDefined();
    const foreign = { workspaceId: rival.id, identifier: 'https://rival.test/', askingIds: [shop.id] };
    await expect(registerResource(protocol.db, foreign)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
