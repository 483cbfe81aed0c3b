// The numbers of the settings of applications, with unit and reason, like the rest in limits.ts.
import { interactionSeconds } from './protocol.ts';

/** One in use, one to change to, and some for backends that change at their own pace. */
export const liveClientSecretsPerApplication = 5;
/** How fresh "last used" of a Client Secret is: one write a minute and secret, not one per sign-in. */
export const clientSecretUseSeconds = 60;
/** Origins that may call us, or that a callback goes on to. */
export const originsPerApplication = 50;
/** From "Try it" to its callback: as long as an interaction may take. */
export const trialSeconds = interactionSeconds;

/** Of a link to terms, privacy or support: more than any real one, little enough for every page and mail. */
export const linkCharacters = 500;

/** Mail programs cut longer ones off. */
export const senderNameCharacters = 60;
