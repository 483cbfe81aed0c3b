// How `tollgate doctor` learns what arrives here through every proxy in between: it asks at the public address, and
// proves with a key of TOLLGATE_SECRET that it may know. To everybody else there is nothing at this address.
import type { Middleware } from 'koa';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { about } from '../http/routing.ts';
import { doctorProofSeconds } from '../limits/operations.ts';
import { hmac, isHmacOf, type Keys } from '../secrets.ts';

export const PROBE_PATH = '/.well-known/tollgate-doctor';
const HEADER = 'x-tollgate-doctor';

/** The headers of the question. */
export function probeHeaders(keys: Pick<Keys, 'doctor'>, now: Date): Record<string, string> {
  const at = String(now.getTime());
  return { [HEADER]: `${at}.${hmac(keys.doctor, at)}` };
}

/** Before anything replaces what the request says about its way. */
export function answerDoctor(options: {
  config: Pick<Config, 'baseUrl' | 'trustProxy'>;
  keys: Pick<Keys, 'doctor'>;
  clock: Clock;
}): Middleware {
  return about([PROBE_PATH], async (ctx, next) => {
    if (!isProven(ctx.get(HEADER), options)) return next();
    const hops = ctx.get('x-forwarded-for').split(',');
    ctx.set('Cache-Control', 'no-store');
    ctx.body = {
      issuer: options.config.baseUrl,
      trustProxy: options.config.trustProxy,
      forwardedFor: hops.filter((hop) => hop.trim() !== '').length,
      forwardedProto: ctx.get('x-forwarded-proto') || null,
      host: ctx.req.headers.host ?? null,
      time: options.clock().toISOString(),
    };
  });
}

function isProven(proof: string, { keys, clock }: { keys: Pick<Keys, 'doctor'>; clock: Clock }): boolean {
  const [at = '', signed = ''] = proof.split('.');
  const ageSeconds = Math.abs(clock().getTime() - Number(at)) / 1000;
  return ageSeconds <= doctorProofSeconds && isHmacOf(signed, keys.doctor, at);
}
