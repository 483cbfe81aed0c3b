// Proof that the two books are apart (docs/decisions/1101), and that the one of test mode is right in itself.
import { sql } from 'drizzle-orm';
import type { Rule } from '../database/verification.ts';
import { testUsageEvents } from './rules-of-usage.ts';
import { balances } from './verify-sums.ts';

const transfers = { table: 'transfers', key: ['id'] } as const;
const testTransfers = { table: 'test_transfers', key: ['id'] } as const;

export const testModeRules: Rule[] = [
  {
    rule: 'no money of an application in test mode moves, and no live transfer names an account of test mode',
    walks: [
      {
        ...transfers,
        read: (bite) => sql`
          select t.id, t.code, t.application_id from ${bite} t join applications a on a.id = t.application_id
          where a.is_test or t.debit_account like 'test%' or t.credit_account like 'test%'`,
      },
    ],
  },
  {
    rule: 'nothing is in both books',
    walks: [
      {
        ...testUsageEvents,
        read: (bite) => sql`
          select e.id, 'event' as what from ${bite} e join usage_events live on live.id = e.id
          union all select e.id, 'code' from ${bite} e join usage_events live on live.code_hash = e.code_hash`,
      },
      {
        ...testTransfers,
        read: (bite) =>
          sql`select t.id, 'transfer' as what from ${bite} t join transfers live on live.id = t.id`,
      },
    ],
  },
  {
    rule: 'an application in test mode has no balance',
    walks: [
      {
        ...balances,
        read: (bite) => sql`
          select b.application_id, b.amount::text from ${bite} b join applications a on a.id = b.application_id
          where a.is_test and b.amount <> 0`,
      },
    ],
  },
  {
    rule: 'no application is charged in test mode that never was in it',
    walks: [
      {
        ...testUsageEvents,
        read: (bite) => sql`
          select e.id, e.application_id from ${bite} e join applications a on a.id = e.application_id
          where not a.is_test and a.went_live_at is null`,
      },
    ],
  },
  {
    rule: 'charges and usage events of test mode match one to one, in application, amount and currency',
    walks: [
      {
        ...testTransfers,
        read: (bite) => sql`
          select t.id as transfer_id, e.id as event_id from ${bite} t
          left join test_usage_events e on e.transfer_id = t.id
          where t.code = 'charge' and (e.id is null or t.application_id <> e.application_id or t.amount <> e.amount
            or t.currency <> e.currency or t.reference <> 'charge:' || e.code_hash)`,
      },
      {
        ...testUsageEvents,
        read: (bite) => sql`
          select null as transfer_id, e.id as event_id from ${bite} e left join test_transfers t on t.id = e.transfer_id
          where t.code is distinct from 'charge'`,
      },
    ],
  },
  {
    rule: 'every reversal of test mode takes back exactly one charge, whole',
    walks: [
      {
        ...testTransfers,
        read: (bite) => sql`
          select r.id from ${bite} r left join test_transfers t on t.id = r.reverses
          where r.code = 'reversal' and (t.id is null or t.code <> 'charge' or t.amount <> r.amount
            or t.application_id <> r.application_id)`,
      },
    ],
  },
];
