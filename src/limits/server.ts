// The HTTP server and how it ends.
import { KIBIBYTE } from './units.ts';

/** A body that arrives one byte a second is cut here. */
export const requestMilliseconds = 30_000;
export const requestHeadersMilliseconds = 10_000;
export const keepAliveMilliseconds = 65_000;
export const requestHeaderBytes = 16 * KIBIBYTE;
/** After this, requests in flight are cut so that a deployment ends. */
export const shutdownMilliseconds = 30_000;
/** HKDF needs something to stretch; 32 random characters are what `.env.example` asks for. */
export const secretMinimumCharacters = 32;
