// Proof that the books are right (`tollgate ledger verify`): each check is one query for the rows that break a
// rule of the books, so an empty answer is the proof and a row is the evidence.
import { sql } from 'drizzle-orm';
import { ledgerVerifications } from '../../drizzle/schema.ts';
import type { Database } from '../database/connection.ts';
import { checkRules, type Provable, type Report, type Rule } from '../database/verification.ts';
import { dayHash, monthHash, signedAmount } from './statement-hash.ts';
import { testModeRules } from './verify-test-mode.ts';

/** Without the sessions that were taken back with their charge: their customers had no tokens. */
const standingEvents = sql`
  select event.* from usage_events event
  left join transfers back on back.reverses = event.transfer_id and back.undoes_session where back.id is null`;

/** The same of test mode. */
const standingTests = sql`
  select event.* from test_usage_events event
  left join test_transfers back on back.reverses = event.transfer_id and back.undoes_session where back.id is null`;

/** Those that make an application's present customers: of test mode while it is in it, live ones from then on. */
const eventsOfCustomers = sql`
  select event.application_id, event.sub, event.kind, event.id from (${standingEvents}) event
  union all
  select event.application_id, event.sub, event.kind, event.id from (${standingTests}) event
  join applications on applications.id = event.application_id and is_test`;

