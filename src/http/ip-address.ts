// Where a request came from: what `pinHost` (middlewares.ts) found behind our own proxies.
import type { Context } from 'koa';

export function ipAddressOf(ctx: Context): string {
  return String(ctx.state.ipAddress ?? '');
}
