// What is counted of devices (RFC 8628): codes that are begun, user codes that are typed, and how often a device asks.
import type { Context, Middleware } from 'koa';
import type Provider from 'oidc-provider';
import { isCode } from '../../errors.ts';
import { ipAddressKey, type RateLimiter } from '../../http/rate-limit.ts';
import { userCodeCharacters } from '../../limits/devices.ts';
import { sha256 } from '../../secrets.ts';
import { engineContext, errorOf, parameter } from '../engine/engine-context.ts';

type Dependencies = { provider: Pick<Provider, 'cookieName'>; rateLimiter: RateLimiter };

export function limitDevices({ provider, rateLimiter }: Dependencies): Middleware {
  return async (ctx, next) => {
    const address = ipAddressKey(ctx.state.ipAddress ?? '');
    if (ctx.path === '/device') {
      if (ctx.method === 'POST') await countTypedCode(ctx, address);
      else keepCodeOfLink(ctx);
    }
    if (ctx.path === '/oauth/device_authorization' && ctx.method === 'POST')
      await rateLimiter.consume('device_requests', address);
    await next();
    if (ctx.path === '/oauth/token') await slowDown(rateLimiter, ctx);
  };

  /** Before it is compared. Without the cookie of a session the engine compares nothing. */
  async function countTypedCode(ctx: Context, address: string): Promise<void> {
    const session = ctx.cookies.get(provider.cookieName('session'), { signed: false });
    if (session) await rateLimiter.consume('user_codes_of_browser', sha256(session));
    await rateLimiter.consume('user_codes_of_address', address);
  }
}

/** `verification_uri_complete`: the person still looks at the code and sends it; the engine would do that by a script. */
function keepCodeOfLink(ctx: Context): void {
  const { user_code: userCode, ...rest } = ctx.query;
  if (userCode === undefined) return;
  if (typeof userCode === 'string') ctx.state.userCode = userCode.slice(0, userCodeCharacters);
  ctx.query = rest;
}

/** RFC 8628 §3.5. A code that somebody has answered is never late. */
async function slowDown(rateLimiter: RateLimiter, ctx: Context): Promise<void> {
  const oidc = engineContext(ctx);
  if (!oidc || errorOf(ctx)?.error !== 'authorization_pending') return;
  try {
    await rateLimiter.consume('device_polls', sha256(parameter(oidc, 'device_code') ?? ''));
  } catch (refusal) {
    if (!isCode(refusal, 'too_many_requests')) throw refusal;
    const error_description = 'Ask five seconds later each time, from now on.';
    ctx.body = { error: 'slow_down', error_description };
  }
}
