// Balances below which a company wants to be told. Whether one is crossed is not looked at in the charge, which must
// cost nothing more, but in one statement a minute beside it: a warning is at most that late (docs/settings.md).
import { and, asc, eq, sql } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { balances, balanceThresholds } from '../../drizzle/schema/balances.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { thresholdsPerApplication } from '../limits/payments.ts';
import { readBalance } from './balance.ts';

export type Threshold = typeof balanceThresholds.$inferSelect;

/** Highest first, as a balance meets them. */
export async function listThresholds(db: Database, applicationId: string): Promise<Threshold[]> {
  return db
    .select()
    .from(balanceThresholds)
    .where(eq(balanceThresholds.applicationId, applicationId))
    .orderBy(sql`${balanceThresholds.amount} desc`);
}

/** One that the balance is below already counts as told: whoever sets it sees it. @throws TollgateError */
export async function addThreshold(
  tx: Database,
  { applicationId, amount, now }: { applicationId: string; amount: bigint; now: Date },
): Promise<void> {
  if (amount <= 0n)
    throw new TollgateError(
      'invalid_request',
      'The amount must be more than zero: a balance never goes below zero.',
    );
  // Holds the balance's row for a moment, so that two additions at once cannot both be the last allowed one.
  const balance = await readBalance(tx, applicationId, { forUpdate: true });
  const existing = await listThresholds(tx, applicationId);
  if (existing.some((threshold) => threshold.amount === amount))
    throw new TollgateError('invalid_request', 'A warning for this amount already exists.');
  if (existing.length >= thresholdsPerApplication)
    throw new TollgateError(
      'invalid_request',
      `An application can have at most ${thresholdsPerApplication} warnings. Remove one first.`,
    );
  const reachedAt = balance.amount < amount ? now : null;
  await tx.insert(balanceThresholds).values({ applicationId, amount, reachedAt });
}

/** @returns whether it existed. */
export async function removeThreshold(
  tx: Database,
  { applicationId, amount }: { applicationId: string; amount: bigint },
): Promise<boolean> {
  const removed = await tx
    .delete(balanceThresholds)
    .where(and(eq(balanceThresholds.applicationId, applicationId), eq(balanceThresholds.amount, amount)))
    .returning({ amount: balanceThresholds.amount });
  return removed.length > 0;
}

export type Crossing = {
  applicationId: string;
  workspaceId: string;
  applicationName: string;
  currency: string;
  balance: bigint;
  /** The lowest threshold that the balance has just fallen below. */
  threshold: bigint;
};

/**
 * Marks what was crossed and clears what was risen above, in one statement: of several processes that look at once,
 * one gets each crossing. Balances are only read, so no sign-in waits.
 */
export async function takeCrossings(tx: Database, now: Date): Promise<Crossing[]> {
  const at = sql.param(now, balanceThresholds.reachedAt);
  const rows = rowsOf(
    await tx.execute(sql`
      with changed as (
        update balance_thresholds t
        set reached_at = case when b.amount < t.amount then ${at}::timestamptz end
        from balances b
        where b.application_id = t.application_id and (t.reached_at is null) = (b.amount < t.amount)
        returning t.application_id, t.amount, t.reached_at, b.amount as balance, b.currency
      )
      select a.id, a.workspace_id, a.name, c.currency, c.balance::text, min(c.amount)::text as threshold
      from changed c join applications a on a.id = c.application_id
      where c.reached_at is not null and a.deleted_at is null and not a.is_test
      group by a.id, a.workspace_id, a.name, c.currency, c.balance`),
  );
  return rows.map((row) => ({
    applicationId: String(row.id),
    workspaceId: String(row.workspace_id),
    applicationName: String(row.name),
    currency: String(row.currency),
    balance: BigInt(String(row.balance)),
    threshold: BigInt(String(row.threshold)),
  }));
}

export type LowBalance = {
  applicationId: string;
  applicationName: string;
  balance: bigint;
  currency: string;
  /** `empty`: not even a later sign-in can be paid, so none is completed. */
  state: 'low' | 'empty';
};

/** Of a workspace, or of one application in it; those that no sign-in gets past first. */
export async function listLowBalances(
  db: Database,
  { workspaceId, applicationId }: { workspaceId: string; applicationId?: string },
): Promise<LowBalance[]> {
  const cheapest = sql<bigint>`(select min(p.amount) from prices p where p.workspace_id = ${applications.workspaceId})`;
  const isEmpty = sql<boolean>`${balances.amount} < ${cheapest}`;
  const isLow = sql`exists (select 1 from balance_thresholds t
    where t.application_id = ${applications.id} and ${balances.amount} < t.amount)`;
  const rows = await db
    .select({
      applicationId: applications.id,
      applicationName: applications.name,
      balance: balances.amount,
      currency: balances.currency,
      isEmpty,
    })
    .from(applications)
    .innerJoin(balances, eq(balances.applicationId, applications.id))
    .where(
      and(
        eq(applications.workspaceId, workspaceId),
        sql`${applications.deletedAt} is null and not ${applications.isTest}`,
        applicationId === undefined ? undefined : eq(applications.id, applicationId),
        sql`(${isEmpty} or ${isLow})`,
      ),
    )
    .orderBy(sql`${isEmpty} desc`, asc(applications.createdAt));
  return rows.map(({ isEmpty: empty, ...row }) => ({ ...row, state: empty ? 'empty' : 'low' }));
}
