// What an answer means: delivered, or tried again later, or failed for good; and whether the endpoint fails. Answers of
// one moment are written down together: each is decided in plain code, in the order they came, on rows that are locked.
import { type Clock, secondsAfter } from '../clock.ts';
import type { Database } from '../database/connection.ts';
import { settleAll } from '../database/settle-all.ts';
import { webhookDisabledAfterSeconds } from '../limits/webhooks.ts';
import { createAccept } from './delivery-accept.ts';
import { createSharing, type Locks, type Shared } from './delivery-batch.ts';
import {
  type Delivery,
  type Failing,
  type FinishedAttempt,
  insertAttempts,
  isAccepted,
  lockDeliveries,
  lockFailing,
  readFailing,
  writeDeliveries,
  writeFailing,
} from './delivery-rows.ts';
import { pauseBeforeNext } from './retry-schedule.ts';

export type Attempt = FinishedAttempt & { subscription: { id: string; failingSince: Date | null } };

/** `gives up`: nothing was recorded, for the endpoint has failed so long that it is to be disabled. */
export type Recorded = 'recorded' | 'gives up';

type Dependencies = { db: Database; clock: Clock; random?: () => number };

/** Resolves when the answer is committed. */
export function createRecord(dependencies: Dependencies): (attempt: Attempt) => Promise<Recorded> {
  const accept = createAccept(dependencies);
  const record = createSharing({
    db: dependencies.db,
    run: (tx, attempts: Attempt[], locks) => recordAll(tx, attempts, { ...dependencies, locks }),
  });
  return async (attempt) => {
    const isUsual = isAccepted(attempt.answer) && attempt.subscription.failingSince === null;
    return isUsual && (await accept(attempt)) ? 'recorded' : record(attempt);
  };
}

/** How subscriptions and deliveries stand, by their ids. */
type State = { failing: Failing; deliveries: Map<string, Delivery> };

async function recordAll(
  tx: Database,
  attempts: Attempt[],
  options: Dependencies & { locks: Locks },
): Promise<Shared<Recorded>[]> {
  const before = await lock(tx, attempts, options.locks);
  const after: State = { failing: new Map(before.failing), deliveries: new Map(before.deliveries) };
  const entered: Attempt[] = [];
  const results = attempts.map((attempt): Shared<Recorded> => {
    const { deliveryId, subscription } = attempt;
    // Held by somebody; or, for one who has waited, deleted with all that could be said about it.
    if (!before.failing.has(subscription.id) || !before.deliveries.has(deliveryId))
      return options.locks === 'skip' ? 'busy' : { value: 'recorded' };
    const entry = enter(after, attempt, options);
    if (entry === 'recorded') entered.push(attempt);
    return { value: entry };
  });
  // In one packet: until the commit, a process that dies sends these webhooks again.
  await settleAll([
    writeFailing(tx, changed(before.failing, after.failing)),
    writeDeliveries(tx, [...changed(before.deliveries, after.deliveries).values()], options.clock),
    insertAttempts(tx, entered),
  ]);
  return results;
}

/** Of subscriptions only those that begin or cease to fail. */
async function lock(tx: Database, attempts: Attempt[], locks: Locks): Promise<State> {
  const deliveryIds = attempts.map(({ deliveryId }) => deliveryId);
  const [failing, taken] = await settleAll([
    readFailing(
      tx,
      attempts.map(({ subscription }) => subscription.id),
    ),
    // Whoever never waits may take deliveries before subscriptions; the others keep to the order.
    locks === 'skip' ? lockDeliveries(tx, deliveryIds, locks) : undefined,
  ]);
  const turning = attempts
    .filter(({ subscription, answer }) => isAccepted(answer) === Boolean(failing.get(subscription.id)))
    .map(({ subscription }) => subscription.id);
  const locked = await lockFailing(tx, turning, locks);
  for (const id of turning) failing.delete(id);
  const deliveries = taken ?? (await lockDeliveries(tx, deliveryIds, locks));
  return { failing: new Map([...failing, ...locked]), deliveries };
}

/** Changes the state as this answer alone would. */
function enter(
  { failing, deliveries }: State,
  attempt: Attempt,
  { clock, random = Math.random }: Dependencies,
): Recorded {
  const { deliveryId, number, subscription, answer } = attempt;
  const delivery = deliveries.get(deliveryId);
  const now = clock();
  if (isAccepted(answer)) {
    failing.set(subscription.id, null);
    if (delivery && delivery.status !== 'delivered') {
      const attemptCount = Math.max(delivery.attemptCount, number);
      deliveries.set(delivery.id, { ...delivery, attemptCount, ...finished('delivered', now) });
    }
    return 'recorded';
  }
  const since = failing.get(subscription.id) ?? attempt.startedAt;
  if (secondsAfter(since, webhookDisabledAfterSeconds) <= now) return 'gives up';
  failing.set(subscription.id, since);
  // When its claim ran out, another process has made the same attempt, and what that one wrote stands.
  if (delivery?.status !== 'pending' || delivery.attemptCount !== number - 1) return 'recorded';
  const pause = pauseBeforeNext({ attemptCount: number, retryAfter: answer.retryAfter, now, random });
  const outcome = pause === undefined ? finished('failed', now) : { pause };
  deliveries.set(delivery.id, { ...delivery, attemptCount: number, ...outcome });
  return 'recorded';
}

function finished<S extends 'delivered' | 'failed'>(status: S, now: Date) {
  return { status, pause: undefined, finishedAt: now };
}

function changed<V>(before: Map<string, V>, after: Map<string, V>): Map<string, V> {
  return new Map([...after].filter(([id, value]) => value !== before.get(id)));
}
