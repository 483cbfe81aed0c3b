// What each piece of machinery for speed wins: the service as it is and the same without the piece, in turns on one
// machine. Sign-ins at four loads, mails from a full queue, and the start of the production process.

import { median } from '../load.ts';
import { startChild } from '../processes.ts';
import { mailsPerSecond } from '../queues.ts';
import { say, spread } from '../report.ts';
import { closeHouse, type House, load, openHooked, type Round } from '../sign-ins.ts';
import { startOnce } from '../start-up.ts';
import { JOB_POOL, PIECES, type Piece } from './pieces.ts';
import { AS_IT_IS, WITHOUT } from './starts.ts';

export type AblationOptions = {
  /** Each is the service as it is and the service without the piece, there and back again. */
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
  mails: number;
  /** Names of pieces; all when nothing is said. `start-up` is one of them. */
  only?: string[] | undefined;
};

const CONNECTIONS = [1, 16, 64, 256];

type Sides<T> = { asIs: T[]; without: T[] };

export async function benchAblation(options: AblationOptions): Promise<void> {
  const { only } = options;
  const isAsked = ({ name }: { name: string }) => only === undefined || only.includes(name);
  const names = [...PIECES, JOB_POOL, { name: 'start-up' }].map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`pieces are ${names.join(', ')}; not ${unknown}`);
  say('\nEach piece of machinery for speed switched off, in turns with the build as it is');
  say(`  ${options.rounds} rounds of ${options.seconds} s each; ratios: without the piece to as it is`);
  for (const piece of PIECES.filter(isAsked)) await measureSignIns(piece, options);
  if (isAsked(JOB_POOL)) await measureMails(JOB_POOL, options);
  if (isAsked({ name: 'start-up' })) await measureStarts(options);
}

/** Processes of its own for each piece, since no two of them run the same code equally fast. */
async function measureSignIns(piece: Piece, options: AblationOptions): Promise<void> {
  const driver = startChild('driver.ts');
  const asIs = await openHooked();
  const without = await openHooked({ BENCH_WITHOUT: piece.name });
  for (const { server } of [asIs, without])
    await load(driver, server, { seconds: options.warmUpSeconds, connections: 64 });
  sayTitle(piece);
  for (const connections of CONNECTIONS) {
    const once = ({ server }: House) => load(driver, server, { seconds: options.seconds, connections });
    const rounds = await inTurns(options.rounds, { asIs: () => once(asIs), without: () => once(without) });
    sayRounds(connections, rounds);
  }
  await closeHouse(asIs);
  await closeHouse(without);
  await driver.stop();
}

async function measureMails(piece: Piece, { rounds, mails }: AblationOptions): Promise<void> {
  const figures = await inTurns(rounds, {
    asIs: () => mailsPerSecond(mails),
    without: () => mailsPerSecond(mails, { BENCH_WITHOUT: piece.name }),
  });
  sayTitle(piece);
  say(`    mails/s     as it is ${spread(figures.asIs)}   without ${spread(figures.without)}`);
}

async function measureStarts({ rounds }: AblationOptions): Promise<void> {
  say('\n  start-up: from the command to the first answer, and in memory when idle');
  // Whoever starts first compiles for those after it.
  await startOnce(AS_IT_IS);
  for (const other of WITHOUT) {
    await startOnce(other);
    const starts = await inTurns(rounds, {
      asIs: () => startOnce(AS_IT_IS),
      without: () => startOnce(other),
    });
    const times = (side: { milliseconds: number }[]) => side.map(({ milliseconds }) => milliseconds);
    const memory = (side: { mebibytes: number }[]) => side.map(({ mebibytes }) => mebibytes);
    say(
      `    ${other.name.padEnd(28)}ms   as it is ${spread(times(starts.asIs))}   without ${spread(times(starts.without))}`,
    );
    say(
      `${' '.repeat(32)}MiB  as it is ${spread(memory(starts.asIs))}   without ${spread(memory(starts.without))}`,
    );
  }
}

/** There and back again, so that neither always follows the other. */
async function inTurns<T>(
  rounds: number,
  run: { asIs: () => Promise<T>; without: () => Promise<T> },
): Promise<Sides<T>> {
  const sides: Sides<T> = { asIs: [], without: [] };
  for (let turn = 0; turn < rounds; turn += 1) {
    if (turn % 2 === 0) sides.asIs.push(await run.asIs());
    sides.without.push(await run.without());
    if (turn % 2 === 1) sides.asIs.push(await run.asIs());
  }
  return sides;
}

function sayTitle({ name, without }: Piece): void {
  say(`\n  ${name}: ${without}`);
}

type Figure = { name: string; of: (round: Round) => number; digits: number };

const FIGURES: Figure[] = [
  { name: 'sign-ins/s', of: ({ perSecond }) => perSecond, digits: 0 },
  { name: 'exchange median ms', of: ({ exchangeMilliseconds }) => exchangeMilliseconds.median, digits: 1 },
  { name: 'exchange p99 ms', of: ({ exchangeMilliseconds }) => exchangeMilliseconds.p99, digits: 1 },
  { name: 'processor ms', of: ({ cpuMilliseconds }) => cpuMilliseconds, digits: 2 },
  { name: 'of PostgreSQL', of: ({ serverMilliseconds }) => serverMilliseconds.postgres, digits: 2 },
];

function sayRounds(connections: number, { asIs, without }: Sides<Round>): void {
  say(`    ${connections} connections`);
  for (const { name, of, digits } of FIGURES) {
    const ratios = without.map((round, turn) => of(round) / ofRound(asIs[turn], of));
    const [before, after] = [median(asIs.map(of)).toFixed(digits), median(without.map(of)).toFixed(digits)];
    say(
      `      ${name.padEnd(20)}as it is ${before.padStart(7)}   without ${after.padStart(7)}   × ${spread(ratios, 2)}`,
    );
  }
}

function ofRound(round: Round | undefined, figure: (round: Round) => number): number {
  return round ? figure(round) : Number.NaN;
}
