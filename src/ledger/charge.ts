// The charge for sessions (sections 1.6, 1.7 and 3): the transfers, the usage events and the guarded debit, as
// statements of the caller's transaction. If one of them fails, nothing of the transaction happened.
import { eq, type SQL, sql } from 'drizzle-orm';
import { usageEvents } from '../../drizzle/schema.ts';
import { type Database, isOneOf } from '../database.ts';
import { newId } from '../id.ts';
import { applicationAccount, usageAccount } from './ledger-accounts.ts';
import type { UsageKind } from './terms.ts';
import { chargeTransfers } from './transfer.ts';

export type UsageEvent = typeof usageEvents.$inferSelect;

/** Before anything is written, so that the event can be looked for when nobody heard whether it was. */
export function newEventId(): string {
  return newId('evt');
}

export type PaidSession = {
  eventId: string;
  applicationId: string;
  sub: string;
  kind: UsageKind;
  amount: bigint;
  currency: string;
  /** SHA-256 of the authorization code: UNIQUE, so that no code is ever charged twice. */
  codeHash: string;
  /** src/trace-id.ts */
  traceId?: string | undefined;
  now: Date;
};

export function eventOf({ eventId, traceId, now, ...session }: PaidSession): UsageEvent {
  return { id: eventId, ...session, traceId: traceId ?? null, transferId: newId('trf'), occurredAt: now };
}

/** What was charged for these codes. */
export function findEventsByCode(db: Database, codeHashes: string[]): Promise<UsageEvent[]> {
  return db.select().from(usageEvents).where(isOneOf(usageEvents.codeHash, codeHashes));
}

export async function findEvent(db: Database, eventId: string): Promise<UsageEvent | undefined> {
  const [event] = await db.select().from(usageEvents).where(eq(usageEvents.id, eventId));
  return event;
}

/** First of all: of two transactions with the same code, one must not hold a balance while it waits for the other. */
export function chargeStatements(events: UsageEvent[]): SQL[] {
  return [chargeTransfers(events.map(transferOf)), usageStatement(events)];
}

function transferOf(event: UsageEvent) {
  const { transferId: id, applicationId, amount, currency, codeHash, occurredAt: createdAt } = event;
  return {
    id,
    applicationId,
    debitAccount: applicationAccount(applicationId),
    creditAccount: usageAccount(applicationId),
    amount,
    currency,
    reference: `charge:${codeHash}`,
    createdAt,
  };
}

/** Many rows by one parameter, so that the text of the statement never changes. */
function usageStatement(events: UsageEvent[]): SQL {
  const rows = events.map((event) => ({ ...event, amount: String(event.amount) }));
  return sql`
    insert into usage_events
      (id, application_id, sub, kind, amount, currency, transfer_id, code_hash, trace_id, occurred_at)
    select id, "applicationId", sub, kind, amount, currency, "transferId", "codeHash", "traceId", "occurredAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as event(
      id text, "applicationId" text, sub text, kind text, amount bigint, currency text, "transferId" text,
      "codeHash" text, "traceId" text, "occurredAt" timestamptz
    )`;
}

/**
 * Last of all: a balance is the one row that all sign-ins of its application share. `balances_are_never_negative`
 * decides: any number of charges at once can spend it down to zero, and who would go below takes everything back. The
 * rows are locked in one order, so that two transactions with the same applications cannot wait for each other.
 */
export function debitStatement(events: UsageEvent[]): SQL {
  const totals = new Map<string, bigint>();
  for (const { applicationId, amount } of events)
    totals.set(applicationId, (totals.get(applicationId) ?? 0n) + amount);
  const rows = [...totals].map(([applicationId, amount]) => ({ applicationId, amount: String(amount) }));
  return sql`
    with debit as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as debit("applicationId" text, amount bigint)
    ), locked as materialized (
      select application_id, debit.amount from balances join debit on application_id = "applicationId"
      order by application_id for update of balances
    )
    update balances set amount = balances.amount - locked.amount from locked
    where balances.application_id = locked.application_id`;
}
