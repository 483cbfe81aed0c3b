// Whose turn it is to be told that a session has ended, and who tells it: the same fair turns (fair-turns.ts) and claims as
// webhooks have, with places of their own, so that neither waits for the other.

import { and, eq, sql } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { assurances } from '../../drizzle/schema/assurances.ts';
import { logoutNotices } from '../../drizzle/schema/logout-notices.ts';
import type { Clock } from '../clock.ts';
import { advisoryLocks } from '../database/advisory-locks.ts';
import { statementTime } from '../database/clock.ts';
import { type Database, isOneOf, rowsOf, transaction } from '../database/connection.ts';
import {
  webhookBatchRows,
  webhookEndpointsLookedAt,
  webhookLeaseSeconds,
  webhookMishapSeconds,
  webhookPlacesPerEndpoint,
} from '../limits/webhooks.ts';
import { type BusyEndpoint, type EndpointWithWork, planTurn, type Turn } from './fair-turns.ts';

type Dependencies = { db: Database; clock: Clock; owner: string; random: () => number };

export type ClaimedLogout = Awaited<ReturnType<typeof chooseDue>>[number];

export type LogoutLook = {
  /** An application is an endpoint to fair-turns.ts. */
  waiting: EndpointWithWork[];
  /** Where the next look goes on; undefined when this one came to the end. */
  after: string | undefined;
};

/** From one application to the next in the index, however much waits at each. */
export async function lookForLogouts(
  db: Database,
  { after = '', clock }: { after: string | undefined; clock: Clock },
): Promise<LogoutLook> {
  const next = (than: ReturnType<typeof sql>) => sql`
    select application_id from logout_notices where status = 'pending' and application_id > ${than}
    order by application_id, next_attempt_at limit 1`;
  const found = await db.execute(sql`
    with recursive visited as (
      select first.application_id, 1 as number from (${next(sql`${after}::text`)}) first
      union all
      select next.application_id, visited.number + 1
      from visited cross join lateral (${next(sql`visited.application_id`)}) next
      where visited.number < ${webhookEndpointsLookedAt}::int
    )
    select visited.application_id, application.workspace_id, waiting.due,
      application.backchannel_logout_uri is null or application.disabled_at is not null
        or application.deleted_at is not null as is_withdrawn,
      exists (select 1 from logout_notices failed where failed.application_id = visited.application_id
        and failed.status = 'pending' and failed.attempt_count > 0) as is_failing
    from visited join applications application on application.id = visited.application_id
    cross join lateral (
      select count(*)::int as due from (
        select 1 from logout_notices notice where notice.status = 'pending'
          and ${dueAtApplication(sql`visited.application_id`, clock)}
        order by notice.application_id, notice.next_attempt_at limit ${webhookPlacesPerEndpoint}::int
      ) first_due
    ) waiting
    order by visited.application_id`);
  const rows = rowsOf(found);
  const withdrawn = rows.filter(({ is_withdrawn }) => is_withdrawn).map(idOf);
  if (withdrawn.length > 0) await withdrawSome(db, withdrawn, clock());
  const waiting = rows
    .filter(({ is_withdrawn, due }) => !is_withdrawn && Number(due) > 0)
    .map((row) => ({ ...endpointOf(row), due: Number(row.due) }));
  const last = rows.at(-1);
  return { waiting, after: last && rows.length >= webhookEndpointsLookedAt ? idOf(last) : undefined };
}

/** A range of the index on both columns, whatever the planner thinks of its other choices. */
function dueAtApplication(applicationId: ReturnType<typeof sql>, clock: Clock) {
  return sql`(notice.application_id, notice.next_attempt_at) >= (${applicationId}, '-infinity'::timestamptz)
    and (notice.application_id, notice.next_attempt_at) <= (${applicationId}, ${statementTime(clock)})`;
}

/** Its company took the address away, or disabled or deleted the application. */
async function withdrawSome(db: Database, applicationIds: string[], now: Date): Promise<void> {
  const unwanted = db
    .select({ id: logoutNotices.id })
    .from(logoutNotices)
    .where(and(isOneOf(logoutNotices.applicationId, applicationIds), eq(logoutNotices.status, 'pending')))
    .limit(webhookBatchRows)
    .for('update', { skipLocked: true });
  await db
    .update(logoutNotices)
    .set({ ...over(now), status: 'failed', failure: 'withdrawn' })
    .where(sql`${logoutNotices.id} in (with unwanted as ${unwanted} select id from unwanted)`);
}

