// One process of ours beside the bare engine at every load: from somebody alone to 256 at once, and at two steady rates.
// They take turns, round by round; the table says what each did, and last how they compare.

import { sayCommitTime } from './disk.ts';
import { median } from './load.ts';
import { type Child, startChild } from './processes.ts';
import { say } from './report.ts';
import { startBareEngine } from './service.ts';
import { closeHouse, load, onOneApplication, openHooked, PEOPLE, type Round, type Side } from './sign-ins.ts';

export type EveryLoadOptions = {
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
  /** `dist` of another build, which takes turns as well. */
  beside?: string | undefined;
};

type Load = { name: string; connections: number; rate?: number };

const LOADS: Load[] = [
  ...[1, 16, 64, 128, 256].map((connections) => ({ name: `${connections} connections`, connections })),
  ...[100, 200].map((rate) => ({ name: `${rate} a second`, connections: 64, rate })),
];

type NamedSide = Side & { name: string };
type Row = { load: Load; sides: { name: string; rounds: Round[] }[] };

export async function benchEveryLoad(options: EveryLoadOptions): Promise<void> {
  await sayCommitTime();
  const driver = startChild('driver.ts');
  const sides = await openSides(options);
  for (const { server } of sides)
    await load(driver, server, { seconds: options.warmUpSeconds, connections: 64 });
  const rows: Row[] = [];
  for (const each of LOADS) rows.push(await measure(driver, { sides, load: each, options }));
  for (const side of sides) await side.close();
  await driver.stop();
  sayTable(rows, options);
}

/** The bare engine first: the others are compared with it. */
async function openSides({ beside }: EveryLoadOptions): Promise<NamedSide[]> {
  const bare = onOneApplication(await startBareEngine(PEOPLE));
  const builds = [...(beside ? [{ name: beside, environment: { BENCH_BUILD: beside } }] : [])];
  const sides: NamedSide[] = [{ name: 'bare engine', server: bare, close: () => bare.child.stop() }];
  for (const { name, environment } of [...builds, { name: 'Tollgate', environment: {} }]) {
    const house = await openHooked(environment);
    sides.push({ name, server: house.server, close: () => closeHouse(house) });
  }
  return sides;
}

/** There and back again, so that nobody always follows the same one. */
async function measure(
  driver: Child,
  { sides, load: asked, options }: { sides: NamedSide[]; load: Load; options: EveryLoadOptions },
): Promise<Row> {
  const results = sides.map(({ name, server }) => ({ name, server, rounds: [] as Round[] }));
  for (let turn = 0; turn < options.rounds; turn += 1) {
    for (const { server, rounds } of turn % 2 === 0 ? results : results.toReversed())
      rounds.push(await load(driver, server, { ...asked, seconds: options.seconds }));
  }
  return { load: asked, sides: results };
}

function sayTable(rows: Row[], { rounds, seconds }: EveryLoadOptions): void {
  say(`\nEvery load: one process, sign-ins with charge, event and webhook job, beside the bare engine;`);
  say(
    `medians of ${rounds} rounds of ${seconds} s each, in turns. Ratios: sign-ins a second to the bare engine's,`,
  );
  say(`and how many times its exchange's median and p99 (ms).\n`);
  const head = [
    'load',
    '',
    'sign-ins/s',
    'median',
    'p99',
    'p99/median',
    'CPU ms',
    '× sign-ins',
    '× median',
    '× p99',
  ];
  const lines = rows.flatMap(linesOf);
  for (const line of [head, head.map(() => '---'), ...lines]) say(`| ${line.join(' | ')} |`);
}

function linesOf({ load: { name }, sides }: Row): string[][] {
  const base = sides[0]?.rounds ?? [];
  return sides.map((side, index) => {
    const { rounds } = side;
    const of = (figure: (round: Round) => number) => median(rounds.map(figure));
    const to = (figure: (round: Round) => number) =>
      median(rounds.map((round, turn) => figure(round) / figureOf(base[turn], figure)));
    const middle = of(medianOf);
    return [
      index === 0 ? name : '',
      side.name,
      of(perSecond).toFixed(0),
      middle.toFixed(1),
      of(p99).toFixed(1),
      (of(p99) / middle).toFixed(1),
      of(({ cpuMilliseconds }) => cpuMilliseconds).toFixed(2),
      to(perSecond).toFixed(2),
      to(medianOf).toFixed(2),
      to(p99).toFixed(2),
    ];
  });
}

const perSecond = (round: Round) => round.perSecond;
const medianOf = ({ exchangeMilliseconds }: Round) => exchangeMilliseconds.median;
const p99 = ({ exchangeMilliseconds }: Round) => exchangeMilliseconds.p99;

function figureOf(round: Round | undefined, figure: (round: Round) => number): number {
  return round ? figure(round) : Number.NaN;
}
