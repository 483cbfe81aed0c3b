// The end of every form of company settings: what the next page has to say goes into a sealed cookie, and the browser
// is sent there. Read once, by the page it was meant for, in the hands of the person it was meant for.
import type { Context } from 'koa';
import { type PageCookie, readCookie, removeCookie, writeCookie } from '../../http/cookies.ts';
import { pageNoticeSeconds } from '../../limits/protocol.ts';
import { type Keys, seal, unseal } from '../../secrets.ts';
import type { Remark } from './remark.ts';
import type { MemberVisit, SettingsTools } from './visit.ts';

const cookie: PageCookie = { name: 'tollgate_remark', path: '/settings', sameSite: 'strict' };
/** A browser drops a cookie of more than 4 KB without a word; a secret in it would be lost. */
const LONGEST_COOKIE = 3_800;

/** To `visit.path(rest)`, which shows the remark. */
export function leave(
  ctx: Context,
  tools: Pick<SettingsTools, 'keys'>,
  visit: Pick<MemberVisit, 'member' | 'path'>,
  rest: string,
  remark: Remark = {},
): void {
  leaveTo(ctx, tools, { accountId: visit.member.accountId, path: visit.path(rest), remark });
}

export type Leaving = { accountId: string; path: string; remark: Remark };

/** The same for pages outside of a workspace. */
export function leaveTo(
  ctx: Context,
  { keys }: Pick<SettingsTools, 'keys'>,
  { accountId, path, remark }: Leaving,
): void {
  if (Object.keys(remark).length > 0) {
    const left = JSON.stringify({ path: withoutQuery(path), remark });
    const sealed = seal(keys, left, contextOf(accountId));
    if (sealed.length > LONGEST_COOKIE) throw new Error('a remark is too long for a cookie');
    writeCookie(ctx, cookie, sealed, pageNoticeSeconds);
  }
  ctx.redirect(path);
  ctx.status = 303;
}

/** A remark for another page stays where it is. */
export function takeRemark(ctx: Context, keys: Pick<Keys, 'sealing'>, accountId: string): Remark {
  const sealed = readCookie(ctx, cookie);
  if (!sealed) return {};
  const left = open(keys, sealed, accountId);
  if (left && left.path !== ctx.path) return {};
  removeCookie(ctx, cookie);
  return left?.remark ?? {};
}

function open(
  keys: Pick<Keys, 'sealing'>,
  sealed: string,
  accountId: string,
): { path: string; remark: Remark } | undefined {
  try {
    return JSON.parse(unseal(keys, sealed, contextOf(accountId)));
  } catch {
    // Cut, forged, somebody else's, or sealed with a secret that is gone: as good as none.
    return undefined;
  }
}

function contextOf(accountId: string): string {
  return `settings remark ${accountId}`;
}

function withoutQuery(path: string): string {
  return path.split('?')[0] ?? path;
}
