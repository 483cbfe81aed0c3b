// For tests of the ledger: one session, charged as the service charges it, on a day of the test's choice; and the whole
// of it taken back.
import { randomUUID } from 'node:crypto';
import { lockCustomers, recordSessions } from '../../src/applications/customer.ts';
import { systemClock } from '../../src/clock.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { isCheckViolation, isUniqueViolation } from '../../src/database/sql-state.ts';
import { TollgateError } from '../../src/errors.ts';
import {
  chargeStatements,
  debitStatement,
  eventOf,
  findEventsByCode,
  newEventId,
  type UsageEvent,
} from '../../src/ledger/charge.ts';
import { balanceTooLow, createPurse, findTerms } from '../../src/ledger/price-and-balance.ts';
import { takeBack } from '../../src/oidc/charge/undo-charge.ts';

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
  const { applicationId, codeHash, now, sub = `sub-${session.accountId}` } = session;
  // The books know nobody: each customer is one whose account has been deleted since.
  const customer = { applicationId, accountId: `deleted ${sub}` };
  const isFirst = !(await lockCustomers(tx, [customer], { waits: true })).isRegistered(customer);
  const kind = isFirst ? 'registration' : 'sign_in';
  const event = await priced(tx, { applicationId, sub, kind, codeHash, now });
  await tx.execute(recordSessions([{ ...customer, sub, now: event.occurredAt, isFirst }]));
  await book(tx, event);
  return event;
}

/** The books' part of a session, in a transaction of the test's own; the customer is nobody's. */
export async function writeCharge(
  tx: Database,
  session: { applicationId: string; sub: string; now: Date; codeHash?: string },
): Promise<UsageEvent> {
  const event = await priced(tx, { kind: 'sign_in', codeHash: randomUUID(), ...session });
  try {
    await book(tx, event);
  } catch (error) {
    throw isCheckViolation(error) ? balanceTooLow(event.applicationId) : error;
  }
  return event;
}

type Priced = Pick<UsageEvent, 'applicationId' | 'sub' | 'kind' | 'codeHash'> & { now: Date | undefined };

async function priced(tx: Database, { now, ...session }: Priced): Promise<UsageEvent> {
  const { applicationId, kind } = session;
  const found = await findTerms(tx, { applicationIds: [applicationId], clock: systemClock });
  const amount = createPurse(found).pay(applicationId, kind);
  if (amount === undefined) throw balanceTooLow(applicationId);
  const { currency = '', readAt = new Date() } = found.get(applicationId) ?? {};
  return eventOf({ eventId: newEventId(), ...session, amount, currency, now: now ?? readAt });
}

async function book(tx: Database, event: UsageEvent): Promise<void> {
  for (const statement of [...chargeStatements([event]), debitStatement([event], event.occurredAt)])
    await tx.execute(statement);
}

/** @throws TollgateError conflict when there is nothing to take back */
export async function undoCharge(db: Database, eventId: string, now = new Date()): Promise<void> {
  const event = await transaction(db, (tx) => takeBack(tx, { eventId, reason: 'client gone', now }));
  if (!event) throw new TollgateError('conflict', 'There is no such charge, or it was taken back before.');
}
