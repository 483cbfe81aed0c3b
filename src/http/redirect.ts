// 303 See Other (RFC 9110 §15.4.4): how every form ends, so that a reload never posts twice.
import type { Context } from 'koa';

export function seeOther(ctx: Context, location: string): void {
  ctx.redirect(location);
  ctx.status = 303;
}
