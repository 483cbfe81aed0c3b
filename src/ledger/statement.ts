// The statement of one application and month: what was there, every entry, what is left. The
// ledger is append-only and a closed month is sealed, so it reads the same for ever, also for a deleted application.

import { and, asc, eq, gte, lt, ne, sql } from 'drizzle-orm';
import { transfers } from '../../drizzle/schema/transfers.ts';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { atOneMoment, type Database, rowsOf } from '../database/connection.ts';
import { paginationBy } from '../database/pagination.ts';
import type { Read } from '../database/reading-lanes.ts';
import { statementBatchRows, statementLinesShown } from '../limits/payments.ts';
import { DAY } from '../limits/units.ts';
import { readBalance } from './balance.ts';
import { applicationAccount } from './ledger-accounts.ts';
import { type Month, parseMonth } from './month.ts';
import { findSeal, findSealBefore, type StatementSeal } from './statement-seal.ts';
import { chargedBetween, usageByKind } from './usage-days.ts';

export type EntryKind = 'top_up' | 'welcome_credit' | 'charge' | 'reversal' | 'refund' | 'correction';

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
  /** From then on it stays as it is. */
  sealed: StatementSeal | undefined;
  /** There are more of them than a page shows; the download has all. */
  isShortened: boolean;
};

type Asked = { applicationId: string; month: Month };

const DAY_MILLISECONDS = DAY * 1000;

/** Of one moment, so that a charge in between cannot tear the sums apart. */
export async function readStatement(db: Database, asked: Asked): Promise<Statement> {
  return atOneMoment(db, async (tx) => {
    const { charges, reversals } = await readUsage(tx, asked);
    const entries = await entriesQuery(tx, asked)
      .where(and(...within(asked), besideCharges, ne(transfers.code, 'reversal')))
      .orderBy(asc(transfers.createdAt), asc(transfers.id))
      .limit(statementLinesShown + 1);
    const isShortened = entries.length > statementLinesShown;
    const bounds = await boundsOf(tx, asked, async () => sumOf(charges));
    const usage = [...charges, ...reversals].sort(byDay);
    return { ...bounds, usage, entries: entries.slice(0, statementLinesShown), isShortened };
  });
}

type Bounds = Pick<Statement, 'currency' | 'opening' | 'closing' | 'sealed'>;

export async function readBounds(db: Database, asked: Asked): Promise<Bounds> {
  const { applicationId, month } = asked;
  const charged = (tx: Database) =>
    chargedBetween(tx, { applicationId, from: month.start, until: month.end });
  return atOneMoment(db, (tx) => boundsOf(tx, asked, async () => -(await charged(tx))));
}

/**
 * What is sealed is not computed again; everything else counts on from the latest month that is.
 * @param charges what they changed in this month
 */
async function boundsOf(tx: Database, asked: Asked, charges: () => Promise<bigint>): Promise<Bounds> {
  const { applicationId, month } = asked;
  const { currency } = await readBalance(tx, applicationId);
  const sealed = await findSeal(tx, asked);
  if (sealed) return { currency, opening: sealed.opening, closing: sealed.closing, sealed };
  const before = await findSealBefore(tx, asked);
  const until = { applicationId, from: before && parseMonth(before.month).end, until: month.start };
  const earlier = (await changedBesideCharges(tx, until)) - (await chargedBetween(tx, until));
  const opening = (before?.closing ?? 0n) + earlier;
  const others = await changedBesideCharges(tx, { applicationId, from: month.start, until: month.end });
  return { currency, opening, closing: opening + others + (await charges()), sealed };
}

type Span = { applicationId: string; from: Date | undefined; until: Date };

/** There is little of it, and it has an index of its own. */
async function changedBesideCharges(tx: Database, { applicationId, from, until }: Span): Promise<bigint> {
  const [row] = await tx
    .select({ change: sql<string>`coalesce(sum(${changeOf(applicationId)}), 0)::text` })
    .from(transfers)
    .where(
      and(
        eq(transfers.applicationId, applicationId),
        from && gte(transfers.createdAt, from),
        lt(transfers.createdAt, until),
        besideCharges,
      ),
    );
  return BigInt(row?.change ?? 0);
}

function sumOf(usage: DayOfUsage[]): bigint {
  return usage.reduce((sum, { change }) => sum + change, 0n);
}

/** Charges of each day by kind, and what took some of them back. */
async function readUsage(tx: Database, { applicationId, month }: Asked) {
  const days = Math.round((month.end.getTime() - month.start.getTime()) / DAY_MILLISECONDS);
  const charged = await usageByKind(tx, { applicationIds: [applicationId], from: month.start, days });
  const charges = charged
    .filter(({ count }) => count > 0)
    .map(({ day, kind: eventKind, count, cost }): DayOfUsage => {
      return { day, kind: 'charge', eventKind, count, change: -cost };
    });
  return { charges, reversals: await readReversals(tx, { applicationId, month }) };
}

function byDay(a: DayOfUsage, b: DayOfUsage): number {
  const [left, right] = [a, b].map(({ day, kind, eventKind }) => `${day} ${kind} ${eventKind}`);
  return (left ?? '') < (right ?? '') ? -1 : 1;
}

async function readReversals(tx: Database, { applicationId, month }: Asked): Promise<DayOfUsage[]> {
  const start = sql.param(month.start, transfers.createdAt);
  const end = sql.param(month.end, transfers.createdAt);
  const rows = rowsOf(
    await tx.execute(sql`
      select to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, e.kind, count(*)::int as count,
        sum(t.amount)::text as change
      from transfers t join usage_events e on e.transfer_id = t.reverses
      where t.application_id = ${applicationId} and t.code <> 'charge' and t.code = 'reversal'
        and t.created_at >= ${start}::timestamptz and t.created_at < ${end}::timestamptz
      group by 1, 2`),
  );
  return rows.map((row) => ({
    day: String(row.day),
    kind: 'reversal',
    eventKind: row.kind === 'registration' ? 'registration' : 'sign_in',
    count: Number(row.count),
    change: BigInt(String(row.change)),
  }));
}

const order = paginationBy(transfers.createdAt, transfers.id);

/**
 * Every entry of the month, oldest first, in short queries: however slow the reader is, no transaction stays open.
 * `until` leaves out what is written meanwhile, so that the sum ends where it should.
 */
export async function* streamEntries(read: Read, asked: Asked & { until: Date }): AsyncGenerator<Entry> {
  let last: { at: Date; id: string } | undefined;
  for (;;) {
    const after = last && { time: last.at, id: last.id };
    const batch = await read((db) =>
      entriesQuery(db, asked)
        .where(and(...within(asked), lt(transfers.createdAt, asked.until), order.newerThan(after)))
        .orderBy(asc(transfers.createdAt), asc(transfers.id))
        .limit(statementBatchRows),
    );
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

/** As the index says it. */
const besideCharges = sql`${transfers.code} <> 'charge'`;

function changeOf(applicationId: string) {
  return sql`(case when ${transfers.creditAccount} = ${applicationAccount(applicationId)} then ${transfers.amount} else -${transfers.amount} end)`;
}
