// Charges that nobody can wait for any more: their answer was lost, or taking them back failed. Each is looked for until
// it is taken back, once, or cannot come any more; so the books are right within a minute of the database's return.
import type { Clock } from '../../clock.ts';
import { type Database, transaction } from '../../database/connection.ts';
import { readBalance } from '../../ledger/balance.ts';
import { findEvent } from '../../ledger/charge.ts';
import { chargeOutcomeMilliseconds, chargeRepairMilliseconds } from '../../limits/charges.ts';
import type { Log } from '../../log.ts';
import { takeBack } from './undo-charge.ts';

export type OpenCharge = { eventId: string; applicationId: string; reason: string };

export type ChargeRepair = {
  takeBackSoon(charge: OpenCharge): void;
  /** One more attempt at each. */
  stop(): Promise<void>;
};

export function createChargeRepair({
  db,
  clock,
  log,
}: {
  db: Database;
  clock: Clock;
  log: Log;
}): ChargeRepair {
  const open = new Map<string, OpenCharge & { since: number }>();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | undefined;

  function plan(): void {
    if (timer || underWay || open.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      void repairAll();
    }, chargeRepairMilliseconds).unref();
  }

  async function repairAll(): Promise<void> {
    underWay ??= repairEach().finally(() => {
      underWay = undefined;
      plan();
    });
    await underWay;
  }

  async function repairEach(): Promise<void> {
    for (const charge of open.values()) {
      try {
        if (await isSettled(charge)) open.delete(charge.eventId);
      } catch (error) {
        // All of them wait for the same database.
        log.debug({ err: error }, 'a charge of unknown outcome waits for the database');
        return;
      }
    }
  }

  async function isSettled(charge: OpenCharge & { since: number }): Promise<boolean> {
    const { eventId, reason } = charge;
    const event = await transaction(db, (tx) => takeBack(tx, { eventId, reason, now: clock() }));
    if (event) log.info({ event: eventId, reason }, 'charge reversed');
    if (event || (await isThere(charge))) return event !== undefined;
    return performance.now() - charge.since > chargeOutcomeMilliseconds;
  }

  /** Its transaction holds the balance until the server has decided, so after this lock the answer is the last one. */
  function isThere({ eventId, applicationId }: OpenCharge): Promise<boolean> {
    return transaction(db, async (tx) => {
      await readBalance(tx, applicationId, { forUpdate: true });
      return (await findEvent(tx, eventId)) !== undefined;
    });
  }

  return {
    takeBackSoon(charge) {
      open.set(charge.eventId, { ...charge, since: performance.now() });
      // For the operator, should this process end before the database is back.
      log.warn({ event: charge.eventId, reason: charge.reason }, 'a charge has to be taken back');
      plan();
    },
    async stop() {
      clearTimeout(timer);
      if (open.size > 0) await repairAll();
      clearTimeout(timer);
      open.clear();
    },
  };
}
