// Test mode (docs/decisions/1101): an application that signs in real people through the real protocol for test money, has at
// most a hundred customers, and goes live once.
import { and, count, eq, isNull } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { customers } from '../../drizzle/schema/customers.ts';
import type { Clock } from '../clock.ts';
import { databaseTime } from '../database/clock.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { sent } from '../database/settle-all.ts';
import { TollgateError } from '../errors.ts';
import { customersInTestMode } from '../limits/applications.ts';
import type { Application } from './application.ts';
import { type OwnApplication, requireApplication } from './application-change.ts';

/**
 * Until the transaction ends nobody else registers in these, and none of them goes live: the count of their customers and
 * the mode stay what they are. One that is live is not held.
 */
export function holdTestApplications(tx: Database, applicationIds: string[]): Promise<unknown> {
  return sent(
    tx
      .select({ id: applications.id })
      .from(applications)
      .where(and(isOneOf(applications.id, applicationIds), eq(applications.isTest, true)))
      .orderBy(applications.id)
      .for('no key update'),
  );
}

/** How many more customers each of them may have; all of them are in test mode. */
export async function testSeatsLeft(tx: Database, applicationIds: string[]): Promise<Map<string, number>> {
  const rows = await sent(
    tx
      .select({ applicationId: customers.applicationId, taken: count() })
      .from(customers)
      .where(isOneOf(customers.applicationId, applicationIds))
      .groupBy(customers.applicationId),
  );
  const taken = new Map(rows.map((row) => [row.applicationId, row.taken]));
  return new Map(applicationIds.map((id) => [id, customersInTestMode - (taken.get(id) ?? 0)]));
}

/** For a page: whether this person can still become a customer, or is one already. */
export async function hasTestSeat(
  db: Database,
  { applicationId, accountId }: { applicationId: string; accountId: string },
): Promise<boolean> {
  const isThis = and(eq(customers.applicationId, applicationId), eq(customers.accountId, accountId));
  const [customer] = await db.select({ sub: customers.sub }).from(customers).where(isThis);
  if (customer) return true;
  return ((await testSeatsLeft(db, [applicationId])).get(applicationId) ?? 0) > 0;
}

/**
 * For good. Its customers were never charged, so they are none of the live application: each becomes one with their next
 * sign-in, a registration. The caller ends what they hold. @throws TollgateError not_found, conflict
 */
export async function goLive(
  tx: Database,
  key: OwnApplication,
  clock: Clock,
): Promise<{ application: Application; customersLeft: number }> {
  await holdTestApplications(tx, [key.id]);
  const { isTest } = await requireApplication(tx, key);
  if (!isTest) throw new TollgateError('conflict', 'This application is live already.');
  const gone = await tx
    .delete(customers)
    .where(eq(customers.applicationId, key.id))
    .returning({ sub: customers.sub });
  // By the clock of its charges: nothing of test mode is later.
  const [application] = await tx
    .update(applications)
    .set({ isTest: false, wentLiveAt: databaseTime(clock), testAddresses: [] })
    .where(and(eq(applications.id, key.id), isNull(applications.deletedAt)))
    .returning();
  if (!application) throw new TollgateError('not_found', 'There is no such application.');
  return { application, customersLeft: gone.length };
}

/** Held as it is until the transaction ends. */
export async function lockTestMode(tx: Database, applicationId: string): Promise<boolean> {
  const [application] = await tx
    .select({ isTest: applications.isTest })
    .from(applications)
    .where(eq(applications.id, applicationId))
    .for('share');
  return application?.isTest ?? false;
}
