// The one way in which a test waits for what happens a moment later: it looks again and again, and when it gives up it says
// what it waited for and what it saw last. Waiting for a fixed time instead is either too short or too long.
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

const PATIENCE_SECONDS = 20;
const LOOK_MILLISECONDS = 20;
const SHOWN_CHARACTERS = 1_000;

/** What was looked for is there; 0 and '' are something. */
export type There<T> = Exclude<T, undefined | null | false>;

export type Patience<T> = {
  /** What is there may not be enough yet. */
  isIt?: (seen: There<T>) => boolean;
  seconds?: number;
  everyMilliseconds?: number;
};

/**
 * @param what completes "until …", for whoever reads the failure.
 * @param look is asked at least once. What it throws is thrown at once: it is a fault, and no "not yet".
 * @returns what `look` saw
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { isIt = () => true, seconds = PATIENCE_SECONDS, everyMilliseconds = LOOK_MILLISECONDS }: Patience<T> = {},
): Promise<There<T>> {
  const giveUpAt = performance.now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    if (isThere(seen) && isIt(seen)) return seen;
    if (performance.now() >= giveUpAt)
      throw new Error(`waited ${seconds} s until ${what}; last seen: ${shown(seen)}`);
    await sleep(everyMilliseconds);
  }
}

function isThere<T>(seen: T): seen is There<T> {
  return seen !== undefined && seen !== null && seen !== false;
}

function shown(seen: unknown): string {
  return (typeof seen === 'string' ? seen : inspect(seen)).slice(0, SHOWN_CHARACTERS);
}
