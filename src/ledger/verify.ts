// Proof that the books are right (`tollgate ledger verify`): each check asks, bite by bite, for the rows that break a
// rule of the books, so an empty answer is the proof and a row is the evidence.

import { sql } from 'drizzle-orm';
import { ledgerVerifications } from '../../drizzle/schema/operations.ts';
import { advisoryLocks } from '../database/advisory-locks.ts';
import type { Database } from '../database/connection.ts';
import {
  checkRules,
  type Provable,
  type Report,
  type Rule,
  type VerifyOptions,
} from '../database/verification.ts';
import { rulesOfUsage, usageEvents } from './rules-of-usage.ts';
import { balances, balancesUnlikeTheirTransfers } from './verify-sums.ts';
import { testModeRules } from './verify-test-mode.ts';

const transfers = { table: 'transfers', key: ['id'] } as const;
const payments = { table: 'payments', key: ['id'] } as const;
const applications = { table: 'applications', key: ['id'] } as const;

const rules: Rule[] = [
  {
    rule: 'every balance equals the sum of its transfers',
    find: balancesUnlikeTheirTransfers,
  },
  {
    rule: 'no balance is negative',
    walks: [
      {
        ...balances,
        read: (bite) => sql`select application_id, amount::text from ${bite} b where amount < 0`,
      },
    ],
  },
  {
    rule: 'every transfer is in the currency of its balance',
    walks: [
      {
        ...transfers,
        read: (bite) => sql`
          select t.id from ${bite} t join balances b on b.application_id = t.application_id where t.currency <> b.currency`,
      },
    ],
  },
  {
    rule: 'charges and usage events match one to one, in application, amount and currency',
    walks: [
      {
        ...transfers,
        read: (bite) => sql`
          select t.id as transfer_id, e.id as event_id from ${bite} t left join usage_events e on e.transfer_id = t.id
          where t.code = 'charge' and (e.id is null or t.application_id <> e.application_id or t.amount <> e.amount
            or t.currency <> e.currency or t.reference <> 'charge:' || e.code_hash)`,
      },
      {
        ...usageEvents,
        read: (bite) => sql`
          select null as transfer_id, e.id as event_id from ${bite} e left join transfers t on t.id = e.transfer_id
          where t.code is distinct from 'charge'`,
      },
    ],
  },
  {
    rule: 'every reversal takes back exactly one charge, whole',
    walks: [
      {
        ...transfers,
        read: (bite) => sql`
          select r.id from ${bite} r left join transfers t on t.id = r.reverses
          where r.code = 'reversal' and (t.id is null or t.code <> 'charge' or t.amount <> r.amount
            or t.application_id <> r.application_id or t.debit_account <> r.credit_account or t.credit_account <> r.debit_account)`,
      },
    ],
  },
  {
    rule: 'every transfer moves between the accounts that its kind is about',
    walks: [
      {
        ...transfers,
        read: (bite) => sql`
          select t.id, t.code, t.debit_account, t.credit_account from ${bite} t,
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
    ],
  },
  {
    rule: 'every refund of an event takes back exactly one charge, whole',
    walks: [
      {
        ...transfers,
        read: (bite) => sql`
          select r.id from ${bite} r left join transfers t on t.id = r.reverses
          where r.code = 'refund' and r.reverses is not null
            and (t.id is null or t.code <> 'charge' or t.amount <> r.amount or t.application_id <> r.application_id)`,
      },
    ],
  },
  {
    rule: 'every refund and correction has a reason and an actor',
    walks: [
      {
        ...transfers,
        read: (bite) => sql`
          select id from ${bite} t where code in ('refund', 'correction')
            and (coalesce(reason, '') = '' or coalesce(actor, '') = '')`,
      },
    ],
  },
  {
    rule: 'every paid payment is credited once, whole, and no other payment is',
    walks: [
      {
        ...payments,
        read: (bite) => sql`
          select p.id, p.status, t.id as transfer_id from ${bite} p
          left join transfers t on t.reference = 'top_up:' || p.provider || ':' || p.id
          where (p.status = 'paid') <> (t.id is not null)
            or (t.id is not null and (t.code <> 'top_up' or t.amount <> p.amount or t.currency <> p.currency
              or t.application_id <> p.application_id))`,
      },
    ],
  },
  {
    rule: 'no payment is returned by more than was paid, and only a paid one is',
    walks: [
      {
        ...applications,
        read: (bite) => sql`
          select split_part(r.reference, ':', 3) as payment_id, sum(r.amount)::text as returned, p.amount::text as paid
          from ${bite} a join transfers r on r.application_id = a.id left join payments p
            on p.id = split_part(r.reference, ':', 3) and p.provider = split_part(r.reference, ':', 2)
            and p.application_id = r.application_id and p.status = 'paid'
          where r.code = 'refund' and r.reverses is null
          group by 1, p.amount having p.amount is null or sum(r.amount) > p.amount`,
      },
    ],
  },
  {
    rule: 'every session that was undone is one whose charge was reversed',
    walks: [
      {
        ...transfers,
        read: (bite) => sql`select id, code from ${bite} t where undoes_session and code <> 'reversal'`,
      },
    ],
  },
  ...rulesOfUsage,
  ...testModeRules,
];

/** Reads everything once, a bite at a time; the time that it takes grows with the ledger. */
export function verifyLedger(db: Database, options: VerifyOptions = {}): Promise<Report> {
  return checkRules(db, rules, options);
}

export const ledgerProof: Provable = {
  name: 'the ledger',
  says: { holds: 'adds up', broken: 'does not add up' },
  table: ledgerVerifications,
  lock: advisoryLocks.proofOfLedger,
  verify: verifyLedger,
};
