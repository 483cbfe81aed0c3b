// All burdens, by how large they are.
import type { Burden } from './burden.ts';
import { deletions, poorApplication, strangers } from './people-burdens.ts';
import { skewedProcess } from './process-burdens.ts';
import { readingBurdens } from './read-burdens.ts';
import { hangingEndpoint, replayOf, slowEndpoints } from './webhook-burdens.ts';

type Sizes = {
  pending: number;
  /** At each of the slow endpoints. */
  pendingAtSlow: number;
  replayed: number;
  charges: number;
  deletions: { accounts: number; messages: number };
  poorRate: number;
  strangersRate: number;
};

export const sizes: Record<'quick' | 'full', Sizes> = {
  quick: {
    pending: 5_000,
    pendingAtSlow: 50,
    replayed: 5_000,
    charges: 20_000,
    deletions: { accounts: 1_000, messages: 20_000 },
    poorRate: 30,
    strangersRate: 200,
  },
  full: {
    pending: 100_000,
    pendingAtSlow: 1_000,
    replayed: 200_000,
    charges: 4_000_000,
    deletions: { accounts: 10_000, messages: 1_000_000 },
    poorRate: 30,
    strangersRate: 1_000,
  },
};

/** Those that fill most come first: their indexes are built once, over few rows of others. */
export function burdensOf(size: Sizes): Burden[] {
  return [
    // What the bench itself makes of no difference at all.
    nothing,
    ...readingBurdens(size.charges),
    hangingEndpoint(size.pending),
    slowEndpoints(size.pendingAtSlow),
    replayOf(size.replayed),
    deletions(size.deletions),
    poorApplication(size.poorRate),
    strangers(size.strangersRate),
    skewedProcess({ seconds: -5, rate: 10 }),
    skewedProcess({ seconds: 59, rate: 10 }),
  ];
}

const nothing: Burden = {
  name: 'nothing',
  async prepare() {
    return {
      turns: () => ({
        begin: async () => undefined,
        end: async () => undefined,
        progress: async () => ({}),
      }),
    };
  },
};
