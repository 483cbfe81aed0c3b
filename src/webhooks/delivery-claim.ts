// Who makes an attempt. A claim has an owner and an end, and moves the delivery's time to that end: a process that dies
// loses what it claimed to whoever looks then. Claims are made one after the other, whichever process makes them, so
// that the places of an endpoint and of a company are the same for all processes together.

import { and, eq, inArray, sql } from 'drizzle-orm';
import { webhookDeliveries, webhookMessages, webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import type { Clock } from '../clock.ts';
import { advisoryLocks } from '../database/advisory-locks.ts';
import { statementTime } from '../database/clock.ts';
import { type Database, isOneOf, transaction } from '../database/connection.ts';
import { withoutWaitingForDisk } from '../database/durability.ts';
import { sent, settleAll } from '../database/settle-all.ts';
import { webhookLeaseSeconds, webhookMishapSeconds } from '../limits/webhooks.ts';
import type { Pressure } from '../queue/pressure.ts';
import { findBusyEndpoints, waitingAt } from './delivery-look.ts';
import { type EndpointWithWork, planTurn, type Turn } from './fair-turns.ts';

type Dependencies = {
  db: Database;
  clock: Clock;
  owner: string;
  random: () => number;
  pressure?: Pick<Pressure, 'isHigh'>;
};

/** What an attempt needs. */
export type Claimed = {
  delivery: Pick<typeof webhookDeliveries.$inferSelect, 'id' | 'attemptCount'>;
  subscription: typeof webhookSubscriptions.$inferSelect;
  message: typeof webhookMessages.$inferSelect;
};

/** Resolves when the claims are committed. */
export function claimTurn(
  { db, clock, owner, random, pressure }: Dependencies,
  { waiting, free }: { waiting: EndpointWithWork[]; free: number },
): Promise<Claimed[]> {
  return transaction(db, async (tx) => {
    const [, busy] = await settleAll([
      // Who holds places is read when nobody else takes any.
      // A claim that a crash of the database loses is made again: attempts are at-least-once anyway.
      sent(
        tx.execute(
          sql`select pg_advisory_xact_lock(${advisoryLocks.deliveryTurn}::int8), ${withoutWaitingForDisk}`,
        ),
      ),
      findBusyEndpoints(tx, clock),
    ]);
    const turns = planTurn({ waiting, busy, free, random, isUnderPressure: pressure?.isHigh() === true });
    if (turns.length === 0) return [];
    const chosen = await chooseDue(tx, turns, clock);
    const until = sql`${statementTime(clock)} + ${webhookLeaseSeconds}::int8 * interval '1 second'`;
    await tx
      .update(webhookDeliveries)
      .set({ claimedBy: owner, claimedUntil: until, nextAttemptAt: until })
      .where(
        isOneOf(
          webhookDeliveries.id,
          chosen.map(({ delivery }) => delivery.id),
        ),
      );
    return chosen;
  });
}

/** Whatever somebody else holds (an owner who replays, a bite of a deletion) is for the next turn. */
function chooseDue(tx: Database, turns: Turn[], clock: Clock): Promise<Claimed[]> {
  const due = sql`(
    with due as (
      select chosen.id
      from jsonb_to_recordset(${JSON.stringify(turns)}::jsonb) as turn("subscriptionId" text, places integer)
      cross join lateral (
        select delivery.id from webhook_deliveries delivery
        where delivery.status = 'pending' and ${waitingAt(sql`turn."subscriptionId"`, statementTime(clock))}
        order by delivery.subscription_id, delivery.next_attempt_at limit turn.places for update skip locked
      ) chosen
    )
    select id from due
  )`;
  const { id, attemptCount } = webhookDeliveries;
  return tx
    .select({ delivery: { id, attemptCount }, subscription: webhookSubscriptions, message: webhookMessages })
    .from(webhookDeliveries)
    .innerJoin(webhookSubscriptions, eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId))
    .innerJoin(webhookMessages, eq(webhookMessages.eventId, webhookDeliveries.eventId))
    .where(and(sql`${id} in ${due}`, eq(webhookSubscriptions.status, 'active')));
}

/** Of a process that stops: the next look of any other finds them. */
export async function handBack(
  { db, clock, owner }: Pick<Dependencies, 'db' | 'clock' | 'owner'>,
  deliveryIds: string[],
): Promise<void> {
  await release(db, { owner, deliveryIds, nextAttemptAt: statementTime(clock) });
}

/** Our own side failed, so the attempt does not count. */
export async function putOff(
  { db, clock, owner }: Pick<Dependencies, 'db' | 'clock' | 'owner'>,
  deliveryId: string,
): Promise<void> {
  const later = sql`${statementTime(clock)} + ${webhookMishapSeconds}::int8 * interval '1 second'`;
  await release(db, { owner, deliveryIds: [deliveryId], nextAttemptAt: later });
}

async function release(
  db: Database,
  {
    owner,
    deliveryIds,
    nextAttemptAt,
  }: { owner: string; deliveryIds: string[]; nextAttemptAt: ReturnType<typeof sql> },
): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ claimedBy: null, claimedUntil: null, nextAttemptAt })
    .where(
      and(
        inArray(webhookDeliveries.id, deliveryIds),
        eq(webhookDeliveries.claimedBy, owner),
        eq(webhookDeliveries.status, 'pending'),
      ),
    );
}
