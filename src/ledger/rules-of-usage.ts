// The rules of the books about what was charged for: customers and their events, closed days, sealed statements, and
// the order of events.
import { sql } from 'drizzle-orm';
import type { Rule } from '../database/verification.ts';
import { balances, sealsUnlikeTheirEntries, statementSeals } from './verify-sums.ts';

export const usageEvents = { table: 'usage_events', key: ['id'] } as const;
export const testUsageEvents = { table: 'test_usage_events', key: ['id'] } as const;
const customers = { table: 'customers', key: ['application_id', 'sub'] } as const;

/**
 * Of customer `c`, without the sessions that were taken back with their charge: for those there were no tokens. In test mode
 * they are those of its book, and live ones from then on.
 */
const standingEventsOf = sql`
  select event.kind from usage_events event
  left join transfers back on back.reverses = event.transfer_id and back.undoes_session
  where event.application_id = c.application_id and event.sub = c.sub and back.id is null
  union all
  select event.kind from applications a join test_usage_events event on event.application_id = a.id
  left join test_transfers back on back.reverses = event.transfer_id and back.undoes_session
  where a.id = c.application_id and a.is_test and event.sub = c.sub and back.id is null`;

export const rulesOfUsage: Rule[] = [
  {
    rule: 'every customer has exactly one registration',
    walks: [
      {
        ...customers,
        read: (bite) => sql`
          select c.application_id, c.sub, e.registrations from ${bite} c,
            lateral (select count(*)::int as registrations from (${standingEventsOf}) e where e.kind = 'registration') e
          where e.registrations <> 1`,
      },
    ],
  },
  {
    rule: 'every customer has as many events as sessions',
    walks: [
      {
        ...customers,
        read: (bite) => sql`
          select c.application_id, c.sub, c.sign_in_count, e.events from ${bite} c,
            lateral (select count(*)::int as events from (${standingEventsOf}) e) e
          where e.events <> c.sign_in_count`,
      },
    ],
  },
  {
    rule: 'every event belongs to a customer',
    walks: [
      {
        ...usageEvents,
        read: (bite) => sql`
          select e.id from ${bite} e
          left join transfers back on back.reverses = e.transfer_id and back.undoes_session
          left join customers c on c.application_id = e.application_id and c.sub = e.sub
          where back.id is null and c.sub is null`,
      },
      {
        ...testUsageEvents,
        read: (bite) => sql`
          select e.id from ${bite} e join applications a on a.id = e.application_id and a.is_test
          left join test_transfers back on back.reverses = e.transfer_id and back.undoes_session
          left join customers c on c.application_id = e.application_id and c.sub = e.sub
          where back.id is null and c.sub is null`,
      },
    ],
  },
  {
    rule: 'every closed day adds up to its events',
    walks: [
      {
        table: 'usage_days',
        key: ['application_id', 'day', 'kind'],
        read: (bite) => sql`
          select d.application_id, d.day, d.kind, d.count, e.count as events from ${bite} d,
            lateral (
              select count(*) as count, coalesce(sum(amount), 0) as amount from usage_events
              where application_id = d.application_id and kind = d.kind
                and occurred_at >= d.day::timestamp at time zone 'UTC'
                and occurred_at < (d.day::timestamp + interval '1 day') at time zone 'UTC'
            ) e
          where d.count <> e.count or d.amount <> e.amount`,
      },
    ],
  },
  {
    rule: 'every sealed statement still reads as it was sealed',
    find: sealsUnlikeTheirEntries,
  },
  {
    rule: 'every sealed statement begins with what the one before it ended with, and no open month lies between them',
    walks: [
      {
        ...statementSeals,
        read: (bite) => sql`
          select seal.application_id, seal.month from ${bite} seal left join lateral (
            select closing, month from statement_seals
            where application_id = seal.application_id and month < seal.month order by month desc limit 1
          ) last on true
          where seal.opening <> coalesce(last.closing, 0)
            or last.month <> to_char((seal.month || '-01')::date - interval '1 month', 'YYYY-MM')`,
      },
    ],
  },
  {
    // From 1, each after the one before, up to the balance's: so there is no gap, wherever a bite ends.
    rule: 'positions of events follow one another without a gap, each of one event of the application',
    walks: [
      {
        table: 'event_positions',
        key: ['application_id', 'position'],
        read: (bite) => sql`
          select p.application_id, b.last_position::text from ${bite} p
          join balances b on b.application_id = p.application_id
          left join usage_events e on e.id = p.event_id and e.application_id = p.application_id
          left join test_usage_events te on te.id = p.event_id and te.application_id = p.application_id
          left join event_positions before on before.application_id = p.application_id and before.position = p.position - 1
          where (e.id is null and te.id is null) or p.position < 1 or (p.position > 1 and before.position is null)`,
      },
      {
        ...balances,
        read: (bite) => sql`
          select b.application_id, b.last_position::text from ${bite} b
          where b.last_position <> coalesce(
            (select max(p.position) from event_positions p where p.application_id = b.application_id), 0)`,
      },
    ],
  },
  {
    rule: 'every event that was looked at has a position',
    walks: [
      {
        ...usageEvents,
        read: (bite) => sql`
          select e.id from ${bite} e join balances b using (application_id)
          left join event_positions p on p.event_id = e.id
          where e.occurred_at < b.positioned_until and p.event_id is null`,
      },
    ],
  },
];
