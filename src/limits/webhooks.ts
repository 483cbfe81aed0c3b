// Numbers of webhooks: attempts, sizes, and how long what is kept. Each has a name, a unit and a reason, as in
// protocol.ts.
import { DAY, HOUR, KIBIBYTE, MINUTE, SECOND } from './units.ts';

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
/** After a deletion: long enough to notice a mistake and what stopped working, and the history is not kept against a wish. */
export const webhookRestoreSeconds = 10 * MINUTE;
/** Longer than one attempt can take: until then no other process makes the same attempt. */
export const webhookLeaseSeconds = 30 * SECOND;
/** When our own side failed in the middle of an attempt: not so soon that a fault that stays is asked for ever. */
export const webhookMishapSeconds = 5 * MINUTE;
/** Attempts under way at once in one process: each holds a socket and at most `webhookResponseBytes`. */
export const webhookPlaces = 256;
/** Attempts at one endpoint at once, of all processes: the parallel requests that an integrator must expect. */
export const webhookPlacesPerEndpoint = 16;
/** Attempts for one company at once, of all processes. */
export const webhookPlacesPerCompany = 64;
/** The same while the endpoint fails: each of its attempts may take the whole of its time. */
export const webhookPlacesWhileFailing = 2;
export const webhookPlacesPerCompanyWhileFailing = 4;
/** Of a process's places, for all endpoints that fail: the others are for those that answer. */
export const webhookPlacesOfFailing = webhookPlaces / 2;
/**
 * A company takes another place only while it has fewer than this share of those that are free. So places stay free
 * for whoever comes next, however many companies are slow: n of them leave places ÷ (1 + n ÷ 2).
 */
export const webhookShareOfFreePlaces = 1 / 2;
/**
 * Where this waits for so long it is a backlog: an outage that is over, or a replay, whose events are old. Nobody notices
 * minutes there, and an endpoint that answers at once would have the whole process work for it.
 */
export const webhookBacklogSeconds = MINUTE;
/** Of an endpoint with a backlog, while this process is busy. */
export const webhookPlacesOfBacklogUnderPressure = 2;
/** Endpoints with work that one look goes through; the next look goes on after them. */
export const webhookEndpointsLookedAt = 500;
/** How late a retry may be, and a delivery whose notification was lost. */
export const webhookLookMilliseconds = 1_000;
/** Between two looks while attempts are under way: what ends together is replaced together. */
export const webhookGatherMilliseconds = 10;
/** A process that stops waits so long for its attempts, and then hands them back. */
export const webhookStopMilliseconds = 20_000;
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
/** A receiver refuses what is further from its clock than this. */
export const webhookToleranceSeconds = 300;
/** Pasted into the page that checks a request: together, written as a form, they stay below `formBytes`. */
export const pastedHeadersCharacters = 4_000;
export const pastedBodyCharacters = 6_000;
/** Rows that one statement of housekeeping touches: well inside the statement time-out. */
export const webhookBatchRows = 1_000;
/** Answers of one moment that share a transaction: the statements of 64 cost little more than those of one. */
export const webhookBatches = { size: 64, lanes: 1 } as const;
/** Those whose row somebody else holds: each waits alone, and together they keep few of the connections busy. */
export const webhookLines = { size: 1, lanes: 2 } as const;

/**
 * Word of an ended session: seconds after the previous attempt, nine hours in all. Whoever hears of it a day later has long
 * ended the session by its own rules.
 */
export const logoutRetrySeconds = [0, 5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];
/** What an application may take to end a session in its own store. */
export const logoutTimeoutMilliseconds = 10_000;
/** Back-Channel Logout §4: at most two minutes, so that a token that got lost is soon worth nothing. */
export const logoutTokenSeconds = 2 * MINUTE;
/** A key that is to sign from now on does so here after this: other processes notice a new one no sooner. */
export const logoutKeySeconds = 5 * SECOND;
/** For the company, which looks for a reason. */
export const logoutNoticeKeptSeconds = 30 * DAY;
export const logoutNoticesShown = 25;

/** How often the page of a pending delivery asks again: a person waits for the answer. */
export const webhookPageRefreshSeconds = 5;
/** Only while the next attempt comes within this time: nobody reads a page that renews itself for hours. */
export const webhookPageRefreshWithinSeconds = 2 * MINUTE;
