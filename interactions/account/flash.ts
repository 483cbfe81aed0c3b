// What one page of the account leaves for the next to show, in the person's own language.
import type { Context } from 'koa';
import { redirectWithFlash, takeFlash } from '../../src/http/flash.ts';
import type { SealedCookie, SealingKeys } from '../../src/http/sealed-cookie.ts';

/** Keys of `texts.done` and `texts.problems`. */
export type Flash = {
  done?: string;
  problem?: string;
  /** What was typed, where it may be shown again. */
  typed?: Record<string, string>;
};

const typedCharacters = 300;

/** To `/account{rest}`, which shows the flash. */
export function redirectTo(
  ctx: Context,
  { keys }: { keys: SealingKeys },
  accountId: string,
  rest: string,
  flash: Flash = {},
): void {
  const typed = Object.fromEntries(
    Object.entries(flash.typed ?? {}).map(([name, value]) => [name, value.slice(0, typedCharacters)]),
  );
  const location = `/account${rest}`;
  redirectWithFlash(ctx, keys, cookieOf(accountId), { location, flash: { ...flash, typed } });
}

export function takeFlashOf(ctx: Context, { keys }: { keys: SealingKeys }, accountId: string): Flash {
  return takeFlash<Flash>(ctx, keys, cookieOf(accountId)) ?? {};
}

function cookieOf(accountId: string): SealedCookie {
  return {
    name: 'tollgate_flash',
    path: '/account',
    sameSite: 'strict',
    context: `account flash ${accountId}`,
  };
}
