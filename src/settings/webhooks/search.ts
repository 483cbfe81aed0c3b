// What somebody typed above the delivery log: an event's id, or a customer by sub or e-mail address. A customer's events
// come from the ledger, which has an index for them; the bodies of webhooks are not searched.
import { parseEmailAddress } from '../../accounts/email-address.ts';
import { listApplicationNames } from '../../applications/all-applications.ts';
import { listCustomers } from '../../applications/customer-list.ts';
import { secondsAfter } from '../../clock.ts';
import type { Database } from '../../database/connection.ts';
import { listEvents } from '../../ledger/event-list.ts';
import { webhookCustomerEventsSearched, webhookReplaySeconds } from '../../limits/webhooks.ts';

/** undefined: nothing was asked for. */
export async function findSearchedEvents(
  db: Database,
  { workspaceId, search, now }: { workspaceId: string; search: string; now: Date },
): Promise<{ eventIds: string[] | undefined } | { problem: string }> {
  if (search === '') return { eventIds: undefined };
  if (/^evt_\w{1,64}$/.test(search)) return { eventIds: [search] };
  const email = search.includes('@') ? parseEmailAddress(search) : undefined;
  const sub = /^[A-Za-z0-9_-]{1,255}$/.test(search) ? search : undefined;
  if (email === undefined && sub === undefined) {
    return { problem: 'Search for an event ID (evt_…), or a customer’s sub or email address.' };
  }
  const occurredAfter = secondsAfter(now, -webhookReplaySeconds);
  const eventIds: string[] = [];
  for (const { id: applicationId } of await listApplicationNames(db, workspaceId)) {
    const customers = await listCustomers(db, { applicationId, filters: { email, sub }, limit: 1 });
    for (const customer of customers.rows) {
      const filters = { sub: customer.sub, occurredAfter };
      const limit = webhookCustomerEventsSearched;
      const events = await listEvents(db, { applicationId, filters, limit });
      eventIds.push(...events.rows.map(({ id }) => id));
    }
  }
  return { eventIds };
}
