// Removes what has expired, at intervals, in every process: a step for each kind, in bites, so two processes that clean at
// the same time only share the work. Each step has a time of its own and fails alone; what is left is for the next round.
import { engineRecords } from '../../drizzle/schema/engine.ts';
import { deleteStaleEmailChanges } from '../accounts/email-return.ts';
import { importProofs } from '../accounts/import-proofs.ts';
import { deleteStalePageSessions } from '../accounts/page-session.ts';
import { deleteSpentChallenges } from '../accounts/passkey.ts';
import { deleteStaleProofs, type ProofWalk } from '../accounts/proof-end.ts';
import { deleteStaleSessions } from '../accounts/session.ts';
import { deleteStaleFlows } from '../accounts/sign-in-flow.ts';
import { deleteStaleSocialAuthorizations } from '../accounts/social-authorization.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import { deleteStaleCounters } from '../database/attempt-limit.ts';
import type { Bitten } from '../database/bites.ts';
import type { Connection, Database } from '../database/connection.ts';
import { vacuumEmbedded } from '../database/embedded-vacuum.ts';
import { deleteExpired, type Round } from '../database/expired-rows.ts';
import { entriesOf } from '../entries.ts';
import { positionEvents } from '../ledger/event-position.ts';
import { sealStatements } from '../ledger/statement-seal.ts';
import { sumUpDays } from '../ledger/usage-day-sums.ts';
import { housekeepingStepMilliseconds } from '../limits/bites.ts';
import { housekeepingSeconds } from '../limits/operations.ts';
import { expiredCodeRememberedSeconds } from '../limits/usage.ts';
import type { Log } from '../log.ts';
import { deleteFinishedWork } from '../queue/long-work.ts';
import { deleteOldDevelopmentMail } from '../queue/mail.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { deleteOldSteps } from '../traces/step-list.ts';
import type { OnDisabled } from '../webhooks/delivery.ts';
import { deleteOldLogouts } from '../webhooks/logout-list.ts';
import { deleteOldMessages, tidyWebhooks } from '../webhooks/retention.ts';

type Dependencies = {
  connection: Connection;
  db: Database;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'housekeeping' | 'housekeepingRows'>;
  onDisabled: OnDisabled;
};

/**
 * What is older than proofs is taken over at once, everything else in rounds.
 * @returns a function that ends it and waits for the bite under way.
 */
export function startHousekeeping(dependencies: Dependencies): () => Promise<void> {
  let isStopped = false;
  const deps = { ...dependencies, isStopped: () => isStopped };
  const clean = createCleaning(deps);
  let underWay: Promise<void> | undefined = takeOverIdentity(deps);
  const end = () => {
    underWay = undefined;
  };
  void underWay.then(end);
  const timer = setInterval(() => {
    // A round that is longer than the interval is not followed by those that it was late for.
    underWay ??= takeOverIdentity(deps).then(clean).then(end);
  }, housekeepingSeconds * 1000);
  timer.unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await underWay;
  };
}

type CleaningDependencies = Dependencies & { isStopped: () => boolean };
type Step = (round: Round, now: Date) => Promise<Bitten>;

async function takeOverIdentity({ db, clock, log, isStopped }: CleaningDependencies): Promise<void> {
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

/** @returns one round: every step has its turn, whatever became of those before it. */
export function createCleaning(deps: CleaningDependencies): () => Promise<void> {
  const steps = entriesOf(stepsOf(deps));
  return async () => {
    for (const [name, step] of steps) if (!deps.isStopped()) await take(deps, name, step);
  };
}

/** Names are labels of the metric. */
function stepsOf({ connection, db, clock, onDisabled, isStopped }: CleaningDependencies) {
  const walk: ProofWalk = {};
  return {
    engine_records: (round, now) => deleteExpiredRecords(db, now, round),
    flows: (round, now) => deleteStaleFlows(db, now, round),
    email_changes: (round, now) => deleteStaleEmailChanges(db, now, round),
    // Before the sessions that they belong to.
    page_sessions: (round, now) => deleteStalePageSessions(db, now, round),
    sessions: (round, now) => deleteStaleSessions(db, now, round),
    proofs: (round) => deleteStaleProofs(db, clock, { ...round, walk }),
    social_trips: (round, now) => deleteStaleSocialAuthorizations(db, now, round),
    passkey_challenges: (round, now) => deleteSpentChallenges(db, now, round),
    attempt_counters: (round, now) => deleteStaleCounters(db, now, round),
    development_inbox: (round, now) => deleteOldDevelopmentMail(db, now, round),
    sign_in_steps: (round, now) => deleteOldSteps(db, now, round),
    usage_days: async (_, now) => ({ rows: await sumUpDays(db, now, isStopped), isFinished: true }),
    event_positions: async (_, now) => ({ rows: await positionEvents(db, now, isStopped), isFinished: true }),
    statement_seals: async (_, now) => ({ rows: await sealStatements(db, now, isStopped), isFinished: true }),
    webhooks: async (_, now) => {
      await tidyWebhooks(db, { onDisabled, now });
      return { rows: 0, isFinished: true };
    },
    webhook_messages: (round, now) => deleteOldMessages(db, now, round),
    logout_notices: (round, now) => deleteOldLogouts(db, now, round),
    long_work: (round, now) => deleteFinishedWork(db, now, round),
    vacuum: async () => {
      if (connection.kind === 'pglite') await vacuumEmbedded(connection.pglite);
      return { rows: 0, isFinished: true };
    },
  } satisfies Record<string, Step>;
}

async function take(
  { clock, log, metrics, isStopped }: CleaningDependencies,
  name: string,
  step: Step,
): Promise<void> {
  const end = metrics.housekeeping.startTimer({ step: name });
  const count = ({ rows }: { rows: number }) => metrics.housekeepingRows.inc({ step: name }, rows);
  try {
    const round = { milliseconds: housekeepingStepMilliseconds, isStopped, onBite: count };
    const { rows, isFinished } = await step(round, clock());
    end({ outcome: isFinished ? 'done' : 'left' });
    if (!isFinished) log.info({ step: name, rows }, 'housekeeping goes on with the rest in the next round');
  } catch (error) {
    end({ outcome: 'failed' });
    log.warn({ err: error, step: name }, 'housekeeping failed; it is tried again at the next interval');
  }
}

/** A code that comes too late is still known for a while: adapters/expired-codes.ts. */
export function deleteExpiredRecords(db: Database, now: Date, round?: Round): Promise<Bitten> {
  const before = secondsAfter(now, -expiredCodeRememberedSeconds);
  return deleteExpired(db, { table: engineRecords, age: engineRecords.expiresAt, before }, round);
}
