// Attacks 70, 72 and 85: a selection of what `npm run crash` does: the service dies at every n-th point of a sign-in
// with its webhook and of a mail, and at random points of mixed traffic; afterwards the oracles I1 to I6 hold.
import { describe, expect, test } from '@jest/globals';
import { type Plan, runPlan } from './crash-harness/run.ts';
import { hasPostgres } from './harness/database.ts';

const FIRST_SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);

function plan(database: Plan['database']): Plan {
  const lines: string[] = [];
  return { database, crashes: 16, firstSeed: FIRST_SEED, sweepStep: 12, print: (line) => lines.push(line) };
}

describe(`crashes from seed ${FIRST_SEED} on`, () => {
  test('attack 70: PGlite: nothing acknowledged is lost, nothing happens twice', async () => {
    const summary = await runPlan(plan('pglite'));
    expect(summary.violations).toEqual([]);
    expect(summary.crashes).toBeGreaterThanOrEqual(16);
  }, 180_000);

  test('attack 70: PostgreSQL: nothing acknowledged is lost, nothing happens twice', async () => {
    if (!(await hasPostgres())) return;
    const summary = await runPlan(plan('postgres'));
    expect(summary.violations).toEqual([]);
    expect(summary.crashes).toBeGreaterThanOrEqual(16);
  }, 180_000);
});
