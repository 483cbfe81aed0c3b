// How often in a row a sign-in waits for its stores. Statements that travel together cost one wait, and each wait is what
// somebody alone on the service feels.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exchange } from '../harness/client.ts';
import { hasPostgres, openTestPostgres, postgresAddress } from '../harness/database.ts';
import { registerPerson, type SignedInPerson } from '../harness/outage.ts';
import { hasRedis, openTestRedis, type TestRedis } from '../harness/redis.ts';
import { openStoreGate, type StoreGate, type Trip } from '../harness/store-gate.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { readPostgres, readRedis } from '../harness/wire-readers.ts';

/** What PostgreSQL and Redis say is waited for this often, one after the other. */
const TRIPS_OF_AUTHORIZE = 3;
const TRIPS_OF_EXCHANGE = 5;
/** A busy machine can only add trips, so the fewest of some tries are what the service needs. */
const TRIES = 5;

const describeWaits = (await hasPostgres()) && (await hasRedis()) ? describe : describe.skip;

describeWaits('on PostgreSQL and Redis, somebody who has a session and has consented', () => {
  let gate: StoreGate;
  let redis: TestRedis;
  let service: TestTollgate;
  let application: RegisteredApplication;
  let ada: SignedInPerson;

  beforeAll(async () => {
    redis = openTestRedis();
    const redisUrl = new URL(redis.url);
    gate = await openStoreGate([
      { name: 'PostgreSQL', ...postgresAddress(), createReader: readPostgres },
      {
        name: 'Redis',
        host: redisUrl.hostname,
        port: Number(redisUrl.port || 6379),
        createReader: readRedis,
      },
    ]);
    const [postgresPort, redisPort] = gate.ports;
    redisUrl.host = `127.0.0.1:${redisPort}`;
    const environment = { REDIS_URL: redisUrl.href };
    service = await startTollgate(environment, () => openTestPostgres(postgresPort));
    application = await service.register();
    ada = await registerPerson(service, application, 'ada@example.test');
    await exchange(service, application, await ada.newCode());
  });
  afterAll(async () => {
    await service.stop();
    await gate.close();
    await redis.remove();
  });

  async function fewest(count: () => Promise<Trip[]>): Promise<Trip[]> {
    let best = await count();
    for (let tries = 1; tries < TRIES; tries += 1) {
      const trips = await count();
      if (trips.length < best.length) best = trips;
    }
    return best;
  }

  test(`a silent authorization waits at most ${TRIPS_OF_AUTHORIZE} times`, async () => {
    const trips = await fewest(() => gate.count(() => ada.newCode()));
    expectAtMost(trips, TRIPS_OF_AUTHORIZE);
  });

  test(`an exchange with its charge waits at most ${TRIPS_OF_EXCHANGE} times`, async () => {
    const trips = await fewest(async () => {
      const code = await ada.newCode();
      return gate.count(async () => {
        expect((await exchange(service, application, code)).status).toBe(200);
      });
    });
    expectAtMost(trips, TRIPS_OF_EXCHANGE);
  });
});

/** @throws with the list of what was sent. */
function expectAtMost(trips: Trip[], most: number): void {
  // Nothing at all would mean that the gate was passed by.
  expect(trips.length).toBeGreaterThan(1);
  if (trips.length > most) throw new Error(`${trips.length} waits instead of ${most}:\n${listOf(trips)}`);
}

function listOf(trips: Trip[]): string {
  return trips
    .map((trip, index) => `${index + 1}.\n${trip.map((said) => `   ${said}`).join('\n')}`)
    .join('\n');
}
