// The loop of a process that makes attempts: it looks for endpoints with work, claims what is theirs in turn, and starts
// an attempt for each claim. A notification only wakes it; what is due says the database, by its own clock.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connection.ts';
import {
  webhookGatherMilliseconds,
  webhookLookMilliseconds,
  webhookPlaces,
  webhookStopMilliseconds,
} from '../limits/webhooks.ts';
import type { Log } from '../log.ts';
import { atMost, createBell } from '../queue/job-pool.ts';
import type { Pressure } from '../queue/pressure.ts';
import { type Claimed, claimTurn, handBack, putOff } from './delivery-claim.ts';
import { type Look, lookForWork, type Ring } from './delivery-look.ts';
import type { EndpointWithWork } from './turns.ts';

export type Deliveries = {
  /** There may be something to deliver. */
  wake(): void;
  /** Claims no more, waits for the attempts under way, and hands back those that take too long. */
  stop(): Promise<void>;
};

type Options = {
  db: Database;
  clock: Clock;
  log: Log;
  /** Of this process among all that ever ran. */
  owner: string;
  /** Makes one attempt and writes down what came of it. */
  attempt: (claimed: Claimed) => Promise<void>;
  /** Subscriptions that are switched off and still have pending deliveries. */
  onLeftOver: (subscriptionIds: string[]) => Promise<void>;
  random?: () => number;
  pressure?: Pick<Pressure, 'isHigh'>;
};

export function startDeliveries(options: Options): Deliveries {
  const { log } = options;
  const attempts = createAttempts(options);
  const looks = createLooks(options);
  const bell = createBell();
  let isStopping = false;

  /** @returns whether another turn may find something at once. */
  async function takeTurn(): Promise<boolean> {
    const free = webhookPlaces - attempts.count();
    if (free <= 0) return false;
    const { waiting, hasMore } = await looks.next();
    if (waiting.length === 0 || isStopping) return hasMore;
    const claimed = await claimTurn({ random: Math.random, ...options }, { waiting, free });
    for (const each of claimed) attempts.start(each, bell.ring);
    if (claimed.some(({ delivery }) => delivery.attemptCount > 0)) looks.soonAtAll();
    return hasMore || claimed.length > 0;
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const rung = bell.next();
      const mayGoOn = await takeTurn().catch((error: unknown) => {
        log.error({ err: error }, 'looking for deliveries failed');
        return false;
      });
      if (!mayGoOn) await rung(webhookLookMilliseconds);
      if (attempts.count() > 0 && !isStopping) await sleep(webhookGatherMilliseconds);
    }
  }

  const running = run();
  return {
    wake: () => bell.ring(),
    async stop() {
      isStopping = true;
      bell.ring();
      await running;
      await attempts.end();
    },
  };
}

function createAttempts(options: Options) {
  const { attempt, log } = options;
  const underWay = new Map<Promise<void>, string>();

  async function make(claimed: Claimed): Promise<void> {
    try {
      await attempt(claimed);
    } catch (error) {
      log.error({ err: error }, 'a delivery failed on our side');
      // If even this fails, the claim runs out.
      await putOff(options, claimed.delivery.id).catch((cause: unknown) =>
        log.error({ err: cause }, 'putting a delivery off failed'),
      );
    }
  }

  return {
    count: () => underWay.size,
    start(claimed: Claimed, onEnd: () => void) {
      const run = make(claimed).finally(() => {
        underWay.delete(run);
        onEnd();
      });
      underWay.set(run, claimed.delivery.id);
    },
    async end() {
      await atMost(webhookStopMilliseconds, Promise.all(underWay.keys()));
      if (underWay.size === 0) return;
      await handBack(options, [...underWay.values()]).catch((error: unknown) =>
        log.error({ err: error }, 'handing deliveries back failed'),
      );
    },
  };
}

/**
 * New events at every look; retries once in a while, a part of the endpoints at a time if they are many, so that those
 * that wait for their retries cost the others nothing.
 */
function createLooks({ db, clock, onLeftOver }: Options) {
  const after: Record<Ring, string | undefined> = { new: undefined, all: undefined };
  let lookedAtAll = Number.NEGATIVE_INFINITY;

  async function lookAt(ring: Ring): Promise<Look> {
    const look = await lookForWork(db, { ring, after: after[ring], clock });
    after[ring] = look.after;
    return look;
  }

  return {
    async next(): Promise<{ waiting: EndpointWithWork[]; hasMore: boolean }> {
      const recent = await lookAt('new');
      const waiting = new Map(recent.waiting.map((each) => [each.subscriptionId, each]));
      const now = performance.now();
      if (after.all !== undefined || now - lookedAtAll >= webhookLookMilliseconds / 2) {
        lookedAtAll = now;
        const all = await lookAt('all');
        for (const each of all.waiting) waiting.set(each.subscriptionId, each);
        if (all.disabled.length > 0) await onLeftOver(all.disabled);
      }
      return { waiting: [...waiting.values()], hasMore: after.new !== undefined || after.all !== undefined };
    },
    /** There were retries just now, so there may be more of them. */
    soonAtAll() {
      lookedAtAll = Number.NEGATIVE_INFINITY;
    },
  };
}
