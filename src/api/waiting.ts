// A request that waits for events instead of asking again and again. Places are few, of each company and in all; whoever
// waits looks once a second on the company's own lane, shows the key again each time, and goes when the process stops.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'koa';
import type { ApiKey } from '../applications/api-key-check.ts';
import { serviceUnavailable, TollgateError } from '../errors.ts';
import { listeners, listenersPerCompany, listeningLookMilliseconds } from '../limits/listening.ts';

type Look<T> = () => Promise<{ isNews: boolean; page: T }>;
type Wait<T> = {
  key: Pick<ApiKey, 'workspaceId'>;
  seconds: number;
  look: Look<T>;
  /** @throws TollgateError invalid_token once the key is revoked or over. */
  requireKey(): Promise<void>;
};

export type WaitForNews = <T>(ctx: Context, wait: Wait<T>) => Promise<T>;

export function createWaiting({ isShuttingDown }: { isShuttingDown(): boolean }): WaitForNews {
  const waiting = new Map<string, number>();
  let all = 0;

  function sit(company: string): () => void {
    const here = waiting.get(company) ?? 0;
    if (here >= listenersPerCompany)
      throw new TollgateError(
        'too_many_requests',
        `At most ${listenersPerCompany} requests of a company wait for events at once. Stop one of them.`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      );
    if (all >= listeners) throw serviceUnavailable(new Error('all places for listeners are taken'));
    waiting.set(company, here + 1);
    all += 1;
    return () => {
      all -= 1;
      const left = (waiting.get(company) ?? 1) - 1;
      if (left === 0) waiting.delete(company);
      else waiting.set(company, left);
    };
  }

  return async (ctx, { key, seconds, look, requireKey }) => {
    const first = await look();
    if (first.isNews || seconds === 0) return first.page;
    const leave = sit(key.workspaceId);
    const gone = new AbortController();
    const hangUp = () => gone.abort();
    ctx.res.once('close', hangUp);
    try {
      const until = performance.now() + seconds * 1000;
      let latest = first;
      while (!latest.isNews && performance.now() < until && !isShuttingDown() && !gone.signal.aborted) {
        await pause(Math.min(listeningLookMilliseconds, until - performance.now()), gone.signal);
        await requireKey();
        latest = await look();
      }
      return latest.page;
    } finally {
      ctx.res.off('close', hangUp);
      leave();
    }
  };
}

const RETRY_AFTER_SECONDS = 10;

/** Ends early when the other end is gone. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined);
}
