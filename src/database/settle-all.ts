// Database work that is sent at once instead of one after the other. On one connection its statements travel in one packet
// and are executed in the order in which they were sent (src/database/pool.ts).
import { isAbortedTransaction } from './sql-state.ts';

/**
 * Sends it now. What the query builder makes is sent when somebody first waits for it, which `await` puts off until the
 * present piece of code is over: statements that were called for later, and sent at once, would pass it. For locks, and for
 * whatever else another statement of the same packet has to come after.
 */
export function sent<T>(query: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    query.then(resolve, reject);
  });
}

type Results<T> = { -readonly [K in keyof T]: Awaited<T[K]> };

/**
 * `Promise.all`, except that it ends only when all of them have: what is still under way on a transaction would
 * otherwise run after its end, on a connection that somebody else may have by then.
 * @throws the first failure; not those that only say that the transaction had failed already.
 */
export async function settleAll<T extends readonly unknown[] | []>(work: T): Promise<Results<T>> {
  // Once for each: the query builder's promises send their statement whenever somebody asks for the answer.
  const outcomes = await Promise.allSettled(work);
  const failures: unknown[] = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (failures.length > 0) throw failures.find((failure) => !isAbortedTransaction(failure)) ?? failures[0];
  return outcomes.map((each) => (each.status === 'fulfilled' ? each.value : undefined)) as Results<T>;
}
