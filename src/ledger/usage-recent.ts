// The newest sign-ins of a company, and the charge that a sign-in trace led to.
import { sql } from 'drizzle-orm';
import { usageEvents } from '../../drizzle/schema.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import type { EventKind, EventStatus } from './event-list.ts';

export type RecentEvent = {
  id: string;
  applicationId: string;
  sub: string;
  kind: EventKind;
  /** Micro-units. */
  amount: bigint;
  currency: string;
  status: EventStatus;
  traceId: string | undefined;
  occurredAt: Date;
};

/** Applications of one workspace: the caller has looked them up there. */
type Scope = { applicationIds: string[] };

/** Newest first. One walk down the index for each application, however many events there are. */
export async function listRecentEvents(
  db: Database,
  { applicationIds, limit }: Scope & { limit: number },
): Promise<RecentEvent[]> {
  const rows = rowsOf(
    await db.execute(sql`
      select ${columns} from unnest(${sql.param(applicationIds)}::text[]) as application(id) cross join lateral (
        select * from usage_events where application_id = application.id
        order by occurred_at desc nulls last, id desc nulls last limit ${limit}
      ) as event
      left join transfers as reversal on reversal.reverses = event.transfer_id
      order by event.occurred_at desc, event.id desc limit ${limit}`),
  );
  return rows.map(eventOf);
}

export async function findUsageEvent(
  db: Database,
  { applicationIds, id }: Scope & { id: string },
): Promise<RecentEvent | undefined> {
  const rows = rowsOf(
    await db.execute(sql`
      select ${columns} from usage_events as event
      left join transfers as reversal on reversal.reverses = event.transfer_id
      where event.id = ${id} and event.application_id = any(${sql.param(applicationIds)}::text[])`),
  );
  return rows.map(eventOf)[0];
}

/**
 * The charges of a trace, between the moments that its steps allow: there is no index by trace, which every sign-in
 * would have to pay for, so that somebody can look one up. Two for an attempt whose code was refused and that was
 * repeated with the same nonce.
 */
export async function findTraceEvents(
  db: Database,
  {
    applicationId,
    traceId,
    from,
    until,
  }: { applicationId: string; traceId: string; from: Date; until: Date },
): Promise<RecentEvent[]> {
  const [start, end] = [from, until].map((time) => sql.param(time, usageEvents.occurredAt));
  const rows = rowsOf(
    await db.execute(sql`
      select ${columns} from usage_events as event
      left join transfers as reversal on reversal.reverses = event.transfer_id
      where event.application_id = ${applicationId} and event.trace_id = ${traceId}
        and event.occurred_at >= ${start}::timestamptz and event.occurred_at <= ${end}::timestamptz
      order by event.occurred_at, event.id`),
  );
  return rows.map(eventOf);
}

/** The trace of the sign-in that used this code. */
export async function findTraceOfCode(
  db: Database,
  { clientId, codeHash }: { clientId: string; codeHash: string },
): Promise<{ traceId: string | undefined } | undefined> {
  const [row] = rowsOf(
    await db.execute(sql`
      select event.trace_id from usage_events as event join applications on applications.id = event.application_id
      where event.code_hash = ${codeHash} and applications.client_id = ${clientId}`),
  );
  return row && { traceId: textOf(row.trace_id) };
}

const columns = sql`
  event.id, event.application_id, event.sub, event.kind, event.amount, event.currency, event.trace_id,
  event.occurred_at, reversal.id as reversed_by`;

function eventOf(row: Record<string, unknown>): RecentEvent {
  return {
    id: String(row.id),
    applicationId: String(row.application_id),
    sub: String(row.sub),
    kind: row.kind === 'registration' ? 'registration' : 'sign_in',
    amount: BigInt(String(row.amount)),
    currency: String(row.currency),
    status: row.reversed_by === null ? 'committed' : 'reversed',
    traceId: textOf(row.trace_id),
    occurredAt: new Date(String(row.occurred_at)),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
