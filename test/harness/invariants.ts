// The oracles that are questions to the database (I1 to I6 of docs/threats.md, docs/identity-invariants.md), for
// anything that can ask them: tests, the crash harness, the chaos driver. An empty answer is the proof.
import { sql } from 'drizzle-orm';
import { verifyAccounts } from '../../src/accounts/verify.ts';
import { type Database, rowsOf } from '../../src/database/connection.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';

export type Violation = { oracle: string; rows: Record<string, unknown>[] };

export async function findViolations(db: Database): Promise<Violation[]> {
  const [ledger, accounts] = [await verifyLedger(db), await verifyAccounts(db)];
  const found = [
    ...ledger.checks.map(({ rule, violations }) => ({ oracle: `ledger: ${rule}`, rows: violations })),
    ...accounts.checks.map(({ rule, violations }) => ({ oracle: `accounts: ${rule}`, rows: violations })),
    { oracle: 'I4: the registration is the first event', rows: await registrationsThatAreNotFirst(db) },
    { oracle: 'I5: every event has a delivery', rows: await eventsWithoutDelivery(db) },
    { oracle: 'I6: no charged code is usable again', rows: await revivedCodes(db) },
  ];
  return found.filter(({ rows }) => rows.length > 0);
}

/**
 * After every test of a service: nothing in its database is from before there were proofs, and all of it stands on one.
 * @throws with the rows that break a rule
 */
export async function requireProvenAccounts(db: Database): Promise<void> {
  // Some tests take the tables away to see what happens then.
  const [there] = rowsOf(await db.execute(sql`select to_regclass('accounts') is not null as is_there`));
  if (there?.is_there !== true) return;
  const { checks } = await verifyAccounts(db);
  const broken = checks.filter(({ violations }) => violations.length > 0);
  if (broken.length > 0) throw new Error(`identity breaks its rules: ${JSON.stringify(broken, null, 2)}`);
}

/** Without the sessions that were taken back whole: nobody had their tokens, and nobody hears of them. */
const standingEvents = sql`
  select event.* from usage_events event
  left join transfers back on back.reverses = event.transfer_id and back.undoes_session where back.id is null`;

export async function registrationsThatAreNotFirst(db: Database) {
  return rowsOf(
    await db.execute(sql`
      select r.id from (${standingEvents}) r join (${standingEvents}) s
        on s.application_id = r.application_id and s.sub = r.sub and s.kind = 'sign_in'
      where r.kind = 'registration' and (s.occurred_at, s.id) < (r.occurred_at, r.id)`),
  );
}

export async function eventsWithoutDelivery(db: Database) {
  return rowsOf(
    await db.execute(sql`
      select e.id, s.id as subscription from (${standingEvents}) e
      join applications a on a.id = e.application_id
      join webhook_subscriptions s on s.workspace_id = a.workspace_id and s.status = 'active'
        and s.created_at < e.occurred_at and (s.application_ids is null or a.id = any(s.application_ids))
      left join webhook_deliveries d on d.subscription_id = s.id and d.event_id = e.id
      where d.id is null`),
  );
}

/** A consumed code that was charged must still be consumed, or gone. */
export async function revivedCodes(db: Database) {
  return rowsOf(
    await db.execute(sql`
      select r.id_hash from engine_records r join usage_events e on e.code_hash = r.id_hash
      where r.model in ('AuthorizationCode', 'DeviceCode') and r.consumed_at is null`),
  );
}
