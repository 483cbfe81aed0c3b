// How deliveries of one moment share a transaction and nothing else. A batch never waits for somebody else's lock: a
// member whose row is held (an owner deletes a long history, an endpoint with a million pending deliveries is disabled)
// waits in a line of its own, so that a company waits only for itself. A batch that fails because of one of its members
// is taken apart until that one is alone.
import { createBatcher, runOrTakeApart } from '../database/batch.ts';
import { type Database, transaction } from '../database/connection.ts';
import { concernsOneRow } from '../database/sql-state.ts';
import { webhookBatches, webhookLines } from '../limits/webhooks.ts';

/** Whether to wait for rows that somebody else holds. */
export type Locks = 'skip' | 'wait';
/** `busy`: somebody else holds its row. */
export type Shared<O> = { value: O } | 'busy';

export type Sharing<I, O> = {
  db: Database;
  /** One result for each member, in their order. Nobody is busy who may wait. */
  run: (tx: Database, members: I[], locks: Locks) => Promise<Shared<O>[]>;
};

export function createSharing<I, O>({ db, run }: Sharing<I, O>): (member: I) => Promise<O> {
  const runAtOnce = async (members: I[], locks: Locks) => {
    const results = await transaction(db, (tx) => run(tx, members, locks));
    return results.map((value) => ({ value }));
  };
  const runTogether = createBatcher<I, Shared<O>>({
    run: (members) => runOrTakeApart(members, (some) => runAtOnce(some, 'skip'), concernsOneRow),
    ...webhookBatches,
  });
  const inLine = createBatcher<I, Shared<O>>({
    run: (members) => runAtOnce(members, 'wait'),
    ...webhookLines,
  });
  return async (member) => {
    let result = await runTogether(member);
    if (result === 'busy') result = await inLine(member);
    if (result === 'busy') throw new Error('a delivery that waited for its row did not get it');
    return result.value;
  };
}
