// How much of a long piece of work is done at once.
import { DAY, MINUTE, SECOND } from './units.ts';

/** Rows of one transaction at most: its locks, its memory and what a killed process repeats. */
export const biteRows = 1_000;
/** What a bite may take before the next one is smaller: less than a person notices who waits for one of its rows. */
export const biteMilliseconds = 100;
/** What one kind of expired rows may take of a round of housekeeping, so that the others have their turn. */
export const housekeepingStepMilliseconds = 20_000;
/** How often a process looks for long work. A first bite of a deletion follows within this time. */
export const longWorkLookSeconds = 2 * SECOND;
/** Work that failed is tried again after this, twice as long each time, */
export const longWorkPauseSeconds = 5 * SECOND;
/** and at least this often. */
export const longWorkPauseMostSeconds = 10 * MINUTE;
/** Work that is done is shown for as long, then nobody asks any more. */
export const longWorkKeptSeconds = 7 * DAY;
/** What one request of a command does of long work: its progress is shown after each. */
export const longWorkHandMilliseconds = 500;
/** Of a list of long work. */
export const longWorkShown = 100;
