// What an application pays for a session, and what it can still pay for: the prices of its workspace and
// its balance, and the purse that a batch spends from, session by session.
import { and, eq, isNull, sql } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { balances, prices } from '../../drizzle/schema/balances.ts';
import type { Clock } from '../clock.ts';
import { aheadOfMachine, databaseTimeWith } from '../database/clock.ts';
import { type Database, isOneOf, oncePerDatabase, rowsOf } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';

export type UsageKind = 'registration' | 'sign_in';

export type Terms = {
  workspaceId: string;
  currency: string;
  balance: bigint;
  prices: ReadonlyMap<UsageKind, bigint>;
  /** Of an application in test mode: its money never ends (books.ts). */
  isTest: boolean;
  /** By the database's clock, when this was read: what was held before is held by then. */
  readAt: Date;
};

const selectTerms = oncePerDatabase((db) =>
  db
    .select({
      applicationId: applications.id,
      workspaceId: applications.workspaceId,
      isTest: applications.isTest,
      currency: balances.currency,
      balance: balances.amount,
      kind: prices.kind,
      price: prices.amount,
      readAt: databaseTimeWith(sql.placeholder('aheadMilliseconds')),
    })
    .from(applications)
    .innerJoin(balances, eq(balances.applicationId, applications.id))
    .innerJoin(prices, eq(prices.workspaceId, applications.workspaceId))
    .where(and(isOneOf(applications.id, sql.placeholder('applicationIds')), isNull(applications.deletedAt)))
    .prepare('terms'),
);

/** By application; a deleted one is missing. */
export async function findTerms(
  tx: Database,
  { applicationIds, clock }: { applicationIds: string[]; clock: Clock },
): Promise<Map<string, Terms>> {
  const rows = await selectTerms(tx).execute({ applicationIds, aheadMilliseconds: aheadOfMachine(clock) });
  const terms = new Map<string, Terms & { prices: Map<UsageKind, bigint> }>();
  for (const { applicationId, kind, price, ...rest } of rows) {
    const found = terms.get(applicationId) ?? { ...rest, prices: new Map() };
    terms.set(applicationId, found);
    found.prices.set(kind, price);
  }
  return terms;
}

/**
 * What is left for the next session of a batch, by application. Each is paid or refused by itself, in their order: the
 * one that costs too much stops neither a cheaper one after it nor anybody else's. The balance is as it was read; the
 * database's own rule (`balances_are_never_negative`) decides in any case.
 */
export function createPurse(terms: ReadonlyMap<string, Terms>) {
  const left = new Map([...terms].map(([id, { balance }]) => [id, balance]));
  return {
    /** @returns the amount that was taken, or undefined: it is more than there is. */
    pay(applicationId: string, kind: UsageKind): bigint | undefined {
      const { prices, isTest } = terms.get(applicationId) ?? {};
      const price = prices?.get(kind);
      const balance = left.get(applicationId);
      if (price === undefined || balance === undefined)
        throw new TollgateError('server_error', 'Something went wrong on our side.', {
          detail: `no price for ${applicationId}`,
        });
      if (isTest) return price;
      if (balance < price) return undefined;
      left.set(applicationId, balance - price);
      return price;
    },
  };
}

export function balanceTooLow(applicationId: string): TollgateError {
  return new TollgateError(
    'temporarily_unavailable',
    'The application cannot complete sign-ins at the moment.',
    { detail: `balance of ${applicationId} too low, or the charge so late that its month is sealed` },
  );
}

/** Of these, whose balance somebody holds at this moment. */
export async function findHeldBalances(db: Database, applicationIds: string[]): Promise<Set<string>> {
  const free = rowsOf(
    await db.execute(sql`
      select application_id from balances where application_id = any(${sql.param(applicationIds)}::text[])
      for no key update skip locked`),
  );
  const held = new Set(applicationIds);
  for (const { application_id: id } of free) held.delete(String(id));
  return held;
}
