// Numbers of the person's own account page: address changes, signed-in browsers.
import { DAY, HOUR } from './units.ts';

/** Mails to addresses of others that one account may cause. */
export const emailChangesPerAccount = { count: 10, seconds: DAY };
/** How long the old address can take itself back: long enough to come home from a holiday. */
export const emailReturnSeconds = 7 * DAY;
/** A change is of no use to anybody after that. */
export const emailChangeKeptSeconds = emailReturnSeconds + DAY;

/** How exact "last used" of a signed-in browser is: a write an hour, however often it signs in to applications. */
export const browserTouchSeconds = HOUR;
/** Sign-ins wait this long for company, so that a busy process writes a few statements a second and not hundreds. */
export const browserNoteDelayMilliseconds = 250;
/** Waiting for a database that does not answer; more are dropped. */
export const browserNotesWaiting = 5_000;
/** Rows of one statement. */
export const browserNoteBatch = 500;
/** Sessions that one process remembers to have written; then it forgets all and writes once more. */
export const browserNotesRemembered = 50_000;
/** A proof that led nowhere is of no use to anybody once its interaction is over. */
export const proofKeptSeconds = DAY;
/** For who asks why they were signed out. */
export const endedSessionKeptSeconds = DAY;
/** Processes of the release before proofs may run beside this one for so long, and what they write is taken over. */
export const importSeconds = DAY;
/** After that housekeeping has had its rounds: nothing may be left. */
export const importGraceSeconds = DAY;
/** By then everything that named a person whose account ended is gone; it takes seconds unless something is wrong. */
export const forgottenSeconds = DAY;
/** Rows of one transaction: a sign-in that waits for one of them waits a moment. */
export const importBatch = 500;
