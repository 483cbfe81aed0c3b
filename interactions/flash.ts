// How a form of the hosted pages ends: in a redirect to a page of the same interaction, with something for that page to
// show. What was typed is shown again; passwords and codes never are.
import type { Context } from 'koa';
import { redirectWithFlash, takeFlash } from '../src/http/flash.ts';
import type { SealedCookie, SealingKeys } from '../src/http/sealed-cookie.ts';
import { emailAddressCharacters } from '../src/limits/credentials.ts';
import type { Texts } from './texts/en.ts';

export type Problem = keyof Texts['problems'];
export type FlashNotice =
  | 'codeWrong'
  | 'codeExpired'
  | 'codeUsedUp'
  | 'codeSent'
  | 'passwordWrong'
  | 'passkeyRefused'
  | 'socialFailed'
  | 'socialCancelled'
  | 'socialOver'
  | 'signInOver';

export type Flash = {
  problem?: Problem;
  /** All of them at once, where a form has several fields. */
  problems?: Problem[];
  notice?: FlashNotice;
  email?: string;
  name?: string;
  provider?: string;
};

type Dependencies = { keys: SealingKeys };
type Of<Step> = { interaction: { uid: string }; path(step: Step): string };

export function redirectTo<Step>(
  ctx: Context,
  deps: Dependencies,
  visit: Of<Step>,
  step: Step,
  { email, ...flash }: Flash,
): void {
  const shown = { ...flash, ...(email && { email: email.slice(0, emailAddressCharacters) }) };
  redirectAt(ctx, deps, visit, visit.path(step), shown);
}

/** To a page at an address that says more than its name. */
export function redirectAt<Step>(
  ctx: Context,
  { keys }: Dependencies,
  { interaction }: Of<Step>,
  location: string,
  flash: Flash,
): void {
  // For the metrics: why a page is shown again.
  ctx.state.refusal =
    flash.problem ?? flash.problems?.[0] ?? (isRefusal(flash.notice) ? flash.notice : undefined);
  redirectWithFlash(ctx, keys, cookieOf(interaction.uid), { location, flash });
}

export function takeFlashOf(ctx: Context, { keys }: Dependencies, uid: string): Flash {
  return takeFlash<Flash>(ctx, keys, cookieOf(uid)) ?? {};
}

function isRefusal(notice: FlashNotice | undefined): boolean {
  return notice !== 'codeSent';
}

function cookieOf(uid: string): SealedCookie {
  return { name: 'tollgate_flash', path: `/interaction/${uid}`, context: `flash ${uid}` };
}
