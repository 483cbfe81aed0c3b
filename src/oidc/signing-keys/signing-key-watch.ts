// Rotates the signing keys on schedule, and notices that they changed: another process rotated them, an announced key
// begins to sign, an old one has gone. The engine takes its keys once, so the roof then builds it anew.
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/connection.ts';
import { signingKeyWatchSeconds } from '../../limits/token-lifetimes.ts';
import type { Log } from '../../log.ts';
import type { Keys } from '../../secrets.ts';
import { loadSigningKeys, rotateWhenDue } from './signing-keys.ts';

type Watch = {
  db: Database;
  keys: Pick<Keys, 'sealing'>;
  clock: Clock;
  log: Log;
  /** The keys of the engine in use, in their order. */
  kidsInUse(): string[];
  rebuild(): Promise<void>;
};

/** @returns a function that ends it and waits for the look under way. */
export function watchSigningKeys(watch: Watch): () => Promise<void> {
  let look = Promise.resolve();
  const timer = setInterval(() => {
    look = look.then(() => rebuildWhenChanged(watch));
  }, signingKeyWatchSeconds * 1000);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await look;
  };
}

export async function rebuildWhenChanged({ db, keys, clock, log, kidsInUse, rebuild }: Watch): Promise<void> {
  try {
    for (const rotation of await rotateWhenDue(db, { keys, clock }))
      log.info(rotation, 'the next signing key is announced');
    const { kids } = await loadSigningKeys(db, { keys, clock });
    if (kids.join() === kidsInUse().join()) return;
    await rebuild();
    log.info({ kids }, 'signing keys changed');
  } catch (error) {
    log.warn({ err: error }, 'the signing keys could not be read; the ones in use stay');
  }
}
