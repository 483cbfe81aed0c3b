// A flash message: what one page leaves for the next one to show, once, in a sealed cookie. So every form can end in a
// redirect, and a reload neither repeats the post nor shows the message again.
import type { Context } from 'koa';
import { flashSeconds } from '../limits/pages.ts';
import { removeCookie } from './cookies.ts';
import { seeOther } from './redirect.ts';
import { readSealedCookie, type SealedCookie, type SealingKeys, writeSealedCookie } from './sealed-cookie.ts';

type Left<Flash> = { path: string; flash: Flash };

/**
 * To `location`, whose page shows the flash. @returns false when the flash is too long for a cookie: it is lost then, and
 * the browser is sent on all the same.
 */
export function redirectWithFlash<Flash extends object>(
  ctx: Context,
  keys: SealingKeys,
  cookie: SealedCookie,
  { location, flash }: { location: string; flash: Flash },
): boolean {
  seeOther(ctx, location);
  if (Object.keys(flash).length === 0) return true;
  const value: Left<Flash> = { path: location.split('?')[0] ?? location, flash };
  return writeSealedCookie(ctx, keys, cookie, { value, seconds: flashSeconds });
}

/** A flash for another page stays where it is. */
export function takeFlash<Flash extends object>(
  ctx: Context,
  keys: SealingKeys,
  cookie: SealedCookie,
): Flash | undefined {
  const left = readSealedCookie<Left<Flash>>(ctx, keys, cookie);
  if (left?.path !== ctx.path) return undefined;
  removeCookie(ctx, cookie);
  return left.flash;
}
