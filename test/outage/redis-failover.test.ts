// A Redis Cluster in which a replica takes over from a primary that dies while people sign in. It
// costs some of them a sign-in, never money or a second use of a code, and the service follows by itself.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { countCharges, expectOracles } from '../harness/oracles.ts';
import {
  expectQuickRecovery,
  registerPerson,
  type SignedInPerson,
  signInAgain,
  startTraffic,
  untilItWorks,
} from '../harness/outage.ts';
import { hasOwnRedis, type OwnRedisServer, startOwnRedis } from '../harness/redis.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const PRIMARIES = 3;
const PEOPLE = 4;
const describeCluster = (await hasOwnRedis()) ? describe : describe.skip;

describeCluster('a Redis Cluster with replicas', () => {
  let nodes: OwnRedisServer[] = [];
  let service: TestTollgate;
  let application: RegisteredApplication;
  let people: SignedInPerson[];
  let registered = 0;

  beforeAll(async () => {
    // So much silence, and the others elect the replica; less would be over on a busy machine without a death.
    const patience = ['--cluster-node-timeout', '2000'];
    // A replica that was cut off for a while by a busy machine may be elected all the same: none of this state matters.
    const candidates = ['--cluster-replica-validity-factor', '0', '--repl-diskless-sync-delay', '0'];
    const settings = ['--cluster-enabled', 'yes', ...patience, ...candidates];
    nodes = await Promise.all(Array.from({ length: 2 * PRIMARIES }, () => startOwnRedis({ settings })));
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
    await promisify(execFile)('redis-cli', [
      ...['--cluster', 'create', ...addresses],
      ...['--cluster-replicas', '1', '--cluster-yes'],
    ]);
    await untilItWorks(() => expectCluster({ replicas: PRIMARIES }));
    await untilItWorks(expectCopies);
    service = await startTollgate({ REDIS_URL: `${nodes.at(-1)?.url}?cluster=true` });
    application = await service.register({ balance: 1_000_000_000n });
    await untilItWorks(register);
    people = await Promise.all(Array.from({ length: PEOPLE }, register));
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await Promise.all(nodes.map((node) => node.stop()));
  });

  const register = () => {
    registered += 1;
    return registerPerson(service, application, `person-${registered}@example.test`);
  };

  /** As the last node sees it: every slot has an owner. @throws Error while it has not */
  async function expectCluster({ replicas }: { replicas: number }): Promise<void> {
    const seen = await nodes.at(-1)?.command(async (commands) => ({
      info: String(await commands.cluster('INFO')),
      nodes: String(await commands.cluster('NODES')),
    }));
    const alive = seen?.nodes.split('\n').filter((line) => line !== '' && !line.includes('fail'));
    const attached = alive?.filter((line) => line.includes('slave')).length;
    if (!seen?.info.includes('cluster_state:ok') || attached !== replicas) throw new Error('not yet');
  }

  /** @throws Error while a replica has no copy yet */
  async function expectCopies(): Promise<void> {
    const replications = await Promise.all(
      nodes.map((node) => node.command((commands) => commands.info('replication'))),
    );
    const copies = replications.filter((text) => text.includes('master_link_status:up'));
    if (copies.length !== PRIMARIES) throw new Error('not yet');
  }

  test('threat 95: a primary is killed in mid-traffic, its replica takes over', async () => {
    const before = await countCharges(service);
    const traffic = startTraffic(service, application, people);
    await sleep(500);
    await nodes[0]?.stop();
    await untilItWorks(() => expectCluster({ replicas: PRIMARIES - 1 }));
    // Everybody, so whatever slots their keys have.
    await expectQuickRecovery(() =>
      Promise.all(people.map((person) => signInAgain(service, application, person))),
    );
    await traffic.stop();
    // 400: the node died after it had consumed the code and before it said so, or the code died with it.
    expect(traffic.statuses.filter((status) => ![200, 400, 503].includes(status))).toEqual([]);
    expect(traffic.statuses).toContain(200);
    const succeeded = traffic.statuses.filter((status) => status === 200).length;
    expect(await countCharges(service)).toBeGreaterThanOrEqual(before + succeeded);
    await expectOracles(service, { allowServerErrors: true });
  }, 120_000);

  test('whoever is new registers, on every node that is left', async () => {
    await Promise.all(Array.from({ length: PEOPLE }, register));
    await expectOracles(service, { allowServerErrors: true });
  });
});
