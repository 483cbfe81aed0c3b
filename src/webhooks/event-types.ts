// The types of events that a webhook endpoint may ask for, as receivers read them.
import { TollgateError } from '../errors.ts';

/** Every kind of event there is. */
export const webhookTypes = ['identity.registration.completed.v1', 'identity.login.completed.v1'] as const;
export type WebhookType = (typeof webhookTypes)[number];
/** What each kind of session is called. */
export const webhookTypeOf = {
  registration: 'identity.registration.completed.v1',
  sign_in: 'identity.login.completed.v1',
} as const satisfies Record<string, WebhookType>;

export function requireTypes(types: string[]): string[] {
  const known: readonly string[] = webhookTypes;
  if (types.length === 0 || !types.every((type) => known.includes(type))) {
    throw new TollgateError('invalid_request', `The event types are ${known.join(' and ')}.`);
  }
  return [...new Set(types)];
}
