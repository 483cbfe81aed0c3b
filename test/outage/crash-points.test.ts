// Threats 70, 72 and 85: a selection of what `npm run crash` does: the service dies at every n-th point of a sign-in with its
// webhook (in a browser, on a device, with bound tokens), of a mail, of a deletion and of a company's change, and at random
// points of mixed traffic; afterwards the oracles I1 to I6 hold.
import { expect, test } from '@jest/globals';
import { type Plan, runPlan } from '../crash-harness/plan.ts';
import { connectTestRedis } from '../harness/redis.ts';

const FIRST_SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const CRASHES = 10;

test(`threat 70: ${CRASHES} crashes from seed ${FIRST_SEED} on: nothing acknowledged is lost, nothing happens twice`, async () => {
  const redis = connectTestRedis();
  const lines: string[] = [];
  const plan: Plan = {
    database: redis ? 'postgres' : 'pglite',
    redisUrl: redis?.url,
    crashes: CRASHES,
    firstSeed: FIRST_SEED,
    sweepStep: 18,
    print: (line) => lines.push(line),
  };
  const summary = await runPlan(plan);
  await redis?.remove();
  expect({ violations: summary.violations, lines }).toEqual({ violations: [], lines });
  expect(summary.crashes).toBeGreaterThanOrEqual(CRASHES);
}, 240_000);
