// The numbers of the settings of applications, with unit and reason, like the rest in limits.ts.
import { interactionSeconds } from './protocol.ts';

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
