// Whose turn it is (docs/decisions/0801): places for attempts are shared out so that whoever wants more than there is
// gets what the others leave.
import { describe, expect, test } from '@jest/globals';
import { type BusyEndpoint, type EndpointWithWork, planTurn } from '../../src/webhooks/fair-turns.ts';
import { createRandom } from '../crash-harness/random.ts';

const { next: random } = createRandom(1);
const PLACES = 256;

function endpoint(company: number, number = 0, isFailing = false) {
  return { subscriptionId: `whs_${company}_${number}`, workspaceId: `ws_${company}`, isFailing };
}

/** Turn after turn, with nothing ever finished, until nobody takes a place any more. */
function settle(waiting: EndpointWithWork[], places = PLACES) {
  const busy = new Map<string, BusyEndpoint>();
  const free = () => places - [...busy.values()].reduce((sum, { underWay }) => sum + underWay, 0);
  const take = (wanted: EndpointWithWork[]) => {
    const turns = planTurn({ waiting: wanted, busy: [...busy.values()], free: free(), random });
    for (const { subscriptionId, places: taken } of turns) {
      const who = wanted.find((each) => each.subscriptionId === subscriptionId);
      if (!who) throw new Error('a place for nobody');
      busy.set(subscriptionId, { ...who, underWay: (busy.get(subscriptionId)?.underWay ?? 0) + taken });
    }
    return turns;
  };
  while (take(waiting).length > 0);
  const heldBy = (company: number) =>
    [...busy.values()]
      .filter(({ workspaceId }) => workspaceId === `ws_${company}`)
      .reduce((sum, { underWay }) => sum + underWay, 0);
  return { take, free, heldBy, busy };
}

describe('places', () => {
  test('an endpoint has at most sixteen, two while it fails; its company 64 and four', () => {
    const healthy = Array.from({ length: 20 }, (_, number) => ({ ...endpoint(1, number), due: 16 }));
    const failing = Array.from({ length: 20 }, (_, number) => ({ ...endpoint(2, number, true), due: 16 }));
    const { busy, heldBy } = settle([...healthy, ...failing]);
    expect(heldBy(1)).toBe(64);
    expect(heldBy(2)).toBe(4);
    expect(Math.max(...[...busy.values()].map(({ underWay }) => underWay))).toBeLessThanOrEqual(16);
    expect(settle([{ ...endpoint(3), due: 16 }]).heldBy(3)).toBe(16);
    expect(settle([{ ...endpoint(3, 0, true), due: 16 }]).heldBy(3)).toBe(2);
  });

  test.each([1, 5, 20, 60, 120])(
    '%i companies that take all they can leave some for the next one',
    (count) => {
      const greedy = Array.from({ length: count * 20 }, (_, number) => ({
        ...endpoint(Math.floor(number / 20), number % 20),
        due: 16,
      }));
      const { take, free, heldBy } = settle(greedy);
      expect(free()).toBeGreaterThan(0);
      const held = Array.from({ length: count }, (_, company) => heldBy(company));
      expect(Math.max(...held) - Math.min(...held)).toBeLessThanOrEqual(1);
      expect(take([...greedy, { ...endpoint(9_999), due: 1 }])).toEqual([
        { subscriptionId: 'whs_9999_0', places: 1 },
      ]);
    },
  );

  test('while the process is busy, what is late already waits a little longer, and what is new does not', () => {
    const waiting = [
      { ...endpoint(1), due: 16, isBacklog: true },
      { ...endpoint(2), due: 16 },
    ];
    const plan = (isUnderPressure: boolean) =>
      Object.fromEntries(
        planTurn({ waiting, busy: [], free: PLACES, random, isUnderPressure }).map((turn) => [
          turn.subscriptionId,
          turn.places,
        ]),
      );
    expect(plan(false)).toEqual({ whs_1_0: 16, whs_2_0: 16 });
    expect(plan(true)).toEqual({ whs_1_0: 2, whs_2_0: 16 });
  });

  test('endpoints that fail have at most half of all places, however many they are', () => {
    const failing = Array.from({ length: 400 }, (_, number) => ({ ...endpoint(number, 0, true), due: 16 }));
    const { free } = settle(failing);
    expect(free()).toBe(PLACES / 2);
  });

  test('the last place goes to a company that has none', () => {
    const waiting = [1, 2, 3].map((company) => ({ ...endpoint(company), due: 16 }));
    const busy = [1, 2].map((company) => ({ ...endpoint(company), underWay: 1 }));
    expect(planTurn({ waiting, busy, free: 1, random })).toEqual([{ subscriptionId: 'whs_3_0', places: 1 }]);
  });

  test('companies that are equal take turns by chance: nobody is always last', () => {
    const waiting = Array.from({ length: 10 }, (_, company) => ({ ...endpoint(company), due: 16 }));
    const served = new Set<string>();
    for (let turn = 0; turn < 200; turn += 1)
      for (const { subscriptionId } of planTurn({ waiting, busy: [], free: 1, random }))
        served.add(subscriptionId);
    expect(served.size).toBe(10);
  });
});
