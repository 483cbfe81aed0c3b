// How many authorization requests one network address may begin.
import type { Middleware } from 'koa';
import { ipAddressKey, type RateLimiter } from '../../http/rate-limit.ts';
import { about } from '../../http/routing.ts';

/** Counts what can be guessed or flooded by network address; the finer limits stand beside what they protect. */
export function limitAuthorizationRequests(rateLimiter: RateLimiter): Middleware {
  return about(['/oauth/authorize'], async (ctx, next) => {
    await rateLimiter.consume('authorize', ipAddressKey(ctx.state.ipAddress));
    await next();
  });
}
