// Numbers of the operator's side: metrics, probes, proofs and the doctor.
import { DAY, MINUTE, SECOND } from './units.ts';

/** Of histograms, in seconds: an exchange takes milliseconds, a password tens of them, a time-out seconds. */
export const requestSecondsBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** The promise is a first attempt within a second; an attempt may take 15. */
export const webhookSecondsBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600];
/** A step of housekeeping: nothing to do takes milliseconds, and twenty seconds is the most that it may take. */
export const workSecondsBuckets = [0.01, 0.05, 0.25, 1, 5, 20, 60];
/** A probe must hear an answer before the platform's own time-out (usually a second or two) makes one up. */
export const readinessMilliseconds = 1_000;
/** How often a process asks whether the next proof of ledger or accounts is due. */
export const verificationLookSeconds = 60 * SECOND;
/** A clock that is further from the database's makes codes and tokens live longer or shorter than promised. */
export const clockSkewWarnedSeconds = 2;
export const clockSkewRefusedSeconds = 30;
/** How long one of the doctor's questions to another machine may take. */
export const doctorQuestionMilliseconds = 10_000;
/** The proof in the doctor's question to the service is of no use to whoever finds it later. */
export const doctorProofSeconds = 5 * MINUTE;
/** Of one statement of a proof at most; fewer when they take longer than a bite may. */
export const verificationBiteRows = 5_000;
/** Of a rule that does not hold: as many rows are read at most. */
export const verificationRows = 10_000;
/** Old proofs are kept for whoever asks since when something has been wrong. */
export const verificationKeptSeconds = 90 * DAY;
/** How long a migration may keep everybody waiting who needs the same table: well below what a sign-in waits for a lock. */
export const migrationLockMilliseconds = 500;
/** Between its tries, so that what has piled up gets through. */
export const migrationPauseMilliseconds = 500;
/** Longer than a proof of the ledger or a dump of a large database; then the start fails and says why. */
export const migrationSeconds = 10 * MINUTE;
/** A store that is away is named at once and then this often, however often we try. */
export const storeAwaySaidMilliseconds = 5_000;
/** How soon a start notices that everything answers. */
export const readinessPollMilliseconds = 250;
/** Of the certificate for one's own machine: Apple's systems refuse more than 398, and 825 of an own authority. */
export const localCertificateDays = 365;
/** A certificate that ends within the week is made anew, so that it does not end in the middle of a day's work. */
export const localCertificateRenewalDays = 7;

/** Mails or deliveries that a scrape of the metrics counts: it reads no more of a backlog. */
export const waitingCounted = 10_000;

export const housekeepingSeconds = 10 * MINUTE;
/** Late enough that "expired" and "already finished" can still be told apart on a page. */
export const flowKeptSeconds = DAY;
export const developmentMailKeptSeconds = 7 * DAY;
