// The charge for sessions (sections 1.6, 1.7 and 3): what each costs, the transfers, the usage events and the
// guarded debit, in the caller's transaction. If anything here fails, nothing of it happened.
import { and, eq, isNull, sql } from 'drizzle-orm';
import { applications, balances, prices, type usageEvents } from '../../drizzle/schema.ts';
import { type Database, isOneOf, oncePerDatabase, rowsOf } from '../database.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { together } from '../together.ts';
import { isOpen } from './balance-change.ts';
import { applicationAccount, usageAccount } from './ledger-accounts.ts';

export type UsageKind = 'registration' | 'sign_in';
export type UsageEvent = typeof usageEvents.$inferSelect;

export type ChargedSession = {
  applicationId: string;
  sub: string;
  kind: UsageKind;
  /** SHA-256 of the authorization code: UNIQUE, so that no code is ever charged twice. */
  codeHash: string;
  /** src/trace-id.ts */
  traceId?: string | undefined;
};

/** What an application pays, and what it has. */
export type Terms = {
  workspaceId: string;
  currency: string;
  balance: bigint;
  prices: ReadonlyMap<UsageKind, bigint>;
};

const selectTerms = oncePerDatabase((db) =>
  db
    .select({
      applicationId: applications.id,
      workspaceId: applications.workspaceId,
      currency: balances.currency,
      balance: balances.amount,
      kind: prices.kind,
      price: prices.amount,
    })
    .from(applications)
    .innerJoin(balances, eq(balances.applicationId, applications.id))
    .innerJoin(prices, eq(prices.workspaceId, applications.workspaceId))
    .where(and(isOneOf(applications.id, sql.placeholder('applicationIds')), isNull(applications.deletedAt)))
    .prepare('terms'),
);

/** By application; a deleted one is missing. */
export async function findTerms(tx: Database, applicationIds: string[]): Promise<Map<string, Terms>> {
  const rows = await selectTerms(tx).execute({ applicationIds });
  const terms = new Map<string, Terms & { prices: Map<UsageKind, bigint> }>();
  for (const { applicationId, kind, price, ...rest } of rows) {
    const found = terms.get(applicationId) ?? { ...rest, prices: new Map() };
    terms.set(applicationId, found);
    found.prices.set(kind, price);
  }
  return terms;
}

/** Only a hint that saves work: whatever kind the session is, this balance cannot pay it. */
export function cannotPay({ balance, prices }: Terms): boolean {
  return [...prices.values()].every((price) => balance < price);
}

export type ChargeAll = {
  sessions: ChargedSession[];
  terms: ReadonlyMap<string, Terms>;
  /** By the database's clock, read while the customers' rows were held. */
  now: Date;
  /**
   * What must commit together with the charges (the webhooks). Sent in the same moment as they are: a balance is the
   * one row that all of its application's sign-ins share, and nothing may make its lock last longer.
   */
  alongside: (events: UsageEvent[]) => Promise<void>;
};

/**
 * @returns the event of each session, in their order.
 * @throws TollgateError temporarily_unavailable when a balance does not pay all of them; the caller must roll back.
 */
export async function chargeAll(tx: Database, input: ChargeAll): Promise<UsageEvent[]> {
  const events = input.sessions.map((session) => eventOf(session, input.terms, input.now));
  requireBalances(events, input.terms);
  // In this order: of two transactions with the same code, one must not hold a balance while it waits for the other.
  await together([write(tx, events), input.alongside(events), debit(tx, events, input.now)]);
  return events;
}

function eventOf(session: ChargedSession, terms: ChargeAll['terms'], now: Date): UsageEvent {
  const found = terms.get(session.applicationId);
  const amount = found?.prices.get(session.kind);
  if (!found || amount === undefined) {
    throw new TollgateError('server_error', 'Something went wrong on our side.', {
      detail: `no price for ${session.applicationId}`,
    });
  }
  const { currency } = found;
  const { traceId = null } = session;
  return {
    id: newId('evt'),
    ...session,
    traceId,
    amount,
    currency,
    transferId: newId('trf'),
    occurredAt: now,
  };
}

