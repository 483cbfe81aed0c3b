// When each Client Secret was last used, for the company that wants to expire an old one: noted after the
// answer, at most once a minute and secret, so that no exchange waits for it or fails because of it.
import type { Middleware } from 'koa';
import { recordClientSecretUse } from '../../applications/client-secret-list.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/connection.ts';
import { clientSecretUseSeconds } from '../../limits/applications.ts';
import type { Log } from '../../log.ts';
import { engineContext } from '../engine/engine-context.ts';
import { applicationIdOf } from './client.ts';

type Dependencies = { db: Database; clock: Clock; log: Log };

/** One for the whole process: it remembers what it noted in the last minute. */
export function noteSecretUse({ db, clock, log }: Dependencies): Middleware {
  const notedAt = new Map<string, number>();

  function isDue(secretHash: string, now: number): boolean {
    const oldest = now - clientSecretUseSeconds * 1000;
    if ((notedAt.get(secretHash) ?? 0) > oldest) return false;
    // In the order in which they were noted: the old ones are in front, and there are never more than a minute's.
    for (const [hash, at] of notedAt) {
      if (at > oldest) break;
      notedAt.delete(hash);
    }
    notedAt.set(secretHash, now);
    return true;
  }

  return async (ctx, next) => {
    await next();
    const secretHash: unknown = ctx.state.clientSecretHash;
    const client = engineContext(ctx)?.client;
    if (typeof secretHash !== 'string' || !client) return;
    const now = clock();
    if (!isDue(secretHash, now.getTime())) return;
    const used = { applicationId: applicationIdOf(client), secretHash, now };
    ctx.res.once('close', () => {
      recordClientSecretUse(db, used).catch((error: unknown) => {
        log.warn({ err: error }, 'the use of a client secret was not noted');
      });
    });
  };
}
