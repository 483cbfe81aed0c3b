// Rate limits of the endpoints that backends call, by network address: a backend has one for all of its customers.
import type { Context, Middleware } from 'koa';
import { ipAddressKey, type RateLimiter } from '../../http/rate-limit.ts';
import { CLIENT_ENDPOINTS } from '../engine/endpoints.ts';
import { engineContext, errorOf } from '../engine/engine-context.ts';
import { isPublic } from './client.ts';

export function limitExchanges(rateLimiter: RateLimiter): Middleware {
  return async (ctx, next) => {
    if (ctx.method === 'OPTIONS') return next();
    const ipAddress = ipAddressKey(ctx.state.ipAddress ?? '');
    if (ctx.path === '/oauth/userinfo') await rateLimiter.consume('userinfo_requests', ipAddress);
    if (!CLIENT_ENDPOINTS.includes(ctx.path)) return next();
    await Promise.all([
      rateLimiter.consume('token_requests', ipAddress),
      rateLimiter.check('failed_exchanges', ipAddress),
    ]);
    await next();
    if (isGuess(ctx)) await countGuess(rateLimiter, ipAddress);
  };
}

/**
 * A wrong client secret, or a wrong code from a client that needs no secret. Not the invalid_grant of a client
 * that proved who it is: anybody can send made-up codes to a company's callback, and must not be able to stop its
 * backend from exchanging the real ones.
 */
function isGuess(ctx: Context): boolean {
  if (ctx.status === 401) return true;
  const client = engineContext(ctx)?.client;
  return (
    ctx.status === 400 && errorOf(ctx)?.error === 'invalid_grant' && client !== undefined && isPublic(client)
  );
}

/** The answer to this request stands; only the next one is refused. */
async function countGuess(rateLimiter: RateLimiter, ipAddress: string): Promise<void> {
  await rateLimiter.consume('failed_exchanges', ipAddress).catch((refusal: unknown) => {
    if (!(refusal instanceof Error && 'code' in refusal && refusal.code === 'too_many_requests'))
      throw refusal;
  });
}
