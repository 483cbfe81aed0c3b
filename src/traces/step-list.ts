// The steps of sign-ins as a company reads them: one attempt from its first page on, the newest failures, and how many
// there were for each reason. Deletes them when nobody needs them any more.
import { and, desc, eq, sql } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { signInSteps } from '../../drizzle/schema/traces.ts';
import { secondsAfter } from '../clock.ts';
import type { Bitten } from '../database/bites.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { deleteExpired, type Round } from '../database/expired-rows.ts';
import { signInStepKeptSeconds, signInTraceSteps, usageFailuresCounted } from '../limits/usage.ts';
import { isReason, isStep, type SignInReason, type SignInStep } from './step.ts';

export type TraceStep = {
  applicationId: string;
  applicationName: string;
  step: SignInStep;
  reason: SignInReason | undefined;
  /** Names that the step is about. */
  detail: string | undefined;
  occurredAt: Date;
};

/** The newest of them, oldest first; none for another company's attempt. */
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
      detail: signInSteps.detail,
      occurredAt: signInSteps.occurredAt,
    })
    .from(signInSteps)
    .innerJoin(applications, eq(applications.id, signInSteps.applicationId))
    .where(and(eq(signInSteps.traceId, traceId), eq(applications.workspaceId, workspaceId)))
    .orderBy(desc(signInSteps.occurredAt), desc(signInSteps.id))
    .limit(signInTraceSteps);
  return rows
    .reverse()
    .flatMap(({ step, reason, detail, ...row }) =>
      isStep(step) ? [{ ...row, step, reason: readReason(reason), detail: detail ?? undefined }] : [],
    );
}

/** The attempts whose names begin so (src/traces/trace-id.ts), newest first: a client may have repeated its nonce. */
export async function listAttempts(
  db: Database,
  { workspaceId, beginning, limit }: { workspaceId: string; beginning: string; limit: number },
): Promise<{ traceId: string; at: Date }[]> {
  const pattern = `${beginning.replace(/[_%\\]/g, '\\$&')}%`;
  const rows = rowsOf(
    await db.execute(sql`
      select trace_id, min(occurred_at) as at from sign_in_steps
      join applications on applications.id = application_id
      where trace_id like ${pattern} and applications.workspace_id = ${workspaceId}
      group by trace_id order by at desc limit ${limit}`),
  );
  return rows.map((row) => ({ traceId: String(row.trace_id), at: new Date(String(row.at)) }));
}

export type Failure = {
  applicationId: string;
  traceId: string;
  step: SignInStep;
  reason: SignInReason;
  /** Names that the reason is about. */
  detail: string | undefined;
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
        select application_id, trace_id, step, reason, detail, occurred_at from sign_in_steps
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
    const detail = row.detail === null ? undefined : String(row.detail);
    const [applicationId, traceId] = [String(row.application_id), String(row.trace_id)];
    return [{ applicationId, traceId, step, reason, detail, occurredAt }];
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
