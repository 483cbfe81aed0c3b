// The wire for PGlite, which has none: the same points around every statement and every COMMIT. When the fuse blows,
// the open transaction is rolled back, as PGlite does when it recovers after the death of its process, and nothing
// that was under way ever comes back to the service.
import type { PGlite, Transaction } from '@electric-sql/pglite';
import type { Fuse } from './fuse.ts';

type Run = () => Promise<unknown>;

export function gate(pglite: PGlite, fuse: Fuse): { pglite: PGlite; release(): void } {
  const released = Promise.withResolvers<never>();
  released.promise.catch(() => undefined);
  const dead = Promise.withResolvers<never>();
  dead.promise.catch(() => undefined);
  void fuse.blown.then(() => dead.reject(new Error('the process died')));

  /** Passes, or is silent until the dead service is thrown away. */
  async function point(place: string): Promise<void> {
    if (!fuse.pass(place)) await released.promise;
    // What was executed stays so: after COMMIT, nobody hears of it.
    if (fuse.breaks) throw new Error('Connection terminated unexpectedly');
  }
  async function statement(run: Run): Promise<unknown> {
    await point('database ←');
    const result = await run().catch((error: unknown) => {
      if (fuse.isBlown) return released.promise;
      throw error;
    });
    await point('database →');
    return result;
  }
  async function transaction(work: (tx: Transaction) => Promise<unknown>): Promise<unknown> {
    await point('database ← begin');
    const committed = pglite.transaction((tx) => {
      const run = async () => {
        const result = await work(guard(tx));
        if (!fuse.pass('database ← commit')) return dead.promise;
        return result;
      };
      return Promise.race([run(), dead.promise]);
    });
    const result = await committed.catch((error: unknown) => {
      if (fuse.isBlown) return released.promise;
      throw error;
    });
    await point('database → committed');
    return result;
  }
  function guard<T extends PGlite | Transaction>(target: T): T {
    return new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (name === 'transaction') return transaction;
        if (name === 'query' || name === 'exec')
          return (...given: unknown[]) => statement(() => Reflect.apply(value, target, given));
        return value.bind(target);
      },
    });
  }
  return { pglite: guard(pglite), release: () => released.reject(new Error('the process is gone')) };
}
