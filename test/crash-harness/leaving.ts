// Somebody whose account is deleted while the service dies: a customer with a history, so that forgetting it takes bites.
import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { pairwiseSub } from '../../src/applications/customer.ts';
import { rowsOf } from '../../src/database/connection.ts';
import { addAccount, signInBrowser } from '../harness/identity.ts';
import type { Violation } from '../harness/invariants.ts';
import { countRows, type RegisteredClient, type World } from './world.ts';

/** More than the first bite of a process. */
const EVENTS = 600;
const NAME = 'Leaving Person';

/** Long before the subscription: no webhook is owed for it, and what is kept of it names the person. */
export async function addLeaver(world: World, { applicationId }: RegisteredClient): Promise<string> {
  const { db } = world;
  const email = `leaving-${randomBytes(6).toString('hex')}@example.test`;
  const account = await addAccount(db, { email, name: NAME });
  await signInBrowser(db, { account });
  const sub = pairwiseSub(randomBytes(32), applicationId, account.id);
  await db.execute(sql`
    insert into customers (application_id, account_id, sub, registered_at, last_sign_in_at, sign_in_count)
    values (${applicationId}, ${account.id}, ${sub}, now() - interval '1 day', now() - interval '1 day', ${EVENTS})`);
  await db.execute(sql`
    with event as (
      select n, ${sub}::text || ' ' || n as key, now() - interval '1 day' + make_interval(secs => n) as at
      from generate_series(1, ${EVENTS}::int) as n
    ), moved as (
      insert into transfers (id, application_id, code, debit_account, credit_account, amount, currency, reference, created_at)
      select 'trf ' || key, ${applicationId}, 'charge', 'application:' || ${applicationId}::text,
        'usage:' || ${applicationId}::text, 0, 'EUR', 'charge:' || key, at from event
    ), message as (
      insert into webhook_messages (event_id, application_id, type, body, created_at)
      select 'evt ' || key, ${applicationId}, 'identity.login.completed.v1',
        json_build_object('data', json_build_object('customer', json_build_object('sub', ${sub}::text, 'name', ${NAME}::text))),
        at from event
    )
    insert into usage_events (id, application_id, sub, kind, amount, currency, transfer_id, code_hash, occurred_at)
    select 'evt ' || key, ${applicationId}, ${sub}, case n when 1 then 'registration' else 'sign_in' end, 0, 'EUR',
      'trf ' || key, key, at from event`);
  return account.id;
}

/** What the service still owes people who have left. */
export function countUnforgotten(world: World): Promise<number> {
  return countRows(world, sql`select count(*) from long_work where finished_at is null`);
}

/** Once nothing is owed: nobody whose account is gone is named anywhere, and nobody is left half gone. */
export async function findUnforgotten({ db }: World): Promise<Violation[]> {
  const halfGone = rowsOf(await db.execute(sql`select id from accounts where deleted_at is not null`));
  const named = rowsOf(
    await db.execute(sql`
      select m.event_id from webhook_messages m join usage_events e on e.id = m.event_id
      join customers c on c.application_id = e.application_id and c.sub = e.sub
      where c.account_id = 'deleted ' || c.sub and m.body like ${`%${NAME}%`}`),
  );
  const unfinished = rowsOf(
    await db.execute(sql`select kind, subject, cursor, error from long_work where finished_at is null`),
  );
  return [
    { oracle: 'a deleted account is still there', rows: halfGone },
    { oracle: 'somebody who left is still named', rows: named },
    { oracle: 'long work was not finished', rows: unfinished },
  ].filter(({ rows }) => rows.length > 0);
}
