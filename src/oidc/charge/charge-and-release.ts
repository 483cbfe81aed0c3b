// A session's charge from its request to its release: charged with others, then released when its tokens leave, or taken
// back when they do not. What neither can be said of is repaired (charge-repair.ts).

import { type Clock, secondsAfter } from '../../clock.ts';
import { createBatcher } from '../../database/batch.ts';
import { inBites } from '../../database/bites.ts';
import { type Connection, transaction } from '../../database/connection.ts';
import { chargesOf, createReadThenWrite } from '../../database/pipelined-transaction.ts';
import { repeatWhenAsked } from '../../database/sql-state.ts';
import { findHeldBalances } from '../../ledger/price-and-balance.ts';
import {
  heldWebhooksPollMilliseconds,
  releaseBatches,
  webhooksHeldMilliseconds,
} from '../../limits/charges.ts';
import type { Log } from '../../log.ts';
import type { Keys } from '../../secrets.ts';
import { releaseForgotten, releaseWebhooks } from '../../webhooks/release.ts';
import type { Charged, SessionToCharge } from './charge-decision.ts';
import { createChargeQueue } from './charge-queue.ts';
import { createChargeRepair } from './charge-repair.ts';
import { createSessionCharge } from './charge-transaction.ts';
import { takeBack } from './undo-charge.ts';

type Dependencies = {
  connection: Connection;
  keys: Pick<Keys, 'pairwise'>;
  clock: Clock;
  log: Log;
};

export type Charges = ReturnType<typeof createCharges>;

/** One for the whole process: sessions share a transaction only if they share this. */
export function createCharges({ connection, keys, clock, log }: Dependencies) {
  const { db } = connection;
  const charges = chargesOf(connection);
  const repair = createChargeRepair({ db: charges, clock, log });
  const queue = createChargeQueue({
    chargeSessions: createSessionCharge({ readThenWrite: createReadThenWrite(connection), keys, clock }),
    findHeldBalances: (applicationIds) => findHeldBalances(charges, applicationIds),
    giveUp: ({ eventId, applicationId }) =>
      repair.takeBackSoon({ eventId, applicationId, reason: 'the answer of the commit was lost' }),
  });
  const announce = createBatcher<string, void>({
    async run(eventIds) {
      await repeatWhenAsked(() => releaseWebhooks(db, { eventIds, now: clock() }));
      return eventIds.map(() => ({ value: undefined }));
    },
    ...releaseBatches,
  });
  const announcements = new Set<Promise<void>>();
  const stopSweeping = sweepHeldWebhooks({ connection, clock, log });

  return {
    charge: queue.charge,
    /** The tokens leave. */
    release(session: SessionToCharge, { event, hasWebhooks }: Charged): void {
      queue.settled(session);
      if (!hasWebhooks) return;
      const announcement = announce(event.id).catch((error) =>
        log.warn({ err: error, event: event.id }, 'webhooks of a charge are released later'),
      );
      announcements.add(announcement);
      void announcement.finally(() => announcements.delete(announcement));
    },
    /** They never will. */
    async takeBack(session: SessionToCharge, reason: string): Promise<void> {
      const { eventId, applicationId } = session;
      try {
        await transaction(charges, (tx) => takeBack(tx, { eventId, reason, now: clock() }));
        log.info({ event: eventId, reason }, 'charge reversed');
      } catch (error) {
        log.debug({ err: error, event: eventId }, 'a charge was not taken back at once');
        repair.takeBackSoon({ eventId, applicationId, reason });
      } finally {
        queue.settled(session);
      }
    },
    async stop(): Promise<void> {
      await stopSweeping();
      await Promise.all(announcements);
      await repair.stop();
    },
  };
}

/**
 * Only after the database has answered for as long as a repair may need: whoever takes a charge back comes first. A
 * process that died cannot do that any more, and its tokens may have left.
 */
function sweepHeldWebhooks({ connection, clock, log }: Omit<Dependencies, 'keys'>) {
  let answersSince = performance.now();
  let isStopped = false;
  let sweeping: Promise<unknown> | undefined;
  async function sweep(): Promise<void> {
    try {
      await connection.ping();
      if (performance.now() - answersSince < webhooksHeldMilliseconds) return;
      const before = secondsAfter(clock(), -webhooksHeldMilliseconds / 1000);
      await inBites(connection.db, {
        bite: (tx, rows) => releaseForgotten(tx, { before, rows }),
        milliseconds: heldWebhooksPollMilliseconds,
        isStopped: () => isStopped,
      });
    } catch (error) {
      answersSince = performance.now();
      log.debug({ err: error }, 'held webhooks were not looked for');
    }
  }
  const timer = setInterval(() => {
    sweeping ??= sweep().finally(() => {
      sweeping = undefined;
    });
  }, heldWebhooksPollMilliseconds).unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await sweeping;
  };
}
