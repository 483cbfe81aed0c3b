// Runs the jobs of one queue, each on its own: a job that takes long holds one place and nothing else. (A batch
// would wait for its slowest member, and one worker per place would ask the database once per place and poll.)
import type { Log } from '../log.ts';

export type PooledJob<T> = {
  id: string;
  /** Says which attempt this is: one whose claim has lapsed must not settle its successor. */
  retryCount: number;
  data: T;
};

export type JobSource<T> = {
  /** The next jobs that are due, at most so many. */
  fetch(most: number): Promise<PooledJob<T>[]>;
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

export function startJobPool<T>(options: {
  source: JobSource<T>;
  /** Jobs under way at once in this process. */
  places: number;
  pollMilliseconds: number;
  handler: (data: T) => Promise<void>;
  log: Log;
}): JobPool {
  const { source, places, pollMilliseconds, handler, log } = options;
  const underWay = new Map<Promise<void>, PooledJob<T>>();
  const bell = createBell();
  let stopping = false;

  /** @returns how many there were. */
  async function take(): Promise<number> {
    const free = places - underWay.size;
    if (free <= 0) return 0;
    const jobs = await source.fetch(free).catch((error: unknown) => {
      log.error({ err: error }, 'fetching jobs failed');
      return [];
    });
    for (const job of jobs) start(job);
    return jobs.length;
  }

  function start(job: PooledJob<T>): void {
    const run = settle(job).finally(() => {
      underWay.delete(run);
      bell.ring();
    });
    underWay.set(run, job);
  }

  /** If even the settling fails, the queue's expiry returns the job. */
  async function settle(job: PooledJob<T>): Promise<void> {
    try {
      await handler(job.data);
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
      if ((await take()) === 0) await rung(pollMilliseconds);
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

/** A ring between `next()` and the wait is not lost. */
export function createBell() {
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
