// When a delivery is tried again: the fixed schedule with jitter, or later if the endpoint asked for it.
import {
  webhookRetryAfterMaximumSeconds,
  webhookRetryJitter,
  webhookRetrySeconds,
} from '../limits/webhooks.ts';

/** In seconds. undefined: that was the last attempt. */
export function pauseBeforeNext(options: {
  /** Attempts made so far. */
  attemptCount: number;
  retryAfter: string | undefined;
  now: Date;
  /** 0 ≤ x < 1. */
  random: () => number;
  /** Seconds after the previous attempt. */
  schedule?: readonly number[];
}): number | undefined {
  const { attemptCount, retryAfter, now, random, schedule = webhookRetrySeconds } = options;
  const pause = schedule[attemptCount];
  if (pause === undefined) return undefined;
  const scheduled = pause * (1 + webhookRetryJitter * (2 * random() - 1));
  return Math.max(scheduled, retryAfterSeconds(retryAfter, now));
}

/** RFC 9110 §10.2.3: seconds or a date. Nonsense and the past count as absent; a day is the most we wait. */
function retryAfterSeconds(value: string | undefined, now: Date): number {
  if (value === undefined) return 0;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now.getTime()) / 1000;
  if (Number.isNaN(seconds) || seconds < 0) return 0;
  return Math.min(seconds, webhookRetryAfterMaximumSeconds);
}
