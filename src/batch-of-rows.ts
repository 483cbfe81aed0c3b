// Rows that nobody waits for, written many at once. One that the database refuses costs itself, not the others of its
// moment, which are other companies'.
import { runOrTakeApart } from './batch.ts';
import { concernsOneRow } from './sql-state.ts';

/** @returns why rows were lost, once for each of them. */
export async function writeApart<T>(rows: T[], write: (rows: T[]) => Promise<void>): Promise<unknown[]> {
  const run = async (some: T[]) => {
    await write(some);
    return some.map(() => ({ value: undefined }));
  };
  const outcomes = await runOrTakeApart(rows, run, concernsOneRow);
  return outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));
}
