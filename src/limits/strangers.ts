// What somebody who has proven nothing may send and make us keep: authorization requests, and the pages that they open.

import { HOUR, KIBIBYTE, MEBIBYTE, MINUTE } from './units.ts';

/**
 * Bytes of each parameter of an authorization request, as UTF-8: it is kept until the person comes back. Those with a
 * form of their own are a little longer than that form; state belongs to the client, whose libraries put up to a
 * kilobyte of JSON or a signed token into it.
 */
export const authorizationParameterBytes: Readonly<Record<string, number>> = {
  client_id: 128,
  redirect_uri: 2_000,
  state: 2 * KIBIBYTE,
  nonce: 512,
  scope: KIBIBYTE,
  code_challenge: 128,
  /** Three identifiers, as many as a request may name. */
  resource: 608,
  login_hint: 320,
  ui_locales: 256,
  claims_locales: 256,
  acr_values: 512,
  claims: 2 * KIBIBYTE,
  /** An ID Token of ours has some 1,200. */
  id_token_hint: 4 * KIBIBYTE,
};
/** Of every other one: they are words and numbers. */
export const otherParameterBytes = 128;
/** All of them together, names included: a hint and a long state, but not everything at its longest. */
export const authorizationRequestBytes = 6 * KIBIBYTE;

/** A page that nobody has typed anything into. Who types has the time of `interactionSeconds`. */
export const untouchedInteractionSeconds = 10 * MINUTE;

/**
 * Requests that wait for a person, by what the store needs for them. `overall` is a default (HALF_OPEN_MEGABYTES); an
 * application may have half of it, so that an attack on one leaves room for all others.
 */
export const halfOpenMegabytes = 64;
export const halfOpenShareOfApplication = 0.5;
/** Some 700 usual ones: an office behind one address whose people all open the page, and have not typed yet. */
export const halfOpenBytesOfIpAddress = MEBIBYTE;
/** What Redis needs for a record: its allocator rounds up by a fifth at most, and there are the key and the lists. */
export const halfOpenAllocation = { factor: 1.2, bytes: 900 } as const;
/** More than a record is worth: a budget that was lowered is reached in some steps. */
export const halfOpenEvictions = 32;
/** Whose address has its budget full of people who have typed something. */
export const halfOpenRetrySeconds = MINUTE;

/** Whose name may be spelled in many ways (ada+1@, a.da@gmail.com): somebody with two accounts still gets their codes. */
export const codeMailsPerMailbox = { count: 10, seconds: HOUR };
/** What a stranger typed and left: a few chained requests (create, consent) may take half an hour each. */
export const unfinishedFlowKeptSeconds = 90 * MINUTE;
