// A cookie whose value only this service can read or make, bound to what it is for.
import type { Context } from 'koa';
import { cookieValueCharacters } from '../limits/settings.ts';
import { type Keys, seal, unseal } from '../secrets.ts';
import { type PageCookie, readCookie, removeCookie, writeCookie } from './cookies.ts';

/** `context`: what it is for, and whose it is. A value sealed for anything else is not read. */
export type SealedCookie = PageCookie & { context: string };

export type SealingKeys = Pick<Keys, 'sealing'>;

/** @returns false when the value is too long for a cookie: then nothing is written. */
export function writeSealedCookie(
  ctx: Context,
  keys: SealingKeys,
  { context, ...cookie }: SealedCookie,
  { value, seconds }: { value: unknown; seconds: number },
): boolean {
  const sealed = seal(keys, JSON.stringify(value), context);
  if (sealed.length > cookieValueCharacters) return false;
  writeCookie(ctx, cookie, sealed, seconds);
  return true;
}

/** Cut, forged, somebody else's, or sealed with a secret that is gone: as good as none. */
export function readSealedCookie<T>(
  ctx: Context,
  keys: SealingKeys,
  { context, ...cookie }: SealedCookie,
): T | undefined {
  const sealed = readCookie(ctx, cookie);
  if (!sealed) return undefined;
  try {
    return JSON.parse(unseal(keys, sealed, context));
  } catch {
    removeCookie(ctx, cookie);
    return undefined;
  }
}
