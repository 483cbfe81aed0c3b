// A series of crashes: every point of a sign-in with its webhook, in a browser, on a device and with bound tokens, of a
// mail, a deletion and a company's change, one after the other, and then crashes in the middle of mixed traffic at points chosen by seed.
import { type Drained, drain } from './drain.ts';
import { type Outcome, type Promises, type Round, runRound, type Scenario, scenarios } from './round.ts';
import { createWorld, type DatabaseKind } from './world.ts';

export type Plan = {
  database: DatabaseKind;
  redisUrl?: string | undefined;
  /** Crashes in mixed traffic, after the sweeps. */
  crashes: number;
  firstSeed: number;
  /** Every point of the small scenarios as well; a number takes only each n-th. */
  sweepStep: number | undefined;
  /** One crash again, by what a failure printed. */
  only?: Round | undefined;
  print: (line: string) => void;
};

export type Summary = {
  crashes: number;
  /** Crashes that came when nothing was left to do; not counted above. */
  idle: number;
  interrupted: number;
  places: Record<string, number>;
  webhooks: number;
  duplicates: number;
  mails: number;
  violations: { round: Round | undefined; oracle: string; rows: Record<string, unknown>[] }[];
};

/** Few enough that the mails' deadline (10 minutes of virtual time) does not pass. */
const CRASHES_BETWEEN_DRAINS = 7;
/** A fresh database now and then keeps the oracles' questions cheap. */
const CRASHES_PER_WORLD = 240;
/** A change has a handful of points, where a sign-in has fifty. */
const CHANGES_ARE_SHORTER = 6;
export async function runPlan(plan: Plan): Promise<Summary> {
  const summary: Summary = {
    crashes: 0,
    idle: 0,
    interrupted: 0,
    places: {},
    webhooks: 0,
    duplicates: 0,
    mails: 0,
    violations: [],
  };
  const rounds = plan.only ? [plan.only][Symbol.iterator]() : roundsOf(plan, summary);
  let next = rounds.next();
  while (!next.done) {
    const world = await createWorld(plan.database, { redisUrl: plan.redisUrl });
    const promises: Promises = { mailTo: new Set() };
    for (let inWorld = 1; !next.done && inWorld <= CRASHES_PER_WORLD; inWorld += 1) {
      const outcome = await runRound(world, promises, next.value);
      count(summary, outcome);
      next = rounds.next();
      if (inWorld % CRASHES_BETWEEN_DRAINS === 0 || next.done || inWorld === CRASHES_PER_WORLD)
        countDrained(summary, await drain(world, promises));
      if (summary.violations.length > 0) {
        for (const violation of summary.violations) plan.print(JSON.stringify(violation));
        plan.print(world.logLines().slice(-20).join(''));
        await world.remove();
        return summary;
      }
    }
    plan.print(describe(plan, summary));
    await world.remove();
  }
  return summary;
}

/** Looks at the summary: a sweep ends with the first points that are never reached. */
function* roundsOf(plan: Plan, summary: Summary): Generator<Round> {
  for (const scenario of plan.sweepStep === undefined ? [] : swept) {
    const idleBefore = summary.idle;
    const step = stepOf(scenario, plan.sweepStep ?? 1);
    // Of a selection the seed says which.
    for (let point = 1 + (plan.firstSeed % step); summary.idle < idleBefore + 3; point += step)
      yield { scenario, seed: plan.firstSeed, point };
  }
  for (let seed = plan.firstSeed; summary.crashes < plan.crashes; seed += 1)
    yield { scenario: 'mixed', seed };
}

const swept = scenarios.filter((scenario) => scenario !== 'mixed');

function stepOf(scenario: Scenario, step: number): number {
  return scenario === 'change' ? Math.ceil(step / CHANGES_ARE_SHORTER) : step;
}

function count(summary: Summary, { round, place, interrupted, violations }: Outcome): void {
  if (place === undefined) summary.idle += 1;
  else {
    summary.crashes += 1;
    summary.interrupted += interrupted;
    summary.places[place] = (summary.places[place] ?? 0) + 1;
  }
  for (const { oracle, rows } of violations) summary.violations.push({ round, oracle, rows });
}

function countDrained(summary: Summary, { violations, webhooks, duplicates, mails }: Drained): void {
  summary.webhooks += webhooks;
  summary.duplicates += duplicates;
  summary.mails += mails;
  for (const { oracle, rows } of violations) summary.violations.push({ round: undefined, oracle, rows });
}

export function describe(plan: Plan, summary: Summary): string {
  const { crashes, idle, interrupted, webhooks, duplicates, mails, violations, places } = summary;
  return [
    `${plan.database}${plan.redisUrl ? ' + redis' : ''}: ${crashes} crashes (${idle} more came too late),`,
    `${interrupted} operations interrupted, ${webhooks} webhooks (${duplicates} sent again), ${mails} mails,`,
    `${violations.length} violations; ${JSON.stringify(places)}`,
  ].join(' ');
}
