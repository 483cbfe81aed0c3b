// For tests of the ledger: one session, charged as the service charges it, on a day of the test's choice; and the whole
// of it taken back.
import { randomUUID } from 'node:crypto';
import { holdCustomers, recordSessions } from '../src/applications/customer.ts';
import { systemClock } from '../src/clock.ts';
import { type Database, transaction } from '../src/database.ts';
import { TollgateError } from '../src/errors.ts';
import {
  chargeStatements,
  debitStatement,
  eventOf,
  findEventsByCode,
  newEventId,
  type UsageEvent,
} from '../src/ledger/charge.ts';
import { balanceTooLow, createPurse, findTerms } from '../src/ledger/terms.ts';
import { takeBack } from '../src/oidc/take-back.ts';
import { isCheckViolation, isUniqueViolation } from '../src/sql-state.ts';

type TestSession = {
  applicationId: string;
  accountId: string;
  sub?: string;
  codeHash?: string;
  /** Otherwise the clock decides, once the customer is held. */
  now?: Date;
};

export async function chargeSession(db: Database, session: TestSession): Promise<UsageEvent> {
  const known = { codeHash: randomUUID(), ...session };
  for (;;) {
    try {
      return await transaction(db, (tx) => chargeIn(tx, known));
    } catch (error) {
      if (isCheckViolation(error)) throw balanceTooLow(known.applicationId);
      // Somebody registered the same customer at this moment, or the code was charged before.
      if (!isUniqueViolation(error) || (await findEventsByCode(db, [known.codeHash])).length > 0) throw error;
    }
  }
}

async function chargeIn(tx: Database, session: TestSession & { codeHash: string }): Promise<UsageEvent> {
  const { applicationId, codeHash, sub = `sub-${session.accountId}` } = session;
  // The books know nobody: each customer is one whose account has been deleted since.
  const customer = { applicationId, accountId: `deleted ${sub}` };
  const isFirst = !(await holdCustomers(tx, [customer], { waits: true })).isRegistered(customer);
  const terms = await findTerms(tx, { applicationIds: [applicationId], clock: systemClock });
  const kind = isFirst ? 'registration' : 'sign_in';
  const amount = createPurse(terms).pay(applicationId, kind);
  if (amount === undefined) throw balanceTooLow(applicationId);
  const currency = terms.get(applicationId)?.currency ?? '';
  const { now = terms.get(applicationId)?.readAt ?? new Date() } = session;
  const event = eventOf({ eventId: newEventId(), applicationId, sub, kind, amount, currency, codeHash, now });
  const statements = [
    recordSessions([{ ...customer, sub, now, isFirst }]),
    ...chargeStatements([event]),
    debitStatement([event], now),
  ];
  for (const statement of statements) await tx.execute(statement);
  return event;
}

/** The books' part of a session, in a transaction of the test's own; the customer is nobody's. */
export async function writeCharge(
  tx: Database,
  session: { applicationId: string; sub: string; now: Date; codeHash?: string },
): Promise<UsageEvent> {
  const { applicationId, sub, now, codeHash = randomUUID() } = session;
  const terms = await findTerms(tx, { applicationIds: [applicationId], clock: systemClock });
  const amount = createPurse(terms).pay(applicationId, 'sign_in');
  if (amount === undefined) throw balanceTooLow(applicationId);
  const currency = terms.get(applicationId)?.currency ?? '';
  const event = eventOf({
    eventId: newEventId(),
    applicationId,
    sub,
    kind: 'sign_in',
    amount,
    currency,
    codeHash,
    now,
  });
  try {
    for (const statement of [...chargeStatements([event]), debitStatement([event], now)])
      await tx.execute(statement);
  } catch (error) {
    throw isCheckViolation(error) ? balanceTooLow(applicationId) : error;
  }
  return event;
}

/** @throws TollgateError conflict when there is nothing to take back */
export async function undoCharge(db: Database, eventId: string, now = new Date()): Promise<void> {
  const event = await transaction(db, (tx) => takeBack(tx, { eventId, reason: 'client gone', now }));
  if (!event) throw new TollgateError('conflict', 'There is no such charge, or it was taken back before.');
}
