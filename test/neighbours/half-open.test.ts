// Threat 126: authorization requests that wait for people. What one address, one application and all together can make
// us keep is bounded, and who has typed something is never pushed out by who has not.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Budgets, createHalfOpenInMemory, type HalfOpen } from '../../adapters/half-open.ts';
import { createHalfOpenInRedis } from '../../adapters/half-open-redis.ts';
import { holds } from '../harness/properties.ts';
import { hasRedis, openTestRedis, type TestRedis, untilReady } from '../harness/redis.ts';

const budgets: Budgets = { address: 100, application: 200, overall: 300 };
const isThereRedis = await hasRedis();

type Kind = { name: string; open(): { halfOpen: HalfOpen; pass(seconds: number): Promise<void> } };
let redis: TestRedis | undefined;
beforeAll(async () => {
  redis = isThereRedis ? openTestRedis() : undefined;
  if (redis) await untilReady(redis.client);
});
afterAll(() => redis?.remove());

const inMemory: Kind = {
  name: 'in memory',
  open() {
    let ahead = 0;
    return {
      halfOpen: createHalfOpenInMemory(budgets, () => Date.now() + ahead),
      pass: async (seconds) => {
        ahead += seconds * 1000;
      },
    };
  },
};
const inRedis: Kind = {
  name: 'in Redis',
  open() {
    const { client } = redis ?? openTestRedis();
    return {
      halfOpen: createHalfOpenInRedis(client, budgets),
      // Its clock is nobody's to move: the ends of what it has counted are moved instead.
      async pass(seconds) {
        const ends = await client.zrange('{half-open}:ends', '0', '-1');
        for (const id of ends) await client.zincrby('{half-open}:ends', -seconds * 1000, id);
      },
    };
  },
};

describe.each([inMemory, ...(isThereRedis ? [inRedis] : [])])('counted $name', ({ open }) => {
  let halfOpen: HalfOpen;
  let pass: (seconds: number) => Promise<void>;
  let count = 0;
  const start = async () => {
    for (const key of (await redis?.keys()) ?? []) await redis?.client.del(key);
    ({ halfOpen, pass } = open());
  };
  const admit = (
    ipAddress: string,
    options: { clientId?: string; bytes?: number; isTouched?: boolean } = {},
  ) => {
    const { clientId = 'shop', bytes = 50, isTouched = false } = options;
    count += 1;
    const id = `id-${String(count).padStart(6, '0')}`;
    return halfOpen
      .admit({ id, ipAddress, clientId, bytes, isTouched, seconds: 60 })
      .then((admission) => ({ id, ...admission }));
  };

  test("an address beyond its budget pushes out its own oldest one, and nobody else's", async () => {
    await start();
    await admit('quiet');
    const first = await admit('busy');
    await admit('busy');
    expect(await admit('busy')).toMatchObject({ isAdmitted: true, evicted: [first.id] });
  });

  test('all together beyond the budget: the busiest address pays, with its oldest', async () => {
    await start();
    await admit('quiet', { bytes: 60, clientId: 'one' });
    const oldest = await admit('busy', { clientId: 'one' });
    await admit('busy', { clientId: 'two' });
    await admit('calm', { bytes: 80, clientId: 'two' });
    expect(await admit('new', { bytes: 70, clientId: 'three' })).toMatchObject({ evicted: [oldest.id] });
  });

  test('an application beyond its budget pays itself', async () => {
    await start();
    await admit('one', { bytes: 90, clientId: 'other' });
    const busiest = await admit('two', { bytes: 80, clientId: 'flooded' });
    await admit('three', { bytes: 60, clientId: 'flooded' });
    await admit('four', { bytes: 50, clientId: 'flooded' });
    expect(await admit('five', { bytes: 20, clientId: 'flooded' })).toMatchObject({ evicted: [busiest.id] });
  });

  test('what somebody has typed into goes for nobody: then the new one does not come in', async () => {
    await start();
    const typed = [await admit('busy'), await admit('busy')];
    for (const { id } of typed) expect(await halfOpen.touch(id, 60)).toBe(true);
    expect(await halfOpen.touch(typed[0]?.id ?? '', 60)).toBe(false);
    expect(await admit('busy')).toMatchObject({ isAdmitted: false, reached: 'address', evicted: [] });
    await admit('second', { bytes: 100, isTouched: true });
    expect(await admit('third')).toMatchObject({ isAdmitted: false, reached: 'application', evicted: [] });
    await admit('third', { bytes: 100, isTouched: true, clientId: 'other' });
    expect(await admit('fourth', { clientId: 'fresh' })).toMatchObject({
      isAdmitted: false,
      reached: 'overall',
    });
  });

  test('what has ended, or is finished, makes room; one that is known keeps its place', async () => {
    await start();
    const { id } = await admit('busy');
    await admit('busy');
    const again = { id, ipAddress: 'busy', clientId: 'shop', bytes: 50, isTouched: false, seconds: 60 };
    expect(await halfOpen.admit(again)).toEqual({ isAdmitted: true, evicted: [] });
    await halfOpen.remove(id);
    expect(await admit('busy')).toMatchObject({ isAdmitted: true, evicted: [] });
    await pass(61);
    expect(await admit('busy', { bytes: 100 })).toMatchObject({ isAdmitted: true, evicted: [] });
  });
});

const steps = fc.array(
  fc.record({
    act: fc.constantFrom('admit', 'admit', 'admit', 'admit', 'touch', 'remove'),
    ipAddress: fc.constantFrom('one', 'two', 'three', 'four'),
    clientId: fc.constantFrom('shop', 'bank', 'club'),
    bytes: fc.integer({ min: 5, max: 60 }),
    isTouched: fc.boolean(),
    of: fc.nat({ max: 30 }),
  }),
  { maxLength: 60 },
);

(isThereRedis ? test : test.skip)('memory and Redis decide alike, and neither passes a budget', async () => {
  await holds(
    fc.asyncProperty(steps, async (story) => {
      for (const key of (await redis?.keys()) ?? []) await redis?.client.del(key);
      const [memory, shared] = [inMemory.open().halfOpen, inRedis.open().halfOpen];
      const living = new Map<string, { bytes: number; ipAddress: string; clientId: string }>();
      for (const [n, { act, of, ...facts }] of story.entries()) {
        const id = `id-${String(act === 'admit' ? n : of).padStart(3, '0')}`;
        if (act === 'touch') {
          expect(await shared.touch(id, 60)).toBe(await memory.touch(id, 60));
          continue;
        }
        if (act === 'remove') {
          await Promise.all([shared.remove(id), memory.remove(id)]);
          living.delete(id);
          continue;
        }
        const record = { id, ...facts, seconds: 60 };
        const [one, other] = [await memory.admit(record), await shared.admit(record)];
        expect(other.isAdmitted).toBe(one.isAdmitted);
        for (const evicted of one.evicted) living.delete(evicted);
        if (one.isAdmitted) living.set(id, facts);
        // Two addresses may be the busiest alike; how much goes for the new one is the same.
        if (one.evicted.join() !== other.evicted.join()) return;
        const sum = (of_: (fact: { ipAddress: string; clientId: string }) => boolean) =>
          [...living.values()].filter(of_).reduce((all, { bytes }) => all + bytes, 0);
        expect(sum(() => true)).toBeLessThanOrEqual(budgets.overall);
        expect(sum(({ ipAddress }) => ipAddress === facts.ipAddress)).toBeLessThanOrEqual(budgets.address);
        expect(sum(({ clientId }) => clientId === facts.clientId)).toBeLessThanOrEqual(budgets.application);
      }
    }),
    5_000,
  );
});
