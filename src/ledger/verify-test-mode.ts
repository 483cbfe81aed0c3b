// Proof that the two books are apart (docs/decisions/1101), and that the one of test mode is right in itself.
import { sql } from 'drizzle-orm';
import type { Rule } from '../database/verification.ts';

export const testModeRules: Rule[] = [
  {
    rule: 'no live transfer names an account of test mode',
    violations: sql`
      select id, debit_account, credit_account from transfers
      where debit_account like 'test%' or credit_account like 'test%'`,
  },
  {
    rule: 'nothing is in both books',
    violations: sql`
      select id, 'event' as what from usage_events join test_usage_events using (id)
      union all select live.id, 'code' from usage_events live join test_usage_events using (code_hash)
      union all select id, 'transfer' from transfers join test_transfers using (id)`,
  },
  {
    rule: 'no money moves while an application is in test mode',
    violations: sql`
      select t.id, t.code, t.application_id from transfers t join applications a on a.id = t.application_id
      where a.is_test`,
  },
  {
    rule: 'an application in test mode has no balance',
    violations: sql`
      select b.application_id, b.amount::text from balances b join applications a on a.id = b.application_id
      where a.is_test and b.amount <> 0`,
  },
  {
    rule: 'no application is charged in test mode that never was in it',
    violations: sql`
      select e.id, e.application_id from test_usage_events e join applications a on a.id = e.application_id
      where not a.is_test and a.went_live_at is null`,
  },
  {
    rule: 'charges and usage events of test mode match one to one, in application, amount and currency',
    violations: sql`
      select t.id as transfer_id, e.id as event_id
      from (select * from test_transfers where code = 'charge') t full join test_usage_events e on e.transfer_id = t.id
      where t.id is null or e.id is null or t.application_id <> e.application_id or t.amount <> e.amount
         or t.currency <> e.currency or t.reference <> 'charge:' || e.code_hash`,
  },
  {
    rule: 'every reversal of test mode takes back exactly one charge, whole',
    violations: sql`
      select r.id from test_transfers r left join test_transfers t on t.id = r.reverses
      where r.code = 'reversal' and (t.id is null or t.code <> 'charge' or t.amount <> r.amount
        or t.application_id <> r.application_id)`,
  },
];
