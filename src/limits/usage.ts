// Numbers of the usage pages, the sign-in traces and the customers pages.
import { DAY, MINUTE, SECOND } from './units.ts';

/** Long enough to look into what a customer reports; then nobody needs to know any more how they signed in. */
export const signInStepKeptSeconds = 30 * DAY;
/**
 * Steps that one process keeps of one application, counted apart for what goes well and for what fails, so that neither
 * crowds out the other. An attacker who fails all day adds some megabytes and no more.
 */
export const signInStepsPerMinute = 300;
export const signInStepsPerDay = 30_000;
/** Steps wait this long for company, so that a busy process writes a few statements a second and not thousands. */
export const signInStepDelayMilliseconds = 250;
/** Waiting for a database that does not answer; more are dropped. */
export const signInStepsWaiting = 5_000;
/** Steps of one statement. */
export const signInStepBatch = 500;
/** Names of parameters or scopes, an origin or a callback; a client may write what it likes there. */
export const signInStepDetailCharacters = 400;
/** One attempt has a dozen; a reloading client has more. */
export const signInTraceSteps = 200;
/** Attempts that one nonce leads to, at most: nobody compares more. */
export const signInAttemptsListed = 50;
/** A code that was never exchanged is remembered beyond its end, so that "expired" can be told from "made up". */
export const expiredCodeRememberedSeconds = 10 * MINUTE;
/** From the last step of a trace to its charge: the life of a code, and an exchange that takes its time. */
export const traceToChargeSeconds = 3 * MINUTE;

/** The windows of the usage page. */
export const usageDays = [7, 30, 90] as const;
/** After its end, until which a day's last charge may still commit, and clocks of processes may differ. */
export const usageDayClosesSeconds = 10 * MINUTE;
/** Days of applications that one round of housekeeping adds up: the history of an older release takes some rounds. */
export const usageDaysPerRound = 2_000;
/** Events that are added up with one statement: some tens of milliseconds. */
export const usageDayEventsPerBite = 20_000;
/** Newest sign-ins and newest failures that it lists. */
export const usageRecentRows = 20;
/** How often the live list asks again: a person watches, and the database does not notice. */
export const usageLiveSeconds = 10 * SECOND;
/** Failures that the counts by reason look at, newest first. */
export const usageFailuresCounted = 100_000;

export const customersPerPage = 25;
/** Of a customer's page. */
export const customerEventsShown = 20;
/** Beyond this a count says "more than": counting costs as much as there is to count. */
export const customersCounted = 100_000;
/** Rows that an export holds in memory at once. */
export const customerExportRows = 500;
/** "Quiet" on the customers page. */
export const customerQuietSeconds = 30 * DAY;

/** Events without a position, of a release that gave none, that one transaction looks at; sign-ins wait for it. */
export const eventsPositionedAtOnce = 1_000;
/** Of one round of housekeeping: a history of ten million takes ten rounds. */
export const positionBitesPerRound = 1_000;
/** After which an event of that release is committed, whatever its process thinks that the time is. */
export const positionedLateSeconds = 10 * MINUTE;
/** `tollgate usage`: more lines than anybody reads on a terminal, and a year for a script. */
export const usageCommandDays = 366;
/** Sessions of test mode that a page counts; beyond, it says that there are more. */
export const testSessionsCounted = 10_000;
