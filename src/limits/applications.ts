// The numbers of the settings of applications.
import { interactionSeconds } from './token-lifetimes.ts';
import { HOUR, MINUTE } from './units.ts';

/** One in use, one to change to, and some for backends that change at their own pace. */
export const liveClientSecretsPerApplication = 5;
/** How fresh "last used" of a Client Secret is: one write a minute and secret, not one per sign-in. */
export const clientSecretUseSeconds = 60;
/** Enough for a team and its testers, and of no use to whoever has customers. */
export const customersInTestMode = 100;
/** Addresses outside the workspace that an application in test mode may mail. */
export const testAddressesPerApplication = 20;
/** Of those that are registered, on the page about one that is not. */
export const callbacksOnErrorPage = 5;
/** Of each address there: enough to see what differs, and no room for a text of somebody else's. */
export const callbackCharactersShown = 200;
/** Origins that may call us, or that a callback goes on to. */
export const originsPerApplication = 50;
/** From "Try it" to its callback: as long as an interaction may take. */
export const trialSeconds = interactionSeconds;

/** Of a link to terms, privacy or support: more than any real one, little enough for every page and mail. */
export const linkCharacters = 500;

/** Mail programs cut longer ones off. */
export const senderNameCharacters = 60;

// ── APIs of companies, as resources that tokens are for ─────────────────────────────────────────────────────

export const resourcesPerWorkspace = 20;
/** A consent page that somebody still reads; a request's `scope` has room for 1 KiB. */
export const scopesPerResource = 30;
export const scopeCharacters = 64;
/** Of what people read about a scope. */
export const scopeDescriptionCharacters = 200;
/** `aud` of every token for it. */
export const resourceIdentifierCharacters = 200;
/** In one authorization request: each is asked about on the consent page. */
export const resourcesPerRequest = 3;
/** What a company can choose from. A JWT cannot be called back, so its life is how long a stolen one works. */
export const resourceTokenSeconds = [5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR] as const;
export const resourceTokenSecondsDefault = 10 * MINUTE;
/** After a deletion: long enough to notice a mistake and which applications stopped working. */
export const resourceRestoreSeconds = 10 * MINUTE;

export const applicationNameCharacters = 100;
export const redirectUriCharacters = 2_000;
export const redirectUrisPerApplication = 50;
