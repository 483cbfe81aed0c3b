// Removes what has expired, at intervals, in every process: each deletion is one statement, so two processes that
// clean at the same time only share the work.
import { lt } from 'drizzle-orm';
import { engineRecords } from '../drizzle/schema.ts';
import { deleteStaleEmailChanges } from './accounts/email-return.ts';
import { deleteStaleFlows } from './accounts/flow.ts';
import { deleteStalePageSessions } from './accounts/page-session.ts';
import { deleteSpentChallenges } from './accounts/passkey.ts';
import { deleteStaleBrowsers } from './accounts/signed-in-browser.ts';
import { deleteStaleTrips } from './accounts/social-trip.ts';
import { deleteOldSteps } from './applications/sign-in-step-list.ts';
import { deleteStaleCounters } from './attempt-limit.ts';
import { type Clock, secondsAfter } from './clock.ts';
import type { Database } from './database.ts';
import type { Jobs } from './jobs.ts';
import { sumUpDays } from './ledger/usage-day-sums.ts';
import { housekeepingSeconds } from './limits.ts';
import { expiredCodeRememberedSeconds } from './limits-usage.ts';
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
    // A code that comes too late is still known for a while: adapters/expired-codes.ts.
    await db
      .delete(engineRecords)
      .where(lt(engineRecords.expiresAt, secondsAfter(now, -expiredCodeRememberedSeconds)));
    await deleteStaleFlows(db, now);
    await deleteStaleEmailChanges(db, now);
    await deleteStaleBrowsers(db, now);
    await deleteStaleTrips(db, now);
    await deleteSpentChallenges(db, now);
    await deleteStaleCounters(db, now);
    await deleteStalePageSessions(db, now);
    await deleteOldDevelopmentMail(db, now);
    await deleteOldSteps(db, now);
    await sumUpDays(db, now);
    await tidyWebhooks(db, { jobs, onDisabled, now });
  } catch (error) {
    log.warn({ err: error }, 'housekeeping failed; it is tried again at the next interval');
  }
}
