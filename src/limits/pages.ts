// Static files, cookies and logos of the pages.
import { DAY, KIBIBYTE, MINUTE } from './units.ts';

/** Names of static files carry a hash of their content. */
export const assetSeconds = 365 * DAY;
/** A flash message from one page to the next lives as long as the redirect between them, plus a slow network. */
export const flashSeconds = 2 * MINUTE;
export const languageChoiceSeconds = 365 * DAY;
/** A tab with a sign-in that is over is found again the next day rather than the next week. */
export const leftApplicationSeconds = 2 * DAY;
/** A browser that signed in before keeps its right to try when others have used up an account's attempts. */
export const knownDeviceSeconds = 180 * DAY;
/** More than the inbox of an afternoon; newest first. */
export const developmentInboxShown = 50;
export const logoBytes = 512 * KIBIBYTE;
export const logoPixels = 2048;
/** Logos are shown at 64 CSS pixels; this is enough for a screen of three times the density. */
export const logoStoredPixels = 192;
/** A changed logo shows within this time everywhere. */
export const logoCacheSeconds = 10 * MINUTE;
