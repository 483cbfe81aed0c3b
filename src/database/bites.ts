// Long work is done in bites: so many rows a transaction, as many as fit into a short time, with room for everybody else
// in between. No statement of it is longer than one bite, whatever there is to do, and whoever is killed has done what was
// committed. src/queue/long-work.ts remembers where work was; what is told by the rows themselves needs only this.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { biteMilliseconds, biteRows } from '../limits/bites.ts';
import { type Database, transaction } from './connection.ts';
import { sqlState } from './sql-state.ts';

/** How many rows the next bite takes: the more the quicker they go, and fewer at once when they are slow. */
export type BiteSize = {
  rows(): number;
  took(milliseconds: number): void;
  /** @returns whether a smaller bite is worth trying. */
  failed(error: unknown): boolean;
};

/** Takes at most this many rows in the transaction, and says how many it took: fewer than it might means none are left. */
export type Bite = (tx: Database, rows: number) => Promise<number>;

export type Bites = {
  bite: Bite;
  /** No bite takes more. */
  most?: number;
  /** What is left after this time is for the next round. */
  milliseconds?: number;
  isStopped?: () => boolean;
  /** After each commit. */
  onBite?: (bitten: { rows: number; milliseconds: number }) => void;
};

export type Bitten = {
  rows: number;
  /** False when time was up first. */
  isFinished: boolean;
};

/** Bite after bite until nothing is left, time is up or the process stops; a bite that is too large is tried smaller. */
export async function inBites(db: Database, work: Bites): Promise<Bitten> {
  const { bite, most = biteRows, milliseconds = Number.POSITIVE_INFINITY, isStopped = () => false } = work;
  const size = createBiteSize(most);
  const endsAt = performance.now() + milliseconds;
  let done = 0;
  for (;;) {
    if (isStopped() || performance.now() >= endsAt) return { rows: done, isFinished: false };
    const asked = size.rows();
    const rows = await takeBite(db, { size, bite: (tx) => bite(tx, asked), onBite: work.onBite });
    if (rows === undefined) continue;
    done += rows;
    if (rows < asked) return { rows: done, isFinished: true };
    await nextTurn();
  }
}

type OneBite = {
  size: BiteSize;
  bite: (tx: Database) => Promise<number>;
  onBite?: Bites['onBite'];
};

/** @returns undefined when it was too large and the next one is smaller. */
async function takeBite(db: Database, { size, bite, onBite }: OneBite): Promise<number | undefined> {
  const startedAt = performance.now();
  try {
    const rows = await transaction(db, bite);
    const milliseconds = performance.now() - startedAt;
    size.took(milliseconds);
    onBite?.({ rows, milliseconds });
    return rows;
  } catch (error) {
    if (size.failed(error)) return undefined;
    throw error;
  }
}

const QUERY_CANCELED = '57014';

export function createBiteSize(most: number): BiteSize {
  // Not a whole one at first: nobody knows yet what these rows cost.
  let present = Math.max(1, Math.min(most, Math.ceil(most / 4)));
  return {
    rows: () => present,
    took(milliseconds) {
      if (milliseconds > biteMilliseconds) present = Math.max(1, Math.floor(present / 2));
      else if (milliseconds < biteMilliseconds / 2) present = Math.min(most, present * 2);
    },
    failed(error) {
      const isWorthIt = sqlState(error) === QUERY_CANCELED && present > 1;
      present = Math.max(1, Math.floor(present / 4));
      return isWorthIt;
    },
  };
}
