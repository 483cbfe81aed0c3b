// A Redis Cluster of three servers: no command touches keys in two slots, so every sign-in works wherever its keys
// happen to lie.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Adapter, errors } from 'oidc-provider';
import { createEngineAdapter, createRevocation, type Revocation } from '../../adapters/stores.ts';
import { transaction } from '../../src/database/connection.ts';
import { createRateLimiter } from '../../src/http/rate-limit.ts';
import { createLog } from '../../src/log.ts';
import { connectRedis, type RedisClient } from '../../src/redis/client.ts';
import { randomSecret } from '../../src/secrets.ts';
import { exchange, refresh, userinfo } from '../harness/client.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { addAccount, signInBrowser } from '../harness/identity.ts';
import { expectOracles } from '../harness/oracles.ts';
import { registerPerson, signInAgain, startTraffic, untilItWorks } from '../harness/outage.ts';
import { hasOwnRedis, type OwnRedisServer, startOwnRedis, untilReady } from '../harness/redis.ts';
import { startTollgate } from '../harness/tollgate.ts';

const describeCluster = (await hasOwnRedis()) ? describe : describe.skip;

describeCluster('a Redis Cluster', () => {
  let nodes: OwnRedisServer[] = [];
  let redis: RedisClient;
  let database: TestDatabase;
  let adapterFor: (model: string) => Adapter;
  let revocation: Revocation;

  beforeAll(async () => {
    const settings = ['--cluster-enabled', 'yes'];
    nodes = await Promise.all([1, 2, 3].map(() => startOwnRedis({ settings })));
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
    await promisify(execFile)('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes']);
    redis = connectRedis({ url: clusterUrl(), log: createLog({ level: 'silent' }) });
    await untilReady(redis);
    database = await openTestDatabase();
    const { db } = database.connection;
    adapterFor = createEngineAdapter({
      db,
      lookUps: db,
      redis,
      clock: () => new Date(),
      clients: async () => undefined,
    });
    revocation = createRevocation({ redis });
  });
  afterAll(async () => {
    redis?.disconnect();
    await database?.remove();
    await Promise.all(nodes.map((node) => node.stop()));
  });

  const clusterUrl = () => `${nodes[0]?.url}?cluster=true`;

  test('records, indexes and revocation, with keys on every node', async () => {
    const grantId = randomSecret();
    const ids = Array.from({ length: 100 }, () => randomSecret());
    const { db } = database.connection;
    const account = await addAccount(db, { email: 'ada@example.test' });
    for (const uid of ids) await signInBrowser(db, { account, uid });
    const accountId = account.id;
    const payload = (id: string) => ({ jti: id, uid: id, grantId, accountId, loginTs: 2 ** 31 });
    for (const model of ['Session', 'Interaction', 'AuthorizationCode', 'AccessToken']) {
      const adapter = adapterFor(model);
      await Promise.all(ids.map((id) => adapter.upsert(id, payload(id), 60)));
      const found = await Promise.all(ids.map((id) => adapter.find(id)));
      expect(found.every((one) => one !== undefined)).toBe(true);
    }
    const sizes = await Promise.all(nodes.map((node) => node.command((commands) => commands.dbsize())));
    expect(Math.min(...sizes)).toBeGreaterThan(50);

    const [id = ''] = ids;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, () => adapterFor('AuthorizationCode').consume(id)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(adapterFor('AuthorizationCode').consume(id)).rejects.toThrow(errors.InvalidGrant);

    await revocation.revokeGrants(db, [grantId]);
    await transaction(db, (tx) => revocation.revokeAccount(tx, { accountId, now: new Date(0) }));
    for (const model of ['Session', 'AuthorizationCode', 'AccessToken']) {
      const left = await Promise.all(ids.map((one) => adapterFor(model).find(one)));
      expect(left.filter((one) => one !== undefined)).toEqual([]);
    }
  });

  test('limits are exact there as well', async () => {
    const limiter = createRateLimiter({ factor: 1 / 60, redis });
    for (const key of ['a', 'b', 'c', 'd']) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 50 }, () => limiter.consume('authorize', key)),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      await expect(limiter.check('authorize', key)).rejects.toThrow('Too many requests');
    }
  });

  test('complete sign-ins of the whole service, also after a node was frozen', async () => {
    const service = await startTollgate({ REDIS_URL: clusterUrl() });
    try {
      await sleep(1_000);
      const application = await service.register();
      const people = await Promise.all(
        ['ada', 'bea', 'cy'].map((name) => registerPerson(service, application, `${name}@example.test`)),
      );
      for (const person of people) {
        for (let round = 0; round < 10; round += 1) await signInAgain(service, application, person);
        const made = await exchange(
          service,
          application,
          await person.newCode('openid email offline_access'),
        );
        const refreshed = await refresh(service, application, String(made.body.refresh_token));
        expect((await userinfo(service, String(refreshed.body.access_token))).status).toBe(200);
      }
      await expectOracles(service);

      const [node] = nodes;
      if (!node) throw new Error('no node');
      process.kill(node.pid, 'SIGSTOP');
      const traffic = startTraffic(service, application, people);
      await sleep(3_000);
      process.kill(node.pid, 'SIGCONT');
      await untilItWorks(async () => {
        for (const person of people) await signInAgain(service, application, person);
      });
      await traffic.stop();
      // 400: the node stopped after it had consumed the code and before it said so.
      expect(traffic.statuses.filter((status) => ![200, 400, 503].includes(status))).toEqual([]);
      await expectOracles(service, { allowServerErrors: true });
    } finally {
      await service.stop();
    }
  });
});
