// The end of a series of crashes: the service lives on undisturbed until everything it owes is out, and what the
// endpoint and the mail server received is compared with what was promised (I5, threats 85 and 97).
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { rowsOf } from '../../src/database/connection.ts';
import type { Violation } from '../harness/invariants.ts';
import { countUnforgotten, findUnforgotten } from './leaving.ts';
import type { Promises } from './round.ts';
import { countRows, type World } from './world.ts';

export type Drained = { violations: Violation[]; webhooks: number; duplicates: number; mails: number };

const PATIENCE_MILLISECONDS = 60_000;
const STEP_MILLISECONDS = 100;
/** How often, while waiting, what dead processes held is given back. */
const STEPS_BETWEEN_MAINTENANCE = 20;

export async function drain(world: World, promises: Promises): Promise<Drained> {
  for (let step = 1; (await countOwed(world)) > 0; step += 1) {
    if (step * STEP_MILLISECONDS > PATIENCE_MILLISECONDS) break;
    await sleep(STEP_MILLISECONDS);
    if (step % STEPS_BETWEEN_MAINTENANCE === 0) await world.letTimePass();
  }
  const violations: Violation[] = [];
  const complain = (oracle: string, rows: Record<string, unknown>[]) => {
    if (rows.length > 0) violations.push({ oracle, rows });
  };
  complain(
    'I5: a delivery is still not made',
    rowsOf(await world.db.execute(sql`select * from webhook_deliveries where status <> 'delivered'`)),
  );
  complain(
    'a job is lost in the queue',
    rowsOf(
      await world.db.execute(
        sql`select name, state, retry_count, output from jobs.job where state in ('created', 'retry', 'active', 'failed')`,
      ),
    ),
  );
  const bodies = new Map<string, Set<string>>();
  for (const { headers, body } of world.sink.received) {
    const id = headers['x-service-webhook-id'] ?? '';
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body.toString()));
  }
  const events = rowsOf(
    await world.db.execute(
      sql`
        select e.id from usage_events e left join transfers back on back.reverses = e.transfer_id
        where e.occurred_at >= ${world.since().toISOString()} and back.id is null`,
    ),
  ).map(({ id }) => String(id));
  complain(
    'threat 85: a webhook was lost',
    events.filter((id) => !bodies.has(id)).map((id) => ({ id })),
  );
  complain(
    'a webhook changed between attempts',
    [...bodies].filter(([, different]) => different.size > 1).map(([id]) => ({ id })),
  );
  const known = new Set(
    rowsOf(await world.db.execute(sql`select id from usage_events`)).map(({ id }) => String(id)),
  );
  complain(
    'a webhook of no event',
    [...bodies.keys()].filter((id) => !known.has(id)).map((id) => ({ id })),
  );
  violations.push(...(await findUnforgotten(world)));
  const mailed = new Set(world.smtp.accepted.flatMap(({ to }) => to));
  complain(
    'a promised mail was lost',
    [...promises.mailTo].filter((to) => !mailed.has(to)).map((to) => ({ to })),
  );
  const drained = {
    violations,
    webhooks: bodies.size,
    duplicates: world.sink.received.length - bodies.size,
    mails: promises.mailTo.size,
  };
  promises.mailTo.clear();
  world.forget();
  return drained;
}

async function countOwed(world: World): Promise<number> {
  const deliveries = await countRows(
    world,
    sql`select count(*) from webhook_deliveries where status = 'pending'`,
  );
  const jobs = await countRows(
    world,
    sql`select count(*) from jobs.job where state in ('created', 'retry', 'active')`,
  );
  return deliveries + jobs + (await countUnforgotten(world));
}
