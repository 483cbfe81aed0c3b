// A charge whose tokens never left is undone whole, in one transaction: the money goes back, the session counts no more,
// and no webhook tells of it. A registration that is undone leaves no customer, so the next session is the registration.
import { lockCustomerBySub, uncountSession, unregister } from '../../applications/customer.ts';
import { lockTestMode } from '../../applications/test-mode.ts';
import type { Database } from '../../database/connection.ts';
import type { UsageEvent } from '../../ledger/charge.ts';
import { findSessionBefore, findStandingEvent, reverseCharge } from '../../ledger/reversal.ts';
import { withdrawWebhooks } from '../../webhooks/release.ts';

/** @returns the event that was taken back; undefined: there is none that stands. */
export async function takeBack(
  tx: Database,
  { eventId, reason, now }: { eventId: string; reason: string; now: Date },
): Promise<UsageEvent | undefined> {
  const found = await findStandingEvent(tx, eventId);
  if (!found) return undefined;
  // Of test mode, and gone live meanwhile: whoever is a customer now is one of the live application. In the order of a charge.
  const isItsMode = found.book === 'live' || (await lockTestMode(tx, found.applicationId));
  // The customer first and the balance last, as a charge does; whoever takes the same one back waits here.
  const sessions = await lockCustomerBySub(tx, found);
  const event = await findStandingEvent(tx, eventId);
  if (!event) return undefined;
  await withdrawWebhooks(tx, eventId);
  const undoesSession = isItsMode && (await undoSession(tx, event, sessions));
  await reverseCharge(tx, { event, reason, undoesSession, now });
  return event;
}

/**
 * A registration that a later session stands on already (through another process, while this one did not know its own
 * outcome) stays the registration: every customer has exactly one, and it is the first. Only its money goes back.
 */
async function undoSession(tx: Database, event: UsageEvent, sessions: number | undefined): Promise<boolean> {
  if (sessions === undefined) return false;
  if (sessions === 1) {
    await unregister(tx, event);
    return true;
  }
  const lastSignInAt = await findSessionBefore(tx, event);
  if (event.kind === 'registration' || !lastSignInAt) return false;
  await uncountSession(tx, { applicationId: event.applicationId, sub: event.sub, lastSignInAt });
  return true;
}
