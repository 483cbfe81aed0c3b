// Keeps when a signed-in browser was last used (session.ts). Best effort: no answer waits for it, nothing
// fails because of it, and a browser that signs in all day costs one write an hour.
import type { Clock } from '../clock.ts';
import type { Database } from '../database.ts';
import {
  browserNoteDelayMilliseconds,
  browserNotesRemembered,
  browserNotesWaiting,
  browserTouchSeconds,
} from '../limits-account.ts';
import type { Log } from '../log.ts';
import { recordSessionUses, type SessionUse } from './session-use.ts';

export type BrowserRecorder = {
  noteUse(use: Omit<SessionUse, 'at'>): void;
  /** Writes what waits, and resolves when it is written or dropped. */
  flush(): Promise<void>;
};

type Dependencies = { db: Database; clock: Clock; log: Log };

export function createBrowserRecorder({ db, clock, log }: Dependencies): BrowserRecorder {
  /** When each was last written by this process, in milliseconds. */
  const written = new Map<string, number>();
  const uses = new Map<string, SessionUse>();
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    const used = [...uses.values()];
    uses.clear();
    try {
      if (used.length > 0) await recordSessionUses(db, used);
    } catch (error) {
      log.warn({ err: error, browsers: used.length }, 'signed-in browsers were not recorded');
    }
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
