// The contract of every store that keeps the engine's state, on each database that the service runs on:
// ids at rest are hashes, a code is consumed once under any concurrency, time is the caller's.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { randomSecret, sha256 } from '../../src/secrets.ts';
import {
  availableStores,
  type EngineStores,
  openEngineStores,
  type SignedIn,
  type StoreKind,
} from '../harness/engine-stores.ts';

const MODELS = ['Session', 'Interaction', 'AuthorizationCode', 'AccessToken', 'Grant', 'RefreshToken'];

for (const kind of await availableStores())
  describe(`the engine's state in ${kind.name}`, () => contract(kind));

/** Times in SQL are those of the given clock. Redis expires by its own, so there every key is made older. */
function contract(kind: StoreKind) {
  const start = new Date('2026-11-21T10:00:00.000Z');
  let stores: EngineStores;
  let now = start;
  let adapterFor: (model: string) => Adapter;
  /** A grant belongs to somebody's session, or nobody finds it. */
  let ada: SignedIn;

  beforeAll(async () => {
    stores = await openEngineStores(kind, () => now);
    ({ adapterFor } = stores);
    ada = await stores.signIn();
  });
  afterAll(() => stores.remove());

  const upsert = (model: string, id: string, payload: AdapterPayload, seconds: number) =>
    stores.requests.during(ada.uid, () => adapterFor(model).upsert(id, payload, seconds));

  const code = (grantId = randomSecret()) => ({
    kind: 'AuthorizationCode',
    accountId: 'acc_1',
    grantId,
    redirectUri: 'https://app.example.test/callback',
  });

  test('upsert and find: what goes in comes out, fields that nobody knows included', async () => {
    const adapter = adapterFor('AuthorizationCode');
    const id = randomSecret();
    const payload = {
      ...code(),
      jti: id,
      exp: 1_800_000_000,
      unknown: { list: [1, 'zwei', null], deep: { ok: true } },
    };
    await adapter.upsert(id, payload, 60);
    expect(await adapter.find(id)).toEqual(payload);
    await adapter.upsert(id, { ...payload, scope: 'openid' }, 60);
    expect(await adapter.find(id)).toEqual({ ...payload, scope: 'openid' });
  });

  test('an id of one model finds nothing in another', async () => {
    const id = randomSecret();
    await adapterFor('AccessToken').upsert(id, { jti: id }, 60);
    expect(await adapterFor('RefreshToken').find(id)).toBeUndefined();
    await adapterFor('AccessToken').destroy(id);
    expect(await adapterFor('AccessToken').find(id)).toBeUndefined();
  });

  test('a session is found by its uid, without its cookie value', async () => {
    const adapter = adapterFor('Session');
    const [id, uid] = [randomSecret(), randomSecret()];
    await adapter.upsert(id, { jti: id, uid, state: { of: 'a logout' } }, 60);
    expect(await adapter.findByUid(uid)).toEqual({ uid, state: { of: 'a logout' } });
    expect(await adapter.findByUid(randomSecret())).toBeUndefined();
  });

  test('a device code is found by what a person types, and known there by its hash alone', async () => {
    const adapter = adapterFor('DeviceCode');
    const [id, userCode] = [randomSecret(), randomSecret()];
    const payload = { jti: id, kind: 'DeviceCode', clientId: 'client_1', userCode, params: {} };
    await adapter.upsert(id, payload, 60);
    const found = await adapter.findByUserCode(userCode);
    const alias = `hash:${sha256(id)}`;
    expect(found).toEqual({ ...payload, jti: alias });
    // Only where a person works on it; whoever asks for tokens has to name the code.
    expect(await adapter.find(alias)).toBeUndefined();
    await adapter.upsert(alias, { ...payload, jti: alias, inFlight: true }, 60);
    expect(await adapter.find(id)).toEqual({ ...payload, inFlight: true });
    expect(await stores.everythingStored()).not.toContain(id);
    const consumed = await Promise.allSettled([1, 2, 3].map(() => adapter.consume(id)));
    expect(consumed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await adapterFor('AccessToken').find(alias)).toBeUndefined();
  });

  test('no id and no cookie value is on the disk, only their hashes', async () => {
    const [id, cookie] = [randomSecret(), randomSecret()];
    const interaction = {
      jti: id,
      returnTo: `https://id.example.test/oauth/authorize/${id}`,
      session: { accountId: 'acc_1', uid: 'uid', cookie },
    };
    await adapterFor('Interaction').upsert(id, interaction, 60);
    const dump = await stores.everythingStored();
    expect(dump).not.toContain(id);
    expect(dump).not.toContain(cookie);
    expect(dump).toContain(sha256(id));
    const found = await adapterFor('Interaction').find(id);
    expect(found).toEqual({ ...interaction, session: { accountId: 'acc_1', uid: 'uid' } });
  });

  const ofSomebody = (model: string) => (model === 'Grant' ? { accountId: ada.account.id } : {});

  test.each(MODELS)('%s: upsert, find, destroy, unknown fields kept, expiry', async (model) => {
    const adapter = adapterFor(model);
    const [id, other] = [randomSecret(), randomSecret()];
    const unknown = { deep: ['x', null, { ä: '😀' }] };
    const payload = { jti: id, kind: model, iat: 1_700_000_000, unknown, ...ofSomebody(model) };
    await upsert(model, id, payload, 60);
    await upsert(model, other, { ...payload, jti: other }, 60);
    expect(await adapter.find(id)).toEqual(payload);
    await upsert(model, id, { ...payload, later: true }, 60);
    expect(await adapter.find(id)).toEqual({ ...payload, later: true });
    await adapter.destroy(id);
    await adapter.destroy(id);
    expect(await adapter.find(id)).toBeUndefined();
    expect(await adapter.find(other)).toBeDefined();
    expect(await adapter.find(sha256(other))).toBeUndefined();
    await upsert(model, id, payload, 0);
    expect(await adapter.find(id)).toBeUndefined();
  });

  const isInRedis = (model: string) =>
    kind.openRedis !== undefined && model !== 'Grant' && model !== 'RefreshToken';

  test.each(MODELS)('%s: lives exactly until its expiry', async (model) => {
    const adapter = adapterFor(model);
    const [id, uid] = [randomSecret(), randomSecret()];
    const pass = async (milliseconds: number) => {
      if (isInRedis(model)) await stores.redis?.age(milliseconds);
      else now = new Date(now.getTime() + milliseconds);
    };
    try {
      await upsert(model, id, { jti: id, uid, ...ofSomebody(model) }, 60);
      await pass(30_000);
      expect(await adapter.find(id)).toBeDefined();
      await pass(30_000);
      expect(await adapter.find(id)).toBeUndefined();
      expect(await adapter.findByUid(uid)).toBeUndefined();
    } finally {
      now = start;
    }
  });

  test('everything in Redis expires by itself, the indexes included', async () => {
    const grantId = randomSecret();
    for (const model of ['Session', 'Interaction', 'AuthorizationCode', 'AccessToken']) {
      await adapterFor(model).upsert(
        grantId,
        { jti: grantId, grantId, uid: grantId, accountId: 'acc_x' },
        60,
      );
    }
    const { redis } = stores;
    const times = await Promise.all(((await redis?.keys()) ?? []).map((key) => redis?.client.ttl(key)));
    expect(times.filter((seconds) => seconds === undefined || seconds < 0)).toEqual([]);
  });

  test('promise 16: of 200 callers at once exactly one consumes a code, the others get invalid_grant', async () => {
    const adapter = adapterFor('AuthorizationCode');
    const id = randomSecret();
    await adapter.upsert(id, { ...code(), jti: id }, 60);
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => adapter.consume(id)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(199);
    expect(refused.every(({ reason }) => reason instanceof errors.InvalidGrant)).toBe(true);
    expect(await adapter.find(id)).toMatchObject({ consumed: start.getTime() / 1000 });
  });

  test('consuming what does not exist is an invalid_grant', async () => {
    await expect(adapterFor('AuthorizationCode').consume(randomSecret())).rejects.toThrow(
      errors.InvalidGrant,
    );
  });

  test('threats 173 and 176: of 50 callers at once one finds an assertion or proof unused, nobody does until its end, and then one again', async () => {
    const adapter = adapterFor('ReplayDetection');
    const id = randomSecret();
    const pass = async (milliseconds: number) => {
      await stores.redis?.age(milliseconds);
      now = new Date(now.getTime() + milliseconds);
    };
    const areUnused = async () => {
      const found = await Promise.all(Array.from({ length: 50 }, () => adapter.find(id)));
      return found.filter((record) => record === undefined).length;
    };
    expect(await areUnused()).toBe(1);
    await adapter.upsert(id, { jti: id, iss: 'client_1' }, 300);
    await pass(290_000);
    expect(await areUnused()).toBe(0);
    await pass(20_000);
    expect(await areUnused()).toBe(1);
    now = start;
  });

  test('saving again does not bring a consumed token back to life', async () => {
    const adapter = adapterFor('RefreshToken');
    const id = randomSecret();
    await adapter.upsert(id, { jti: id }, 60);
    await adapter.consume(id);
    await adapter.upsert(id, { jti: id }, 60);
    await expect(adapter.consume(id)).rejects.toThrow(errors.InvalidGrant);
  });

  test('revokeByGrantId ends what the grant led to in this model, and nothing else', async () => {
    const [mine, other] = [randomSecret(), randomSecret()];
    const tokens = [randomSecret(), randomSecret(), randomSecret()] as const;
    const adapter = adapterFor('AccessToken');
    await adapter.upsert(tokens[0], { jti: tokens[0], grantId: mine }, 60);
    await adapter.upsert(tokens[1], { jti: tokens[1], grantId: mine }, 60);
    await adapter.upsert(tokens[2], { jti: tokens[2], grantId: other }, 60);
    await adapterFor('RefreshToken').upsert(tokens[0], { jti: tokens[0], grantId: mine }, 60);
    await adapter.revokeByGrantId(mine);
    const left = await Promise.all(tokens.map((token) => adapter.find(token)));
    expect(left.map((found) => found !== undefined)).toEqual([false, false, true]);
    expect(await adapterFor('RefreshToken').find(tokens[0])).toBeDefined();
  });

  test('a code is consumed once although it is saved, read and revoked meanwhile', async () => {
    const adapter = adapterFor('AuthorizationCode');
    const id = randomSecret();
    const payload = { ...code(), jti: id };
    await adapter.upsert(id, payload, 60);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, async (_, n) => {
        if (n % 3 === 1) await adapter.find(id);
        if (n % 3 === 2) await adapter.upsert(id, payload, 60);
        await adapter.consume(id);
      }),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await adapter.revokeByGrantId(payload.grantId);
    await expect(adapter.consume(id)).rejects.toThrow(errors.InvalidGrant);
  });
}
