// Two services on one database and one Redis (threats 11, 39, 64 and 95): what one of them did counts at the other
// with the very next request.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRevocation } from '../../adapters/stores.ts';
import { findAccountByEmail } from '../../src/accounts/account.ts';
import { createApiKey, revokeApiKey } from '../../src/applications/api-key.ts';
import { transaction } from '../../src/database/connection.ts';
import { createLog } from '../../src/log.ts';
import { createTollgate, type Tollgate } from '../../src/tollgate.ts';
import { exchange, refresh, type Service, userinfo } from '../harness/client.ts';
import { hasPostgres, openTestPostgres } from '../harness/database.ts';
import { freePort } from '../harness/free-port.ts';
import { countCharges, expectOracles } from '../harness/oracles.ts';
import { registerPerson, type SignedInPerson } from '../harness/outage.ts';
import { hasRedis, openTestRedis, type TestRedis } from '../harness/redis.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const describeServers = (await hasPostgres()) && (await hasRedis()) ? describe : describe.skip;

describeServers('two processes, PostgreSQL and Redis', () => {
  let redis: TestRedis;
  let a: TestTollgate;
  let second: Tollgate;
  let b: Service;
  let application: RegisteredApplication;
  let people = 0;
  let exchanges = 0;

  beforeAll(async () => {
    redis = openTestRedis();
    a = await startTollgate({ REDIS_URL: redis.url }, openTestPostgres);
    const port = await freePort();
    second = await createTollgate({
      // The same public address, as behind a load balancer.
      config: { ...a.tollgate.config, port },
      log: createLog({ level: 'silent' }),
      stores: { connection: a.tollgate.connection, keys: a.keys, close: async () => undefined },
    });
    await second.listen();
    b = { url: `http://127.0.0.1:${port}` };
    application = await a.register({ balance: 1_000_000_000n });
  });
  afterAll(async () => {
    await second.stop();
    await a.stop();
    await redis.remove();
  });

  const newPerson = async () => {
    people += 1;
    exchanges += 1;
    return registerPerson(a, application, `person-${people}@example.test`);
  };

  test('threat 11: 200 parallel exchanges of one code at both: 1 success, 1 charge', async () => {
    for (let round = 0; round < 5; round += 1) {
      const code = await (await newPerson()).newCode();
      const before = await countCharges(a);
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, n) => exchange(n % 2 ? a : b, application, code)),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([200, ...Array.from({ length: 199 }, () => 400)]);
      expect(await countCharges(a)).toBe(before + 1);
      exchanges += 1;
    }
  });

  test('threat 39: what one process revokes is dead at the other: session, code, access and refresh token', async () => {
    const person = await newPerson();
    const scope = 'openid email offline_access';
    const { body } = await exchange(b, application, await person.newCode(scope));
    exchanges += 1;
    const code = await person.newCode();
    expect((await userinfo(b, String(body.access_token))).status).toBe(200);
    await revokeAt(a, person);
    expect((await userinfo(b, String(body.access_token))).status).toBe(401);
    expect((await refresh(b, application, String(body.refresh_token))).body.error).toBe('invalid_grant');
    expect((await exchange(b, application, code)).body.error).toBe('invalid_grant');
    await expectSignedOut(person);
  });

  test('a session that a request under way writes back after the revocation is worthless', async () => {
    const person = await newPerson();
    const traffic = Promise.allSettled(Array.from({ length: 30 }, () => person.newCode()));
    await revokeAt(a, person);
    const codes = (await traffic).flatMap((made) => (made.status === 'fulfilled' ? [made.value] : []));
    await expectSignedOut(person);
    for (const code of codes) {
      expect((await exchange(b, application, code)).body.error).toBe('invalid_grant');
    }
  });

  const revokeAt = async ({ db }: TestTollgate, { email }: SignedInPerson) => {
    const accountId = (await findAccountByEmail(db, email))?.id ?? '';
    const { revokeAccount } = createRevocation({ redis: redis.client });
    await transaction(db, (tx) => revokeAccount(tx, { accountId, now: new Date() }));
  };

  const expectSignedOut = async (person: SignedInPerson) => {
    await expect(person.newCode()).rejects.toThrow('page');
  };

  test('threat 64: a revoked API key is refused by the next request at either', async () => {
    const { id, key } = await createApiKey(a.db, {
      workspaceId: a.workspace.id,
      name: 'Backend',
      scopes: ['identity:read'],
      now: new Date(),
    });
    const ask = async (service: Service) => {
      const path = `/v1/applications/${application.id}/customers`;
      const answer = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } });
      return answer.status;
    };
    expect([await ask(a), await ask(b)]).toEqual([200, 200]);
    await revokeApiKey(a.db, { id, workspaceId: a.workspace.id, now: new Date() });
    expect([await ask(a), await ask(b)]).toEqual([401, 401]);
  });

  test('after all of it the books agree', async () => {
    await expectOracles(a, { exchanges });
  });
});
