// Does the long work that is due, in every process that has workers: a bite of this, a bite of that, with room for everybody
// else in between.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connection.ts';
import { longWorkLookSeconds } from '../limits/bites.ts';
import type { Log } from '../log.ts';
import { createWorkSizes, takeWorkBite, type WorkDone, type WorkKinds } from '../queue/long-work.ts';
import type { Metrics } from '../telemetry/metrics.ts';

type Dependencies = {
  db: Database;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'longWorkBites'>;
  kinds: WorkKinds;
};

/** @returns a function that ends it and waits for the bite under way. */
export function startLongWork(dependencies: Dependencies): () => Promise<void> {
  const { log, kinds } = dependencies;
  const sizes = createWorkSizes(kinds);
  const stopping = new AbortController();
  const pause = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
  const lookUntilNothingIsDue = async () => {
    while (!stopping.signal.aborted) {
      const done = await takeWorkBite(dependencies, sizes);
      if (!done) return;
      note(dependencies, done);
      // The database works for others as well, also where this process does not notice it.
      await pause(done.milliseconds);
    }
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      await lookUntilNothingIsDue().catch((error: unknown) =>
        log.warn({ err: error }, 'long work could not be looked for; it is tried again'),
      );
      await pause(longWorkLookSeconds * 1000);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}

function note({ log, metrics }: Dependencies, done: WorkDone): void {
  const { kind, subject } = done;
  if ('error' in done) {
    log.warn({ err: done.error, kind, subject }, 'a bite of long work failed; it is tried again');
    metrics.longWorkBites.observe({ kind, outcome: 'failed' }, done.milliseconds / 1000);
    return;
  }
  metrics.longWorkBites.observe({ kind, outcome: 'done' }, done.milliseconds / 1000);
  if (done.isFinished) log.info({ kind, subject }, 'long work is done');
}
