// Leaving a form: every post of a sign-in ends in a redirect to a page of the same interaction, with
// something for that page to say.
import type { Context } from 'koa';
import { emailAddressCharacters } from '../src/limits/protocol.ts';
import { leaveMessage, type Message } from './message.ts';
import { seeOther, type Tools, type Visit } from './visit.ts';

export function leaveFor(
  ctx: Context,
  tools: Pick<Tools, 'keys'>,
  visit: Visit,
  step: Visit['step'],
  message: Message,
): void {
  const email = message.email?.slice(0, emailAddressCharacters);
  leaveMessage(ctx, {
    keys: tools.keys,
    uid: visit.interaction.uid,
    step,
    message: { ...message, ...(email && { email }) },
  });
  seeOther(ctx, visit.path(step));
}

/** For the same page again, at an address that says more than its name. */
export function leaveAt(
  ctx: Context,
  tools: Pick<Tools, 'keys'>,
  visit: Visit,
  path: string,
  message: Message,
): void {
  const { uid } = visit.interaction;
  leaveMessage(ctx, { keys: tools.keys, uid, step: visit.step, message });
  seeOther(ctx, path);
}
