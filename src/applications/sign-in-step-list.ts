// The steps of sign-ins as a company reads them: one attempt from its first page on, the newest failures, and how many
// there were for each reason. Deletes them when nobody needs them any more.

import { and, asc, eq, sql } from 'drizzle-orm';
import { applications, signInSteps } from '../../drizzle/schema.ts';
import type { Bitten } from '../bites.ts';
import { secondsAfter } from '../clock.ts';
import { type Database, rowsOf } from '../database.ts';
import { deleteExpired, type Round } from '../expired-rows.ts';
import { signInStepKeptSeconds, signInTraceSteps, usageFailuresCounted } from '../limits-usage.ts';
import { isReason, isStep, type SignInReason, type SignInStep } from './sign-in-step.ts';

export type TraceStep = {
  applicationId: string;
  applicationName: string;
  step: SignInStep;
  reason: SignInReason | undefined;
  occurredAt: Date;
};

/** Oldest first; none for another company's attempt. */
export async function listTraceSteps(
  db: Database,
  { workspaceId, traceId }: { workspaceId: string; traceId: string },
): Promise<TraceStep[]> {
  const rows = await db
    .select({
      applicationId: signInSteps.applicationId,
      applicationName: applications.name,
      step: signInSteps.step,
      reason: signInSteps.reason,
      occurredAt: signInSteps.occurredAt,
    })
    .from(signInSteps)
    .innerJoin(applications, eq(applications.id, signInSteps.applicationId))
    .where(and(eq(signInSteps.traceId, traceId), eq(applications.workspaceId, workspaceId)))
    .orderBy(asc(signInSteps.occurredAt), asc(signInSteps.id))
    .limit(signInTraceSteps);
  return rows.flatMap(({ step, reason, ...row }) =>
    isStep(step) ? [{ ...row, step, reason: readReason(reason) }] : [],
  );
}

export type Failure = {
  applicationId: string;
  traceId: string;
  step: SignInStep;
  reason: SignInReason;
  occurredAt: Date;
};

type Scope = { workspaceId: string; applicationIds: string[] };

/** Newest first. One walk down the index for each application, however many steps there are. */
export async function listFailures(
  db: Database,
  { workspaceId, applicationIds, limit }: Scope & { limit: number },
): Promise<Failure[]> {
  const rows = rowsOf(
    await db.execute(sql`
      select failure.* from applications cross join lateral (
        select application_id, trace_id, step, reason, occurred_at from sign_in_steps
        where application_id = applications.id and reason is not null
        order by occurred_at desc nulls last, id desc nulls last limit ${limit}
      ) as failure
      where applications.workspace_id = ${workspaceId}
        and applications.id = any(${sql.param(applicationIds)}::text[])
      order by failure.occurred_at desc limit ${limit}`),
  );
  return rows.flatMap((row) => {
    const [step, reason] = [String(row.step), String(row.reason)];
    if (!isStep(step) || !isReason(reason)) return [];
    const occurredAt = new Date(String(row.occurred_at));
    return [
      { applicationId: String(row.application_id), traceId: String(row.trace_id), step, reason, occurredAt },
    ];
  });
}

export type FailureCount = { step: SignInStep; reason: SignInReason; count: number };

/** Most frequent first. */
export async function countFailures(
  db: Database,
  { workspaceId, applicationIds, since }: Scope & { since: Date },
): Promise<FailureCount[]> {
  const time = sql.param(since, signInSteps.occurredAt);
  const rows = rowsOf(
    await db.execute(sql`
      select step, reason, count(*)::int as count from (
        select step, reason from sign_in_steps
        join applications on applications.id = application_id
        where applications.workspace_id = ${workspaceId}
          and application_id = any(${sql.param(applicationIds)}::text[])
          and reason is not null and occurred_at >= ${time}::timestamptz
        limit ${usageFailuresCounted}
      ) as failure
      group by step, reason order by count desc, reason`),
  );
  return rows.flatMap((row) => {
    const [step, reason] = [String(row.step), String(row.reason)];
    return isStep(step) && isReason(reason) ? [{ step, reason, count: Number(row.count) }] : [];
  });
}

/** For housekeeping. */
export function deleteOldSteps(db: Database, now: Date, round?: Round): Promise<Bitten> {
  const before = secondsAfter(now, -signInStepKeptSeconds);
  return deleteExpired(db, { table: signInSteps, age: signInSteps.occurredAt, before }, round);
}

/** A reason that a later release no longer knows is still a failure. */
function readReason(reason: string | null): SignInReason | undefined {
  if (reason === null) return undefined;
  return isReason(reason) ? reason : 'request_malformed';
}
