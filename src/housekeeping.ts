// Removes what has expired, at intervals, in every process: each deletion is one statement, so two processes that
// clean at the same time only share the work.
import { lt, sql } from 'drizzle-orm';
import { engineRecords } from '../drizzle/schema.ts';
import { deleteStaleEmailChanges } from './accounts/email-return.ts';
import { deleteStaleFlows } from './accounts/flow.ts';
import { importProofs } from './accounts/import-proofs.ts';
import { deleteStalePageSessions } from './accounts/page-session.ts';
import { deleteSpentChallenges } from './accounts/passkey.ts';
import { deleteStaleProofs } from './accounts/proof.ts';
import { deleteStaleSessions } from './accounts/session.ts';
import { deleteStaleTrips } from './accounts/social-trip.ts';
import { deleteOldSteps } from './applications/sign-in-step-list.ts';
import { deleteStaleCounters } from './attempt-limit.ts';
import { type Clock, secondsAfter } from './clock.ts';
import type { Connection, Database } from './database.ts';
import { vacuumEmbedded } from './embedded-vacuum.ts';
import { sumUpDays } from './ledger/usage-day-sums.ts';
import { housekeepingSeconds } from './limits.ts';
import { expiredCodeRememberedSeconds } from './limits-usage.ts';
import type { Log } from './log.ts';
import { deleteOldDevelopmentMail } from './mail.ts';
import type { OnDisabled } from './webhooks/delivery.ts';
import { tidyWebhooks } from './webhooks/housekeeping.ts';

type Dependencies = {
  connection: Connection;
  db: Database;
  clock: Clock;
  log: Log;
  onDisabled: OnDisabled;
};

/**
 * What is older than proofs is taken over at once, everything else in rounds.
 * @returns a function that ends it and waits for the round under way.
 */
export function startHousekeeping(dependencies: Dependencies): () => Promise<void> {
  let isStopped = false;
  const takeOver = () => takeOverIdentity(dependencies, () => isStopped);
  let round = takeOver();
  const timer = setInterval(() => {
    round = round.then(takeOver).then(() => cleanOnce(dependencies));
  }, housekeepingSeconds * 1000);
  timer.unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await round;
  };
}

async function takeOverIdentity({ db, clock, log }: Dependencies, isStopped: () => boolean): Promise<void> {
  try {
    const imported = await importProofs(db, { clock, isStopped });
    if (imported > 0) log.info({ imported }, 'accounts of before were taken over');
  } catch (error) {
    log.warn(
      { err: error },
      'accounts of before were not taken over; it is tried again at the next interval',
    );
  }
}

async function cleanOnce({ connection, db, clock, log, onDisabled }: Dependencies): Promise<void> {
  const now = clock();
  try {
    await deleteExpiredRecords(db, now);
    await deleteStaleFlows(db, now);
    await deleteStaleEmailChanges(db, now);
    // Before the sessions that they belong to.
    await deleteStalePageSessions(db, now);
    await deleteStaleSessions(db, now);
    await deleteStaleProofs(db, clock);
    await deleteStaleTrips(db, now);
    await deleteSpentChallenges(db, now);
    await deleteStaleCounters(db, now);
    await deleteOldDevelopmentMail(db, now);
    await deleteOldSteps(db, now);
    await sumUpDays(db, now);
    await tidyWebhooks(db, { onDisabled, now });
    if (connection.kind === 'pglite') await vacuumEmbedded(connection.pglite);
  } catch (error) {
    log.warn({ err: error }, 'housekeeping failed; it is tried again at the next interval');
  }
}

/**
 * What somebody else has locked is theirs, or is left for the next round: whoever never waits cannot be part of a
 * deadlock. A code that comes too late is still known for a while: adapters/expired-codes.ts.
 */
export async function deleteExpiredRecords(db: Database, now: Date): Promise<void> {
  const { model, idHash, expiresAt } = engineRecords;
  const expired = db
    .select({ model, idHash })
    .from(engineRecords)
    .where(lt(expiresAt, secondsAfter(now, -expiredCodeRememberedSeconds)))
    .for('update', { skipLocked: true });
  await db.delete(engineRecords).where(sql`(${model}, ${idHash}) in ${expired}`);
}
