// Waits until a service has done what it began: deletions and the like go on after the answer.

import type { Database } from '../../src/database/connection.ts';
import { listUnfinishedWork } from '../../src/queue/long-work.ts';

const PATIENCE_MILLISECONDS = 30_000;

export async function longWorkDone(db: Database): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MILLISECONDS;
  for (;;) {
    const left = await listUnfinishedWork(db, 10);
    if (left.length === 0) return;
    if (performance.now() > giveUpAt) throw new Error(`still at work: ${JSON.stringify(left)}`);
    await new Promise((wake) => setTimeout(wake, 50));
  }
}
