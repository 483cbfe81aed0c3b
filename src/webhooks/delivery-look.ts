// Which endpoints have work: a jump from one subscription to the next in an index, so that a look costs as much as there
// are endpoints with work, up to a limit, and not as much as waits at them.
import { type SQL, sql } from 'drizzle-orm';
import type { Clock } from '../clock.ts';
import { statementTime } from '../database/clock.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import {
  webhookBacklogSeconds,
  webhookEndpointsLookedAt,
  webhookPlacesPerEndpoint,
} from '../limits/webhooks.ts';
import type { BusyEndpoint, EndpointWithWork } from './fair-turns.ts';

/** `new`: those with a delivery that was never tried, for which nobody should wait; `all`: retries as well. */
export type Ring = 'new' | 'all';

export type Look = {
  /** Active, with something that is due. */
  waiting: EndpointWithWork[];
  /** Switched off, with something that still says that it is pending. */
  disabled: string[];
  /** Where the next look goes on; undefined when this one came to the end. */
  after: string | undefined;
};

export async function lookForWork(
  db: Database,
  options: { ring: Ring; after: string | undefined; clock: Clock },
): Promise<Look> {
  const { ring, after = '', clock } = options;
  const rows = rowsOf(await db.execute(lookFrom(ring, after, statementTime(clock)))).map((row) => ({
    subscriptionId: String(row.subscription_id),
    workspaceId: String(row.workspace_id),
    status: String(row.status),
    isFailing: row.is_failing === true,
    due: Number(row.due),
    isBacklog: row.is_backlog === true,
  }));
  return {
    waiting: rows.filter(({ status, due }) => status === 'active' && due > 0),
    disabled: rows.filter(({ status }) => status === 'disabled').map(({ subscriptionId }) => subscriptionId),
    after: rows.length < webhookEndpointsLookedAt ? undefined : rows.at(-1)?.subscriptionId,
  };
}

/** The next endpoint after one; each in an order that one index alone has, so that no plan reads what waits in between. */
const following: Record<Ring, (after: SQL) => SQL> = {
  all: (after) => sql`
    select subscription_id from webhook_deliveries
    where status = 'pending' and subscription_id > ${after}
    order by subscription_id, next_attempt_at limit 1`,
  new: (after) => sql`
    select subscription_id from (
      select attempt_count, subscription_id from webhook_deliveries
      where status = 'pending' and (attempt_count, subscription_id) > (0, ${after})
      order by attempt_count, subscription_id limit 1
    ) pending where attempt_count = 0`,
};

/**
 * What waits at one endpoint until a moment, in the order in which it is due. Written as a range of the index on both
 * columns: told that the endpoint is one, the planner may as well go through what is due anywhere, or through a history.
 */
export function waitingAt(subscriptionId: SQL, until: SQL): SQL {
  return sql`(delivery.subscription_id, delivery.next_attempt_at) >= (${subscriptionId}, '-infinity'::timestamptz)
    and (delivery.subscription_id, delivery.next_attempt_at) <= (${subscriptionId}, ${until})`;
}

function lookFrom(ring: Ring, after: string, now: SQL): SQL {
  return sql`
    with recursive visited as (
      select first.subscription_id, 1 as number from (${following[ring](sql`${after}::text`)}) first
      union all
      select next.subscription_id, visited.number + 1
      from visited cross join lateral (${following[ring](sql`visited.subscription_id`)}) next
      where visited.number < ${webhookEndpointsLookedAt}::int
    )
    select visited.subscription_id, subscription.workspace_id, subscription.status,
      subscription.failing_since is not null as is_failing, waiting.due,
      waiting.since < ${now} - ${webhookBacklogSeconds}::int8 * interval '1 second' as is_backlog
    from visited join webhook_subscriptions subscription on subscription.id = visited.subscription_id
    cross join lateral (
      select count(*)::int as due, min(next_attempt_at) as since from (
        select delivery.next_attempt_at from webhook_deliveries delivery
        where delivery.status = 'pending' and ${waitingAt(sql`visited.subscription_id`, now)}
        order by delivery.subscription_id, delivery.next_attempt_at limit ${webhookPlacesPerEndpoint}::int
      ) first_due
    ) waiting
    order by visited.subscription_id`;
}

/** Those of processes that died as well, until their claims run out. */
export async function findBusyEndpoints(db: Database, clock: Clock): Promise<BusyEndpoint[]> {
  const rows = await db.execute(sql`
    select delivery.subscription_id, subscription.workspace_id,
      subscription.failing_since is not null as is_failing, count(*)::int as under_way
    from webhook_deliveries delivery
    join webhook_subscriptions subscription on subscription.id = delivery.subscription_id
    where delivery.claimed_by is not null and delivery.claimed_until > ${statementTime(clock)}
    group by 1, 2, 3`);
  return rowsOf(rows).map((row) => ({
    subscriptionId: String(row.subscription_id),
    workspaceId: String(row.workspace_id),
    isFailing: row.is_failing === true,
    underWay: Number(row.under_way),
  }));
}
