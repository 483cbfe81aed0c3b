// Keeps the steps of sign-ins for the company's eyes (sign-in-step.ts). Best effort: nobody waits for it, nothing fails
// because of it, and no more is kept than a minute and a day of one application may have. A step is a word, and so is its
// reason; beside it stand names at most (of parameters, scopes, an origin, a callback): never a code, a verifier or a token.
import { sql } from 'drizzle-orm';
import type { Clock } from '../clock.ts';
import { writeApart } from '../database/batch-of-rows.ts';
import type { Database } from '../database/connection.ts';
import { newId } from '../id.ts';
import { DAY, MINUTE } from '../limits/units.ts';
import {
  signInStepBatch,
  signInStepDelayMilliseconds,
  signInStepDetailCharacters,
  signInStepsPerDay,
  signInStepsPerMinute,
  signInStepsWaiting,
} from '../limits/usage.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { SignInReason, SignInStep } from './step.ts';

export type StepToRecord = {
  clientId: string;
  /** src/traces/trace-id.ts */
  traceId: string;
  step: SignInStep;
  /** Absent when the step went well. */
  reason?: SignInReason | undefined;
  /** Names that the step is about. */
  detail?: string | undefined;
  /** The Client ID is only what somebody wrote: such steps share one allowance, or made-up ids would fill the memory. */
  isUnproven?: boolean;
};

export type RecordStep = (step: StepToRecord) => void;

export type StepRecorder = {
  record: RecordStep;
  /** Writes what waits, and resolves when it is written or dropped. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

type WaitingStep = StepToRecord & { id: string; occurredAt: Date };

type Dependencies = { db: Database; clock: Clock; log: Log; metrics: Pick<Metrics, 'unrecorded'> };

export function createStepRecorder({ db, clock, log, metrics }: Dependencies): StepRecorder {
  const allow = createAllowance();
  let waiting: WaitingStep[] = [];
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function add(step: StepToRecord, occurredAt: Date): void {
    if (waiting.length >= signInStepsWaiting) return;
    waiting.push({ ...step, detail: plain(step.detail), id: newId('stp'), occurredAt });
    timer ??= setTimeout(() => void flush(), signInStepDelayMilliseconds).unref();
  }

  async function write(): Promise<void> {
    const steps = waiting;
    waiting = [];
    const lost = await writeApart(steps, signInStepBatch, (some) => insertSteps(db, some));
    if (lost.length === 0) return;
    metrics.unrecorded.inc({ what: 'sign_in_steps' }, lost.length);
    log.warn({ err: lost[0], steps: lost.length }, 'steps of sign-ins were not recorded');
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }

  return {
    record(step) {
      const now = clock();
      const allowed = allow(step, now);
      if (allowed === 'yes') add(step, now);
      if (allowed === 'last') add({ ...step, step: 'recording_cut', reason: 'too_many_steps' }, now);
    },
    flush,
    stop: flush,
  };
}

/** By Client ID, since that is what the protocol knows; a step of an unknown one belongs to nobody and is dropped. */
async function insertSteps(db: Database, steps: WaitingStep[]): Promise<void> {
  await db.execute(sql`
    insert into sign_in_steps (id, application_id, trace_id, step, reason, detail, occurred_at)
    select step.id, applications.id, step."traceId", step.step, step.reason, step.detail, step."occurredAt"
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as step(
      id text, "clientId" text, "traceId" text, step text, reason text, detail text, "occurredAt" timestamptz
    )
    join applications on applications.client_id = step."clientId"`);
}

/** Some of it is what a client wrote. */
function plain(detail: string | undefined): string | undefined {
  return detail?.replace(/[^\x20-\x7e]/g, '?').slice(0, signInStepDetailCharacters);
}

const MINUTE_MILLISECONDS = MINUTE * 1000;
const DAY_MILLISECONDS = DAY * 1000;

/** `last`: the first step too many, in whose place the gap itself is recorded. */
function createAllowance(): (step: StepToRecord, now: Date) => 'yes' | 'last' | 'no' {
  const minutes = createCounter(MINUTE_MILLISECONDS);
  const days = createCounter(DAY_MILLISECONDS);
  return ({ clientId, reason, isUnproven }, now) => {
    const key = `${reason === undefined ? 'well' : 'failed'} ${isUnproven ? '' : clientId}`;
    const ofMinute = minutes(key, now);
    if (ofMinute > signInStepsPerMinute) return ofMinute === signInStepsPerMinute + 1 ? 'last' : 'no';
    const ofDay = days(key, now);
    if (ofDay > signInStepsPerDay) return ofDay === signInStepsPerDay + 1 ? 'last' : 'no';
    return 'yes';
  };
}

/** Counts by key within windows of the clock; memory ends with the window. */
function createCounter(windowMilliseconds: number): (key: string, now: Date) => number {
  let window = 0;
  const counts = new Map<string, number>();
  return (key, now) => {
    const current = Math.floor(now.getTime() / windowMilliseconds);
    if (current !== window) counts.clear();
    window = current;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
}
