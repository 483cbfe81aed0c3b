// The loop of a process that tells applications of ended sessions; what is due says the database, by its own clock.
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connection.ts';
import type { Log } from '../log.ts';
import { type Deliveries, startAttempts } from './attempt-loop.ts';
import { type ClaimedLogout, claimLogouts, lookForLogouts, releaseLogouts } from './logout-claim.ts';

type Options = {
  db: Database;
  clock: Clock;
  log: Log;
  /** Of this process among all that ever ran. */
  owner: string;
  /** Makes one attempt and writes down what came of it. */
  attempt: (claimed: ClaimedLogout) => Promise<void>;
  random?: () => number;
};

export function startLogouts(options: Options): Deliveries {
  const { db, clock, log, attempt, random = Math.random } = options;
  let after: string | undefined;
  return startAttempts<ClaimedLogout>({
    log,
    called: { one: 'logout notice', many: 'logout notices' },
    idOf: ({ notice }) => notice.id,
    attempt,
    async look() {
      const look = await lookForLogouts(db, { after, clock });
      after = look.after;
      return { waiting: look.waiting, hasMore: after !== undefined };
    },
    claim: (turn) => claimLogouts({ ...options, random }, turn),
    putOff: (id) => releaseLogouts(options, { ids: [id], atOnce: false }),
    handBack: (ids) => releaseLogouts(options, { ids, atOnce: true }),
  });
}
