// Numbers of webhooks (section 6 of the specification leaves them to us): attempts, sizes, and how long what is kept.
// Each has a name, a unit and a reason, as in limits.ts.

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const KIBIBYTE = 1024;

/**
 * Seconds after the previous attempt; more than four days in all, then the delivery has failed. The even steps at the
 * end are for an endpoint that comes back after a long weekend and still fails now and then: one attempt after three
 * days of outage would lose a seventh of what waited, fifteen lose nothing.
 */
export const webhookRetrySeconds = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
  ...Array.from({ length: 14 }, () => 2 * HOUR),
];
/** So that a thousand deliveries that failed together do not return together. */
export const webhookRetryJitter = 0.2;
export const webhookTimeoutMilliseconds = 15_000;
export const webhookConnectTimeoutMilliseconds = 5_000;
/** For one of several addresses. Node's 250 ms would give up a good address whenever this process is busy. */
export const webhookConnectAttemptMilliseconds = 2_000;
export const webhookResponseBytes = 64 * KIBIBYTE;
export const webhookRetryAfterMaximumSeconds = 24 * HOUR;
export const webhookDisabledAfterSeconds = 5 * DAY;
export const webhookReplaySeconds = 30 * DAY;
export const webhookSecretOverlapSeconds = 24 * HOUR;
/** What the page offers, its preselection first; 0 is for a secret that leaked. */
export const webhookSecretOverlapOffers = [webhookSecretOverlapSeconds, HOUR, 0];
/** Longer than one attempt can take: until then no other process makes the same attempt. */
export const webhookLeaseSeconds = 30 * SECOND;
/** Clocks of the database and of this process may differ by this much. */
export const webhookClockSkewSeconds = 5 * SECOND;
/** A pending delivery that is this late has lost its job; housekeeping gives it a new one. */
export const webhookStalledSeconds = 10 * MINUTE;
export const webhookDnsMilliseconds = 2_000;
/** Node's own default, said because it is a promise to integrators. */
export const webhookResponseHeaderBytes = 16 * KIBIBYTE;
/** 103 Early Hints and its like, before the answer. They are read and forgotten, so their number is all they cost. */
export const webhookInformationalAnswers = 100;
/** Enough for a person to see what the endpoint said. */
export const webhookStoredResponseCharacters = 2_000;
export const webhookUrlCharacters = 2_000;
/** Every event is sent to each of them. */
export const webhookSubscriptionsPerWorkspace = 20;
/** Deliveries on one page of the log. */
export const webhookDeliveriesShown = 25;
/** A search by customer looks at the latest events of each application: one page of the ledger's list. */
export const webhookCustomerEventsSearched = 100;
/** A receiver refuses what is further from its clock than this (section 6 of the specification). */
export const webhookToleranceSeconds = 300;
/** Pasted into the page that checks a request: together, written as a form, they stay below `formBytes`. */
export const pastedHeadersCharacters = 4_000;
export const pastedBodyCharacters = 6_000;
/** Rows that one statement of a replay or of housekeeping touches: well inside the statement time-out. */
export const webhookBatchRows = 1_000;
/** Claims or answers of one moment that share a transaction: the statements of 64 cost little more than those of one. */
export const webhookBatches = { size: 64, lanes: 1 } as const;
/** Those whose row somebody else holds: each waits alone, and together they keep few of the connections busy. */
export const webhookLines = { size: 1, lanes: 2 } as const;
