// Keeps when a signed-in browser was last used (session.ts). Best effort: no answer waits for it, nothing
// fails because of it, and a browser that signs in all day costs one write an hour.

import type { Clock } from '../clock.ts';
import { writeApart } from '../database/batch-of-rows.ts';
import type { Database } from '../database/connection.ts';
import {
  browserNoteBatch,
  browserNoteDelayMilliseconds,
  browserNotesRemembered,
  browserNotesWaiting,
  browserTouchSeconds,
} from '../limits/account.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { recordSessionUses, type SessionUse } from './session-use.ts';

export type BrowserRecorder = {
  noteUse(use: Omit<SessionUse, 'at'>): void;
  /** Writes what waits, and resolves when it is written or dropped. */
  flush(): Promise<void>;
};

type Dependencies = { db: Database; clock: Clock; log: Log; metrics: Pick<Metrics, 'unrecorded'> };

export function createBrowserRecorder({ db, clock, log, metrics }: Dependencies): BrowserRecorder {
  /** When each was last written by this process, in milliseconds. */
  const written = new Map<string, number>();
  const uses = new Map<string, SessionUse>();
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    const used = [...uses.values()];
    uses.clear();
    const lost = await writeApart(used, browserNoteBatch, (some) => recordSessionUses(db, some));
    if (lost.length === 0) return;
    metrics.unrecorded.inc({ what: 'session_uses' }, lost.length);
    log.warn({ err: lost[0], browsers: lost.length }, 'signed-in browsers were not recorded');
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }

  function plan(): void {
    timer ??= setTimeout(() => void flush(), browserNoteDelayMilliseconds).unref();
  }

  return {
    noteUse(use) {
      const at = clock();
      const last = written.get(use.sessionUid);
      if (last !== undefined && at.getTime() - last < browserTouchSeconds * 1000) return;
      if (uses.size >= browserNotesWaiting) return;
      if (written.size >= browserNotesRemembered) written.clear();
      written.set(use.sessionUid, at.getTime());
      uses.set(use.sessionUid, { ...use, at });
      plan();
    },
    flush,
  };
}
