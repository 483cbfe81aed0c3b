// Conversations with social identity providers: their time-outs and sizes.
import { DAY, KIBIBYTE, MINUTE } from './units.ts';

/** One request to a provider. A person waits for it: longer than this is "down". */
export const socialRequestMilliseconds = 3_500;
/** All requests of one page together: with the page itself below five seconds. */
export const socialPageMilliseconds = 4_500;
/** Their longest honest answer is a key set of some kilobytes. */
export const socialAnswerBytes = 256 * KIBIBYTE;
/** From the button to the return: time to sign in over there, with a second factor. */
export const socialAuthorizationSeconds = 10 * MINUTE;
/** Addresses of endpoints change over years. */
export const socialMetadataSeconds = DAY;
export const socialClockSkewSeconds = 5 * MINUTE;
/** Apple allows half a year; ours is made for each request. */
export const appleSecretSeconds = 5 * MINUTE;
