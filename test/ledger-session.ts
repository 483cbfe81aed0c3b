// For tests of the ledger: one session, charged as the service charges it, on a day of the test's choice.
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { recordSessions } from '../src/applications/customer.ts';
import { systemClock } from '../src/clock.ts';
import { type Database, transaction } from '../src/database.ts';
import { databaseTime } from '../src/database-clock.ts';
import { chargeAll, findTerms, type UsageEvent } from '../src/ledger/charge.ts';

type TestSession = {
  applicationId: string;
  accountId: string;
  sub?: string;
  codeHash?: string;
  /** Otherwise the database's clock decides, once the customer is recorded. */
  now?: Date;
};

export function chargeSession(db: Database, session: TestSession): Promise<UsageEvent> {
  const { applicationId, accountId, sub = `sub-${accountId}`, codeHash = randomUUID() } = session;
  return transaction(db, async (tx) => {
    const terms = await findTerms(tx, [applicationId]);
    // The books know nobody: each customer is one whose account has been deleted since.
    const visit = { applicationId, accountId: `deleted ${sub}`, sub };
    const time = session.now ? sql`${session.now.toISOString()}::timestamptz` : databaseTime(systemClock);
    const { kinds, at } = await recordSessions(tx, [visit], time);
    const [event] = await chargeAll(tx, {
      sessions: [{ applicationId, sub, kind: kinds[0] ?? 'sign_in', codeHash }],
      terms,
      now: at,
      alongside: async () => undefined,
    });
    if (!event) throw new Error('a charge without an event');
    return event;
  });
}