/** Of a notice that is finished: nothing leads from it to a person any more. */
export function over(now: Date) {
  const nobody = { claimedBy: null, claimedUntil: null, nextAttemptAt: null };
  return { ...nobody, accountId: null, grantId: null, finishedAt: now };
}

/** Resolves when the claims are committed. */
export function claimLogouts(
  { db, clock, owner, random }: Dependencies,
  { waiting, free }: { waiting: EndpointWithWork[]; free: number },
): Promise<ClaimedLogout[]> {
  return transaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.logoutTurn}::int8)`);
    const turns = planTurn({ waiting, busy: await findBusy(tx, clock), free, random });
    if (turns.length === 0) return [];
    const chosen = await chooseDue(tx, turns, clock);
    const until = sql`${statementTime(clock)} + ${webhookLeaseSeconds}::int8 * interval '1 second'`;
    const ids = chosen.map(({ notice }) => notice.id);
    await tx
      .update(logoutNotices)
      .set({ claimedBy: owner, claimedUntil: until, nextAttemptAt: until })
      .where(isOneOf(logoutNotices.id, ids));
    return chosen;
  });
}

async function findBusy(tx: Database, clock: Clock): Promise<BusyEndpoint[]> {
  const rows = await tx.execute(sql`
    select notice.application_id, application.workspace_id, bool_or(notice.attempt_count > 0) as is_failing,
      count(*)::int as under_way
    from logout_notices notice join applications application on application.id = notice.application_id
    where notice.claimed_by is not null and notice.claimed_until > ${statementTime(clock)}
    group by 1, 2`);
  return rowsOf(rows).map((row) => ({ ...endpointOf(row), underWay: Number(row.under_way) }));
}

function chooseDue(tx: Database, turns: Turn[], clock: Clock) {
  const due = sql`(
    with due as (
      select chosen.id
      from jsonb_to_recordset(${JSON.stringify(turns)}::jsonb) as turn("subscriptionId" text, places integer)
      cross join lateral (
        select notice.id from logout_notices notice
        where notice.status = 'pending' and ${dueAtApplication(sql`turn."subscriptionId"`, clock)}
        order by notice.application_id, notice.next_attempt_at limit turn.places for update skip locked
      ) chosen
    )
    select id from due
  )`;
  const { id, accountId, grantId, attemptCount } = logoutNotices;
  const {
    clientId,
    backchannelLogoutUri: url,
    backchannelLogoutSessionRequired: namesSession,
  } = applications;
  return tx
    .select({
      notice: { id, accountId, grantId, attemptCount },
      application: {
        id: applications.id,
        clientId,
        url,
        namesSession,
        algorithm: assurances.signingAlgorithm,
      },
    })
    .from(logoutNotices)
    .innerJoin(applications, eq(applications.id, logoutNotices.applicationId))
    .leftJoin(assurances, eq(assurances.applicationId, applications.id))
    .where(sql`${id} in ${due}`);
}

/** `at` once: of a process that stops. Otherwise our own side failed, and the attempt does not count. */
export async function releaseLogouts(
  { db, clock, owner }: Pick<Dependencies, 'db' | 'clock' | 'owner'>,
  { ids, atOnce }: { ids: string[]; atOnce: boolean },
): Promise<void> {
  const seconds = atOnce ? 0 : webhookMishapSeconds;
  const nextAttemptAt = sql`${statementTime(clock)} + ${seconds}::int8 * interval '1 second'`;
  await db
    .update(logoutNotices)
    .set({ claimedBy: null, claimedUntil: null, nextAttemptAt })
    .where(
      and(
        isOneOf(logoutNotices.id, ids),
        eq(logoutNotices.claimedBy, owner),
        eq(logoutNotices.status, 'pending'),
      ),
    );
}

function idOf({ application_id }: Record<string, unknown>): string {
  return String(application_id);
}

function endpointOf(row: Record<string, unknown>) {
  return {
    subscriptionId: idOf(row),
    workspaceId: String(row.workspace_id),
    isFailing: row.is_failing === true,
  };
}
