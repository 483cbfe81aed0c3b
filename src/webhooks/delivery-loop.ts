// The loop of a process that makes attempts of webhooks (attempt-loop.ts): where it looks, and how often. What is due says
// the database, by its own clock.
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connection.ts';
import { webhookGatherMilliseconds, webhookLookMilliseconds } from '../limits/webhooks.ts';
import type { Log } from '../log.ts';
import type { Pressure } from '../queue/pressure.ts';
import { type Deliveries, startAttempts } from './attempt-loop.ts';
import { type Claimed, claimTurn, handBack, putOff } from './delivery-claim.ts';
import { type Look, lookForWork, type Ring } from './delivery-look.ts';
import type { EndpointWithWork } from './fair-turns.ts';

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
  const { log, attempt } = options;
  const looks = createLooks(options);
  return startAttempts<Claimed>({
    log,
    called: { one: 'delivery', many: 'deliveries' },
    idOf: ({ delivery }) => delivery.id,
    attempt,
    look: looks.next,
    async claim(turn) {
      const claimed = await claimTurn({ random: Math.random, ...options }, turn);
      if (claimed.some(({ delivery }) => delivery.attemptCount > 0)) looks.soonAtAll();
      return claimed;
    },
    putOff: (id) => putOff(options, id),
    handBack: (ids) => handBack(options, ids),
    gatherMilliseconds: webhookGatherMilliseconds,
  });
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
