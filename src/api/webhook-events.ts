// The events of all applications that a key reads, in the form and the order in which webhooks tell of them, for whoever
// cannot be reached by one (docs/decisions/1102). Read from what is stored anyway: nothing is written for a listener.
import { type ApiKey, apiKeyCovers, coveredApplications } from '../applications/api-key-check.ts';
import { findCustomers } from '../applications/customer-list.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { type FollowedEvent, followAll, latestPlaces, type Places } from '../ledger/event-follow.ts';
import { listeningApplications } from '../limits/listening.ts';
import { formatAmount } from '../money.ts';
import type { Keys } from '../secrets.ts';
import { webhookRecord } from '../webhooks/event-body.ts';
import { webhookTypeOf } from '../webhooks/event-types.ts';
import { type List, readCursor, writeCursor } from './cursor.ts';
import { readQuery, webhookEventsQuerySchema } from './query.ts';
import { webhookEventPageSchema } from './schemas.ts';

export type Listening = ReturnType<typeof readListening>;

/** @throws TollgateError invalid_request, and not_found for a cursor of another list, key or workspace. */
export function readListening(keys: Pick<Keys, 'cursor'>, key: ApiKey, querystring: string) {
  const { cursor, ...query } = readQuery(webhookEventsQuerySchema, querystring);
  // A key that reads more would otherwise begin at the first event of each application that this one does not read.
  const filters = { only: key.applicationIds?.toSorted(), applicationId: query.application_id };
  const list = { name: 'webhook-events', applicationId: key.workspaceId, filters };
  const isFromNowOn = cursor === 'latest';
  const places: Places = cursor === undefined || isFromNowOn ? new Map() : readPlaces(keys, list, cursor);
  return { ...query, key, list, isFromNowOn, places };
}

type Reading = { keys: Pick<Keys, 'cursor'>; clock: Clock };

/** `isNews`: worth an answer to somebody who waits. */
export async function readWebhookEvents(db: Database, { keys, clock }: Reading, listening: Listening) {
  const { list, isFromNowOn, limit } = listening;
  const applicationIds = await applicationsOf(db, listening);
  if (isFromNowOn) {
    const places = await latestPlaces(db, applicationIds);
    return { isNews: true, page: pageOf([], false, writePlaces(keys, list, places)) };
  }
  const known = new Map(applicationIds.map((id) => [id, listening.places.get(id) ?? 0n]));
  const { events, hasMore } = await followAll(db, { places: known, limit, clock });
  const data = await recordsOf(
    db,
    events.filter(({ isTakenBack }) => !isTakenBack),
  );
  const places = new Map([...listening.places, ...known]);
  for (const { applicationId, position } of events) places.set(applicationId, position);
  return { isNews: events.length > 0, page: pageOf(data, hasMore, writePlaces(keys, list, places)) };
}

function pageOf(data: object[], hasMore: boolean, cursor: string) {
  return webhookEventPageSchema.parse({ data, has_more: hasMore, next_cursor: cursor });
}

async function applicationsOf(db: Database, { key, application_id: chosen }: Listening): Promise<string[]> {
  if (chosen !== undefined) {
    if (await apiKeyCovers(db, key, chosen)) return [chosen];
    throw new TollgateError('not_found', 'This API key cannot read anything here.');
  }
  const found = await coveredApplications(db, key, listeningApplications);
  if (found.length > listeningApplications)
    throw new TollgateError(
      'invalid_request',
      `This API key reads more than ${listeningApplications} applications. Choose one with "application_id".`,
    );
  return found;
}

/** As the webhook says it, with the customer as they are now; of somebody who is deleted nothing can be said any more. */
async function recordsOf(db: Database, events: FollowedEvent[]) {
  if (events.length === 0) return [];
  const nameOf = ({ applicationId, sub }: { applicationId: string; sub: string }) =>
    `${applicationId} ${sub}`;
  const found = await findCustomers(db, events);
  const customers = new Map(found.map((each) => [nameOf(each), each]));
  return events.flatMap((event) => {
    const customer = customers.get(nameOf(event));
    if (!customer) return [];
    const { sub, email, emailVerified, name } = customer;
    return webhookRecord({
      id: event.id,
      type: webhookTypeOf[event.kind],
      applicationId: event.applicationId,
      workspaceId: '',
      createdAt: event.occurredAt,
      livemode: event.livemode,
      data: {
        customer: { sub, email, email_verified: emailVerified, name },
        kind: event.kind,
        amount: formatAmount(event.amount),
        currency: event.currency,
        status: 'committed',
      },
    });
  });
}

// ── The cursor: where each application is. Those without an event so far are left out ────────────────────────

function writePlaces(keys: Pick<Keys, 'cursor'>, list: List, places: Places): string {
  const written = [...places]
    .filter(([, position]) => position > 0n)
    .map(([id, position]) => `${id.replace(ID_PREFIX, '')}:${position}`);
  return writeCursor(keys, list, { time: new Date(0), id: written.sort().join(',') });
}

const ID_PREFIX = 'app_';

function readPlaces(keys: Pick<Keys, 'cursor'>, list: List, cursor: string): Places {
  const written = readCursor(keys, list, cursor).id.split(',').filter(Boolean);
  return new Map(
    written.map((each) => {
      const [id = '', position = '0'] = each.split(':');
      return [ID_PREFIX + id, BigInt(position)];
    }),
  );
}
