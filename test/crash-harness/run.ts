// `npm run crash`: a series of crashes (plan.ts) on both databases, spread over the cores. `--database`, `--crashes` (on
// each database), `--seed`, `--scenario`, `--point`, `--sweep` (each n-th point, 0: none), `--processes`, `--redis`.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Order, runFarm } from './farm.ts';
import { scenarios } from './round.ts';
import type { DatabaseKind } from './world.ts';

/** Crashes in one order of the farm: its world is made for them and thrown away. */
const CRASHES_PER_ORDER = 240;
/** Seeds of one order; more than its crashes, because some come too late and do not count. */
const SEEDS_PER_ORDER = 1_000;

type Total = { ordered: number; orders: number; crashes: number; interrupted: number; webhooks: number };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      database: { type: 'string', default: 'both' },
      redis: { type: 'string' },
      crashes: { type: 'string', default: '5000' },
      seed: { type: 'string', default: '1' },
      scenario: { type: 'string' },
      point: { type: 'string' },
      sweep: { type: 'string', default: '1' },
      processes: { type: 'string', default: String(availableParallelism() + 1) },
    },
  });
  const kinds: DatabaseKind[] = ['pglite', 'postgres'];
  const databases = kinds.filter((name) => values.database === 'both' || values.database === name);
  const seed = Number(values.seed);
  const scenario = scenarios.find((name) => name === values.scenario);
  const only = scenario && { scenario, seed, ...(values.point && { point: Number(values.point) }) };
  const wanted = only ? 0 : Number(values.crashes);
  const common = databases.map((database) => ({
    database,
    redisUrl: database === 'postgres' ? values.redis : undefined,
  }));
  const first: Order[] = common.map((each) => ({
    ...each,
    crashes: 0,
    firstSeed: seed,
    sweepStep: values.sweep === '0' ? undefined : Number(values.sweep),
    only,
  }));
  const totals = new Map<DatabaseKind, Total>(
    databases.map((name) => [name, { ordered: 0, orders: 0, crashes: 0, interrupted: 0, webhooks: 0 }]),
  );
  let failures = 0;
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const startedAt = performance.now();
  await runFarm({
    processes: Number(values.processes),
    /** The database that is furthest behind; after a violation nobody. */
    next() {
      if (failures > 0) return undefined;
      if (only || values.sweep !== '0') {
        const order = first.shift();
        if (order) return order;
      }
      const [each] = common
        .filter(({ database }) => totalOf(totals, database).ordered < wanted)
        .toSorted((a, b) => totalOf(totals, a.database).ordered - totalOf(totals, b.database).ordered);
      if (!each) return undefined;
      const total = totalOf(totals, each.database);
      const crashes = Math.min(CRASHES_PER_ORDER, wanted - total.ordered);
      const firstSeed = seed + total.orders * SEEDS_PER_ORDER;
      total.ordered += crashes;
      total.orders += 1;
      return { ...each, crashes, firstSeed, sweepStep: undefined };
    },
    onSummary({ database }, summary) {
      const total = totalOf(totals, database);
      total.crashes += summary.crashes;
      total.interrupted += summary.interrupted;
      total.webhooks += summary.webhooks;
      failures += summary.violations.length;
    },
  });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  for (const [database, { crashes, interrupted, webhooks, orders }] of totals) {
    const seeds = `${orders} × seeds from ${seed}, ${seed + SEEDS_PER_ORDER}, …`;
    print(`${database}: ${crashes} crashes cut ${interrupted} operations; ${webhooks} webhooks; ${seeds}`);
  }
  const all = [...totals.values()].reduce((sum, { crashes }) => sum + crashes, 0);
  print(
    `${all} crashes in ${seconds} s (${(all / seconds).toFixed(1)} a second, ${values.processes} processes), ${failures} violations`,
  );
  process.exit(failures > 0 ? 1 : 0);
}

function totalOf(totals: Map<DatabaseKind, Total>, database: DatabaseKind): Total {
  const total = totals.get(database);
  if (!total) throw new Error(`nobody asked for ${database}`);
  return total;
}

await main();
