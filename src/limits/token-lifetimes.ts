// How long authorization codes, tokens, sessions and signing keys live (docs/tokens.md), in seconds.
import { DAY, HOUR, MINUTE, SECOND } from './units.ts';

/** RFC 6749 §4.1.2 allows 10 minutes; a backend exchanges within a second or two. */
export const authorizationCodeSeconds = 60 * SECOND;
/** A person may have to find the mail on another device first. */
export const interactionSeconds = 30 * MINUTE;
/** A browser cannot keep a token safe: short. */
export const publicAccessTokenSeconds = 10 * MINUTE;
export const confidentialAccessTokenSeconds = 60 * MINUTE;
export const idTokenSeconds = 60 * MINUTE;
/** Rotated at each use; from the first one on, since a rotated token inherits what is left. */
export const publicRefreshTokenSeconds = 14 * DAY;
/** Absolute, not rotated: a backend that loses an answer may repeat its request. */
export const confidentialRefreshTokenSeconds = 90 * DAY;
export const sessionIdleSeconds = 24 * HOUR;
export const sessionAbsoluteSeconds = 14 * DAY;
/** Must outlive the longest refresh token issued on the last day of a session. */
export const grantSeconds = sessionAbsoluteSeconds + confidentialRefreshTokenSeconds + DAY;
/** Clients may keep the key set this long. */
export const keySetCacheSeconds = HOUR;
/** Before it signs, a new key is published: many times longer than any client should keep the key set. */
export const signingKeyAnnouncementSeconds = DAY;
/** A new signing key takes over this long after the one before, without anybody having to remember it. */
export const signingKeyRotationSeconds = 90 * DAY;
/** After an emergency rotation: until then every process has noticed, and the old key leaves the key set. */
export const replacedKeySeconds = 3 * MINUTE;
/** How soon a process notices that another one rotated the keys, or that a new key's time has come. */
export const signingKeyWatchSeconds = 60 * SECOND;
/** Old ID Tokens come back as hints at logout: their key is published for as long as a session can last. */
export const signingKeyRetirementSeconds = sessionAbsoluteSeconds + idTokenSeconds;
/** A client that guesses verifiers gets this many tries before its code dies. */
export const wrongVerifiersPerCode = 5;
