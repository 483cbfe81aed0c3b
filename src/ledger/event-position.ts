// Positions for events that have none: a charge gives its events theirs (charge.ts), but not one of a release that did not
// know them yet. For housekeeping, in bites; two processes at once only share the work.
import { sql } from 'drizzle-orm';
import { balances } from '../../drizzle/schema/balances.ts';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { secondsAfter } from '../clock.ts';
import { type Database, rowsOf, transaction } from '../database/connection.ts';
import { eventsPositionedAtOnce, positionBitesPerRound, positionedLateSeconds } from '../limits/usage.ts';

/** @returns how many got one. */
export async function positionEvents(db: Database, now: Date, isStopped = () => false): Promise<number> {
  const until = secondsAfter(now, -positionedLateSeconds);
  let positioned = 0;
  let bites = 0;
  for (const applicationId of await findUnchecked(db, until)) {
    for (let isMore = true; isMore && bites < positionBitesPerRound && !isStopped(); bites += 1) {
      const bite = await positionSome(db, applicationId, until);
      positioned += bite.positioned;
      isMore = bite.isMore;
    }
  }
  return positioned;
}

/** Applications with events that nobody has looked at. */
async function findUnchecked(db: Database, until: Date): Promise<string[]> {
  const rows = rowsOf(
    await db.execute(sql`
      select application_id from balances where exists (
        select 1 from usage_events as event where event.application_id = balances.application_id
          and event.occurred_at >= coalesce(positioned_until, '-infinity')
          and event.occurred_at < ${sql.param(until, usageEvents.occurredAt)}::timestamptz
      ) order by application_id limit ${positionBitesPerRound}`),
  );
  return rows.map((row) => String(row.application_id));
}

/**
 * The oldest of those that nobody has looked at. Which of them have no position is looked up before the balance is held:
 * sign-ins wait for no more than the insertion.
 */
async function positionSome(
  db: Database,
  applicationId: string,
  until: Date,
): Promise<{ positioned: number; isMore: boolean }> {
  const end = sql.param(until, usageEvents.occurredAt);
  const [bite] = rowsOf(
    await db.execute(sql`
      with bite as (
        select id, occurred_at from usage_events
        where application_id = ${applicationId} and occurred_at < ${end}::timestamptz and occurred_at >= (
          select coalesce(positioned_until, '-infinity') from balances where application_id = ${applicationId})
        order by occurred_at asc nulls first fetch first ${sql.raw(String(eventsPositionedAtOnce))} rows with ties
      )
      select count(*)::int as count, to_json(max(occurred_at)) as last, coalesce(json_agg(id order by occurred_at, id) filter (
        where not exists (select 1 from event_positions where event_id = bite.id)), '[]')::text as missing
      from bite`),
  );
  const isMore = Number(bite?.count) >= eventsPositionedAtOnce;
  // All events of one moment are in one bite, so the next one begins a millisecond later.
  const checked = isMore ? new Date(new Date(String(bite?.last)).getTime() + 1) : until;
  const positioned = await transaction(db, (tx) =>
    position(tx, { applicationId, missing: String(bite?.missing), checked }),
  );
  return { positioned, isMore };
}

type Bite = { applicationId: string /** JSON. */; missing: string; checked: Date };

async function position(tx: Database, { applicationId, missing, checked }: Bite): Promise<number> {
  const [held] = rowsOf(
    await tx.execute(sql`
      update balances set positioned_until = greatest(
        positioned_until, ${sql.param(checked, balances.positionedUntil)}::timestamptz)
      where application_id = ${applicationId} returning last_position`),
  );
  if (!held || missing === '[]') return 0;
  const placed = rowsOf(
    await tx.execute(sql`
      insert into event_positions (application_id, position, event_id)
      select ${applicationId}, ${String(held.last_position)}::bigint + row_number() over (order by number), id
      from json_array_elements_text(${missing}::json) with ordinality as event(id, number)
      where not exists (select 1 from event_positions where event_id = id)
      returning event_id`),
  );
  await tx.execute(sql`
    update balances set last_position = last_position + ${placed.length} where application_id = ${applicationId}`);
  return placed.length;
}
