// The table of the bench, and what it is judged by.
import { median } from '../load.ts';
import { say, spread } from '../report.ts';
import type { Outcome } from './rounds.ts';

/** How much the p99 of a good company may rise beside a bad one. */
const MOST = 1.5;
/** Above it, a ratio of 1.5 is as likely the machine's doing as the neighbour's. */
const MOST_NOISE = 1.2;
/**
 * Where only gross faults are looked for: the median may become this many times what it was, and in any case this many
 * milliseconds. A neighbour who waits for somebody's endpoint, lock or backlog waits for seconds.
 */
const ROUGHLY = { times: 10, milliseconds: 1_000 };

const columns = { name: 46, p99: 20, ratio: 22 };

export function sayTableHead(): void {
  say(
    '\np99 in milliseconds, idle → busy (medians of the rounds); ratio of each pair of rounds: median (range)',
  );
  say(
    `${'the neighbour has'.padEnd(columns.name)}${'exchange'.padEnd(columns.p99)}${'ratio'.padEnd(columns.ratio)}${'webhook'.padEnd(columns.p99)}ratio`,
  );
}

export function sayOutcome(name: string, outcome: Outcome, verdict: string[]): void {
  const { exchange, webhook, exchangeRatios, webhookRatios, progress, refused } = outcome;
  const p99 = (of: Outcome['exchange']) =>
    `${of.idle.p99.toFixed(0)} → ${of.busy.p99.toFixed(0)}`.padEnd(columns.p99);
  const ratio = (ratios: number[]) => spread(ratios, 2).padEnd(columns.ratio);
  say(
    `${name.padEnd(columns.name)}${p99(exchange)}${ratio(exchangeRatios)}${p99(webhook)}${ratio(webhookRatios)}`.trimEnd(),
  );
  const medians = (of: Outcome['exchange']) => `${of.idle.median.toFixed(0)} → ${of.busy.median.toFixed(0)}`;
  const facts = [
    `medians ${medians(exchange)} and ${medians(webhook)}`,
    listed('done', progress),
    listed('refused', refused),
  ];
  say(`  ${facts.filter(Boolean).join('; ')}`);
  for (const each of verdict) say(`  BROKEN: ${each}`);
}

function listed(word: string, counts: Record<string, number>): string {
  const texts = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  return texts.length === 0 ? '' : `${word}: ${texts.join(', ')}`;
}

/** Beside a neighbour that does nothing: what the bench makes of no difference at all. */
export function sayNoise({ exchangeRatios, webhookRatios }: Outcome): void {
  const noise = Math.max(median(exchangeRatios), median(webhookRatios));
  if (noise > MOST_NOISE)
    say(`  This machine is too busy to judge p99: beside nothing at all it rose ${noise.toFixed(2)} times.`);
}

/** @returns what is wrong, in words; nothing when all is well. */
export function verdictOf(outcome: Outcome, { isRough }: { isRough: boolean }): string[] {
  const { failures, progress } = outcome;
  const still = Object.entries(progress)
    .filter(([, count]) => count === 0)
    .map(([name]) => `the bad company's own work stands still: no ${name}`);
  return [...failures, ...still, ...(isRough ? grossFaults(outcome) : risen(outcome))];
}

function risen({ exchangeRatios, webhookRatios }: Outcome): string[] {
  return Object.entries({ exchange: exchangeRatios, webhook: webhookRatios })
    .filter(([, ratios]) => !(median(ratios) <= MOST))
    .map(([name, ratios]) => `p99 of the ${name} rose ${median(ratios).toFixed(2)} times`);
}

function grossFaults({ exchange, webhook }: Outcome): string[] {
  return Object.entries({ exchange, webhook })
    .filter(
      ([, { idle, busy }]) => !(busy.median <= Math.max(idle.median * ROUGHLY.times, ROUGHLY.milliseconds)),
    )
    .map(([name, { busy }]) => `median of the ${name} is ${busy.median.toFixed(0)} ms`);
}
