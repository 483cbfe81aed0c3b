// Numbers of the charge: what shares a transaction, who waits for whom and for how long, and when an outcome that nobody
// heard is settled.

/** Sessions that one transaction charges: more make the commit cheaper for each and the wait longer for all. */
export const sessionsPerCharge = 64;
/** Charging transactions of one process at once: two small ones cost more than a large one (docs/decisions/0901). */
export const chargeBatches = 1;
/** Lines of their own, for sessions whose row somebody holds: as many people and companies are waited for at once. */
export const chargeLines = 4;
/** The same for test mode (docs/decisions/1101), which takes no place from whoever pays. */
export const testChargeLines = 1;
/** One for each of them, and one because what is taken back, or of test mode, must not wait for the next batch either. */
export const postgresChargeConnections = chargeBatches + chargeLines + 1;
/** What all wait for at most because of a row that one of them needs. Other processes hold a balance for a commit. */
export const sharedChargeLockMilliseconds = 200;
/** How long the others of a batch wait at most until the tokens of each are saved; it takes as long as their look-ups. */
export const chargeMintingMilliseconds = 20;
/** A restart of PostgreSQL fits; HTTP clients give up after ten seconds or more. Then the answer is 503. */
export const chargePatienceMilliseconds = 8_000;
/** Between two attempts at a database that does not answer. */
export const chargeRetryMilliseconds = 100;
/** Attempts that a constraint refused before a session is tried alone, and alone before that is the answer. */
export const chargeAttemptsTogether = 2;
export const chargeAttemptsAlone = 4;
/** How often a charge that nobody heard of is looked for. */
export const chargeRepairMilliseconds = 1_000;
/** The server ends an open transaction without a client after five seconds; later than this none can still commit. */
export const chargeOutcomeMilliseconds = 30_000;
/** Webhooks of a charge wait until its tokens leave; those of a process that died then, this long. */
export const webhooksHeldMilliseconds = 60_000;
/** How often somebody looks for these. */
export const heldWebhooksPollMilliseconds = 15_000;
/** Releases that one transaction writes. */
export const releaseBatches = { size: 64, lanes: 1 } as const;