/** Only a hint as well: the decision is the guarded debit. */
function requireBalances(events: UsageEvent[], terms: ChargeAll['terms']): void {
  for (const [applicationId, total] of totalsOf(events)) {
    if ((terms.get(applicationId)?.balance ?? 0n) < total) throw balanceTooLow(applicationId);
  }
}

function totalsOf(events: UsageEvent[]): Map<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const { applicationId, amount } of events)
    totals.set(applicationId, (totals.get(applicationId) ?? 0n) + amount);
  return totals;
}

/** A transfer and its event for each, in one statement whose text never changes. */
async function write(tx: Database, events: UsageEvent[]): Promise<void> {
  const rows = events.map(({ amount, ...event }) => ({
    ...event,
    amount: String(amount),
    debitAccount: applicationAccount(event.applicationId),
    creditAccount: usageAccount(event.applicationId),
  }));
  await tx.execute(sql`
    with event as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as event(
        id text, "applicationId" text, sub text, kind text, amount bigint, currency text, "transferId" text,
        "codeHash" text, "traceId" text, "occurredAt" timestamptz, "debitAccount" text, "creditAccount" text
      )
    ), moved as (
      insert into transfers
        (id, application_id, code, debit_account, credit_account, amount, currency, reference, created_at)
      select "transferId", "applicationId", 'charge', "debitAccount", "creditAccount", amount, currency,
        'charge:' || "codeHash", "occurredAt" from event
    )
    insert into usage_events
      (id, application_id, sub, kind, amount, currency, transfer_id, code_hash, trace_id, occurred_at)
    select id, "applicationId", sub, kind, amount, currency, "transferId", "codeHash", "traceId", "occurredAt" from event`);
}

/**
 * One statement decides: any number of charges at once can spend a balance down to zero and never below. The rows are
 * locked in one order, so that two transactions with the same applications cannot wait for each other. Who holds a
 * balance until the commit also gives the events their positions: no later one can be seen before them.
 */
async function debit(tx: Database, events: UsageEvent[], now: Date): Promise<void> {
  const totals = totalsOf(events);
  const amounts = [...totals].map(([applicationId, amount]) => ({ applicationId, amount: String(amount) }));
  const lines = events.map(({ id, applicationId }, number) => ({ id, applicationId, number }));
  const debited = rowsOf(
    await tx.execute(sql`
      with debit as (
        select * from jsonb_to_recordset(${JSON.stringify(amounts)}::jsonb) as debit("applicationId" text, amount bigint)
      ), event as (
        select id, "applicationId", row_number() over (partition by "applicationId" order by number) as place,
          count(*) over (partition by "applicationId") as count
        from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as event(id text, "applicationId" text, number int)
      ), locked as materialized (
        select application_id, debit.amount from balances join debit on application_id = "applicationId"
        order by application_id for update of balances
      ), paid as (
        update balances set amount = balances.amount - locked.amount, last_position = last_position + counted.count
        from locked join (select distinct "applicationId", count from event) as counted on "applicationId" = application_id
        where balances.application_id = locked.application_id and balances.amount >= locked.amount
          and ${isOpen(now)}
        returning balances.application_id, last_position
      ), placed as (
        insert into event_positions (application_id, position, event_id)
        select application_id, last_position - count + place, id from paid join event on "applicationId" = application_id
      )
      select application_id from paid`),
  );
  if (debited.length === totals.size) return;
  const paid = new Set(debited.map((row) => row.application_id));
  throw balanceTooLow([...totals.keys()].find((id) => !paid.has(id)) ?? 'an application');
}

export function balanceTooLow(applicationId: string): TollgateError {
  return new TollgateError(
    'temporarily_unavailable',
    'The application cannot complete sign-ins at the moment.',
    { detail: `balance of ${applicationId} too low, or the charge so late that its month is sealed` },
  );
}
