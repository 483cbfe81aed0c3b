// API keys: how many, how long, how fresh what is said of them.
import { DAY, HOUR, SECOND } from './units.ts';

export const apiKeyNameCharacters = 100;
/** Valid ones: a list that a person can still read. */
export const apiKeysPerWorkspace = 100;
/** While servers change over to a new key, the old one may work for this long; 0 is for a key that leaked. */
export const apiKeyOverlapSeconds = [0, HOUR, DAY, 7 * DAY];
/** What the form offers as the life of a key, besides a date and no end. */
export const apiKeyLifetimeDays = [30, 90, 365] as const;
/** On the list a key that ends within this time is marked. */
export const apiKeyEndingSoonSeconds = 7 * DAY;
/** The latest of those that no longer work: enough to see which one somebody asks about. */
export const endedApiKeysShown = 50;
/** Ours have 61; anything longer is nobody's key and not worth hashing. */
export const apiKeyCharacters = 256;
/** How fresh "last used" is: one write a minute and key, not one per request. */
export const apiKeyUseSeconds = 60 * SECOND;
