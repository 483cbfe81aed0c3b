// The contract of every store that keeps the engine's state (design 2.5), on each database that the service runs on:
// ids at rest are hashes, a code is consumed once under any concurrency, time is the caller's.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { type Adapter, errors } from 'oidc-provider';
import { createEngineAdapter, createRevocation, type Revocation } from '../adapters/stores.ts';
import { type Database, lookUpsOf, rowsOf } from '../src/database.ts';
import { randomSecret, sha256 } from '../src/secrets.ts';
import { hasPostgres, openTestPglite, openTestPostgres, type TestDatabase } from './harness/database.ts';
import { hasRedis, openTestRedis, type TestRedis, untilReady } from './harness/redis.ts';

const hasServers = { postgres: await hasPostgres(), redis: await hasRedis() };
const stores = [
  { name: 'PGlite', openSql: openTestPglite, isAvailable: true },
  { name: 'PostgreSQL', openSql: openTestPostgres, isAvailable: hasServers.postgres },
  {
    name: 'Redis with PGlite',
    openSql: openTestPglite,
    openRedis: openTestRedis,
    isAvailable: hasServers.redis,
  },
  {
    name: 'Redis with PostgreSQL',
    openSql: openTestPostgres,
    openRedis: openTestRedis,
    isAvailable: hasServers.redis && hasServers.postgres,
  },
];

const MODELS = ['Session', 'Interaction', 'AuthorizationCode', 'AccessToken', 'Grant', 'RefreshToken'];

for (const store of stores) {
  const describeStore = store.isAvailable ? describe : describe.skip;
  describeStore(`the engine's state in ${store.name}`, () => contract(store));
}

type Store = { openSql: () => Promise<TestDatabase>; openRedis?: () => TestRedis };

