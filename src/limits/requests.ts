// Sizes of what a request may carry, and of a page of a list.
import { KIBIBYTE } from './units.ts';

/** What a posted request may become a URL of: browsers and proxies take that much without a second thought. */
export const urlCharacters = 2_000;
export const formBytes = 16 * KIBIBYTE;
export const personNameCharacters = 100;
export const listDefault = 50;
export const listMaximum = 100;
