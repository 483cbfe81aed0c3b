// The loop of a process that tells applications of ended sessions: look, claim in turn, attempt. A notification only wakes
// it; what is due says the database, by its own clock.
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connection.ts';
import { webhookLookMilliseconds, webhookPlaces, webhookStopMilliseconds } from '../limits/webhooks.ts';
import type { Log } from '../log.ts';
import { atMost, createBell } from '../queue/job-pool.ts';
import type { Deliveries } from './delivery-loop.ts';
import { type ClaimedLogout, claimLogouts, lookForLogouts, releaseLogouts } from './logout-claim.ts';

type Options = {
  db: Database;
  clock: Clock;
  log: Log;
  /** Of this process among all that ever ran. */
  owner: string;
  /** Makes one attempt and writes down what came of it. */
  attempt: (claimed: ClaimedLogout) => Promise<void>;
  random?: () => number;
};

export function startLogouts(options: Options): Deliveries {
  const { db, clock, log, random = Math.random } = options;
  const underWay = new Map<Promise<void>, string>();
  const bell = createBell();
  let after: string | undefined;
  let isStopping = false;

  async function make(claimed: ClaimedLogout): Promise<void> {
    try {
      await options.attempt(claimed);
    } catch (error) {
      log.error({ err: error }, 'telling an application of a logout failed on our side');
      // If even this fails, the claim runs out.
      await releaseLogouts(options, { ids: [claimed.notice.id], atOnce: false }).catch((cause: unknown) =>
        log.error({ err: cause }, 'putting a logout off failed'),
      );
    }
  }

  function start(claimed: ClaimedLogout): void {
    const run = make(claimed).finally(() => {
      underWay.delete(run);
      bell.ring();
    });
    underWay.set(run, claimed.notice.id);
  }

  /** @returns whether another turn may find something at once. */
  async function takeTurn(): Promise<boolean> {
    const free = webhookPlaces - underWay.size;
    if (free <= 0) return false;
    const look = await lookForLogouts(db, { after, clock });
    after = look.after;
    if (look.waiting.length === 0 || isStopping) return after !== undefined;
    const claimed = await claimLogouts({ ...options, random }, { waiting: look.waiting, free });
    for (const each of claimed) start(each);
    return after !== undefined || claimed.length > 0;
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const rung = bell.next();
      const mayGoOn = await takeTurn().catch((error: unknown) => {
        log.error({ err: error }, 'looking for logouts failed');
        return false;
      });
      if (!mayGoOn) await rung(webhookLookMilliseconds);
    }
  }

  const running = run();
  return {
    wake: () => bell.ring(),
    async stop() {
      isStopping = true;
      bell.ring();
      await running;
      await atMost(webhookStopMilliseconds, Promise.all(underWay.keys()));
      if (underWay.size === 0) return;
      await releaseLogouts(options, { ids: [...underWay.values()], atOnce: true }).catch((error: unknown) =>
        log.error({ err: error }, 'handing logouts back failed'),
      );
    },
  };
}
