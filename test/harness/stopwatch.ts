// Times that are promised, measured on machines that others use as well: how long something took without
// the moments in which this process had something to do and was not given a processor.
import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MILLISECONDS = 10;
/** A timer is this late on a machine that has nothing else to do. */
const USUAL_LATENESS_MILLISECONDS = 5;

export type Measured<T> = {
  value: T;
  /** Without the machine's share. */
  milliseconds: number;
};

/** The service of a test is in this process too: what it waits for counts, and what it computes. */
export async function measure<T>(work: () => Promise<T>): Promise<Measured<T>> {
  const startedAt = performance.now();
  let isDone = false;
  let stalled = 0;
  const meter = (async () => {
    while (!isDone) {
      const before = { now: performance.now(), cpu: process.cpuUsage() };
      await sleep(TICK_MILLISECONDS);
      const { user, system } = process.cpuUsage(before.cpu);
      const late = performance.now() - before.now - TICK_MILLISECONDS - (user + system) / 1_000;
      if (late > USUAL_LATENESS_MILLISECONDS) stalled += late;
    }
  })();
  try {
    const value = await work();
    return { value, milliseconds: Math.max(0, performance.now() - startedAt - stalled) };
  } finally {
    isDone = true;
    await meter;
  }
}
