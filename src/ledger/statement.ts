// The statement of one application and month (issue 4 section 4): what was there, every entry, what is left. The
// ledger is append-only, so a past month reads the same for ever, also for a deleted application.
import { and, asc, eq, gte, lt, notInArray, sql } from 'drizzle-orm';
import { transfers, usageEvents } from '../../drizzle/schema.ts';
import { atOneLongMoment, type Database, rowsOf } from '../database.ts';
import { keyset } from '../keyset.ts';
import { statementBatchRows, statementLinesShown } from '../limits-payments.ts';
import { applicationAccount } from './ledger-accounts.ts';
import type { Month } from './month.ts';

export type EntryKind = 'top_up' | 'charge' | 'reversal' | 'refund' | 'correction';

export type Entry = {
  id: string;
  at: Date;
  kind: EntryKind;
  /** Micro-units: what the balance gained, or lost when it is less than zero. */
  change: bigint;
  /** Of a charge, or of what takes it back. */
  eventId: string | null;
  eventKind: 'registration' | 'sign_in' | null;
  sub: string | null;
  reference: string;
  reason: string | null;
  actor: string | null;
};

/** Charges and their reversals of one day, by what they were for. */
export type DayOfUsage = {
  /** `2026-11-21` */
  day: string;
  kind: 'charge' | 'reversal';
  eventKind: 'registration' | 'sign_in';
  count: number;
  change: bigint;
};

export type Statement = {
  currency: string;
  opening: bigint;
  closing: bigint;
  usage: DayOfUsage[];
  /** Everything else, one by one. */
  entries: Entry[];
  /** There are more of them than a page shows; the download has all. */
  isShortened: boolean;
};

type Asked = { applicationId: string; month: Month };

/** Of one moment, so that a charge in between cannot tear the sums apart. */
export async function readStatement(db: Database, asked: Asked): Promise<Statement> {
  return atOneLongMoment(db, async (tx) => {
    const bounds = await boundsOf(tx, asked);
    const usage = await readUsage(tx, asked);
    const entries = await entriesQuery(tx, asked)
      .where(and(...within(asked), notInArray(transfers.code, ['charge', 'reversal'])))
      .orderBy(asc(transfers.createdAt), asc(transfers.id))
      .limit(statementLinesShown + 1);
    const isShortened = entries.length > statementLinesShown;
    return { ...bounds, usage, entries: entries.slice(0, statementLinesShown), isShortened };
  });
}

type Bounds = Pick<Statement, 'currency' | 'opening' | 'closing'>;

export async function readBounds(db: Database, asked: Asked): Promise<Bounds> {
  return atOneLongMoment(db, async (tx) => {
    return boundsOf(tx, asked);
  });
}

/** Counted back from the present balance, because most statements are of the latest months. */
async function boundsOf(db: Database, { applicationId, month }: Asked): Promise<Bounds> {
  const start = sql.param(month.start, transfers.createdAt);
  const end = sql.param(month.end, transfers.createdAt);
  const [row] = rowsOf(
    await db.execute(sql`
      select b.currency, b.amount::text as balance,
        coalesce(sum(later.change), 0)::text as since_start,
        coalesce(sum(later.change) filter (where later.created_at >= ${end}::timestamptz), 0)::text as since_end
      from balances b left join lateral (
        select t.created_at, ${changeOf(applicationId, 't')} as change from transfers t
        where t.application_id = b.application_id and t.created_at >= ${start}::timestamptz
      ) later on true
      where b.application_id = ${applicationId}
      group by b.application_id, b.currency, b.amount`),
  );
  const balance = BigInt(String(row?.balance ?? 0));
  return {
    currency: String(row?.currency),
    opening: balance - BigInt(String(row?.since_start ?? 0)),
    closing: balance - BigInt(String(row?.since_end ?? 0)),
  };
}

async function readUsage(db: Database, { applicationId, month }: Asked): Promise<DayOfUsage[]> {
  const start = sql.param(month.start, transfers.createdAt);
  const end = sql.param(month.end, transfers.createdAt);
  const rows = rowsOf(
    await db.execute(sql`
      select to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, t.code, e.kind, count(*)::int as count,
        sum(${changeOf(applicationId, 't')})::text as change
      from transfers t join usage_events e on e.transfer_id = coalesce(t.reverses, t.id)
      where t.application_id = ${applicationId} and t.code in ('charge', 'reversal')
        and t.created_at >= ${start}::timestamptz and t.created_at < ${end}::timestamptz
      group by 1, 2, 3 order by 1, 2, 3`),
  );
  return rows.map((row) => ({
    day: String(row.day),
    kind: row.code === 'charge' ? 'charge' : 'reversal',
    eventKind: row.kind === 'registration' ? 'registration' : 'sign_in',
    count: Number(row.count),
    change: BigInt(String(row.change)),
  }));
}

const order = keyset(transfers.createdAt, transfers.id);

/**
 * Every entry of the month, oldest first, in short queries: however slow the reader is, no transaction stays open.
 * `until` leaves out what is written meanwhile, so that the sum ends where it should.
 */
export async function* streamEntries(db: Database, asked: Asked & { until: Date }): AsyncGenerator<Entry> {
  let last: { at: Date; id: string } | undefined;
  for (;;) {
    const after = last && { time: last.at, id: last.id };
    const batch = await entriesQuery(db, asked)
      .where(and(...within(asked), lt(transfers.createdAt, asked.until), order.newerThan(after)))
      .orderBy(asc(transfers.createdAt), asc(transfers.id))
      .limit(statementBatchRows);
    yield* batch;
    last = batch.at(-1);
    if (batch.length < statementBatchRows || !last) return;
  }
}

function entriesQuery(db: Database, { applicationId }: Asked) {
  return db
    .select({
      id: transfers.id,
      at: transfers.createdAt,
      kind: transfers.code,
      change: sql<bigint>`${changeOf(applicationId)}`.mapWith(BigInt),
      eventId: usageEvents.id,
      eventKind: usageEvents.kind,
      sub: usageEvents.sub,
      reference: transfers.reference,
      reason: transfers.reason,
      actor: transfers.actor,
    })
    .from(transfers)
    .leftJoin(usageEvents, eq(usageEvents.transferId, sql`coalesce(${transfers.reverses}, ${transfers.id})`))
    .$dynamic();
}

function within({ applicationId, month }: Asked) {
  return [
    eq(transfers.applicationId, applicationId),
    gte(transfers.createdAt, month.start),
    lt(transfers.createdAt, month.end),
  ];
}

function changeOf(applicationId: string, table: 't' | 'transfers' = 'transfers') {
  const name = sql.raw(table);
  return sql`(case when ${name}.credit_account = ${applicationAccount(applicationId)} then ${name}.amount else -${name}.amount end)`;
}
