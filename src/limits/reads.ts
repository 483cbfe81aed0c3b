// Numbers of what pages, downloads and the API read (src/database/reading-lanes.ts).
import { MINUTE } from './units.ts';

/** Connections of one process on which nothing else is done: neither sign-ins nor charges ever wait for a page. */
export const postgresReadConnections = 4;
/** Asked by /readyz and by nothing else, so that work never makes a process look dead. */
export const postgresProbeConnections = 1;

export const readingLimits = {
  /** Pieces of work under way in one process. */
  places: postgresReadConnections,
  /** Of one company: half, so that one that reads without end leaves as much to all others. */
  placesPerCompany: 2,
  /** Behind them. A page of the API takes milliseconds, so a hundred that come at once are through in a second. */
  waitingPerCompany: 100,
  /** A person still waits this long, and a program is told to come again. */
  waitMilliseconds: 3_000,
  /** Files that one company reads at once; each is in memory by one piece. */
  downloadsPerCompany: 2,
  /** Between two pieces of a file, which is cut off otherwise. */
  downloadWaitMilliseconds: 30_000,
};
export type ReadingLimits = typeof readingLimits;

/** Four million lines take minutes; whoever reads more slowly than this makes room for the next. */
export const downloadSeconds = 60 * MINUTE;
/** Of a file that are written at once. */
export const downloadPieceCharacters = 16 * 1024;
/** The audit log's filters offer what was done by whom in this many of the newest entries. */
export const auditChoicesEntries = 10_000;
