// Two kinds of load. Closed: every connection signs people in one after another, as fast as the server answers; that
// finds the peak. Open: sign-ins begin at fixed moments, whether the server keeps up or not; that shows its waits.
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpConnection, openHttpConnection } from './http-connection.ts';
import { signIn, type Target } from './sign-in.ts';

export type LoadOptions = {
  targets: Target[];
  /** For each target. */
  connections: number;
  seconds: number;
  /** Sign-ins that begin in a second, over all targets; absent: as many as the servers answer. */
  rate?: number | undefined;
};
export type LoadResult = {
  signIns: number;
  perSecond: number;
  failures: number;
  firstFailure: string | undefined;
  exchangeMilliseconds: { median: number; p99: number };
};

export type Tally = { exchanges: number[]; failures: number; firstFailure: string | undefined };

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { tally, seconds } = await takeLoad(options);
  return summary(tally, seconds);
}

/** Milliseconds of every exchange, for statistics over several runs. */
export async function sampleLoad(options: LoadOptions): Promise<Tally> {
  return (await takeLoad(options)).tally;
}

async function takeLoad(options: LoadOptions): Promise<{ tally: Tally; seconds: number }> {
  const tally: Tally = { exchanges: [], failures: 0, firstFailure: undefined };
  const lanes = await Promise.all(
    options.targets.flatMap((target) =>
      Array.from({ length: options.connections }, async (_, index) => ({
        target,
        index,
        connection: await openHttpConnection(target.port),
      })),
    ),
  );
  const startedAt = performance.now();
  const until = startedAt + options.seconds * 1000;
  if (options.rate === undefined) await Promise.all(lanes.map((lane) => hurry(lane, options, until, tally)));
  else await pace(lanes, options.rate, until, tally);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const { connection } of lanes) connection.close();
  return { tally, seconds };
}

type Lane = { target: Target; index: number; connection: HttpConnection };

async function hurry(lane: Lane, { connections }: LoadOptions, until: number, tally: Tally): Promise<void> {
  for (let turn = lane.index; performance.now() < until; turn += connections) await once(lane, turn, tally);
}

/** A sign-in that finds every connection busy waits for one, as it would in front of a real service. */
async function pace(lanes: Lane[], rate: number, until: number, tally: Tally): Promise<void> {
  const idle = [...lanes];
  const queue: number[] = [];
  const running = new Set<Promise<void>>();
  const dispatch = () => {
    while (queue.length > 0 && idle.length > 0) {
      const turn = queue.shift() ?? 0;
      const lane = idle.shift();
      if (!lane) return;
      const run = once(lane, turn, tally).finally(() => {
        running.delete(run);
        idle.push(lane);
        dispatch();
      });
      running.add(run);
    }
  };
  const startedAt = performance.now();
  for (let turn = 0; performance.now() < until; ) {
    while (startedAt + (turn * 1000) / rate <= performance.now()) queue.push(turn++);
    dispatch();
    await sleep(1);
  }
  await Promise.all(running);
}

async function once({ target, connection }: Lane, turn: number, tally: Tally): Promise<void> {
  const { applications, people } = target;
  const application = applications[turn % applications.length];
  const person = people[turn % people.length];
  if (!application || !person) throw new Error('nobody to sign in');
  try {
    const { exchangeMilliseconds } = await signIn(connection, application, person);
    tally.exchanges.push(exchangeMilliseconds);
  } catch (error) {
    tally.failures += 1;
    tally.firstFailure ??= error instanceof Error ? error.message : String(error);
  }
}

function summary({ exchanges, failures, firstFailure }: Tally, seconds: number): LoadResult {
  return {
    signIns: exchanges.length,
    perSecond: exchanges.length / seconds,
    failures,
    firstFailure,
    exchangeMilliseconds: { median: quantile(exchanges, 0.5), p99: quantile(exchanges, 0.99) },
  };
}

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}
