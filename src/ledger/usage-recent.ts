// The newest sign-ins of a company, and the charge that a sign-in trace led to.
import { type SQL, sql } from 'drizzle-orm';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { settleAll } from '../database/settle-all.ts';
import { type Book, tablesOf } from './books.ts';
import { newestFirst } from './event-list.ts';
import type { EventKind, EventStatus } from './event-listing.ts';

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
  /** False: of test mode. */
  livemode: boolean;
};

/** Applications of one workspace: the caller has looked them up there. */
type Scope = { applicationIds: string[] };

/** Newest first. One walk down the index of each book for each application, however many events there are. */
export async function listRecentEvents(
  db: Database,
  { applicationIds, limit }: Scope & { limit: number },
): Promise<RecentEvent[]> {
  const found = await inBothBooks(
    db,
    ({ events, transfers }) => sql`
      select ${columns} from unnest(${sql.param(applicationIds)}::text[]) as application(id) cross join lateral (
        select * from ${events} where application_id = application.id
        order by occurred_at desc nulls last, id desc nulls last limit ${limit}
      ) as event
      left join ${transfers} as reversal on reversal.reverses = event.transfer_id
      order by event.occurred_at desc, event.id desc limit ${limit}`,
  );
  return found.sort(newestFirst).slice(0, limit);
}

export async function findUsageEvent(
  db: Database,
  { applicationIds, id }: Scope & { id: string },
): Promise<RecentEvent | undefined> {
  const [found] = await inBothBooks(
    db,
    ({ events, transfers }) => sql`
      select ${columns} from ${events} as event
      left join ${transfers} as reversal on reversal.reverses = event.transfer_id
      where event.id = ${id} and event.application_id = any(${sql.param(applicationIds)}::text[])`,
  );
  return found;
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
  const found = await inBothBooks(
    db,
    ({ events, transfers }) => sql`
      select ${columns} from ${events} as event
      left join ${transfers} as reversal on reversal.reverses = event.transfer_id
      where event.application_id = ${applicationId} and event.trace_id = ${traceId}
        and event.occurred_at >= ${start}::timestamptz and event.occurred_at <= ${end}::timestamptz
      order by event.occurred_at, event.id`,
  );
  return found.sort(newestFirst).reverse();
}

/** The trace of the sign-in that used this code. */
export async function findTraceOfCode(
  db: Database,
  { clientId, codeHash }: { clientId: string; codeHash: string },
): Promise<{ traceId: string | undefined } | undefined> {
  const [row] = rowsOf(
    await db.execute(sql`
      select event.trace_id from (
        select application_id, code_hash, trace_id from usage_events where code_hash = ${codeHash}
        union all select application_id, code_hash, trace_id from test_usage_events where code_hash = ${codeHash}
      ) as event join applications on applications.id = event.application_id
      where applications.client_id = ${clientId}`),
  );
  return row && { traceId: textOf(row.trace_id) };
}

const columns = sql`
  event.id, event.application_id, event.sub, event.kind, event.amount, event.currency, event.trace_id,
  event.occurred_at, reversal.id as reversed_by`;

type Tables = (typeof tablesOf)[Book];

async function inBothBooks(db: Database, query: (tables: Tables) => SQL): Promise<RecentEvent[]> {
  const [live, tested] = await settleAll([
    db.execute(query(tablesOf.live)),
    db.execute(query(tablesOf.test)),
  ]);
  return [
    ...rowsOf(live).map((row) => eventOf(row, true)),
    ...rowsOf(tested).map((row) => eventOf(row, false)),
  ];
}

function eventOf(row: Record<string, unknown>, livemode: boolean): RecentEvent {
  return {
    livemode,
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
