// The usage events of several applications as they were committed, for whoever hands them on: each application from its own
// place on, and nothing that a webhook would not have told.
import { sql } from 'drizzle-orm';
import { balances } from '../../drizzle/schema/balances.ts';
import type { Clock } from '../clock.ts';
import { databaseTime } from '../database/clock.ts';
import { type Database, isOneOf, rowsOf } from '../database/connection.ts';
import { listeningSettleSeconds } from '../limits/listening.ts';
import type { EventKind } from './event-listing.ts';

/** By application: the position of the last event that the caller has. */
export type Places = ReadonlyMap<string, bigint>;

export type FollowedEvent = {
  id: string;
  applicationId: string;
  position: bigint;
  sub: string;
  kind: EventKind;
  /** Millionths of the currency. */
  amount: bigint;
  currency: string;
  occurredAt: Date;
  /** False: of test mode. */
  livemode: boolean;
  /** Its tokens never left: nobody is told of it. A refund is something else, it came after the webhook. */
  isTakenBack: boolean;
};

/**
 * In turns, so that one application's backlog does not hold up the others, and of each an unbroken row from its place on.
 * An application's row ends before its first event that is too young: what is taken back is taken back within moments.
 */
export async function followAll(
  db: Database,
  { places, limit, clock }: { places: Places; limit: number; clock: Clock },
): Promise<{ events: FollowedEvent[]; hasMore: boolean }> {
  const from = JSON.stringify([...places].map(([id, position]) => ({ id, position: String(position) })));
  const rows = rowsOf(
    await db.execute(sql`
      select followed.id as application_id, next.*
      from jsonb_to_recordset(${from}::jsonb) as followed(id text, position bigint)
      cross join lateral (
        select place.position - followed.position as turn, place.position::text as position, event.id, event.sub,
          event.kind, event.amount::text as amount, event.currency, event.livemode,
          (extract(epoch from event.occurred_at) * 1000)::float8 as occurred_at,
          event.occurred_at <= ${databaseTime(clock)} - make_interval(secs => ${listeningSettleSeconds}) as is_settled,
          coalesce(back.code = 'reversal', test_back.code = 'reversal', false) as is_taken_back
        from event_positions as place
        cross join lateral (
          select id, sub, kind, amount, currency, occurred_at, transfer_id, true as livemode
            from usage_events where id = place.event_id
          union all select id, sub, kind, amount, currency, occurred_at, transfer_id, false
            from test_usage_events where id = place.event_id
        ) as event
        left join transfers as back on back.reverses = event.transfer_id
        left join test_transfers as test_back on test_back.reverses = event.transfer_id
        where place.application_id = followed.id and place.position > followed.position
        order by place.position limit ${limit + 1}
      ) as next
      order by next.turn, followed.id limit ${limit + 1}`),
  );
  const unsettled = new Set<string>();
  const events: FollowedEvent[] = [];
  for (const row of rows.slice(0, limit)) {
    const applicationId = String(row.application_id);
    if (row.is_settled !== true) unsettled.add(applicationId);
    if (!unsettled.has(applicationId)) events.push(eventOf(applicationId, row));
  }
  // What is too young is not a page that could be asked for at once.
  return { events, hasMore: rows.length > limit && unsettled.size === 0 };
}

function eventOf(applicationId: string, row: Record<string, unknown>): FollowedEvent {
  return {
    id: String(row.id),
    applicationId,
    position: BigInt(String(row.position)),
    sub: String(row.sub),
    kind: row.kind === 'registration' ? 'registration' : 'sign_in',
    amount: BigInt(String(row.amount)),
    currency: String(row.currency),
    occurredAt: new Date(Math.round(Number(row.occurred_at))),
    livemode: row.livemode === true,
    isTakenBack: row.is_taken_back === true,
  };
}

/** Behind the newest event of each; none for those that have no event. */
export async function latestPlaces(db: Database, applicationIds: string[]): Promise<Places> {
  const rows = await db
    .select({ id: balances.applicationId, position: balances.lastPosition })
    .from(balances)
    .where(isOneOf(balances.applicationId, applicationIds));
  return new Map(rows.map(({ id, position }) => [id, position]));
}
