// The loop of a process that makes attempts, of webhooks and of logout notices alike: it looks for endpoints with work,
// claims what is theirs in turn, and starts an attempt for each claim. A notification only wakes it.
import { setTimeout as sleep } from 'node:timers/promises';
import { webhookLookMilliseconds, webhookPlaces, webhookStopMilliseconds } from '../limits/webhooks.ts';
import type { Log } from '../log.ts';
import { atMost, createBell } from '../queue/job-pool.ts';
import type { EndpointWithWork } from './fair-turns.ts';

export type Deliveries = {
  /** There may be something to deliver. */
  wake(): void;
  /** Claims no more, waits for the attempts under way, and hands back those that take too long. */
  stop(): Promise<void>;
};

type AttemptOptions<T> = {
  log: Log;
  /** For the log: one of them, and several. */
  called: { one: string; many: string };
  idOf: (claimed: T) => string;
  /** Makes one attempt and writes down what came of it. */
  attempt: (claimed: T) => Promise<void>;
  /** Our own side failed, so the attempt does not count. */
  putOff: (id: string) => Promise<void>;
  /** Of a process that stops. */
  handBack: (ids: string[]) => Promise<void>;
};

type LoopOptions<T> = AttemptOptions<T> & {
  /** `hasMore`: another look may find something at once. */
  look: () => Promise<{ waiting: EndpointWithWork[]; hasMore: boolean }>;
  claim: (turn: { waiting: EndpointWithWork[]; free: number }) => Promise<T[]>;
  /** While attempts are under way, a look waits this long for others to come along; at once when nothing is said. */
  gatherMilliseconds?: number;
};

export function startAttempts<T>(options: LoopOptions<T>): Deliveries {
  const { log, called, look, claim, gatherMilliseconds } = options;
  const attempts = createAttempts(options);
  const bell = createBell();
  let isStopping = false;

  /** @returns whether another turn may find something at once. */
  async function takeTurn(): Promise<boolean> {
    const free = webhookPlaces - attempts.count();
    if (free <= 0) return false;
    const { waiting, hasMore } = await look();
    if (waiting.length === 0 || isStopping) return hasMore;
    const claimed = await claim({ waiting, free });
    for (const each of claimed) attempts.start(each, bell.ring);
    return hasMore || claimed.length > 0;
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const rung = bell.next();
      const mayGoOn = await takeTurn().catch((error: unknown) => {
        log.error({ err: error }, `looking for ${called.many} failed`);
        return false;
      });
      if (!mayGoOn) await rung(webhookLookMilliseconds);
      if (gatherMilliseconds && attempts.count() > 0 && !isStopping) await sleep(gatherMilliseconds);
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

function createAttempts<T>({ log, called, idOf, attempt, putOff, handBack }: AttemptOptions<T>) {
  const underWay = new Map<Promise<void>, string>();

  async function make(claimed: T): Promise<void> {
    try {
      await attempt(claimed);
    } catch (error) {
      log.error({ err: error }, `a ${called.one} failed on our side`);
      // If even this fails, the claim runs out.
      await putOff(idOf(claimed)).catch((cause: unknown) =>
        log.error({ err: cause }, `putting a ${called.one} off failed`),
      );
    }
  }

  return {
    count: () => underWay.size,
    start(claimed: T, onEnd: () => void) {
      const run = make(claimed).finally(() => {
        underWay.delete(run);
        onEnd();
      });
      underWay.set(run, idOf(claimed));
    },
    async end() {
      await atMost(webhookStopMilliseconds, Promise.all(underWay.keys()));
      if (underWay.size === 0) return;
      await handBack([...underWay.values()]).catch((error: unknown) =>
        log.error({ err: error }, `handing ${called.many} back failed`),
      );
    },
  };
}
