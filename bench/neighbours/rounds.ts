// Turns: the neighbour idle, the neighbour busy, over and over, and what the good company saw in each.
import { setTimeout as sleep } from 'node:timers/promises';
import { median, quantile } from '../load.ts';
import type { Child } from '../processes.ts';
import { type Measured, measureGood, type Town } from './town.ts';

export type Turns = {
  begin(): Promise<void>;
  end(): Promise<void>;
  /** What the bad company has got done of its own work so far, by name: each must grow. */
  progress(): Promise<Record<string, number>>;
  /** What was refused to it, by name. */
  refused?(): Record<string, number>;
  /** Before and after all rounds. */
  prepare?(): Promise<void>;
  close?(): Promise<void>;
};

export type Options = {
  rounds: number;
  seconds: number;
  /** Sign-ins of the good company in a second. */
  rate: number;
};

export type Figures = { p99: number; median: number };
export type Outcome = {
  /** Milliseconds, medians of the rounds. */
  exchange: { idle: Figures; busy: Figures };
  webhook: { idle: Figures; busy: Figures };
  /** Of each pair of rounds, p99 busy to idle. */
  exchangeRatios: number[];
  webhookRatios: number[];
  failures: string[];
  progress: Record<string, number>;
  refused: Record<string, number>;
};

/** A burden has begun, or ended, when this is over. */
const SETTLE_MILLISECONDS = 700;

export async function takeTurns(town: Town, driver: Child, turns: Turns, options: Options): Promise<Outcome> {
  const idle: Measured[] = [];
  const busy: Measured[] = [];
  await turns.prepare?.();
  const before = await turns.progress();
  const measureBusy = async () => {
    await turns.begin();
    await sleep(SETTLE_MILLISECONDS);
    busy.push(await measureGood(town, driver, options));
    await turns.end();
    await sleep(SETTLE_MILLISECONDS);
  };
  for (let round = 0; round < options.rounds; round += 1) {
    // Which is first changes, so that a machine that grows slower or quicker favours neither.
    if (round % 2 === 1) await measureBusy();
    idle.push(await measureGood(town, driver, options));
    if (round % 2 === 0) await measureBusy();
  }
  const after = await turns.progress();
  await turns.close?.();
  const ratios = (of: 'exchanges' | 'webhooks') =>
    busy.map((each, round) => p99(each[of]) / p99(idle[round]?.[of] ?? []));
  return {
    exchange: { idle: figures(idle, 'exchanges'), busy: figures(busy, 'exchanges') },
    webhook: { idle: figures(idle, 'webhooks'), busy: figures(busy, 'webhooks') },
    exchangeRatios: ratios('exchanges'),
    webhookRatios: ratios('webhooks'),
    failures: [...idle, ...busy].flatMap((each) => each.failures),
    progress: Object.fromEntries(
      Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]),
    ),
    refused: turns.refused?.() ?? {},
  };
}

const p99 = (values: number[]) => quantile(values, 0.99);

function figures(rounds: Measured[], of: 'exchanges' | 'webhooks'): Figures {
  return {
    p99: median(rounds.map((each) => p99(each[of]))),
    median: median(rounds.map((each) => median(each[of]))),
  };
}
