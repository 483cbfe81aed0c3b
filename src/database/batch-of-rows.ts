// Rows that nobody waits for, written many at once. One that the database refuses costs itself, not the others of its
// moment, which are other companies'.
import { runOrTakeApart } from './batch.ts';
import { concernsOneRow } from './sql-state.ts';

/** @param size rows of one statement @returns why rows were lost, once for each of them. */
export async function writeApart<T>(
  rows: T[],
  size: number,
  write: (rows: T[]) => Promise<void>,
): Promise<unknown[]> {
  const run = async (some: T[]) => {
    await write(some);
    return some.map(() => ({ value: undefined }));
  };
  const lost: unknown[] = [];
  for (let start = 0; start < rows.length; start += size) {
    const outcomes = await runOrTakeApart(rows.slice(start, start + size), run, concernsOneRow);
    lost.push(...outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : [])));
  }
  return lost;
}
