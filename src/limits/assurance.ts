// What applications with more than a plain sign-in may send, and how long that is remembered (docs/decisions/1206).
import { HOUR, KIBIBYTE, MINUTE, SECOND } from './units.ts';

/** As JSON: ten RSA keys of 4096 bits have some 7 KiB. */
export const clientKeySetBytes = 16 * KIBIBYTE;
/** One in use, one to come, one that went, for each of three algorithms. */
export const clientKeysPerSet = 10;
/** RFC 7518 §3.3. */
export const clientRsaModulusBits = 2048;
/** Of a company's own address: a key that it takes away is refused after this long, a new one is known as soon. */
export const clientKeySetCacheSeconds = 5 * MINUTE;
/** An address that did not answer is left alone this long, however many requests wait for it. */
export const clientKeySetFailureSeconds = 10 * SECOND;
/** A token request waits for it; the engine gives up a little later. */
export const clientKeySetFetchMilliseconds = 2_000;
/** Addresses whose failure one process remembers. */
export const clientKeySetFailuresKept = 1_000;

/** RFC 7523 §3 lets a server limit it: used assertions are remembered as long as they live. */
export const clientAssertionSeconds = 10 * MINUTE;
/** Of the JWTs that a client signs: its clock may be ahead of ours by so much. */
export const clientClockToleranceSeconds = 10 * SECOND;
/** While what a proof or assertion says is checked, nobody else may use it; then its own end counts. */
export const claimedProofSeconds = MINUTE;
/** Bytes of a request object or a client assertion: some claims, a signature, and perhaps the claims parameter. */
export const signedParameterBytes = 8 * KIBIBYTE;
/** FAPI 2.0 Message Signing §5.3.1. */
export const requestObjectSeconds = HOUR;
