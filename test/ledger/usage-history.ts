// Months of usage for tests, written straight into the tables: as many events a day as wanted, of customers who come
// back, evenly over the day. The balance is not touched, so the oracles of money are not for such a database.
import { sql } from 'drizzle-orm';
import { type Database, transaction } from '../../src/database/connection.ts';
import { takeOver } from '../harness/identity.ts';

export type History = {
  applicationId: string;
  /** The last day is the one that `until` is in. */
  until: Date;
  days: number;
  perDay: number;
  /** Their accounts are made as well. */
  customers: number;
};

export async function writeHistory(db: Database, history: History): Promise<void> {
  const { applicationId, days, perDay, customers } = history;
  const until = history.until.toISOString();
  await transaction(db, async (tx) => {
    await tx.execute(sql`
      insert into accounts (id, email, email_verified, name, locale, created_at, updated_at)
      select 'acc_' || ${applicationId}::text || '_' || n, 'person' || n || '.' || ${applicationId}::text || '@example.test',
        true, 'Person ' || n, 'en', ${until}::timestamptz, ${until}::timestamptz
      from generate_series(1, ${customers}::int) as n on conflict do nothing`);
    await takeOver(tx);
    await tx.execute(sql`
      insert into customers (application_id, account_id, sub, registered_at, last_sign_in_at, sign_in_count)
      select ${applicationId}, 'acc_' || ${applicationId}::text || '_' || n, 'sub_' || n,
        ${until}::timestamptz - make_interval(secs => n * 60), ${until}::timestamptz - make_interval(secs => n), 3
      from generate_series(1, ${customers}::int) as n on conflict do nothing`);
    await tx.execute(sql`
      with event as (
        select day, n, ${applicationId}::text || '_' || (${until}::date - day) || '_' || n as name,
          date_trunc('day', ${until}::timestamptz at time zone 'UTC') at time zone 'UTC'
            - make_interval(days => day) + make_interval(secs => n * 86000.0 / ${perDay}::int) as at,
          case when n % 5 = 0 then 'registration' else 'sign_in' end as kind
        from generate_series(0, ${days}::int - 1) as day,
          generate_series(1, greatest(1, (${perDay}::int * (100 - (day * 37) % 60)) / 100)) as n
      ), moved as (
        insert into transfers
          (id, application_id, code, debit_account, credit_account, amount, currency, reference, created_at)
        select 'trf_' || name, ${applicationId}, 'charge', 'a', 'b',
          case kind when 'registration' then 50000 else 20000 end, 'EUR', 'charge:' || name, at from event
        returning id
      )
      insert into usage_events
        (id, application_id, sub, kind, amount, currency, transfer_id, code_hash, trace_id, occurred_at)
      select 'evt_' || name, ${applicationId}, 'sub_' || (1 + (day * 7 + n) % ${customers}::int), kind,
        case kind when 'registration' then 50000 else 20000 end, 'EUR', 'trf_' || name, name, 'trc_' || name, at
      from event`);
  });
}
