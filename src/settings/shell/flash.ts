// What one page of the settings leaves for the next to show: that something was done, or a secret that is displayed this
// one time. Only the page it was meant for shows it, to the person it was meant for.
import type { Context } from 'koa';
import { redirectWithFlash, takeFlash } from '../../http/flash.ts';
import type { SealedCookie, SealingKeys } from '../../http/sealed-cookie.ts';

export type Flash = {
  /** A sentence about what was done. */
  notice?: string;
  /** Shown with a copy button and a warning that it is the only time. */
  secrets?: { label: string; value: string }[];
};

type Dependencies = { keys: SealingKeys };

/** To `visit.path(rest)`, which shows the flash. */
export function redirectTo(
  ctx: Context,
  deps: Dependencies,
  visit: { member: { accountId: string }; path(rest: string): string },
  rest: string,
  flash: Flash = {},
): void {
  redirectOutside(ctx, deps, { accountId: visit.member.accountId, location: visit.path(rest), flash });
}

/** The same for pages outside of a workspace. */
export function redirectOutside(
  ctx: Context,
  { keys }: Dependencies,
  { accountId, location, flash = {} }: { accountId: string; location: string; flash?: Flash },
): void {
  const isKept = redirectWithFlash(ctx, keys, cookieOf(accountId), { location, flash });
  // A secret may be in it, which nobody could ever see again.
  if (!isKept) throw new Error('a flash message is too long for a cookie');
}

export function takeFlashOf(ctx: Context, { keys }: Dependencies, accountId: string): Flash {
  return takeFlash<Flash>(ctx, keys, cookieOf(accountId)) ?? {};
}

function cookieOf(accountId: string): SealedCookie {
  return {
    name: 'tollgate_flash',
    path: '/settings',
    sameSite: 'strict',
    context: `settings flash ${accountId}`,
  };
}