const rules: Rule[] = [
  {
    rule: 'every balance equals the sum of its transfers',
    violations: sql`
      select b.application_id, b.amount::text as balance, coalesce(sum(
        case when t.credit_account = 'application:' || b.application_id then t.amount
             when t.debit_account = 'application:' || b.application_id then -t.amount end), 0)::text as transfers
      from balances b left join transfers t on t.application_id = b.application_id
      group by b.application_id, b.amount
      having b.amount <> coalesce(sum(
        case when t.credit_account = 'application:' || b.application_id then t.amount
             when t.debit_account = 'application:' || b.application_id then -t.amount end), 0)`,
  },
  {
    rule: 'no balance is negative',
    violations: sql`select application_id, amount::text from balances where amount < 0`,
  },
  {
    rule: 'every transfer is in the currency of its balance',
    violations: sql`
      select t.id from transfers t join balances b on b.application_id = t.application_id where t.currency <> b.currency`,
  },
  {
    rule: 'charges and usage events match one to one, in application, amount and currency',
    violations: sql`
      select t.id as transfer_id, e.id as event_id
      from (select * from transfers where code = 'charge') t full join usage_events e on e.transfer_id = t.id
      where t.id is null or e.id is null or t.application_id <> e.application_id or t.amount <> e.amount
         or t.currency <> e.currency or t.reference <> 'charge:' || e.code_hash`,
  },
  {
    rule: 'every reversal takes back exactly one charge, whole',
    violations: sql`
      select r.id from transfers r left join transfers t on t.id = r.reverses
      where r.code = 'reversal' and (t.id is null or t.code <> 'charge' or t.amount <> r.amount
        or t.application_id <> r.application_id or t.debit_account <> r.credit_account or t.credit_account <> r.debit_account)`,
  },
  {
    rule: 'every transfer moves between the accounts that its kind is about',
    violations: sql`
      select t.id, t.code, t.debit_account, t.credit_account from transfers t,
        lateral (select 'application:' || t.application_id as own, 'usage:' || t.application_id as usage,
          'funding:' || t.application_id as funding) a
      where not case t.code
        when 'charge' then t.debit_account = a.own and t.credit_account = a.usage
        when 'reversal' then t.debit_account = a.usage and t.credit_account = a.own
        when 'top_up' then t.debit_account = a.funding and t.credit_account = a.own
        when 'welcome_credit' then t.reverses is null and t.debit_account = a.funding and t.credit_account = a.own
        when 'refund' then (t.debit_account = a.usage and t.credit_account = a.own and t.reverses is not null)
          or (t.debit_account = a.own and t.credit_account = a.funding and t.reverses is null)
        when 'correction' then t.reverses is null and
          ((t.debit_account = a.funding and t.credit_account = a.own)
            or (t.debit_account = a.own and t.credit_account = a.funding))
        else false end`,
  },
  {
    rule: 'every refund of an event takes back exactly one charge, whole',
    violations: sql`
      select r.id from transfers r left join transfers t on t.id = r.reverses
      where r.code = 'refund' and r.reverses is not null
        and (t.id is null or t.code <> 'charge' or t.amount <> r.amount or t.application_id <> r.application_id)`,
  },
  {
    rule: 'every refund and correction has a reason and an actor',
    violations: sql`
      select id from transfers where code in ('refund', 'correction')
        and (coalesce(reason, '') = '' or coalesce(actor, '') = '')`,
  },
  {
    rule: 'every paid payment is credited once, whole, and no other payment is',
    violations: sql`
      select p.id, p.status, t.id as transfer_id from payments p
      left join transfers t on t.reference = 'top_up:' || p.provider || ':' || p.id
      where (p.status = 'paid') <> (t.id is not null)
        or (t.id is not null and (t.code <> 'top_up' or t.amount <> p.amount or t.currency <> p.currency
          or t.application_id <> p.application_id))`,
  },
  {
    rule: 'no payment is returned by more than was paid, and only a paid one is',
    violations: sql`
      select split_part(r.reference, ':', 3) as payment_id, sum(r.amount)::text as returned, p.amount::text as paid
      from transfers r left join payments p
        on p.id = split_part(r.reference, ':', 3) and p.provider = split_part(r.reference, ':', 2)
        and p.application_id = r.application_id and p.status = 'paid'
      where r.code = 'refund' and r.reverses is null
      group by 1, p.amount having p.amount is null or sum(r.amount) > p.amount`,
  },
  {
    rule: 'every session that was undone is one whose charge was reversed',
    violations: sql`select id, code from transfers where undoes_session and code <> 'reversal'`,
  },
  {
    rule: 'every customer has exactly one registration',
    violations: sql`
      select c.application_id, c.sub, count(e.id)::int as registrations
      from customers c left join (${eventsOfCustomers}) e
        on e.application_id = c.application_id and e.sub = c.sub and e.kind = 'registration'
      group by c.application_id, c.sub having count(e.id) <> 1`,
  },
  {
    rule: 'every customer has as many events as sessions',
    violations: sql`
      select c.application_id, c.sub, c.sign_in_count, count(e.id)::int as events
      from customers c left join (${eventsOfCustomers}) e on e.application_id = c.application_id and e.sub = c.sub
      group by c.application_id, c.sub, c.sign_in_count having count(e.id) <> c.sign_in_count`,
  },
  {
    rule: 'every event belongs to a customer',
    violations: sql`
      select e.id from (${eventsOfCustomers}) e
      left join customers c on c.application_id = e.application_id and c.sub = e.sub
      where c.sub is null`,
  },
  {
    rule: 'every closed day adds up to its events',
    violations: sql`
      select d.application_id, d.day, d.kind, d.count, coalesce(e.count, 0)::int as events
      from usage_days d left join (
        select application_id, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') as day, kind, count(*) as count,
          sum(amount) as amount
        from usage_events group by 1, 2, 3
      ) e using (application_id, day, kind)
      where d.count <> coalesce(e.count, 0) or d.amount <> coalesce(e.amount, 0)`,
  },
  {
    rule: 'every sealed statement still reads as it was sealed',
    violations: sql`
      with d as (
        select t.application_id, to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as count,
          sum(${signedAmount()}) as change, ${dayHash} as hash
        from transfers t join statement_seals s on s.application_id = t.application_id
          and s.month = to_char(t.created_at at time zone 'UTC', 'YYYY-MM')
        group by 1, 2
      ), m as (
        select d.application_id, left(d.day, 7) as month, sum(d.count) as count, sum(d.change) as change,
          ${monthHash} as hash
        from d group by 1, 2
      )
      select s.application_id, s.month from statement_seals s left join m using (application_id, month)
      where s.closing - s.opening <> coalesce(m.change, 0) or s.entry_count <> coalesce(m.count, 0)
        or s.hash <> coalesce(m.hash, encode(sha256(''), 'hex'))`,
  },
  {
    rule: 'every sealed statement begins with what the one before it ended with, and no open month lies between them',
    violations: sql`
      select application_id, month from (
        select *, lag(closing) over months as before, lag(month) over months as last from statement_seals
        window months as (partition by application_id order by month)
      ) as seal
      where opening <> coalesce(before, 0)
        or last <> to_char((month || '-01')::date - interval '1 month', 'YYYY-MM')`,
  },
  {
    rule: 'positions of events follow one another without a gap, each of one event of the application',
    violations: sql`
      select b.application_id, b.last_position::text from balances b left join (
        select p.application_id, count(*) as count, max(p.position) as last, count(e.id) as events
        from event_positions p left join (
          select id, application_id from usage_events union all select id, application_id from test_usage_events
        ) e on e.id = p.event_id and e.application_id = p.application_id
        group by p.application_id
      ) p using (application_id)
      where b.last_position <> coalesce(p.count, 0) or coalesce(p.last, 0) <> coalesce(p.count, 0)
        or coalesce(p.events, 0) <> coalesce(p.count, 0)`,
  },
  {
    rule: 'every event that was looked at has a position',
    violations: sql`
      select e.id from usage_events e join balances b using (application_id)
      left join event_positions p on p.event_id = e.id
      where e.occurred_at < b.positioned_until and p.event_id is null`,
  },
  ...testModeRules,
];

/** Reads everything once; the cost grows with the ledger. Run it where a long query disturbs nobody. */
export function verifyLedger(db: Database): Promise<Report> {
  return checkRules(db, rules);
}

export const ledgerProof: Provable = {
  name: 'the ledger',
  says: { holds: 'adds up', broken: 'does not add up' },
  table: ledgerVerifications,
  lock: 7_235_198_112,
  verify: verifyLedger,
};
