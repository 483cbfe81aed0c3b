// What one page of the account leaves for the next to say: a sealed cookie that is read once. So every form ends in a
// redirect, and a reload repeats nothing.
import type { Context } from 'koa';
import { type PageCookie, readCookie, removeCookie, writeCookie } from '../../src/http/cookies.ts';
import { pageNoticeSeconds } from '../../src/limits/protocol.ts';
import { type Keys, seal, unseal } from '../../src/secrets.ts';
import type { Remark } from './remark.ts';
import { accountPath } from './visit.ts';

const cookie: PageCookie = { name: 'tollgate_remark', path: '/account', sameSite: 'strict' };
const typedCharacters = 300;

/** To `/account{rest}`, which shows the remark. */
export function leave(
  ctx: Context,
  { keys }: { keys: Pick<Keys, 'sealing'> },
  accountId: string,
  rest: string,
  remark: Remark = {},
): void {
  const path = accountPath(rest);
  const typed = Object.fromEntries(
    Object.entries(remark.typed ?? {}).map(([name, value]) => [name, value.slice(0, typedCharacters)]),
  );
  const left = JSON.stringify({ path: path.split('?')[0], remark: { ...remark, typed } });
  writeCookie(ctx, cookie, seal(keys, left, contextOf(accountId)), pageNoticeSeconds);
  ctx.redirect(path);
  ctx.status = 303;
}

/** A remark for another page stays where it is. */
export function takeRemark(ctx: Context, keys: Pick<Keys, 'sealing'>, accountId: string): Remark {
  const sealed = readCookie(ctx, cookie);
  if (!sealed) return {};
  try {
    const { path, remark }: { path: string; remark: Remark } = JSON.parse(
      unseal(keys, sealed, contextOf(accountId)),
    );
    if (path !== ctx.path) return {};
    removeCookie(ctx, cookie);
    return remark;
  } catch {
    // Cut, forged, somebody else's, or sealed with a secret that is gone: as good as none.
    removeCookie(ctx, cookie);
    return {};
  }
}

function contextOf(accountId: string): string {
  return `account remark ${accountId}`;
}
