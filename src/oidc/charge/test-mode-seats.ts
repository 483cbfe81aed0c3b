// Room for customers in applications that are in test mode (docs/decisions/1101): counted under a lock, inside the
// transaction of a test charge, so that no two sign-ins at once get the last seat.
import { holdTestApplications, testSeatsLeft } from '../../applications/test-mode.ts';
import type { Database } from '../../database/connection.ts';
import { settleAll } from '../../database/settle-all.ts';
import { TollgateError } from '../../errors.ts';
import { customersInTestMode } from '../../limits/applications.ts';

/** The lock first, and what is counted is still so at the commit. */
export async function holdSeats(tx: Database, applicationIds: string[]): Promise<Map<string, number>> {
  const [, seats] = await settleAll([
    holdTestApplications(tx, applicationIds),
    testSeatsLeft(tx, applicationIds),
  ]);
  return seats;
}

/** @returns whether there was one. */
export function takeSeat(seats: Map<string, number>, { applicationId }: { applicationId: string }): boolean {
  const left = seats.get(applicationId) ?? 0;
  seats.set(applicationId, left - 1);
  return left > 0;
}

/** The pages refuse before (interactions/test-mode.tsx); this one decides. */
export function testModeFull(): TollgateError {
  const words = `This application is in test mode, and its ${customersInTestMode} customers are all taken. Go live in company settings.`;
  return new TollgateError('invalid_grant', words, { detail: 'test mode full' });
}
