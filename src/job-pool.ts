// Runs the jobs of one queue, each on its own: a job that takes long holds one place and nothing else. (A batch
// would wait for its slowest member, and one worker per place would ask the database once per place and poll.)
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';

/** Long enough that jobs which began together end together, and short beside what anybody notices. */
const GATHER_MILLISECONDS = 10;

export type PooledJob<T> = {
  id: string;
  /** Says which attempt this is: one whose claim has lapsed must not settle its successor. */
  retryCount: number;
  data: T;
  groupId?: string | null | undefined;
};

export type JobSource<T> = {
  /** The next jobs that are due and not of one of these groups, at most so many. */
  fetch(most: number, ignoreGroups: string[]): Promise<PooledJob<T>[]>;
  complete(job: PooledJob<T>): Promise<unknown>;
  /** Returns the job to the queue, which decides when to try again. */
  fail(job: PooledJob<T>, error: unknown): Promise<unknown>;
};

export type JobPool = {
  /** There may be a job now. */
  wake(): void;
  /** Takes no more jobs; resolves when those under way have ended, or when the time is over and they are handed back. */
  stop(milliseconds: number): Promise<void>;
};

export type Places = {
  /** Jobs under way at once in this process. */
  total: number;
  /** Of these, jobs of one group. */
  perGroup?: number;
};

export function startJobPool<T>(options: {
  source: JobSource<T>;
  places: Places;
  pollMilliseconds: number;
  handler: (data: T) => Promise<void>;
  log: Log;
}): JobPool {
  const { source, places, pollMilliseconds, handler, log } = options;
  const underWay = new Map<Promise<void>, PooledJob<T>>();
  const groups = new Map<string, number>();
  const perGroup = places.perGroup ?? places.total;
  const bell = createBell();
  let stopping = false;

  /**
   * Of groups with fewer than so many jobs under way. No more than there are places for, even if all of them are of the
   * group that has the fewest left.
   */
  async function take(below: number): Promise<{ asked: number; taken: number }> {
    const passed = [...groups].filter(([, count]) => count >= below).map(([group]) => group);
    const busiest = Math.max(0, ...[...groups.values()].filter((count) => count < below));
    const asked = Math.min(places.total - underWay.size, perGroup - busiest);
    if (asked <= 0) return { asked: 0, taken: 0 };
    const jobs = await source.fetch(asked, passed).catch((error: unknown) => {
      log.error({ err: error }, 'fetching jobs failed');
      return [];
    });
    for (const job of jobs) start(job);
    return { asked, taken: jobs.length };
  }

  /**
   * First for groups that have half of their places left, so that a crowded one does not make everybody's jobs come one
   * by one. A crowded group's turn is when some of its jobs have ended: they end together and their successors come
   * together, which costs the database little.
   */
  async function takeInTurn(): Promise<number> {
    const first = await take(Math.ceil(perGroup / 2));
    if (first.taken === first.asked && first.taken > 0) return first.taken;
    const isCrowded = [...groups.values()].some((count) => count >= perGroup / 2 && count < perGroup);
    if (!isCrowded || stopping) return first.taken;
    await sleep(GATHER_MILLISECONDS);
    return stopping ? first.taken : first.taken + (await take(perGroup)).taken;
  }

  function start(job: PooledJob<T>): void {
    const run = settle(job).finally(() => {
      underWay.delete(run);
      bell.ring();
    });
    underWay.set(run, job);
  }

  /** The group has its place again before the queue knows that the job is done: what counts is who is being served. */
  async function serve({ data, groupId: group }: PooledJob<T>): Promise<void> {
    if (group) groups.set(group, (groups.get(group) ?? 0) + 1);
    try {
      await handler(data);
    } finally {
      if (group) leave(groups, group);
      bell.ring();
    }
  }

  /** If even the settling fails, the queue's expiry returns the job. */
  async function settle(job: PooledJob<T>): Promise<void> {
    try {
      await serve(job);
    } catch (error) {
      log.error({ err: error }, 'a job failed');
      await source
        .fail(job, error)
        .catch((cause: unknown) => log.error({ err: cause }, 'returning a job failed'));
      return;
    }
    await source
      .complete(job)
      .catch((error: unknown) => log.error({ err: error }, 'completing a job failed'));
  }

  /** Another process takes it within seconds, instead of when the queue notices that this one is gone. */
  async function handBack(job: PooledJob<T>): Promise<void> {
    await source
      .fail(job, new Error('handed back: the process stops'))
      .catch((error: unknown) => log.error({ err: error }, 'handing a job back failed'));
  }

  async function run(): Promise<void> {
    while (!stopping) {
      const rung = bell.next();
      if ((await takeInTurn()) === 0) await rung(pollMilliseconds);
    }
  }

  const running = run();
  return {
    wake: () => bell.ring(),
    async stop(milliseconds) {
      stopping = true;
      bell.ring();
      await running;
      await atMost(milliseconds, Promise.all(underWay.keys()));
      await Promise.all([...underWay.values()].map(handBack));
    },
  };
}

function leave(groups: Map<string, number>, group: string): void {
  const left = (groups.get(group) ?? 1) - 1;
  if (left > 0) groups.set(group, left);
  else groups.delete(group);
}

/** A ring between `next()` and the wait is not lost. */
function createBell() {
  let ring: () => void = () => undefined;
  return {
    ring: () => ring(),
    next() {
      const rung = new Promise<void>((resolve) => {
        ring = resolve;
      });
      return (milliseconds: number) => atMost(milliseconds, rung);
    },
  };
}

/** Waits for the promise, but not for ever; what comes of it does not matter here. */
export async function atMost(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}
