// What was received goes on to the receiver, one event after the other, signed anew at each attempt. A receiver that is
// away is waited for; one that answers with an error gets the event some times more, while others go on.
import { setTimeout as sleep } from 'node:timers/promises';
import { forwardRetrySeconds, forwardUnreachableSeconds } from '../limits/listening.ts';
import { webhookTimeoutMilliseconds } from '../limits/webhooks.ts';
import { webhookHeaders } from '../webhooks/signature.ts';
import type { ListenedEvent } from './event-source.ts';
import { problemOf, send } from './plain-request.ts';

export type Say = (words: string) => void;

export type Forwarding = {
  add(event: ListenedEvent): void;
  waiting(): number;
  /** Resolves once fewer than this many wait. */
  roomFor(most: number): Promise<void>;
};

type Waiting = { event: ListenedEvent; refusals: number; dueAt: number };
type Outcome = { status: number; milliseconds: number } | { problem: string };

export function createForwarding(options: {
  receiver: string;
  secret: string;
  say: Say;
  signal: AbortSignal;
}): Forwarding {
  const { receiver, secret, say, signal } = options;
  const queue: Waiting[] = [];
  let isWorking = false;
  /** Nobody answered so many times in a row, so nobody is asked before this moment. */
  let unreachable = 0;
  let pausedUntil = 0;
  let wake = new AbortController();
  let settled = Promise.withResolvers<void>();

  /** Those that came first; those that were refused when their time has come. */
  function enqueue(waiting: Waiting): void {
    queue.push(waiting);
    queue.sort((a, b) => a.dueAt - b.dueAt);
    wake.abort();
  }

  async function work(): Promise<void> {
    isWorking = true;
    try {
      for (let first = queue[0]; first && !signal.aborted; first = queue[0]) {
        const milliseconds = Math.max(first.dueAt, pausedUntil) - performance.now();
        if (milliseconds > 0) {
          wake = new AbortController();
          await pause(milliseconds, AbortSignal.any([signal, wake.signal]));
          continue;
        }
        const outcome = await attempt(first.event);
        if (signal.aborted) return;
        queue.splice(queue.indexOf(first), 1);
        settle(first, outcome);
        settled.resolve();
        settled = Promise.withResolvers<void>();
      }
    } finally {
      isWorking = false;
    }
  }

  async function attempt(event: ListenedEvent): Promise<Outcome> {
    const body = JSON.stringify(event);
    const headers = webhookHeaders({
      eventId: event.id,
      body,
      secrets: { current: secret },
      now: new Date(),
    });
    const startedAt = performance.now();
    try {
      const milliseconds = webhookTimeoutMilliseconds;
      const { status } = await send(receiver, { method: 'POST', headers, body, milliseconds, signal });
      return { status, milliseconds: Math.round(performance.now() - startedAt) };
    } catch (error) {
      return { problem: problemOf(error) };
    }
  }

  function settle(waiting: Waiting, outcome: Outcome): void {
    if ('problem' in outcome) {
      const seconds = forwardUnreachableSeconds[unreachable] ?? forwardUnreachableSeconds.at(-1) ?? 1;
      unreachable += 1;
      pausedUntil = after(seconds);
      enqueue(waiting);
      const wait = queue.length === 1 ? '1 event waits' : `${queue.length} events wait`;
      say(`Nobody answers at ${receiver} (${outcome.problem}). ${wait}; trying again in ${seconds} s.`);
      return;
    }
    unreachable = 0;
    const { type, id } = waiting.event;
    const { status, milliseconds } = outcome;
    const line = `${type}  ${id}  →  ${status} in ${milliseconds} ms`;
    const seconds = forwardRetrySeconds[waiting.refusals];
    if (status >= 200 && status < 300) say(line);
    else if (status === 410 || seconds === undefined) say(`${line}. Given up.`);
    else {
      say(`${line}. Trying again in ${seconds} s.`);
      enqueue({ ...waiting, refusals: waiting.refusals + 1, dueAt: after(seconds) });
    }
  }

  return {
    add(event) {
      enqueue({ event, refusals: 0, dueAt: 0 });
      if (!isWorking) void work();
    },
    waiting: () => queue.length,
    async roomFor(most) {
      while (queue.length >= most && !signal.aborted) await settled.promise;
    },
  };
}

function after(seconds: number): number {
  return performance.now() + seconds * 1000;
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