/** Times in SQL are those of the given clock. Redis expires by its own, so there every key is made older. */
function contract({ openSql, openRedis }: Store) {
  const start = new Date('2026-11-21T10:00:00.000Z');
  let database: TestDatabase;
  let redis: TestRedis | undefined;
  let db: Database;
  let now = start;
  let adapterFor: (model: string) => Adapter;
  let revocation: Revocation;

  beforeAll(async () => {
    database = await openSql();
    db = database.connection.db;
    redis = openRedis?.();
    if (redis) await untilReady(redis.client);
    const lookUps = lookUpsOf(database.connection);
    const stores = { db, lookUps, redis: redis?.client };
    const dependencies = { ...stores, clock: () => now, clients: async () => undefined };
    adapterFor = createEngineAdapter(dependencies);
    revocation = createRevocation(dependencies);
  });
  afterAll(async () => {
    await redis?.remove();
    await database.remove();
  });

  const everythingStored = async () => {
    const rows = rowsOf(await db.execute(sql`select * from engine_records`));
    const records = await Promise.all(
      ((await redis?.keys()) ?? []).map(async (key) => [key, await redis?.dump(key)]),
    );
    return JSON.stringify([rows, records]);
  };

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
    await adapter.upsert(id, { jti: id, uid, accountId: 'acc_1', loginTs: 1 }, 60);
    expect(await adapter.findByUid(uid)).toEqual({ uid, accountId: 'acc_1', loginTs: 1 });
    expect(await adapter.findByUid(randomSecret())).toBeUndefined();
  });

  test('no id and no cookie value is on the disk, only their hashes', async () => {
    const [id, cookie] = [randomSecret(), randomSecret()];
    const interaction = {
      jti: id,
      returnTo: `https://id.example.test/oauth/authorize/${id}`,
      session: { accountId: 'acc_1', uid: 'uid', cookie },
    };
    await adapterFor('Interaction').upsert(id, interaction, 60);
    const dump = await everythingStored();
    expect(dump).not.toContain(id);
    expect(dump).not.toContain(cookie);
    expect(dump).toContain(sha256(id));
    const found = await adapterFor('Interaction').find(id);
    expect(found).toEqual({ ...interaction, session: { accountId: 'acc_1', uid: 'uid' } });
  });

  test.each(MODELS)('%s: upsert, find, destroy, unknown fields kept, expiry', async (model) => {
    const adapter = adapterFor(model);
    const [id, other] = [randomSecret(), randomSecret()];
    const payload = { jti: id, kind: model, iat: 1_700_000_000, unknown: { deep: ['x', null, { ä: '😀' }] } };
    await adapter.upsert(id, payload, 60);
    await adapter.upsert(other, { ...payload, jti: other }, 60);
    expect(await adapter.find(id)).toEqual(payload);
    await adapter.upsert(id, { ...payload, later: true }, 60);
    expect(await adapter.find(id)).toEqual({ ...payload, later: true });
    await adapter.destroy(id);
    await adapter.destroy(id);
    expect(await adapter.find(id)).toBeUndefined();
    expect(await adapter.find(other)).toBeDefined();
    expect(await adapter.find(sha256(other))).toBeUndefined();
    await adapter.upsert(id, payload, 0);
    expect(await adapter.find(id)).toBeUndefined();
  });

  const isInRedis = (model: string) =>
    openRedis !== undefined && model !== 'Grant' && model !== 'RefreshToken';

  test.each(MODELS)('%s: lives exactly until its expiry', async (model) => {
    const adapter = adapterFor(model);
    const [id, uid] = [randomSecret(), randomSecret()];
    const pass = async (milliseconds: number) => {
      if (isInRedis(model)) await redis?.age(milliseconds);
      else now = new Date(now.getTime() + milliseconds);
    };
    try {
      await adapter.upsert(id, { jti: id, uid }, 60);
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
    const times = await Promise.all(((await redis?.keys()) ?? []).map((key) => redis?.client.ttl(key)));
    expect(times.filter((seconds) => seconds === undefined || seconds < 0)).toEqual([]);
  });

  test('§3: of 200 callers at once exactly one consumes a code, the others get invalid_grant', async () => {
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

  test('revokeGrants ends grants with their codes and tokens of every model', async () => {
    const grantId = randomSecret();
    await adapterFor('Grant').upsert(grantId, { jti: grantId, accountId: 'acc_2' }, 60);
    const models = ['AuthorizationCode', 'AccessToken', 'RefreshToken'];
    for (const model of models) await adapterFor(model).upsert(model, { jti: model, grantId }, 60);
    await adapterFor('Interaction').upsert('interaction', { jti: 'interaction', grantId }, 60);
    await revocation.revokeGrants(db, [grantId]);
    expect(await adapterFor('Interaction').find('interaction')).toBeDefined();
    expect(await adapterFor('Grant').find(grantId)).toBeUndefined();
    for (const model of models) expect(await adapterFor(model).find(model)).toBeUndefined();
    await revocation.revokeGrants(db, []);
  });

  test('what a request under way writes after revokeAccountSessions is worthless; a later sign-in is not', async () => {
    const [accountId, seconds] = ['acc_c', start.getTime() / 1000];
    await revocation.revokeAccountSessions(db, accountId, start);
    const before = { accountId, iat: seconds + 5 };
    const after = { accountId, iat: seconds - 5 };
    const find = async (model: string, payload: object) => {
      const id = randomSecret();
      await adapterFor(model).upsert(id, { ...payload, jti: id }, 60);
      return adapterFor(model).find(id);
    };
    expect(await find('Session', { ...before, loginTs: seconds - 1 })).toBeUndefined();
    expect(await find('AuthorizationCode', { ...before, authTime: seconds - 1 })).toBeUndefined();
    expect(await find('RefreshToken', { ...before, authTime: seconds - 1 })).toBeUndefined();
    expect(await find('Session', { ...after, loginTs: seconds })).toBeDefined();
    expect(await find('AuthorizationCode', { ...after, authTime: seconds })).toBeDefined();
    await revocation.revokeAccountSessions(db, accountId, new Date(start.getTime() + 2_000));
    expect(await find('Session', { ...after, loginTs: seconds + 1 })).toBeUndefined();
  });

  test('revokeAccountSessions ends exactly one account', async () => {
    const models = ['Session', 'Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken'];
    const signedInAt = start.getTime() / 1000 - 1;
    for (const accountId of ['acc_a', 'acc_b']) {
      for (const model of models) {
        const id = `${model} of ${accountId}`;
        const times =
          model === 'Session' ? { loginTs: signedInAt } : { authTime: signedInAt, iat: signedInAt };
        await adapterFor(model).upsert(
          id,
          { jti: id, accountId, grantId: `Grant of ${accountId}`, ...times },
          60,
        );
      }
    }
    await revocation.revokeAccountSessions(db, 'acc_a', start);
    for (const model of models) {
      expect(await isUsable(model, `${model} of acc_a`)).toBe(false);
      expect(await isUsable(model, `${model} of acc_b`)).toBe(true);
    }
  });

  /** The engine takes no code or token whose grant it does not find. */
  const isUsable = async (model: string, id: string) => {
    const payload = await adapterFor(model).find(id);
    if (!payload?.grantId || model === 'Session') return payload !== undefined;
    return (await adapterFor('Grant').find(payload.grantId)) !== undefined;
  };

  test('attack 39: what was made in the very second of the revocation, but before it, is gone', async () => {
    const second = Math.floor(start.getTime() / 1000);
    const payload = { accountId: 'acc_d', loginTs: second, iat: second };
    await adapterFor('Session').upsert('session', { ...payload, jti: 'session', uid: 'uid of d' }, 60);
    await revocation.revokeAccountSessions(db, 'acc_d', start);
    expect(await adapterFor('Session').find('session')).toBeUndefined();
    expect(await adapterFor('Session').findByUid('uid of d')).toBeUndefined();
    await adapterFor('Session').upsert('next', { ...payload, jti: 'next' }, 60);
    expect(await adapterFor('Session').find('next')).toBeDefined();
  });

  test('of two revocations at once the later one counts, whichever is written last', async () => {
    const seconds = start.getTime() / 1000;
    const session = { jti: 'e', accountId: 'acc_e', uid: 'uid of e', loginTs: seconds + 5, iat: seconds + 5 };
    await revocation.revokeAccountSessions(db, 'acc_e', new Date(start.getTime() + 10_000));
    await revocation.revokeAccountSessions(db, 'acc_e', start);
    await adapterFor('Session').upsert('e', session, 60);
    expect(await adapterFor('Session').find('e')).toBeUndefined();
    expect(await adapterFor('Session').findByUid('uid of e')).toBeUndefined();
  });

  test('sessions saved and revoked at the same time: whatever the order, none of before survives', async () => {
    const seconds = start.getTime() / 1000;
    const adapter = adapterFor('Session');
    const ids = Array.from({ length: 50 }, () => randomSecret());
    const save = (id: string) =>
      adapter.upsert(id, { jti: id, uid: id, accountId: 'acc_f', loginTs: seconds - 1, iat: seconds }, 60);
    await Promise.all([
      ...ids.slice(0, 25).map(save),
      revocation.revokeAccountSessions(db, 'acc_f', start),
      ...ids.slice(25).map(save),
    ]);
    const found = await Promise.all(ids.flatMap((id) => [adapter.find(id), adapter.findByUid(id)]));
    expect(found.filter((session) => session !== undefined)).toEqual([]);
  });

  test('tokens saved while their grant is revoked: the grant is gone for all of them', async () => {
    const grantId = randomSecret();
    await adapterFor('Grant').upsert(grantId, { jti: grantId, accountId: 'acc_g' }, 60);
    const ids = Array.from({ length: 20 }, () => randomSecret());
    const save = (id: string) => adapterFor('AccessToken').upsert(id, { jti: id, grantId }, 60);
    await Promise.all([
      ...ids.slice(0, 10).map(save),
      revocation.revokeGrants(db, [grantId]),
      ...ids.slice(10).map(save),
    ]);
    expect(await Promise.all(ids.map((id) => isUsable('AccessToken', id)))).not.toContain(true);
    await revocation.revokeGrants(db, [grantId]);
    expect((await Promise.all(ids.map((id) => adapterFor('AccessToken').find(id)))).filter(Boolean)).toEqual(
      [],
    );
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
