// The charge for sessions (promises 20 to 24): the transfers, the usage events and the guarded debit, as
// statements of the caller's transaction. If one of them fails, nothing of the transaction happened.
import { eq, type SQL, sql } from 'drizzle-orm';
import { testUsageEvents, usageEvents } from '../../drizzle/schema/usage.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { sent } from '../database/settle-all.ts';
import { newId } from '../id.ts';
import { isOpen } from './balance-change.ts';
import { type Book, chargeAccounts, findTestEventsByCode, tablesOf } from './books.ts';
import type { UsageKind } from './price-and-balance.ts';
import { chargeTransfers } from './transfer.ts';

export type UsageEvent = typeof usageEvents.$inferSelect & { book: Book };

/** Before anything is written, so that the event can be looked for when nobody heard whether it was. */
export function newEventId(): string {
  return newId('evt');
}

export type PaidSession = {
  /** Default `live`. */
  book?: Book;
  eventId: string;
  applicationId: string;
  sub: string;
  kind: UsageKind;
  amount: bigint;
  currency: string;
  /** SHA-256 of the authorization code: UNIQUE, so that no code is ever charged twice. */
  codeHash: string;
  /** src/traces/trace-id.ts */
  traceId?: string | undefined;
  now: Date;
};

export function eventOf({ eventId, traceId, now, book = 'live', ...session }: PaidSession): UsageEvent {
  return {
    id: eventId,
    ...session,
    book,
    traceId: traceId ?? null,
    transferId: newId('trf'),
    occurredAt: now,
  };
}

/** What was charged for these codes. */
export async function findEventsByCode(
  db: Database,
  codeHashes: string[],
  book: Book = 'live',
): Promise<UsageEvent[]> {
  const rows =
    book === 'live'
      ? await sent(db.select().from(usageEvents).where(isOneOf(usageEvents.codeHash, codeHashes)))
      : await findTestEventsByCode(db, codeHashes);
  return rows.map((row) => ({ ...row, book }));
}

export async function findEvent(db: Database, eventId: string): Promise<UsageEvent | undefined> {
  const [event] = await db.select().from(usageEvents).where(eq(usageEvents.id, eventId));
  if (event) return { ...event, book: 'live' };
  const [tested] = await db.select().from(testUsageEvents).where(eq(testUsageEvents.id, eventId));
  return tested && { ...tested, book: 'test' };
}

/** First of all: of two transactions with the same code, one must not hold a balance while it waits for the other. */
export function chargeStatements(events: UsageEvent[], book: Book = 'live'): SQL[] {
  return [chargeTransfers(events.map(transferOf), book), usageStatement(events, book)];
}

function transferOf(event: UsageEvent) {
  const { transferId: id, applicationId, amount, currency, codeHash, occurredAt: createdAt } = event;
  return {
    id,
    applicationId,
    ...chargeAccounts(event.book, applicationId),
    amount,
    currency,
    reference: `charge:${codeHash}`,
    createdAt,
  };
}

/** Many rows by one parameter, so that the text of the statement never changes. */
function usageStatement(events: UsageEvent[], book: Book): SQL {
  const rows = events.map(({ book: _book, ...event }) => ({ ...event, amount: String(event.amount) }));
  return sql`
    insert into ${tablesOf[book].events}
      (id, application_id, sub, kind, amount, currency, transfer_id, code_hash, trace_id, occurred_at)
    select id, "applicationId", sub, kind, amount, currency, "transferId", "codeHash", "traceId", "occurredAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as event(
      id text, "applicationId" text, sub text, kind text, amount bigint, currency text, "transferId" text,
      "codeHash" text, "traceId" text, "occurredAt" timestamptz
    )`;
}

/**
 * Last of all: a balance is the one row that all sign-ins of its application share. `balances_are_never_negative`
 * decides: however many charges come at once, they spend it down to zero at most, and who would go below takes everything back, as does
 * who comes so late that the month is sealed. The rows are locked in one order, so that two transactions with the same
 * applications cannot wait for each other. Who holds a balance until the commit also gives the events their positions: no
 * later one can be seen before them.
 */
export function debitStatement(events: UsageEvent[], now: Date): SQL {
  const rows = events.map(({ id, applicationId, amount }, number) => {
    return { id, applicationId, amount: String(amount), number };
  });
  return sql`
    with event as (
      select id, "applicationId", amount, row_number() over (partition by "applicationId" order by number) as place
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as event(
        id text, "applicationId" text, amount bigint, number int
      )
    ), debit as (
      select "applicationId", sum(amount)::int8 as amount, count(*) as count from event group by "applicationId"
    ), locked as materialized (
      select application_id, debit.amount, debit.count from balances join debit on application_id = "applicationId"
      order by application_id for update of balances
    ), paid as (
      update balances set
        amount = case when ${isOpen(now)} then balances.amount - locked.amount else -1 end,
        last_position = last_position + locked.count
      from locked where balances.application_id = locked.application_id
      returning balances.application_id, last_position - locked.count as before
    )
    insert into event_positions (application_id, position, event_id)
    select application_id, before + place, id from paid join event on "applicationId" = application_id`;
}

/** Of test mode: no balance changes, and the events get their positions among the application's all the same. */
export function positionStatement(events: UsageEvent[], now: Date): SQL {
  return debitStatement(
    events.map((event) => ({ ...event, amount: 0n })),
    now,
  );
}
