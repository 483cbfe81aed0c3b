// The contract of every store that keeps the engine's state (design 2.5), on each database that the service runs on:
// ids at rest are hashes, a code is consumed once under any concurrency, time is the caller's.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { type Adapter, errors } from 'oidc-provider';
import { createSqlAdapter } from '../adapters/postgres.ts';
import { revokeAccountSessions, revokeGrants } from '../adapters/revoke.ts';
import { type Database, rowsOf } from '../src/database.ts';
import { randomSecret, sha256 } from '../src/secrets.ts';
import { hasPostgres, openTestPglite, openTestPostgres, type TestDatabase } from './harness/database.ts';

const postgresAnswers = await hasPostgres();
const stores = [
  { name: 'PGlite', open: openTestPglite, isAvailable: true },
  { name: 'PostgreSQL', open: openTestPostgres, isAvailable: postgresAnswers },
];

for (const store of stores) {
  const describeStore = store.isAvailable ? describe : describe.skip;
  describeStore(`the engine's state in ${store.name}`, () => contract(store.open));
}

function contract(open: () => Promise<TestDatabase>) {
  const start = new Date('2026-11-21T10:00:00.000Z');
  let database: TestDatabase;
  let db: Database;
  let now = start;
  let adapterFor: (model: string) => Adapter;

  beforeAll(async () => {
    database = await open();
    db = database.connection.db;
    adapterFor = createSqlAdapter({ db, clock: () => now, clients: async () => undefined });
  });
  afterAll(() => database.remove());

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
    const dump = JSON.stringify(rowsOf(await db.execute(sql`select * from engine_records`)));
    expect(dump).not.toContain(id);
    expect(dump).not.toContain(cookie);
    expect(dump).toContain(sha256(id));
    const found = await adapterFor('Interaction').find(id);
    expect(found).toEqual({ ...interaction, session: { accountId: 'acc_1', uid: 'uid' } });
  });

  test('expiry follows the given clock', async () => {
    const adapter = adapterFor('AccessToken');
    const id = randomSecret();
    await adapter.upsert(id, { jti: id }, 60);
    try {
      now = new Date(start.getTime() + 59_999);
      expect(await adapter.find(id)).toBeDefined();
      now = new Date(start.getTime() + 60_000);
      expect(await adapter.find(id)).toBeUndefined();
    } finally {
      now = start;
    }
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
    await revokeGrants(db, [grantId]);
    expect(await adapterFor('Interaction').find('interaction')).toBeDefined();
    expect(await adapterFor('Grant').find(grantId)).toBeUndefined();
    for (const model of models) expect(await adapterFor(model).find(model)).toBeUndefined();
    await revokeGrants(db, []);
  });

  test('what a request under way writes after revokeAccountSessions is worthless; a later sign-in is not', async () => {
    const [accountId, seconds] = ['acc_c', start.getTime() / 1000];
    await revokeAccountSessions(db, accountId, start);
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
    await revokeAccountSessions(db, accountId, new Date(start.getTime() + 2_000));
    expect(await find('Session', { ...after, loginTs: seconds + 1 })).toBeUndefined();
  });

  test('revokeAccountSessions ends exactly one account', async () => {
    const models = ['Session', 'Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken'];
    for (const accountId of ['acc_a', 'acc_b']) {
      for (const model of models) {
        const id = `${model} of ${accountId}`;
        await adapterFor(model).upsert(id, { jti: id, accountId }, 60);
      }
    }
    await revokeAccountSessions(db, 'acc_a');
    for (const model of models) {
      expect(await adapterFor(model).find(`${model} of acc_a`)).toBeUndefined();
      expect(await adapterFor(model).find(`${model} of acc_b`)).toBeDefined();
    }
  });
}
