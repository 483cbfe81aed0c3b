// Removes what has expired, at intervals, in every process: each deletion is one statement, so two processes that
// clean at the same time only share the work.
import { lt } from 'drizzle-orm';
import { engineRecords } from '../drizzle/schema.ts';
import { deleteStaleFlows } from './accounts/flow.ts';
import { deleteStaleCounters } from './attempt-limit.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import type { Jobs } from './jobs.ts';
import { housekeepingSeconds } from './limits.ts';
import type { Log } from './log.ts';
import { deleteOldDevelopmentMail } from './mail.ts';
import type { OnDisabled } from './webhooks/delivery.ts';
import { tidyWebhooks } from './webhooks/housekeeping.ts';

type Dependencies = { db: Database; jobs: Jobs; clock: Clock; log: Log; onDisabled: OnDisabled };

/** @returns a function that ends it and waits for the round under way. */
export function startHousekeeping(dependencies: Dependencies): () => Promise<void> {
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(() => cleanOnce(dependencies));
  }, housekeepingSeconds * 1000);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await round;
  };
}

async function cleanOnce({ db, jobs, clock, log, onDisabled }: Dependencies): Promise<void> {
  const now = clock();
  try {
    await db.delete(engineRecords).where(lt(engineRecords.expiresAt, now));
    await deleteStaleFlows(db, now);
    await deleteStaleCounters(db, now);
    await deleteOldDevelopmentMail(db, now);
    await tidyWebhooks(db, { jobs, onDisabled, now });
  } catch (error) {
    log.warn({ err: error }, 'housekeeping failed; it is tried again at the next interval');
  }
}
