// Waits until a service has done what it began: deletions and the like go on after the answer.

import type { Database } from '../../src/database/connection.ts';
import { listUnfinishedWork } from '../../src/queue/long-work.ts';
import { until } from './until.ts';

const PATIENCE_SECONDS = 30;

export async function longWorkDone(db: Database): Promise<void> {
  await until('all long work is done', () => listUnfinishedWork(db, 10), {
    isIt: (left) => left.length === 0,
    seconds: PATIENCE_SECONDS,
  });
}
